// The page of a preview. No `vscode` here: tested alone.

/** What the server answers to `phenesthe.preview`. */
export interface Preview {
  readonly title: string;
  readonly text: string;
  readonly html: string;
}

/** The answer, or undefined when it is not a preview: it comes from another process. */
export function readPreview(answer: unknown): Preview | undefined {
  if (typeof answer !== "object" || answer === null) {
    return undefined;
  }
  const { title, text, html } = answer as Record<string, unknown>;
  return typeof title === "string" && typeof text === "string" && typeof html === "string"
    ? { title, text, html }
    : undefined;
}

/** Styles inside the page are all it may have: no scripts, no addresses, no forms. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'";

/** A whole document around what the server made, or its text when it made no page. */
export function buildPage(preview: Preview): string {
  const content = preview.html === "" ? `<pre>${escapeText(preview.text)}</pre>` : preview.html;
  const title = escapeText(preview.title);
  // The policy stands first: a browser obeys it from where it reads it.
  const head =
    `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">` +
    `<title>${title}</title>`;
  return `<!DOCTYPE html><html lang="en"><head>${head}</head><body>${content}</body></html>`;
}

export function escapeText(text: string): string {
  const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (character) => names[character] ?? character);
}
