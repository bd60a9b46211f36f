import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import type { IGrammar } from "vscode-textmate";
import { loadGrammar, tokenize } from "./grammars";

const ROOT = join(process.cwd(), "..", "..", "..");
let grammar: IGrammar;

before(async () => {
  grammar = await loadGrammar("source.phenesthe");
});

/** The scopes of the piece `part`, which stands once in the text. */
function scopesOf(text: string, part: string): readonly string[] {
  const found = tokenize(grammar, text).filter((piece) => piece.text === part);
  assert.equal(found.length, 1, `${part} in ${JSON.stringify(tokenize(grammar, text))}`);
  return found[0]?.scopes ?? [];
}

/** Scope (without its ending `.phenesthe`), and words or symbols that have it between formulas. */
const SPELLINGS: Record<string, string> = {
  "keyword.control.import": "import",
  "storage.type": "unit param input fact exclusive event state dynamic",
  "keyword.operator.relation":
    "before meets overlaps finishes starts equals contains after met_by overlapped_by finished_by started_by during",
  "keyword.operator.word":
    "within as then union intersection complement lasting expires repeat while where",
  "keyword.operator.logical": "and or not in ∨ ∧ ¬ ∈ ∉",
  "support.function": "start end prev abs min max angle_diff distance",
  "constant.language": "true false",
  "keyword.operator.range": "~> ⤳ ↣ ↦",
  "keyword.operator.transition": "->",
  "keyword.operator.set": "⊔ ⊓ \\",
  "keyword.operator.comparison": "< <= > >= == != ≤ ≥ ≠",
  "keyword.operator.assignment": "=",
  "keyword.operator.arithmetic": "+ - * /",
  "punctuation.terminator": ";",
  "punctuation.separator": ", : .",
  "punctuation.section.parens": "( )",
  "punctuation.section.block": "{ }",
};

for (const [scope, spellings] of Object.entries(SPELLINGS)) {
  for (const spelling of spellings.split(" ")) {
    test(`${spelling} is ${scope}`, () => {
      assert.deepEqual(scopesOf(`A ${spelling} B`, spelling), [`${scope}.phenesthe`]);
    });
  }
}

test("words that only begin like words of the language are names", () => {
  for (const word of Object.values(SPELLINGS).join(" ").split(" ")) {
    if (/^[a-z]/.test(word)) {
      assert.deepEqual(scopesOf(`${word}x`, `${word}x`), ["constant.other.symbol.phenesthe"]);
      assert.deepEqual(scopesOf(`x_${word}(V)`, `x_${word}`), ["entity.name.function.call.phenesthe"]);
    }
  }
});

const PLACES: readonly (readonly [text: string, part: string, scope: string])[] = [
  ["import maritime.core;", "maritime.core", "entity.name.namespace"],
  ["unit millisecond;", "millisecond", "support.type.unit"],
  ["state second(V) : a(V);", "second", "entity.name.function"],
  ["input event ais(vessel: int);", "ais", "entity.name.function"],
  ["input event ais(vessel: int);", "vessel", "variable.other.property"],
  ["input event ais(vessel: int);", "int", "support.type.primitive"],
  ["machine door(D, How) initially shut {", "machine", "storage.type"],
  ["machine door(D, How) initially shut {", "door", "entity.name.function"],
  ["machine door(D, How) initially shut {", "initially", "storage.type"],
  ["event a(X) : b(X, machine);", "machine", "constant.other.symbol"],
  ["event a(X) : machine(X);", "machine", "entity.name.function.call"],
  ["event a(X) : initially(X);", "initially", "entity.name.function.call"],
  ["fact kind_of(vessel: int, type: str);", "kind_of", "entity.name.function"],
  ["param stay: duration = 30m;", "stay", "variable.other.constant"],
  ["param stay: duration = 30m;", "duration", "support.type.primitive"],
  ["exclusive state gap(V, W) {", "gap", "entity.name.function"],
  ["state s(V) : int(V);", "int", "entity.name.function.call"],
  ["repeat a(V) while gap < 10m", "gap", "support.variable.gap"],
  ["gap(V)", "gap", "entity.name.function.call"],
  ["a(V) before b(V) as inverse_complement", "inverse_complement", "support.constant.mode"],
  ["a(V, source)", "source", "constant.other.symbol"],
  ["a(V) without b(V)", "without", "keyword.operator.word"],
  ["a(V)\n    without (b(V) union c(V))", "without", "keyword.operator.word"],
  ["a(V)\n    limit 10m", "limit", "keyword.operator.word"],
  ["a(V) before b(V) from 5m within 10m", "from", "keyword.operator.word"],
  ["at least 3 V of a(V)", "of", "keyword.operator.word"],
  ["at least 3 V of a(V)", "least", "keyword.operator.word"],
  ["count V of (a(V)) as K", "count", "keyword.operator.word"],
  ["x(V) and without(V)", "without", "entity.name.function.call"],
  ["S > limit and a(V)", "limit", "constant.other.symbol"],
  ["report moored, fast;", "report", "storage.type"],
  ["always() where x(V)", "always", "support.function"],
  ["a(Vessel)", "Vessel", "variable.parameter"],
  ["a(_Vessel)", "_Vessel", "variable.parameter"],
  ["a(_)", "_", "variable.language.anonymous"],
  ["12", "12", "constant.numeric.integer"],
  ["1.5e-3", "1.5e-3", "constant.numeric.float"],
  ["2E9", "2E9", "constant.numeric.float"],
  ["12monkeys", "12monkeys", "invalid.illegal.number"],
];

