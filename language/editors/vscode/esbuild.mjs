// Bundles the extension to dist/, or with --tests the tests to build/.
import { readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

const isForTests = process.argv.includes("--tests");
const outdir = isForTests ? "build" : "dist";
rmSync(outdir, { recursive: true, force: true });

await build({
  entryPoints: isForTests
    ? readdirSync("tests").filter((file) => file.endsWith(".test.ts")).map((file) => `tests/${file}`)
    : ["src/extension.ts"],
  outdir,
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  // The editor provides `vscode`; oniguruma reads its .wasm from beside its own file.
  external: ["vscode", "vscode-oniguruma"],
  minify: !isForTests,
  sourcemap: isForTests ? "inline" : false,
  logLevel: "warning",
});
