/** Pythons that may run the server, and what they have installed. */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';

/** What a Python says of itself. `version`: like "3.11.2". `server`: the version of an `atl-lang` that can serve, or "". */
export interface Python {
  readonly path: string;
  readonly origin: string;
  readonly version: string;
  readonly server: string;
}

interface Candidate {
  readonly path: string;
  readonly origin: string;
  /** Whether it is of the workspace, or chosen for it: only then the `atl-lang` installed in it is preferred. */
  readonly chosen: boolean;
}

const PROBE = `
import sys, json
from importlib.util import find_spec
from importlib.metadata import version
has = all(find_spec(name) for name in ("atl", "atl_lsp", "pygls")) if sys.version_info >= (3, 10) else False
try:
    server = version("atl-lang") if has else ""
except Exception:
    server = ""
print(json.dumps([list(sys.version_info[:3]), server]))
`;

const VENVS = ['.venv', 'venv', 'env'];
const IN_VENV = process.platform === 'win32' ? 'Scripts\\python.exe' : 'bin/python';
const OF_PATH = process.platform === 'win32' ? ['python', 'py', 'python3'] : ['python3', 'python'];

/** The parts of the Python extension's interface that are used here. */
interface PythonExtension {
  readonly environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(path: { readonly path: string }): Promise<
      { readonly executable: { readonly uri?: vscode.Uri } } | undefined
    >;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

async function pythonExtension(): Promise<PythonExtension['environments']> {
  const found = vscode.extensions.getExtension<PythonExtension>('ms-python.python');
  try {
    return (await found?.activate())?.environments;
  } catch {
    return undefined;
  }
}

/** Tells when another Python is selected in the Python extension. */
export async function onDidSelectPython(then: () => void): Promise<vscode.Disposable | undefined> {
  return (await pythonExtension())?.onDidChangeActiveEnvironmentPath(then);
}

async function selected(folder: vscode.WorkspaceFolder | undefined): Promise<string | undefined> {
  const environments = await pythonExtension();
  if (environments === undefined) {
    return undefined;
  }
  const active = environments.getActiveEnvironmentPath(folder?.uri);
  const resolved = await environments.resolveEnvironment(active);
  return resolved?.executable.uri?.fsPath;
}

/** In the order in which they are tried. Of an untrusted workspace none is: running its Python runs its code. */
async function* candidates(setting: string): AsyncGenerator<Candidate> {
  if (setting !== '') {
    yield { path: setting, origin: 'the setting atl.interpreter', chosen: true };
  }
  if (vscode.workspace.isTrusted) {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
    const active = await selected(folders[0]);
    if (active !== undefined) {
      yield { path: active, origin: 'the Python extension', chosen: true };
    }
    for (const folder of folders) {
      for (const name of VENVS) {
        const inside = path.join(folder.uri.fsPath, name, IN_VENV);
        if (existsSync(inside)) {
          yield { path: inside, origin: `${name} of ${folder.name}`, chosen: true };
        }
      }
    }
  }
  for (const name of OF_PATH) {
    yield { path: name, origin: 'the path', chosen: false };
  }
}

/** Asks a Python; undefined where there is none, or one below 3.10. `cwd`: a folder whose modules may be imported. */
async function ask(candidate: Candidate, cwd: string): Promise<Python | undefined> {
  const args = candidate.chosen ? ['-c', PROBE] : ['-I', '-c', PROBE];
  const said = await new Promise<string>((resolve) => {
    execFile(candidate.path, args, { cwd, timeout: 20_000 }, (error, stdout) => resolve(error ? '' : stdout));
  });
  try {
    const [version, server] = JSON.parse(said) as [number[], string];
    const [major = 0, minor = 0] = version;
    if (major !== 3 || minor < 10) {
      return undefined;
    }
    return { path: candidate.path, origin: candidate.origin, version: version.join('.'), server };
  } catch {
    return undefined;
  }
}

/** The Python to use: the first one of the workspace's in which a server is installed, else the first that runs. */
export async function findPython(setting: string, cwd: string, log: (line: string) => void): Promise<Python | undefined> {
  let first: Python | undefined;
  for await (const candidate of candidates(setting)) {
    if (!candidate.chosen && first !== undefined) {
      break;
    }
    const python = await ask(candidate, cwd);
    if (python === undefined) {
      log(`${candidate.path} (${candidate.origin}): no Python 3.10 or newer`);
      continue;
    }
    log(`${python.path} (${python.origin}): Python ${python.version}, ${python.server === '' ? 'no server' : `atl-lang ${python.server}`}`);
    if (candidate.chosen && python.server !== '') {
      return python;
    }
    first ??= python;
  }
  return first;
}
