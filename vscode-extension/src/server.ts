/** The language client, and the server that it talks to. One at a time, for all folders. */

import * as vscode from 'vscode';
import { LanguageClient, State, TransportKind, type LanguageClientOptions } from 'vscode-languageclient/node';
import { findLaunch, NoServer, type Launch } from './launch';
import type { Status } from './status';
import { traced } from './trace';

const SELECTOR = [
  { scheme: 'file', language: 'atl' },
  { scheme: 'untitled', language: 'atl' },
  { scheme: 'file', pattern: '**/tide.yaml' },
];

export class Server implements vscode.Disposable {
  launch: Launch | undefined;
  /** Why nothing runs, as it was said. */
  trouble = '';
  private client: LanguageClient | undefined;
  private readonly trace: vscode.LogOutputChannel;
  /** Starts and stops follow one another; what fails says so by itself. */
  private queue: Promise<void> = Promise.resolve();

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly output: vscode.LogOutputChannel,
    private readonly status: Status,
  ) {
    this.trace = traced(output, context.subscriptions);
  }

  /** Stops what runs and starts anew; settles when the server answers, or it is said why there is none. */
  restart(): Promise<void> {
    this.queue = this.queue.then(async () => {
      await this.stop();
      await this.start();
    });
    return this.queue;
  }

  /** Settles when what was asked for last is done. */
  settled(): Promise<void> {
    return this.queue;
  }

  get running(): boolean {
    return this.client?.state === State.Running;
  }

  dispose(): void {
    void this.close();
  }

  close(): Promise<void> {
    this.queue = this.queue.then(() => this.stop());
    return this.queue;
  }

  private async start(): Promise<void> {
    this.status.starting();
    this.trouble = '';
    try {
      this.launch = await findLaunch(this.context, (line) => this.output.info(line));
      await this.connect(this.launch);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.trouble = reason;
      this.output.error(reason);
      this.status.failed(reason);
      // Not awaited: the message may stand for hours.
      void explain(reason, error instanceof NoServer && error.python);
    }
  }

  private async connect(launch: Launch): Promise<void> {
    const further = vscode.workspace.getConfiguration('atl').get<string[]>('server.args', []);
    const args = [...launch.args, 'lsp', ...further];
    this.output.info(`${launch.command} ${args.join(' ')}`);
    const pulled = new Map<string, number>();
    const options: LanguageClientOptions = {
      documentSelector: SELECTOR,
      outputChannel: this.output,
      traceOutputChannel: this.trace,
      initializationOptions: { commands: ['atl.showUses', 'editor.action.triggerSuggest'] },
      diagnosticPullOptions: { onChange: true, onTabs: true },
      markdown: { supportHtml: false },
      middleware: {
        // An edit moves the underlines that stand, and a reverted file squeezes them: where the text has changed since,
        // "the same as before" is no answer that puts them right.
        provideDiagnostics: (document, previousResultId, token, next) => {
          const { uri, version } = 'uri' in document ? document : { uri: document, version: 0 };
          const same = pulled.get(uri.toString()) === version;
          pulled.set(uri.toString(), version);
          return next(document, same ? previousResultId : undefined, token);
        },
      },
    };
    const client = new LanguageClient(
      'atl',
      'atl',
      {
        command: launch.command,
        args,
        transport: TransportKind.stdio,
        options: { cwd: launch.cwd, env: { ...process.env, PYTHONUTF8: '1' } },
      },
      options,
    );
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) {
        this.status.running(client.initializeResult?.serverInfo?.version ?? '', launch.origin);
      } else if (newState === State.Stopped && this.client === client) {
        this.status.failed('the server has ended');
      } else if (newState === State.Starting) {
        this.status.starting();
      }
    });
    this.client = client;
    await client.start();
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.launch = undefined;
    if (client !== undefined) {
      try {
        await client.dispose();
      } catch (error) {
        // It had not started, or was gone already.
        this.output.info(String(error));
      }
    }
  }
}

async function explain(reason: string, python: boolean): Promise<void> {
  const ways: Record<string, () => Thenable<unknown>> = {
    ...(python && { 'Select Python': () => vscode.commands.executeCommand('atl.selectInterpreter') }),
    'Open Settings': () => vscode.commands.executeCommand('workbench.action.openSettings', 'atl.'),
    'Show Output': () => vscode.commands.executeCommand('atl.showOutput'),
  };
  const chosen = await vscode.window.showErrorMessage(reason, ...Object.keys(ways));
  await ways[chosen ?? '']?.();
}
