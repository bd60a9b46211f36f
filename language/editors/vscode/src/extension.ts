import * as vscode from "vscode";
import type { Location, Position } from "vscode-languageclient/node";
import { PreviewPanel, previewHere } from "./preview";
import { watchActiveInterpreter } from "./python";
import { Server } from "./server";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("Phenesthe", { log: true });
  const trace = vscode.window.createOutputChannel("Phenesthe Trace", { log: true });
  const panel = new PreviewPanel();
  const running = new Server(context.extensionUri, output, trace, panel);
  server = running;
  context.subscriptions.push(
    output,
    trace,
    panel,
    vscode.commands.registerCommand("phenesthe.restart", () => running.restart()),
    vscode.commands.registerCommand("phenesthe.showOutput", () => output.show()),
    vscode.commands.registerCommand("phenesthe.previewHere", previewHere),
    vscode.commands.registerCommand(
      "phenesthe.showReferences",
      (uri: string, position: Position, locations: Location[]) =>
        showReferences(running, uri, position, locations),
    ),
  );
  if (!vscode.workspace.isTrusted) {
    context.subscriptions.push(
      vscode.workspace.onDidGrantWorkspaceTrust(() => void begin(context, running)),
    );
    return;
  }
  await begin(context, running);
}

export function deactivate(): Promise<void> | undefined {
  return server?.stop();
}

async function begin(context: vscode.ExtensionContext, running: Server): Promise<void> {
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("phenesthe.python")) {
        void running.restart();
      }
    }),
  );
  await running.restart();
  const watch = await watchActiveInterpreter(() => void running.restart());
  if (watch !== undefined) {
    context.subscriptions.push(watch);
  }
}

/** The list that a "references" lens opens: the editor wants its own types, not the protocol's. */
async function showReferences(
  running: Server,
  uri: string,
  position: Position,
  locations: Location[],
): Promise<void> {
  const convert = running.client?.protocol2CodeConverter;
  if (convert !== undefined) {
    await vscode.commands.executeCommand(
      "editor.action.showReferences",
      convert.asUri(uri),
      convert.asPosition(position),
      locations.map((location) => convert.asLocation(location)),
    );
  }
}
