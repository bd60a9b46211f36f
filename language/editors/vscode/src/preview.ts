// Previews: one panel beside the editor, filled anew each time.
import * as vscode from "vscode";
import { buildPage, type Preview } from "./page";

/** The server's command, which a code lens carries with the file and the definition. */
export const PREVIEW = "phenesthe.preview";

export class PreviewPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;

  show(preview: Preview): void {
    if (this.panel === undefined) {
      this.panel = vscode.window.createWebviewPanel(
        "phenesthe.preview",
        preview.title,
        { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
        { enableScripts: false, enableForms: false, localResourceRoots: [], enableFindWidget: true },
      );
      this.panel.onDidDispose(() => (this.panel = undefined));
    } else {
      this.panel.reveal(undefined, true);
    }
    this.panel.title = preview.title;
    this.panel.webview.html = buildPage(preview);
  }

  dispose(): void {
    this.panel?.dispose();
  }
}

/** Previews the definition at the cursor, or the next one above it. */
export async function previewHere(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return;
  }
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    "vscode.executeCodeLensProvider",
    editor.document.uri,
  );
  const previews = lenses
    .filter((lens) => lens.command?.command === PREVIEW)
    .sort((one, other) => one.range.start.compareTo(other.range.start));
  const line = editor.selection.active.line;
  const command = (previews.findLast((lens) => lens.range.start.line <= line) ?? previews[0])?.command;
  if (command === undefined) {
    void vscode.window.showInformationMessage(
      "Nothing to preview: put NAME.sample.jsonl or NAME.test.jsonl beside NAME.phe.",
    );
    return;
  }
  await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
}
