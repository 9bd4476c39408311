// Runs the tests of test/host in the extension host of a real VS Code; ends with their exit code.
//   node host.mjs            in a trusted workspace, with the server of the Python in ATL_PYTHON
//   node host.mjs untrusted  in an untrusted one, with the bundled server

import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CODE_SERVER, EXTENSION, freePort, launchBrowser, makeWorkspace, startServer, writeSettings } from './editor.mjs';

const { home, workspace, remove } = makeWorkspace();
const data = path.join(home, 'server');
const trusted = process.argv[2] !== 'untrusted';
const settings = trusted ? { 'atl.interpreter': process.env.ATL_PYTHON } : {};
writeSettings(path.join(data, 'data/Machine/settings.json'), settings);
if (!trusted) {
  const trap = path.join(workspace, '.venv/bin/python');
  mkdirSync(path.dirname(trap), { recursive: true });
  writeFileSync(trap, `#!/bin/sh\ntouch ${path.join(workspace, 'ran')}\nexec python3 "$@"\n`);
  chmodSync(trap, 0o755);
  mkdirSync(path.join(workspace, '.vscode'));
  writeFileSync(path.join(workspace, '.vscode/settings.json'), JSON.stringify({ 'atl.interpreter': trap, 'atl.server.path': trap }));
  appendFileSync(path.join(workspace, '.git/config'), `[core]\nfsmonitor = ${trap}\nhooksPath = ${path.dirname(trap)}\n`);
}
const port = await freePort();
const server = await startServer(
  [
    path.join(CODE_SERVER, 'lib/vscode/out/server-main.js'),
    '--accept-server-license-terms', '--host', '127.0.0.1', '--port', `${port}`, '--without-connection-token',
    '--enable-smoke-test-driver', '--reconnection-grace-time', '2', '--server-data-dir', data,
    '--extensions-dir', path.join(data, 'ext'), '--telemetry-level', 'off',
    ...(trusted ? ['--disable-workspace-trust'] : []),
  ],
  port,
);
const browser = await launchBrowser();
let code = 1;
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const exited = new Promise((resolve) => {
    void page.exposeFunction('codeAutomationExit', resolve);
  });
  await page.exposeFunction('codeAutomationLog', (kind, args) => {
    const text = args.map(String).join(' ');
    if (/^(ok {6}|FAILED)/.test(text)) {
      console[kind === 'error' ? 'error' : 'log'](text);
    }
  });
  const remote = (file) => `vscode-remote://127.0.0.1:${port}${file}`;
  const payload = [
    ['extensionDevelopmentPath', remote(EXTENSION)],
    ['extensionTestsPath', remote(path.join(EXTENSION, 'dist/test/index.js'))],
  ];
  page.setDefaultTimeout(180_000);
  await page.goto(
    `http://127.0.0.1:${port}/?folder=${encodeURIComponent(workspace)}&payload=${encodeURIComponent(JSON.stringify(payload))}`,
  );
  const late = new Promise((resolve) => setTimeout(resolve, 900_000, 'late').unref());
  code = await Promise.race([exited, late]);
  if (code !== 0) {
    console.error(code === 'late' ? `no end after 15 minutes:\n${server.log()}` : `exit code ${code}`);
    await page.screenshot({ path: path.join(EXTENSION, 'dist/failed-host.png') });
  }
} finally {
  await browser.close();
  server.stop();
  remove();
}
process.exit(code === 0 ? 0 : 1);
