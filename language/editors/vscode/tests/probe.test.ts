import assert from "node:assert/strict";
import { test } from "node:test";
import type { Candidate } from "../src/interpreters";
import {
  chooseCandidate,
  chooseForInstall,
  explainMissing,
  probe,
  runProgram,
  type Outcome,
  type Run,
} from "../src/probe";

const PYTHON: Candidate = { command: "/py", prefix: ["-m", "phenesthe"], origin: "setting" };
const PROGRAM: Candidate = { command: "phenesthe", prefix: [], origin: "PATH" };

/** Programs that answer as written here, by their last argument; nothing else exists. */
function pretend(answers: Record<string, Partial<Outcome>>): Run {
  return (command, args) =>
    Promise.resolve({
      code: "there is no such program",
      stdout: "",
      stderr: "",
      ...answers[`${command} ${args.at(-1)}`],
    });
}

const VERSION = { code: 0, stdout: "phenesthe 0.4.1\n" };

test("one that has a server works", async () => {
  const run = pretend({ "/py --version": VERSION, "/py --help": { code: 0 } });
  assert.deepEqual(await probe(PYTHON, run), { kind: "works", version: "0.4.1" });
});

test("one without Phenesthe", async () => {
  const run = pretend({ "/py --version": { code: 1, stderr: "/py: No module named phenesthe\n" } });
  assert.deepEqual(await probe(PYTHON, run), { kind: "no phenesthe" });
});

test("one that is too old to serve", async () => {
  const run = pretend({ "/py --version": VERSION, "/py --help": { code: 2 } });
  assert.deepEqual(await probe(PYTHON, run), { kind: "no server", version: "0.4.1" });
});

test("one that is broken says why", async () => {
  const stderr = "Traceback…\nImportError: no textx\n";
  const verdict = await probe(PYTHON, pretend({ "/py --version": { code: 1, stderr } }));
  assert.deepEqual(verdict, { kind: "fails", reason: "ImportError: no textx" });
});

test("another program of that name is not ours", async () => {
  const verdict = await probe(PROGRAM, pretend({ "phenesthe --version": { code: 0, stdout: "Other 1\n" } }));
  assert.deepEqual(verdict, { kind: "fails", reason: "exit code 0" });
});

test("the first that works is chosen", async () => {
  const run = pretend({ "phenesthe --version": VERSION, "phenesthe --help": { code: 0 } });
  const { chosen, tried } = await chooseCandidate([PYTHON, PROGRAM], run);
  assert.equal(chosen, PROGRAM);
  assert.deepEqual(tried.map((one) => one.verdict.kind), ["cannot start", "works"]);
});

test("when none works the first is explained", async () => {
  const stderr = "No module named 'phenesthe'";
  const run = pretend({ "/py --version": { code: 1, stderr } });
  const { chosen, tried } = await chooseCandidate([PYTHON, PROGRAM], run);
  assert.equal(chosen, undefined);
  assert.equal(
    explainMissing(tried),
    "Phenesthe is not installed in /py (the setting `phenesthe.python`).",
  );
});

test("without any environment it is said that there is none", async () => {
  const { tried } = await chooseCandidate([PROGRAM], pretend({}));
  assert.match(explainMissing(tried), /^No Python environment was chosen/);
});

test("what is missing is installed where something runs", async () => {
  const other: Candidate = { ...PYTHON, command: "/other", origin: "folder" };
  const run = pretend({ "/other --version": { code: 1, stderr: "No module named phenesthe" } });
  const { tried } = await chooseCandidate([PYTHON, other, PROGRAM], run);
  assert.equal(chooseForInstall(tried), other);
  assert.equal(chooseForInstall([]), undefined);
});

test("programs are really run", async () => {
  const script = "console.log(process.env.PYTHONSAFEPATH); console.error('e'); process.exitCode = 3";
  assert.deepEqual(await runProgram(process.execPath, ["-e", script]), {
    code: 3,
    stdout: "1\n",
    stderr: "e\n",
  });
  assert.equal((await runProgram(process.execPath, ["-e", ""])).code, 0);
  assert.equal((await runProgram("/no/such/program", [])).code, "there is no such program");
  assert.equal(typeof (await runProgram("a\0b", [])).code, "string");
});
