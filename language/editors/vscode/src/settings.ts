import * as vscode from "vscode";

// `phenesthe.path` and `phenesthe.inlayHints` are the server's: it asks for them itself.

export function readInterpreterSetting(): string {
  return vscode.workspace.getConfiguration("phenesthe").get("python", "");
}

/** The paths of the open folders that are on disk. */
export function listFolders(): string[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter((folder) => folder.uri.scheme === "file")
    .map((folder) => folder.uri.fsPath);
}
