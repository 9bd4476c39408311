/** "Plan against ...": what changed, what it costs and the SQL that makes it, as a page. */

import { execFile } from 'node:child_process';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Launch } from './launch';

const SCHEME = 'atl-plan';
/** `atl plan` ends with the class of the plan; 3 is "could not be planned". */
const TROUBLE = 3;

interface Branches {
  getAPI(version: 1): {
    readonly repositories: readonly {
      getBranches(query: { remote: boolean }): Promise<readonly { readonly name?: string }[]>;
    }[];
  };
}

export class Plans implements vscode.TextDocumentContentProvider {
  private readonly pages = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly output: vscode.LogOutputChannel) {}

  register(): vscode.Disposable {
    return vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.pages.get(uri.path) ?? '';
  }

  /** Plans the workspace of the file in front; `against`: see `atl plan --against`, undefined for its default. */
  async show(launch: Launch, against: string | undefined): Promise<vscode.Uri | undefined> {
    const folder = await folderInFront();
    if (folder === undefined) {
      return undefined;
    }
    const page = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: 'atl: planning' },
      () => this.plan(launch, folder, against),
    );
    if (page === undefined) {
      return undefined;
    }
    // An address of a database may hold a password.
    const name = against === undefined ? 'the default branch' : against.includes('://') ? 'a database' : against;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/Plan against ${name.replaceAll('/', '∕')}.md` });
    this.pages.set(uri.path, page);
    this.changed.fire(uri);
    await vscode.commands.executeCommand('markdown.showPreview', uri);
    return uri;
  }

  private async plan(launch: Launch, folder: string, against: string | undefined): Promise<string | undefined> {
    const args = [...launch.args, 'plan', '--format', 'markdown', ...(against === undefined ? [] : ['--against', against])];
    const { code, stdout, stderr } = await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      const environment = { ...process.env, PYTHONUTF8: '1' };
      execFile(launch.command, args, { cwd: folder, env: environment, maxBuffer: 1 << 26 }, (error, out, err) =>
        resolve({ code: error?.code ?? 0, stdout: out, stderr: err || String(error ?? '') }),
      );
    });
    if (typeof code === 'number' && code < 5 && code !== TROUBLE) {
      return stdout;
    }
    this.output.error(stderr);
    const lines = stderr.trim().split('\n');
    const chosen = await vscode.window.showErrorMessage(`atl plan: ${lines.at(-1) ?? 'it failed'}`, 'Show Output');
    if (chosen !== undefined) {
      this.output.show();
    }
    return undefined;
  }
}

/** The folder of the file in front, from which atl finds its workspace; else the only folder, or one that is asked for. */
async function folderInFront(): Promise<string | undefined> {
  const front = vscode.window.activeTextEditor?.document;
  if (front?.uri.scheme === 'file' && (front.languageId === 'atl' || path.basename(front.fileName) === 'tide.yaml')) {
    return path.dirname(front.fileName);
  }
  const folders = vscode.workspace.workspaceFolders ?? [];
  const folder = folders.length > 1 ? await vscode.window.showWorkspaceFolderPick() : folders[0];
  if (folder === undefined) {
    void vscode.window.showInformationMessage('Open the file or folder that is to be planned.');
  }
  return folder?.uri.fsPath;
}

/** A branch from a list, or whatever is typed: a revision, folder, file or a database's address. */
export async function askAgainst(): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick();
  pick.title = 'Plan against';
  pick.placeholder = 'A branch, revision, folder, .atl file, schema JSON or a database (postgres://...)';
  pick.busy = true;
  let known: vscode.QuickPickItem[] = [];
  const offer = (): void => {
    const typed = pick.value.trim();
    const own = typed === '' || known.some((item) => item.label === typed) ? [] : [{ label: typed, alwaysShow: true }];
    pick.items = [...own, ...known];
  };
  pick.onDidChangeValue(offer);
  pick.show();
  void branches().then((names) => {
    known = names.map((label) => ({ label }));
    pick.busy = false;
    offer();
  });
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.label ?? (pick.value.trim() || undefined));
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
  });
}

async function branches(): Promise<string[]> {
  try {
    const git = await vscode.extensions.getExtension<Branches>('vscode.git')?.activate();
    const lists = (git?.getAPI(1).repositories ?? []).map((repository) => repository.getBranches({ remote: true }));
    return (await Promise.all(lists)).flat().flatMap((branch) => branch.name ?? []);
  } catch {
    return [];
  }
}
