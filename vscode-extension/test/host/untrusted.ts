/**
 * What has to hold in a workspace that is not trusted: a program in it leaves a mark when it runs, and its `.venv`, its
 * settings and its repository all name that program.
 */

import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { api, eventually, findings, open, uri } from './editing';

export const untrusted: Record<string, () => Promise<void>> = {
  'untrusted: the bundled server runs, with a Python from outside': async () => {
    const { launch, running } = await api();
    assert.ok(running);
    assert.ok(launch?.bundled);
    assert.match(launch.origin, /of the path$/);
    assert.ok(launch.args.includes('-I'));
  },

  'untrusted: nothing of the workspace was run, nothing is planned': async () => {
    await open('orders/desk.atl');
    assert.equal(await vscode.commands.executeCommand('atl.planAgainst', 'HEAD').then((page) => page, () => undefined), undefined);
    await vscode.commands.executeCommand('atl.restart');
    const lenses = (): Thenable<unknown[]> => vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri('orders/jobs.atl'), 50);
    await open('orders/jobs.atl');
    await eventually('lenses, for which the repository is read', async () => ((await lenses()) ?? []).length > 0);
    await assert.rejects(async () => vscode.workspace.fs.stat(uri('ran')));
  },

  'untrusted: findings are there all the same': async () => {
    await open('orders/desk.atl');
    await findings('orders/desk.atl', (all) => all.length > 3);
  },
};
