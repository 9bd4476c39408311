/** Shorthands for tests: open, find a place in a text, ask the editor, wait. */

import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Api } from '../../src/extension';

export async function api(): Promise<Api> {
  const extension = vscode.extensions.getExtension<Api>('atl-lang.atl');
  assert.ok(extension, 'the extension is there');
  const exported = await extension.activate();
  await exported.settled();
  return exported;
}

export function uri(path: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder);
  return vscode.Uri.joinPath(folder.uri, path);
}

export async function open(path: string): Promise<vscode.TextDocument> {
  await api();
  const document = await vscode.workspace.openTextDocument(uri(path));
  await vscode.window.showTextDocument(document);
  return document;
}

/** The position at `|` of a piece of the document's text. */
export function at(document: vscode.TextDocument, marked: string): vscode.Position {
  const cursor = marked.indexOf('|');
  const start = document.getText().indexOf(marked.replace('|', ''));
  assert.ok(start >= 0 && cursor >= 0, `\`${marked}\` is in the text`);
  return document.positionAt(start + cursor);
}

/** Types over the `|` of a piece of text, as a person would. */
export async function type(document: vscode.TextDocument, marked: string, text: string): Promise<vscode.Position> {
  const place = at(document, marked);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, place, text);
  assert.ok(await vscode.workspace.applyEdit(edit));
  return document.positionAt(document.offsetAt(place) + text.length);
}

export async function replace(document: vscode.TextDocument, before: string, after: string): Promise<void> {
  const start = document.getText().indexOf(before);
  assert.ok(start >= 0, `\`${before}\` is in the text`);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(start), document.positionAt(start + before.length));
  edit.replace(document.uri, range, after);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** Asks until the answer is one: what the editor shows follows the text by a moment. */
export async function eventually<T>(what: string, ask: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  const until = Date.now() + 120_000;
  for (;;) {
    const answer = await ask();
    if (answer) {
      return answer;
    }
    if (Date.now() > until) {
      throw new assert.AssertionError({ message: `not within 2 minutes: ${what}` });
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export function codeOf(diagnostic: vscode.Diagnostic): string {
  const code = diagnostic.code;
  return String(typeof code === 'object' ? code.value : code);
}

/** The findings of a file, as `line code`, once there are some that fit. */
export async function findings(path: string, fit: (codes: string[]) => boolean): Promise<string[]> {
  let last: string[] = [];
  try {
    return await eventually('findings', () => {
      last = vscode.languages
        .getDiagnostics(uri(path))
        .map((each) => `${each.range.start.line + 1} ${codeOf(each)}`)
        .sort();
      return fit(last) && last;
    });
  } catch {
    throw new assert.AssertionError({ message: `findings of ${path} stay ${JSON.stringify(last)}` });
  }
}

export function hoverText(hovers: readonly vscode.Hover[]): string {
  return hovers
    .flatMap((hover) => hover.contents)
    .map((content) => (typeof content === 'string' ? content : content.value))
    .join('\n');
}

export function labelOf(item: vscode.CompletionItem): string {
  return typeof item.label === 'string' ? item.label : item.label.label;
}
