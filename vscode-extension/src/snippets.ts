/**
 * Snippets, offered only where they fit: contributed ones would be offered in argument lists and comments too.
 * Those for a file's top level at a line's very start, the others where a line so far is only indented.
 */

import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';

interface Snippet {
  readonly prefix: string;
  readonly description: string;
  readonly body: readonly string[];
}

const INSIDE = new Set(['cache-block']);

export class Snippets implements vscode.CompletionItemProvider {
  private items: Promise<readonly [string, vscode.CompletionItem][]> | undefined;

  constructor(private readonly file: string) {}

  register(): vscode.Disposable {
    return vscode.languages.registerCompletionItemProvider({ language: 'atl' }, this);
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionItem[]> {
    const before = document.lineAt(position).text.slice(0, position.character);
    const [, indent, typed] = /^(\s*)([\w-]*)$/.exec(before) ?? [];
    if (indent === undefined || typed === undefined) {
      return [];
    }
    const range = new vscode.Range(position.translate(0, -typed.length), position);
    this.items ??= read(this.file);
    return (await this.items)
      .filter(([prefix]) => INSIDE.has(prefix) === (indent !== ''))
      .map(([, item]) => Object.assign(new vscode.CompletionItem(item.label, item.kind), item, { range }));
  }
}

async function read(file: string): Promise<[string, vscode.CompletionItem][]> {
  const snippets = JSON.parse(await readFile(file, 'utf8')) as Record<string, Snippet>;
  return Object.values(snippets).map(({ prefix, description, body }) => {
    const item = new vscode.CompletionItem(prefix, vscode.CompletionItemKind.Snippet);
    item.detail = description;
    item.insertText = new vscode.SnippetString(body.join('\n'));
    item.documentation = new vscode.MarkdownString().appendCodeblock(plain(body), 'atl');
    item.sortText = `~${prefix}`;
    return [prefix, item];
  });
}

/** A body as it stands before anything is filled in. */
function plain(body: readonly string[]): string {
  const defaults = new Map<string, string>();
  return body
    .join('\n')
    .replace(/(?<!\\)\$\{(\d+):([^{}]*)\}/g, (_, number: string, text: string) => {
      defaults.set(number, text);
      return text;
    })
    .replace(/(?<!\\)\$\{?(\d+)\}?/g, (_, number: string) => defaults.get(number) ?? '')
    .replaceAll('\\$', '$');
}
