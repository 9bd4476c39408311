/** The talk with the server, in the output: the setting decides, not the output's level alone as in the client library. */

import * as vscode from 'vscode';

/** The output as the client is to see it: it takes traces while `atl.trace.server` is on, or its own level is that low. */
export function traced(output: vscode.LogOutputChannel, subscriptions: vscode.Disposable[]): vscode.LogOutputChannel {
  const changed = new vscode.EventEmitter<vscode.LogLevel>();
  const on = (): boolean => vscode.workspace.getConfiguration('atl').get<string>('trace.server', 'off') !== 'off';
  const level = (): vscode.LogLevel => (on() ? vscode.LogLevel.Trace : output.logLevel);
  subscriptions.push(
    changed,
    output.onDidChangeLogLevel(() => changed.fire(level())),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('atl.trace.server')) {
        changed.fire(level());
      }
    }),
  );
  const own: Partial<vscode.LogOutputChannel> = {
    get logLevel() {
      return level();
    },
    onDidChangeLogLevel: changed.event,
    trace: (message, ...rest) => (on() ? output.info(message, ...rest) : output.trace(message, ...rest)),
  };
  return new Proxy(own, {
    get: (_, name) => Reflect.get(name in own ? own : output, name) as unknown,
  }) as vscode.LogOutputChannel;
}
