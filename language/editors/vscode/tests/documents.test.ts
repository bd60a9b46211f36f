import assert from "node:assert/strict";
import { test } from "node:test";
import manifest from "../package.json";
import { DOCUMENTS } from "../src/documents";

test("texts nobody saved yet are checked too", () => {
  assert.deepEqual(
    DOCUMENTS.map(({ scheme }) => scheme),
    ["file", "untitled"],
  );
});

test("the server takes texts of the language and no others", () => {
  const [language] = manifest.contributes.languages;
  for (const one of DOCUMENTS) {
    assert.equal(one.language, language?.id);
  }
});
