// Which texts are the server's. No `vscode` here: tested alone.

/** Files, and texts nobody saved yet; those of a repository's past or of a comparison are not. */
export const DOCUMENTS = [
  { scheme: "file", language: "phenesthe" },
  { scheme: "untitled", language: "phenesthe" },
];
