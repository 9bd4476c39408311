/** What has to hold in the editor. Each test opens what it needs; nothing is saved but by the test that saves. */

import * as assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { api, at, codeOf, eventually, findings, hoverText, labelOf, open, replace, type, uri } from './editing';

const DESK = 'orders/desk.atl';
const JOBS = 'orders/jobs.atl';
const BROKEN = ['7 ATL452', '8 ATL105', '16 ATL612', '22 ATL408'];

async function ask<T>(command: string, ...args: unknown[]): Promise<T> {
  return vscode.commands.executeCommand<T>(command, ...args);
}

async function complete(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.CompletionItem[]> {
  const list = await ask<vscode.CompletionList>('vscode.executeCompletionItemProvider', document.uri, position);
  return list.items;
}

/** A shell script in the workspace; its path. */
async function program(name: string, lines: string): Promise<string> {
  await vscode.workspace.fs.writeFile(uri(name), new TextEncoder().encode(`#!/bin/sh\n${lines}\n`));
  await chmod(uri(name).fsPath, 0o755);
  return uri(name).fsPath;
}

export const tests: Record<string, () => Promise<void>> = {
  'the server of the chosen Python runs': async () => {
    const { launch, running } = await api();
    assert.ok(running);
    assert.match(launch?.origin ?? '', /^atl-lang .* of the setting atl\.interpreter$/);
  },

  'findings of a file that is open': async () => {
    await open(DESK);
    assert.deepEqual(await findings(DESK, (all) => all.length === BROKEN.length), [...BROKEN].sort());
    const call = vscode.languages.getDiagnostics(uri(DESK)).find((each) => codeOf(each) === 'ATL452');
    assert.equal(call?.severity, vscode.DiagnosticSeverity.Error);
    assert.equal(call?.source, 'atl');
    assert.match(call?.relatedInformation?.[0]?.location.uri.path ?? '', /jobs\.atl$/);
  },

  'findings of a file that is not open': async () => {
    await open('billing/billing.atl');
    assert.deepEqual(await findings(DESK, (all) => all.length === BROKEN.length), [...BROKEN].sort());
  },

  'unsaved text counts in other files, and undoing it too': async () => {
    await open(DESK);
    const jobs = await open(JOBS);
    await replace(jobs, 'job SendReceipt in', 'job SendReceit in');
    await findings(DESK, (all) => all.length > 0 && !all.some((each) => each.endsWith('ATL105')));
    await ask('undo');
    await findings(DESK, (all) => all.some((each) => each.endsWith('ATL105')));
  },

  'completion offers the arguments of the called job, required ones first': async () => {
    const document = await open(DESK);
    const place = await type(document, 'PackOrder(gift_wrap: true|)', ', ');
    const labels = (await complete(document, place)).map((item) => [item.sortText ?? labelOf(item), labelOf(item)] as const);
    const sorted = labels.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, label]) => label);
    const order = sorted.findIndex((label) => /^order\b/.test(label));
    const parcels = sorted.findIndex((label) => /^parcels\b/.test(label));
    assert.ok(order >= 0 && parcels > order, JSON.stringify(sorted));
    assert.ok(!sorted.some((label) => /^gift_wrap\b/.test(label)), 'what is given is not offered again');
  },

  'completion knows the columns in SQL': async () => {
    const document = await open(DESK);
    const labels = (await complete(document, at(document, 'SELECT id, tot|l'))).map(labelOf);
    assert.ok(labels.includes('total') && labels.includes('placed_at'), JSON.stringify(labels.slice(0, 20)));
  },

  'no completion in comments': async () => {
    const document = await open(DESK);
    assert.deepEqual((await complete(document, at(document, "packers' de|sk"))).map(labelOf), []);
  },

  'snippets are offered where a declaration may begin, and nowhere else': async () => {
    const document = await open(DESK);
    const top = (await complete(document, new vscode.Position(1, 0))).map(labelOf);
    assert.ok(top.includes('entity-tenant'), JSON.stringify(top));
    for (const place of ['PackOrder(|', '  |steps {']) {
      const inside = (await complete(document, at(document, place))).map(labelOf);
      assert.ok(!inside.includes('entity-tenant'), JSON.stringify(inside));
    }
  },

  'snippets are about the declarations that are there': async () => {
    await api();
    const late = uri('billing/late.atl');
    await vscode.workspace.fs.writeFile(late, new Uint8Array());
    const document = await vscode.workspace.openTextDocument(late);
    await vscode.window.showTextDocument(document);
    const body = async (name: string): Promise<string> => {
      const end = document.positionAt(document.getText().length);
      const item = (await complete(document, end)).find((each) => labelOf(each) === name);
      return item?.insertText instanceof vscode.SnippetString ? item.insertText.value : '';
    };
    assert.match(await body('job-scheduled'), /^job \$\{1:SweepItems\} in \$\{2:billing\} /);
    await vscode.workspace.fs.delete(late);
    const orders = await open('orders/desk.atl');
    const place = await type(orders, "|// What is done", 'entity DeskNote in desk {\n  id bigint primary\n}\n\n');
    const items = await complete(orders, place.with({ character: 0 }));
    const page = items.find((each) => labelOf(each) === 'query-page')?.insertText;
    assert.match(page instanceof vscode.SnippetString ? page.value : '', /for \$\{2:DeskNote\}[^]*FROM \$\{4:desk\.desk_note\}/);
  },

  'signature help names the arguments': async () => {
    const document = await open(DESK);
    const help = await ask<vscode.SignatureHelp>('vscode.executeSignatureHelpProvider', document.uri, at(document, 'PackOrder(|'));
    assert.match(help.signatures[0]?.label ?? '', /order.*gift_wrap.*parcels/s);
  },

  'hover shows what is in effect': async () => {
    const document = await open(JOBS);
    const hovers = await ask<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, at(document, 'job SendRec|eipt'));
    assert.match(hoverText(hovers), /timeout/);
    const cron = await ask<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, at(document, '"*/2|0 * * * *"'));
    assert.match(hoverText(cron), /20 minutes/);
  },

  'definition over files, and out of SQL': async () => {
    const document = await open(DESK);
    const [job] = await ask<(vscode.Location | vscode.LocationLink)[]>('vscode.executeDefinitionProvider', document.uri, at(document, 'enqueue Pack|Order'));
    assert.ok(job);
    assert.match(('targetUri' in job ? job.targetUri : job.uri).path, /jobs\.atl$/);
    const [column] = await ask<(vscode.Location | vscode.LocationLink)[]>('vscode.executeDefinitionProvider', document.uri, at(document, 'WHERE placed|_at'));
    assert.ok(column);
    assert.match(('targetUri' in column ? column.targetUri : column.uri).path, /orders\/orders\.atl$/);
  },

  'references reach other files': async () => {
    const document = await open(JOBS);
    const found = await ask<vscode.Location[]>('vscode.executeReferenceProvider', document.uri, at(document, 'job Pack|Order'));
    const files = new Set(found.map((location) => location.uri.path.split('/').at(-1)));
    assert.deepEqual([...files].sort(), ['desk.atl', 'jobs.atl']);
  },

  'rename from a use, over files and into SQL': async () => {
    const document = await open('orders/orders.atl');
    await findings(DESK, (all) => all.length === BROKEN.length);
    const jobs = await open(JOBS);
    const edit = await ask<vscode.WorkspaceEdit>('vscode.executeDocumentRenameProvider', jobs.uri, at(jobs, 'job billing.Char|ge'), 'ChargeCard');
    const touched = edit.entries().map(([file, edits]) => [file.path.split('/').at(-1), edits.length]);
    assert.deepEqual(touched.sort(), [['billing.atl', 2], ['jobs.atl', 1], ['orders.atl', 1]]);
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.match(document.getText(), /enqueue billing\.ChargeCard\(/);
    const declared = (await vscode.workspace.openTextDocument(uri('billing/billing.atl'))).getText();
    assert.match(declared, /\/\/ atl: renamed-from Charge\njob ChargeCard in/);
    for (const file of ['billing/billing.atl', JOBS, 'orders/orders.atl']) {
      const errors = (): vscode.Diagnostic[] =>
        vscode.languages.getDiagnostics(uri(file)).filter((each) => each.severity === vscode.DiagnosticSeverity.Error);
      await eventually(`no errors in ${file}`, () => errors().length === 0);
    }
    for (const file of ['billing/billing.atl', JOBS, 'orders/orders.atl']) {
      await vscode.window.showTextDocument(uri(file));
      await ask('workbench.action.files.revert');
    }
  },

  'a quick fix mends the call': async () => {
    const document = await open(DESK);
    await findings(DESK, (all) => all.length === BROKEN.length);
    const place = at(document, 'enqueue Pack|Order');
    const actions = await ask<vscode.CodeAction[]>('vscode.executeCodeActionProvider', document.uri, new vscode.Range(place, place), vscode.CodeActionKind.QuickFix.value);
    const fix = actions.find((action) => action.isPreferred);
    assert.ok(fix?.edit, JSON.stringify(actions.map((action) => action.title)));
    assert.ok(await vscode.workspace.applyEdit(fix.edit));
    await findings(DESK, (all) => all.length > 0 && !all.some((each) => each.endsWith('ATL452')));
    assert.match(document.getText(), /PackOrder\([^)]*order: /);
  },

  'formatting lays the file out': async () => {
    const document = await open(JOBS);
    const clean = document.getText();
    await replace(document, '  retries  5\n  timeout  10m\n', '      retries 5\n  timeout     10m\n');
    const edits = await ask<vscode.TextEdit[]>('vscode.executeFormatDocumentProvider', document.uri, { tabSize: 2, insertSpaces: true });
    assert.ok(edits.length > 0);
    const edit = new vscode.WorkspaceEdit();
    edit.set(document.uri, edits);
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.equal(document.getText(), clean);
  },

  'saving formats': async () => {
    const document = await open(JOBS);
    const clean = document.getText();
    await replace(document, 'job SweepCarts in orders {', 'job   SweepCarts in orders   {');
    await document.save();
    assert.equal(document.getText(), clean);
  },

  'semantic tokens tell names apart': async () => {
    const document = await open(DESK);
    const legend = await ask<vscode.SemanticTokensLegend>('vscode.provideDocumentSemanticTokensLegend', document.uri);
    const tokens = await ask<vscode.SemanticTokens>('vscode.provideDocumentSemanticTokens', document.uri);
    const kinds = new Map<string, string>();
    for (let i = 0, line = 0, column = 0; i < tokens.data.length; i += 5) {
      const [down = 0, right = 0, length = 0, kind = 0] = tokens.data.subarray(i, i + 5);
      column = down > 0 ? right : column + right;
      line += down;
      kinds.set(document.getText(new vscode.Range(line, column, line, column + length)), legend.tokenTypes[kind] ?? '');
    }
    assert.equal(kinds.get('PackOrder'), 'function');
    assert.equal(kinds.get('placed_at'), 'property', 'a column inside SQL');
    assert.notEqual(kinds.get('Order'), undefined);
  },

  'symbols, folding, hints and lenses are there': async () => {
    const document = await open(JOBS);
    const symbols = await ask<vscode.DocumentSymbol[]>('vscode.executeDocumentSymbolProvider', document.uri);
    assert.ok(symbols.some((symbol) => symbol.name.includes('FulfilOrder') && symbol.children.length >= 5));
    const folds = await ask<vscode.FoldingRange[]>('vscode.executeFoldingRangeProvider', document.uri);
    assert.ok(folds.length >= symbols.length);
    const all = new vscode.Range(0, 0, document.lineCount, 0);
    const hints = await ask<vscode.InlayHint[]>('vscode.executeInlayHintProvider', document.uri, all);
    assert.ok(hints.length > 0);
    const lenses = await ask<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 50);
    const uses = lenses.find((lens) => lens.command?.command === 'atl.showUses');
    assert.match(uses?.command?.title ?? '', /uses?$/);
    await ask(uses?.command?.command ?? '', ...(uses?.command?.arguments ?? []));
  },

  'settings turn hints off and soften warnings': async () => {
    const document = await open(JOBS);
    const all = new vscode.Range(0, 0, document.lineCount, 0);
    const hints = (): Promise<vscode.InlayHint[]> => ask('vscode.executeInlayHintProvider', document.uri, all);
    const settings = vscode.workspace.getConfiguration('atl');
    await settings.update('inlayHints.enabled', false, vscode.ConfigurationTarget.Workspace);
    await eventually('no hints', async () => ((await hints()) ?? []).length === 0);
    await settings.update('inlayHints.enabled', undefined, vscode.ConfigurationTarget.Workspace);
    await eventually('hints again', async () => (await hints()).length > 0);

    await replace(document, 'job SweepCarts in', 'job sweepCarts in');
    await findings(JOBS, (found) => found.some((each) => each.endsWith('ATL108')));
    await settings.update('lint.severities', { ATL108: 'off' }, vscode.ConfigurationTarget.Workspace);
    await findings(JOBS, (found) => !found.some((each) => each.endsWith('ATL108')));
    await settings.update('lint.severities', undefined, vscode.ConfigurationTarget.Workspace);
  },

  'a file that comes has findings, one that goes has none': async () => {
    await open(JOBS);
    const late = 'orders/late.atl';
    await vscode.workspace.fs.writeFile(uri(late), new TextEncoder().encode('job Late in orders {\n  retries -1\n}\n'));
    await findings(late, (all) => all.length === 1);
    await vscode.workspace.fs.delete(uri(late));
    await findings(late, (all) => all.length === 0);
  },

  'an untitled document has findings': async () => {
    await api();
    const document = await vscode.workspace.openTextDocument({ language: 'atl', content: 'job A in b {\n  retries -1\n}\n' });
    await vscode.window.showTextDocument(document);
    await eventually('findings', () => vscode.languages.getDiagnostics(document.uri).some((each) => codeOf(each) === 'ATL402'));
  },

  'a plan against a revision is a page': async () => {
    // What has errors is not planned.
    const desk = await vscode.workspace.fs.readFile(uri(DESK));
    await vscode.workspace.fs.writeFile(uri(DESK), new Uint8Array());
    const document = await open('orders/orders.atl');
    await replace(document, '  note      text\n', '  note      text\n  gift      text\n');
    await document.save();
    const page = await ask<vscode.Uri>('atl.planAgainst', 'clean');
    await vscode.workspace.fs.writeFile(uri(DESK), desk);
    assert.ok(page, 'there is a page');
    const text = (await vscode.workspace.openTextDocument(page)).getText();
    assert.match(text, /gift/);
    assert.match(text, /ALTER TABLE/i);
  },

  'lenses can be turned off': async () => {
    const document = await open(JOBS);
    const lenses = async (): Promise<vscode.CodeLens[]> =>
      (await ask<vscode.CodeLens[] | undefined>('vscode.executeCodeLensProvider', document.uri, 50)) ?? [];
    await eventually('lenses', async () => (await lenses()).length > 0);
    const settings = vscode.workspace.getConfiguration('atl');
    await settings.update('codeLens.enabled', false, vscode.ConfigurationTarget.Workspace);
    await eventually('no lenses', async () => (await lenses()).length === 0);
    await settings.update('codeLens.enabled', undefined, vscode.ConfigurationTarget.Workspace);
    await eventually('lenses again', async () => (await lenses()).length > 0);
  },

  'saving leaves the file alone where the user wants it so': async () => {
    const document = await open(JOBS);
    const settings = vscode.workspace.getConfiguration('editor', { languageId: 'atl' });
    assert.equal(settings.get('formatOnSave'), true);
    await settings.update('formatOnSave', false, vscode.ConfigurationTarget.Workspace, true);
    await replace(document, 'job SweepCarts in orders {', 'job   SweepCarts in orders   {');
    await document.save();
    assert.match(document.getText(), /job {3}SweepCarts/);
    await settings.update('formatOnSave', undefined, vscode.ConfigurationTarget.Workspace, true);
    await replace(document, 'job   SweepCarts in orders   {', 'job SweepCarts in orders {');
    await document.save();
  },

  'what the server and the client say can be watched, and the output shown': async () => {
    const exported = await api();
    const settings = vscode.workspace.getConfiguration('atl');
    await settings.update('trace.server', 'verbose', vscode.ConfigurationTarget.Workspace);
    await open(DESK);
    await ask('atl.showOutput');
    await eventually('the talk', () => vscode.window.visibleTextEditors.some(
      (editor) => editor.document.uri.scheme === 'output' && /Sending request 'textDocument\//.test(editor.document.getText()),
    ));
    await settings.update('trace.server', undefined, vscode.ConfigurationTarget.Workspace);
    await ask('workbench.action.closePanel');
    assert.ok(exported.running);
  },

  'restarting gives a server that answers': async () => {
    await open(DESK);
    await ask('atl.restart');
    assert.ok((await api()).running);
    await findings(DESK, (all) => all.length === BROKEN.length);
  },

  'without a Python it says so, and naming one mends it': async () => {
    const exported = await api();
    const settings = vscode.workspace.getConfiguration('atl');
    const places = process.env['PATH'];
    process.env['PATH'] = '/nowhere';
    try {
      await settings.update('interpreter', '/nowhere/python', vscode.ConfigurationTarget.Workspace);
      await eventually('no Python', () => /^No Python 3\.10 or newer was found/.test(exported.trouble));
      assert.ok(!exported.running);
    } finally {
      process.env['PATH'] = places;
    }
    await settings.update('interpreter', undefined, vscode.ConfigurationTarget.Workspace);
    await eventually('a server', () => exported.running);
    assert.equal(exported.trouble, '');
  },

  'the Python environment of the workspace serves': async () => {
    const exported = await api();
    const settings = vscode.workspace.getConfiguration('atl');
    const chosen = settings.get<string>('interpreter', '');
    await program('.venv/bin/python', `exec '${chosen}' "$@"`);
    await settings.update('interpreter', '', vscode.ConfigurationTarget.Workspace);
    await eventually('a server', () => exported.running && /^atl-lang .* of \.venv of market$/.test(exported.launch?.origin ?? ''));
    await findings(DESK, (all) => all.length === BROKEN.length);
    await vscode.workspace.fs.delete(uri('.venv'), { recursive: true });
    await settings.update('interpreter', undefined, vscode.ConfigurationTarget.Workspace);
    await eventually('a server', () => exported.running && exported.launch?.command === chosen);
  },

  'the program and arguments of the settings serve': async () => {
    const exported = await api();
    const settings = vscode.workspace.getConfiguration('atl');
    const python = settings.get<string>('interpreter', '');
    const file = await program('serve.sh', `echo "$@" >"$(dirname "$0")/served"\nexec '${path.dirname(python)}/atl' lsp`);
    await settings.update('server.args', ['--one', 'two words'], vscode.ConfigurationTarget.Workspace);
    await settings.update('server.path', file, vscode.ConfigurationTarget.Workspace);
    await eventually('a server', () => exported.running && exported.launch?.command === file);
    await findings(DESK, (all) => all.length === BROKEN.length);
    const served = await vscode.workspace.fs.readFile(uri('served'));
    assert.equal(new TextDecoder().decode(served), 'lsp --one two words --stdio\n');
    await settings.update('server.path', undefined, vscode.ConfigurationTarget.Workspace);
    await settings.update('server.args', undefined, vscode.ConfigurationTarget.Workspace);
    await eventually('a server', () => exported.running && exported.launch?.command === python);
  },

  'a program that is not there is named': async () => {
    const exported = await api();
    const settings = vscode.workspace.getConfiguration('atl');
    await settings.update('server.path', '/nowhere/atl', vscode.ConfigurationTarget.Workspace);
    await eventually('no server', () => exported.trouble.includes('/nowhere/atl'));
    await settings.update('server.path', undefined, vscode.ConfigurationTarget.Workspace);
    await eventually('a server', () => exported.running);
  },
};
