/** The item among the language's status, at `{}` in the status bar. */

import * as vscode from 'vscode';

export class Status implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem('atl.server', [
    { language: 'atl' },
    { pattern: '**/tide.yaml' },
  ]);

  constructor() {
    this.item.name = 'atl';
  }

  starting(): void {
    this.show('atl', 'starting', vscode.LanguageStatusSeverity.Information, true);
  }

  running(version: string, origin: string): void {
    this.show(`atl ${version}`.trim(), origin, vscode.LanguageStatusSeverity.Information, false);
  }

  failed(reason: string): void {
    this.show('atl: no server', reason, vscode.LanguageStatusSeverity.Error, false);
  }

  dispose(): void {
    this.item.dispose();
  }

  private show(text: string, detail: string, severity: vscode.LanguageStatusSeverity, busy: boolean): void {
    this.item.text = text;
    this.item.detail = detail;
    this.item.severity = severity;
    this.item.busy = busy;
    this.item.command =
      severity === vscode.LanguageStatusSeverity.Error
        ? { command: 'atl.showOutput', title: 'Show Output' }
        : { command: 'atl.restart', title: 'Restart' };
  }
}
