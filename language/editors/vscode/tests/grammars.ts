// Text as the TextMate grammars see it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as oniguruma from "vscode-oniguruma";
import { INITIAL, parseRawGrammar, Registry, type IGrammar } from "vscode-textmate";

const SYNTAXES = join(process.cwd(), "syntaxes");
const FILES: Record<string, string> = {
  "source.phenesthe": "phenesthe.tmLanguage.json",
  "markdown.phenesthe.codeblock": "markdown.tmLanguage.json",
};

export interface Piece {
  readonly text: string;
  readonly scopes: readonly string[];
}

export async function loadGrammar(scope: string): Promise<IGrammar> {
  const wasm = createRequire(__filename).resolve("vscode-oniguruma/release/onig.wasm");
  const onigLib = oniguruma.loadWASM(new Uint8Array(readFileSync(wasm)).buffer).then(() => ({
    createOnigScanner: (patterns: string[]) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text: string) => new oniguruma.OnigString(text),
  }));
  const registry = new Registry({
    onigLib,
    loadGrammar: (name) => {
      const file = FILES[name];
      return Promise.resolve(
        file === undefined ? null : parseRawGrammar(readFileSync(join(SYNTAXES, file), "utf8"), file),
      );
    },
  });
  const grammar = await registry.loadGrammar(scope);
  if (grammar === null) {
    throw new Error(`no grammar ${scope}`);
  }
  return grammar;
}

/** The pieces of all lines. The first scope, that of the whole file, is left out. */
export function tokenize(grammar: IGrammar, text: string): Piece[] {
  let state = INITIAL;
  const pieces: Piece[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    for (const { startIndex, endIndex, scopes } of tokens) {
      // A token at the end of a line covers the line end too.
      const piece = line.slice(startIndex, endIndex);
      if (piece !== "") {
        pieces.push({ text: piece, scopes: scopes.slice(1) });
      }
    }
  }
  return pieces;
}
