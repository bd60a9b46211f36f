// Says what to do when no environment has a server.
import * as vscode from "vscode";
import { writeInstallCommand } from "./interpreters";
import { chooseForInstall, explainMissing, type Tried } from "./probe";
import { hasPythonExtension } from "./python";
import { readInterpreterSetting } from "./settings";

const CHOOSE = "Choose Interpreter";
const COPY = "Copy Install Command";
const DOCS = "Open Instructions";

export async function reportMissing(tried: readonly Tried[], extension: vscode.Uri): Promise<void> {
  const answer = await vscode.window.showErrorMessage(
    `Phenesthe: ${explainMissing(tried)} Choose another environment, or install it from a checkout of Phenesthe.`,
    CHOOSE,
    COPY,
    DOCS,
  );
  switch (answer) {
    case CHOOSE:
      await chooseInterpreter();
      break;
    case COPY: {
      const candidate = chooseForInstall(tried);
      if (candidate !== undefined) {
        const command = writeInstallCommand(candidate, process.platform);
        await vscode.env.clipboard.writeText(command);
        void vscode.window.showInformationMessage(
          `Copied: ${command} — run it in a checkout of Phenesthe, then “Phenesthe: Restart Server”.`,
        );
      }
      break;
    }
    case DOCS:
      await vscode.commands.executeCommand(
        "markdown.showPreview",
        vscode.Uri.joinPath(extension, "README.md"),
      );
      break;
  }
}

async function chooseInterpreter(): Promise<void> {
  // The setting goes before the Python extension: while it is set only changing it helps.
  if (readInterpreterSetting() === "" && hasPythonExtension()) {
    await vscode.commands.executeCommand("python.setInterpreter");
  } else {
    await vscode.commands.executeCommand("workbench.action.openSettings", "phenesthe.python");
  }
}
