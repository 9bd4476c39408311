// Installs the packaged extension as a user does, and looks at what the editor then shows.
//   node installed.mjs FILE.vsix            checks
//   node installed.mjs FILE.vsix --pictures writes images/*.png too

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { CODE_SERVER, EXTENSION, NODE, freePort, launchBrowser, makeWorkspace, startServer, writeSettings } from './editor.mjs';
import { write } from './writing.mjs';

const vsix = path.resolve(process.argv[2]);
const pictures = process.argv.includes('--pictures');
const { home, workspace, remove } = makeWorkspace();
const user = path.join(home, 'user');
const common = ['--user-data-dir', user, '--extensions-dir', path.join(home, 'extensions'), '--config', path.join(home, 'none.yaml')];
const main = path.join(CODE_SERVER, 'out/node/entry.js');
execFileSync(NODE, [main, ...common, '--install-extension', vsix], { stdio: 'pipe' });
writeSettings(path.join(user, 'User/settings.json'), {
  'workbench.colorTheme': 'Default Dark Modern',
  'editor.fontSize': 13,
  'editor.minimap.enabled': false,
  'editor.hover.delay': 100,
  'breadcrumbs.enabled': false,
  'workbench.layoutControl.enabled': false,
  'window.commandCenter': false,
  'explorer.openEditors.visible': 0,
});

const port = await freePort();
const server = await startServer(
  [main, ...common, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--disable-workspace-trust', '--disable-telemetry', '--disable-update-check', workspace],
  port,
);
const browser = await launchBrowser();
let failed = true;
const page = await browser.newPage({ viewport: { width: 1000, height: 620 } });
page.setDefaultTimeout(180_000);

const picture = async (name) => {
  if (pictures) {
    await page.waitForTimeout(400);
    mkdirSync(path.join(EXTENSION, 'images'), { recursive: true });
    await page.screenshot({ path: path.join(EXTENSION, 'images', `${name}.png`) });
  }
};
const step = (text) => console.log(`ok      installed: ${text}`);

const openFile = async (name) => {
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first();
  for (let tries = 0; tries < 20; tries += 1) {
    await page.keyboard.press('Control+P');
    await page.locator('.quick-input-widget input').fill(name);
    if (await row.waitFor({ timeout: 5000 }).then(() => true, () => false)) {
      break;
    }
    // A file that has just come is found by the next search.
    await page.keyboard.press('Escape');
  }
  await row.click();
  await page.locator('.tab.active', { hasText: name }).waitFor();
  await page.locator('.monaco-editor .view-line').first().click();
};
const goTo = async (line, column) => {
  await page.keyboard.press('Control+G');
  await page.locator('.quick-input-widget input').fill(`:${line}:${column}`);
  await page.keyboard.press('Enter');
  await page.waitForTimeout(200);
};
const run = async (command) => {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input').fill(`>${command}`);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: command }).first().click();
};

try {
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(workspace)}`);
  await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();

  await openFile('desk.atl');
  await page.locator('.squiggly-error').first().waitFor();
  step('errors are underlined, by the bundled server');

  await run('Problems: Focus on Problems View');
  const row = page.locator('.markers-panel .monaco-list-row', { hasText: 'ATL452' });
  await row.waitFor();
  step('the problems are listed with their codes');
  await picture('findings');
  await page.keyboard.press('Control+J');

  await page.locator('.monaco-editor .view-line').first().click();
  await goTo(7, 37);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type(', ');
  await page.keyboard.press('Control+Space');
  const offered = page.locator('.suggest-widget.visible .monaco-list-row', { hasText: 'order' });
  await offered.first().waitFor();
  step('completion offers the missing argument');
  await picture('completion');
  await page.keyboard.press('Escape');
  await run('File: Revert File');
  await page.waitForTimeout(2000);
  // 9 characters of `PackOrder`, as wide as they were.
  await page.waitForFunction(() => [...document.querySelectorAll('.squiggly-error')].filter((e) => e.offsetWidth > 60).length >= 3);
  step('underlines are where they belong after a revert');

  await write(page, workspace, openFile, run);
  step('a job, a procedure and a workflow are written from nothing, without a mistake');
  await run('View: Close All Editors');
  rmSync(path.join(workspace, 'orders/returns.atl'));

  await openFile('jobs.atl');
  await goTo(43, 16);
  const hover = page.locator('.monaco-hover:visible', { hasText: /minutes/ }).first();
  for (let tries = 0; tries < 20; tries += 1) {
    await page.mouse.move(5, 5);
    await page.locator('.view-line span', { hasText: '*/20' }).last().hover();
    if (await hover.waitFor({ timeout: 5000 }).then(() => true, () => false)) {
      break;
    }
    // Lenses or hints came, and the line is no longer under the pointer.
  }
  await hover.waitFor();
  step('hovering a schedule says when it fires');
  await picture('hover');
  await page.keyboard.press('Escape');

  await goTo(59, 18);
  await run('Go to Definition');
  await page.locator('.tab.active', { hasText: 'billing.atl' }).waitFor();
  step('definition goes to another file');

  await page.waitForTimeout(1000);
  await run('Rename Symbol');
  await page.locator('.rename-box input').waitFor();
  await page.locator('.rename-box input').fill('ChargeCard');
  await page.keyboard.press('Enter');
  // The hint for the plan is only offered: the editor asks.
  await page.locator('.pane-body .monaco-list-row', { hasText: 'renamed-from' }).first().waitFor();
  await picture('rename');
  await page.locator('.monaco-button', { hasText: 'Apply' }).first().click();
  await page.locator('.view-line', { hasText: 'ChargeCard' }).first().waitFor();
  step('renaming offers the hint, and changes the declaration');
  await run('File: Save All');

  await openFile('desk.atl');
  await goTo(7, 14);
  const fix = page.locator('.action-widget .monaco-list-row', { hasText: 'order' }).first();
  for (let tries = 0; tries < 20; tries += 1) {
    await page.keyboard.press('Control+.');
    if (await fix.waitFor({ timeout: 5000 }).then(() => true, () => false)) {
      break;
    }
    // The file's findings were not there yet.
    await page.keyboard.press('Escape');
  }
  await fix.waitFor();
  step('a quick fix is offered');
  await picture('quick-fix');
  await page.keyboard.press('Enter');
  await page.locator('.view-line', { hasText: /PackOrder\(.*order:/ }).waitFor();
  step('and mends the call');
  await run('File: Revert File');

  await run('View: Close All Editors');
  rmSync(path.join(workspace, 'orders/desk.atl'));
  await page.locator('.statusbar-item', { hasText: /^\s*0\s*0\s*$/ }).first().waitFor();
  step('a deleted file has no findings');
  await openFile('orders.atl');
  await run('atl: Plan Against a Revision, Folder or Database...');
  await page.locator('.quick-input-widget input').fill('clean');
  await page.locator('.quick-input-list .monaco-list-row').first().waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.tab', { hasText: /Plan against/ }).waitFor();
  step('a plan opens as a page');
  await page.waitForTimeout(1500);
  await picture('plan');
  failed = false;
} catch (error) {
  console.error(`FAILED  installed: ${error.stack ?? error}`);
  mkdirSync(path.join(EXTENSION, 'dist'), { recursive: true });
  await page.screenshot({ path: path.join(EXTENSION, 'dist/failed-installed.png') });
} finally {
  await browser.close();
  server.stop();
  remove();
}
process.exit(failed ? 1 : 0);
