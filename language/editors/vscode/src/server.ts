// Finds, starts, stops and restarts the language server.
import { existsSync } from "node:fs";
import * as vscode from "vscode";
import { LanguageClient, type Middleware } from "vscode-languageclient/node";
import { DOCUMENTS } from "./documents";
import { listCandidates, serve } from "./interpreters";
import { reportMissing } from "./missing";
import { readPreview } from "./page";
import { PREVIEW, type PreviewPanel } from "./preview";
import { chooseCandidate, ENVIRONMENT } from "./probe";
import { findActiveInterpreter } from "./python";
import { listFolders, readInterpreterSetting } from "./settings";

export class Server {
  client: LanguageClient | undefined;
  /** What was begun last: starts and stops wait for each other. */
  private pending: Promise<void> = Promise.resolve();

  constructor(
    private readonly extension: vscode.Uri,
    private readonly output: vscode.LogOutputChannel,
    private readonly trace: vscode.LogOutputChannel,
    private readonly panel: PreviewPanel,
  ) {}

  restart(): Promise<void> {
    return this.queue(async () => {
      await this.halt();
      await this.launch();
    });
  }

  stop(): Promise<void> {
    return this.queue(() => this.halt());
  }

  private queue(work: () => Promise<void>): Promise<void> {
    this.pending = this.pending.then(work).catch((problem: unknown) => {
      this.output.error(String(problem));
      void vscode.window.showErrorMessage(`Phenesthe: ${String(problem)}`);
    });
    return this.pending;
  }

  private async launch(): Promise<void> {
    const candidates = listCandidates({
      setting: readInterpreterSetting(),
      active: await findActiveInterpreter(vscode.workspace.workspaceFolders?.[0]?.uri),
      folders: listFolders(),
      platform: process.platform,
      exists: existsSync,
    });
    const { chosen, tried } = await chooseCandidate(candidates);
    for (const { candidate, verdict } of tried) {
      this.output.info(`${candidate.command} (${candidate.origin}): ${JSON.stringify(verdict)}`);
    }
    if (chosen === undefined) {
      // Not awaited: the message stays until it is answered, and a restart must not wait for it.
      void reportMissing(tried, this.extension);
      return;
    }
    this.client = new LanguageClient(
      "phenesthe",
      "Phenesthe",
      { ...serve(chosen), options: { env: ENVIRONMENT } },
      {
        documentSelector: DOCUMENTS,
        outputChannel: this.output,
        traceOutputChannel: this.trace,
        middleware: this.buildMiddleware(),
      },
    );
    await this.client.start();
  }

  private async halt(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose();
  }

  private buildMiddleware(): Middleware {
    return {
      executeCommand: async (command, args, next) => {
        const answer: unknown = await next(command, args);
        if (command === PREVIEW) {
          const preview = readPreview(answer);
          if (preview === undefined) {
            void vscode.window.showWarningMessage("Phenesthe: there is no preview; the output says why.");
          } else {
            this.panel.show(preview);
          }
        }
        return answer;
      },
    };
  }
}
