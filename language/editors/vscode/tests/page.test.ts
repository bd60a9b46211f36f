import assert from "node:assert/strict";
import { test } from "node:test";
import { buildPage, readPreview } from "../src/page";

test("only a preview is taken for one", () => {
  const preview = { title: "moored", text: "…", html: "<pre>…</pre>" };
  assert.deepEqual(readPreview({ ...preview, more: 1 }), preview);
  for (const answer of [null, undefined, "text", 1, {}, { ...preview, html: null }]) {
    assert.equal(readPreview(answer), undefined);
  }
});

test("a page allows nothing but styles", () => {
  const page = buildPage({ title: "a", text: "", html: "<p>made</p>" });
  const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(page)?.[1] ?? "";
  assert.match(policy, /^default-src 'none'; style-src 'unsafe-inline';/);
  assert.doesNotMatch(policy, /script-src|img-src|https?:/);
  assert.ok(page.indexOf("<meta http-equiv") < page.indexOf("<p>made</p>"));
});

test("a title and a text are no markup", () => {
  const page = buildPage({ title: "</title><b>", text: "<i> & 'x'", html: "" });
  assert.ok(page.includes("<title>&lt;/title&gt;&lt;b&gt;</title>"));
  assert.ok(page.includes("<pre>&lt;i&gt; &amp; &#39;x&#39;</pre>"));
});
