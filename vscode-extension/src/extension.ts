/** Starts the server and binds the commands. */

import * as vscode from 'vscode';
import type { Launch } from './launch';
import { askAgainst, Plans } from './plan';
import { onDidSelectPython } from './python';
import { Server } from './server';
import { Snippets } from './snippets';
import { Status } from './status';

/** What the extension answers with to others, its tests among them. */
export interface Api {
  /** Settles when the server answers, or it is clear that there is none. */
  settled(): Promise<void>;
  readonly running: boolean;
  readonly launch: Launch | undefined;
  /** Why nothing runs, as it was said to the user; "" while something does. */
  readonly trouble: string;
}

interface WirePosition {
  readonly line: number;
  readonly character: number;
}

interface WireLocation {
  readonly uri: string;
  readonly range: { readonly start: WirePosition; readonly end: WirePosition };
}

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): Api {
  const output = vscode.window.createOutputChannel('atl', { log: true });
  const status = new Status();
  const running = (server = new Server(context, output, status));
  const plans = new Plans(output);

  const plan = async (against: string | undefined): Promise<vscode.Uri | undefined> => {
    await running.settled();
    if (running.launch === undefined) {
      void vscode.window.showErrorMessage('There is no atl to plan with: see the output.', 'Show Output').then((way) => {
        if (way !== undefined) {
          output.show();
        }
      });
      return undefined;
    }
    return vscode.workspace.isTrusted ? plans.show(running.launch, against) : undefined;
  };

  const commands: Record<string, (...args: never[]) => unknown> = {
    'atl.restart': () => running.restart(),
    'atl.showOutput': () => output.show(),
    'atl.plan': () => plan(undefined),
    'atl.planAgainst': async (given?: string) => {
      const against = typeof given === 'string' ? given : await askAgainst();
      return against === undefined ? undefined : plan(against);
    },
    'atl.selectInterpreter': selectInterpreter,
    'atl.showUses': showUses,
  };
  for (const [name, run] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  }

  const restart = (): void => void running.restart();
  context.subscriptions.push(
    output,
    status,
    plans.register(),
    new Snippets(context.asAbsolutePath('snippets/atl.json')).register(),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (['atl.server', 'atl.interpreter'].some((section) => event.affectsConfiguration(section))) {
        restart();
      }
    }),
  );
  restart();
  if (vscode.workspace.isTrusted) {
    void onDidSelectPython(restart).then((listening) => listening && context.subscriptions.push(listening));
  }
  return {
    settled: () => running.settled(),
    get running() {
      return running.running;
    },
    get launch() {
      return running.launch;
    },
    get trouble() {
      return running.trouble;
    },
  };
}

export function deactivate(): Promise<void> | undefined {
  return server?.close();
}

async function selectInterpreter(): Promise<void> {
  const chosen = await vscode.window.showOpenDialog({
    title: 'The Python (3.10 or newer) that runs the server of atl',
    openLabel: 'Select',
    canSelectMany: false,
  });
  const file = chosen?.[0]?.fsPath;
  if (file !== undefined) {
    await vscode.workspace.getConfiguration('atl').update('interpreter', file, vscode.ConfigurationTarget.Global);
  }
}

/** Of the lens "3 uses": places as the server sends them, shown beside the declaration. */
function showUses(uri: string, position: WirePosition, locations: readonly WireLocation[]): Thenable<unknown> {
  const at = ({ line, character }: WirePosition): vscode.Position => new vscode.Position(line, character);
  const places = locations.map(
    ({ uri: file, range }) => new vscode.Location(vscode.Uri.parse(file), new vscode.Range(at(range.start), at(range.end))),
  );
  return vscode.commands.executeCommand('editor.action.showReferences', vscode.Uri.parse(uri), at(position), places);
}
