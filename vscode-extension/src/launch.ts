/** Which program serves. */

import { existsSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { findPython } from './python';

/** How `atl` is started: `command`, then `args`, then the arguments of atl itself. `origin`: for people. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** A folder outside of the workspace: what is started there finds no modules of the workspace. */
  readonly cwd: string;
  readonly origin: string;
  readonly bundled: boolean;
}

/** Why nothing can be started, in words, with the ways out. */
export class NoServer extends Error {
  constructor(
    message: string,
    readonly python: boolean,
  ) {
    super(message);
  }
}

/**
 * From the settings, else the workspace's Python environment, else the copy that came with the extension.
 * In an untrusted workspace VS Code answers only with the user's own settings (`restrictedConfigurations`).
 */
export async function findLaunch(context: vscode.ExtensionContext, log: (line: string) => void): Promise<Launch> {
  const settings = vscode.workspace.getConfiguration('atl');
  const cwd = context.extensionPath;
  const program = settings.get<string>('server.path', '').trim();
  if (program !== '') {
    if (path.isAbsolute(program) && !existsSync(program)) {
      throw new NoServer(`The setting atl.server.path names ${program}, which does not exist.`, false);
    }
    return { command: program, args: [], cwd, origin: 'the setting atl.server.path', bundled: false };
  }
  const python = await findPython(settings.get<string>('interpreter', '').trim(), cwd, log);
  if (python === undefined) {
    throw new NoServer('No Python 3.10 or newer was found: atl shows colours and snippets only.', true);
  }
  const script = context.asAbsolutePath('python/launch.py');
  if (python.server !== '' && python.origin !== 'the path') {
    const origin = `atl-lang ${python.server}, Python ${python.version} of ${python.origin}`;
    return { command: python.path, args: [script, 'environment'], cwd, origin, bundled: false };
  }
  if (existsSync(context.asAbsolutePath('python/libs/atl'))) {
    const origin = `the bundled server, Python ${python.version} of ${python.origin}`;
    return { command: python.path, args: ['-I', script, 'bundled'], cwd, origin, bundled: true };
  }
  throw new NoServer(`Python ${python.version} has no atl-lang with a server, and this build of the extension brings none.`, true);
}
