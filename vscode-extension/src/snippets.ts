/**
 * Snippets, offered only where they fit, at a line's very start: contributed ones would be offered in argument lists and
 * comments too. The namespace and entity of the file's declarations stand in the places for one.
 */

import { readdir, readFile } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';

interface Snippet {
  readonly prefix: string;
  readonly description: string;
  readonly body: readonly string[];
}

/** How many files beside it a file without declarations is likened to. */
const NEIGHBOURS = 10;

/** What the snippets are written about. */
const SAMPLE = { namespace: 'shop', entity: 'Item', table: 'shop.item' };

export class Snippets implements vscode.CompletionItemProvider {
  private snippets: Promise<readonly Snippet[]> | undefined;

  constructor(private readonly file: string) {}

  register(): vscode.Disposable {
    return vscode.languages.registerCompletionItemProvider({ language: 'atl' }, this);
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionItem[]> {
    const before = document.lineAt(position).text.slice(0, position.character);
    if (!/^[\w-]*$/.test(before)) {
      return [];
    }
    const range = new vscode.Range(position.with({ character: 0 }), position);
    this.snippets ??= readFile(this.file, 'utf8').then((text) => Object.values(JSON.parse(text) as Record<string, Snippet>));
    const names = await namesFor(document);
    return (await this.snippets).map((snippet) => made(snippet, names, range));
  }
}

function made({ prefix, description, body }: Snippet, names: typeof SAMPLE, range: vscode.Range): vscode.CompletionItem {
  const text = filled(body.join('\n'), names);
  const item = new vscode.CompletionItem({ label: prefix, description }, vscode.CompletionItemKind.Snippet);
  item.insertText = new vscode.SnippetString(text);
  item.documentation = new vscode.MarkdownString().appendCodeblock(plain(text), 'atl');
  item.sortText = `~${prefix}`;
  item.range = range;
  return item;
}

/** The file's last namespace and entity; of a file without any those of one beside it. */
async function namesFor(document: vscode.TextDocument): Promise<typeof SAMPLE> {
  const own = namesIn(document.getText());
  if (own !== undefined || document.uri.scheme !== 'file') {
    return own ?? SAMPLE;
  }
  const folder = path.dirname(document.fileName);
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.atl'));
  for (const name of files.slice(0, NEIGHBOURS)) {
    const found = namesIn(await readFile(path.join(folder, name), 'utf8').catch(() => ''));
    if (found !== undefined) {
      return found;
    }
  }
  return SAMPLE;
}

function namesIn(text: string): typeof SAMPLE | undefined {
  const declared = [...text.matchAll(/^(entity|hypertable|job|workflow|ephemeral|enum)\s+(\w+)\s+in\s+(\w+)/gm)];
  const [, , , namespace] = declared.at(-1) ?? [];
  const [, , entity, around] = declared.findLast(([, kind]) => kind === 'entity' || kind === 'hypertable') ?? [];
  if (namespace === undefined) {
    return undefined;
  }
  return entity === undefined ? { ...SAMPLE, namespace } : { namespace, entity, table: `${around}.${snakeCase(entity)}` };
}

function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** A body about these names. Its own declaration keeps the sample's name: an entity of the file is there already. */
function filled(body: string, names: typeof SAMPLE): string {
  const about = body.replaceAll(`:${SAMPLE.namespace}}`, `:${names.namespace}}`);
  if (!/^(?:query|procedure) /.test(body)) {
    return about;
  }
  return about.replaceAll(`:${SAMPLE.entity}}`, `:${names.entity}}`).replaceAll(`:${SAMPLE.table}}`, `:${names.table}}`);
}

/** A body as it stands before anything is filled in. */
function plain(body: string): string {
  const defaults = new Map<string, string>();
  return body
    .replace(/(?<!\\)\$\{(\d+):([^{}]*)\}/g, (_, number: string, text: string) => {
      defaults.set(number, text);
      return text;
    })
    .replace(/(?<!\\)\$\{?(\d+)\}?/g, (_, number: string) => defaults.get(number) ?? '')
    .replaceAll('\\$', '$');
}