for (const [text, part, scope] of PLACES) {
  test(`${part} of ${text}`, () => {
    assert.deepEqual(scopesOf(text, part), [`${scope}.phenesthe`]);
  });
}

test("durations have a number and a unit", () => {
  for (const unit of ["ms", "s", "m", "h", "d"]) {
    const scope = "constant.numeric.duration.phenesthe";
    assert.deepEqual(scopesOf(`lasting > 2.5${unit}`, "2.5"), [scope]);
    assert.deepEqual(scopesOf(`lasting > 2.5${unit}`, unit), [scope, "keyword.other.unit.phenesthe"]);
  }
});

test("comments, and documentation apart from them", () => {
  assert.ok(scopesOf("/// of", " of").includes("comment.line.documentation.phenesthe"));
  assert.ok(scopesOf("// of", " of").includes("comment.line.double-slash.phenesthe"));
  assert.ok(scopesOf("//// of", "// of").includes("comment.line.double-slash.phenesthe"));
  assert.ok(scopesOf("/* one\nstate\n*/ event", "state").includes("comment.block.phenesthe"));
  assert.deepEqual(scopesOf("/* one\nstate\n*/ event", "event"), ["storage.type.phenesthe"]);
});

test("texts, their escapes, and texts that are never closed", () => {
  const string = "string.quoted.double.phenesthe";
  assert.deepEqual(scopesOf(String.raw`"a\u00e9"`, String.raw`\u00e9`), [string, "constant.character.escape.phenesthe"]);
  assert.deepEqual(scopesOf(String.raw`"a\x"`, String.raw`\x`), [string, "invalid.illegal.escape.phenesthe"]);
  assert.deepEqual(scopesOf('"never // closed\nstate', "never // closed"), [string]);
  assert.deepEqual(scopesOf('"never closed\nstate', "state"), ["storage.type.phenesthe"]);
});

function listFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".phe"))
    .map((file) => join(ROOT, folder, file));
}

test("nothing in the files of the language is left without a scope or called wrong", () => {
  const files = ["language/conformance/constructs", "language/conformance/papers", "stdlib", "examples"];
  const all = files.flatMap(listFiles);
  assert.ok(all.length > 200);
  for (const file of all) {
    const text = readFileSync(file, "utf8").replace(/^\ufeff/, "");
    for (const piece of tokenize(grammar, text)) {
      const isNamed = piece.scopes.length > 0 || piece.text.trim() === "";
      const isWrong = piece.scopes.some((scope) => scope.startsWith("invalid"));
      assert.ok(isNamed && !isWrong, `${file}: ${JSON.stringify(piece)}`);
    }
  }
});

test("a code block in Markdown has the language inside and ends with its fence", async () => {
  const markdown = await loadGrammar("markdown.phenesthe.codeblock");
  for (const name of ["phenesthe", "phe"]) {
    const pieces = tokenize(markdown, `\`\`\`${name}\nstate s(V) : a(V);\n\`\`\`\nstate`);
    const words = pieces.filter((piece) => piece.text === "state");
    assert.ok(words[0]?.scopes.includes("meta.embedded.block.phenesthe"));
    assert.ok(words[0]?.scopes.includes("storage.type.phenesthe"));
    assert.deepEqual(words[1]?.scopes, []);
  }
});

test("`report` is a word where it begins a declaration, and a name elsewhere", () => {
  assert.deepEqual(scopesOf("report moored, fast;", "report"), ["storage.type.phenesthe"]);
  assert.deepEqual(scopesOf("event seen(V) : report(V);", "report"), ["entity.name.function.call.phenesthe"]);
  assert.deepEqual(scopesOf("  report and V", "report"), ["constant.other.symbol.phenesthe"]);
});
