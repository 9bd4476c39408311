/** Runs inside of the extension host: what the extension does, asked through the editor's own commands. */

import * as vscode from 'vscode';
import { tests } from './tests';
import { untrusted } from './untrusted';

export async function run(): Promise<void> {
  let failed = 0;
  for (const [name, test] of Object.entries(vscode.workspace.isTrusted ? tests : untrusted)) {
    const started = Date.now();
    try {
      await test();
      console.log(`ok      ${name} (${Date.now() - started} ms)`);
    } catch (error) {
      failed += 1;
      console.error(`FAILED  ${name}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  }
  if (failed > 0) {
    throw new Error(`${failed} failed`);
  }
}
