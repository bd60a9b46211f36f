import assert from "node:assert/strict";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  expandPath,
  listCandidates,
  serve,
  writeInstallCommand,
  type Candidate,
  type Surroundings,
} from "../src/interpreters";

const VENV = join("/project", ".venv", "bin", "python");

function around(given: Partial<Surroundings>): Surroundings {
  return {
    setting: "",
    active: undefined,
    folders: ["/project"],
    platform: "linux",
    exists: () => false,
    ...given,
  };
}

function commands(given: Partial<Surroundings>): string[] {
  return listCandidates(around(given)).map((candidate) => candidate.command);
}

test("a setting stands alone", () => {
  const found = commands({ setting: " /opt/py ", active: "/active/python", exists: () => true });
  assert.deepEqual(found, ["/opt/py"]);
});

test("then the active interpreter, the folder's, and PATH", () => {
  const found = commands({ active: "/active/python", exists: (path) => path === VENV });
  assert.deepEqual(found, ["/active/python", VENV, "phenesthe"]);
});

test("an environment that is not there is not tried", () => {
  assert.deepEqual(commands({}), ["phenesthe"]);
});

test("the folder's environment is tried once when it is the active one", () => {
  assert.deepEqual(commands({ active: VENV, exists: () => true }), [VENV, "phenesthe"]);
});

test("every open folder may have an environment", () => {
  const found = commands({ folders: ["/a", "/b"], exists: (path) => path.startsWith(join("/b")) });
  assert.deepEqual(found, [join("/b", ".venv", "bin", "python"), "phenesthe"]);
});

test("environments look different on Windows", () => {
  const found = commands({ platform: "win32", exists: () => true });
  assert.deepEqual(found, [join("/project", ".venv", "Scripts", "python.exe"), "phenesthe"]);
});

test("a setting that needs a folder counts as not set without one", () => {
  assert.deepEqual(commands({ setting: "${workspaceFolder}/env/bin/python", folders: [] }), ["phenesthe"]);
  assert.deepEqual(commands({ setting: "${workspaceFolder}/env/bin/python" }), ["/project/env/bin/python"]);
});

test("paths are filled in", () => {
  assert.equal(expandPath("~/env/bin/python", undefined), homedir() + "/env/bin/python");
  assert.equal(expandPath("~other/python", undefined), "~other/python");
  assert.equal(expandPath("${workspaceFolder}/x", "/with $& in it"), "/with $& in it/x");
});

test("the server is the module of an interpreter, or the program on PATH", () => {
  const [python, program] = listCandidates(around({ active: "/py" }));
  assert.deepEqual(serve(python as Candidate), { command: "/py", args: ["-m", "phenesthe", "lsp"] });
  assert.deepEqual(serve(program as Candidate), { command: "phenesthe", args: ["lsp"] });
});

test("the install command fits the interpreter and the shell", () => {
  const install = (command: string, platform: NodeJS.Platform, prefix = ["-m", "phenesthe"]) =>
    writeInstallCommand({ command, prefix, origin: "setting" }, platform);
  assert.equal(install("/opt/py", "linux"), "/opt/py -m pip install .");
  assert.equal(install("/my env/py", "linux"), `"/my env/py" -m pip install .`);
  assert.equal(install("C:\\my env\\py.exe", "win32"), `& "C:\\my env\\py.exe" -m pip install .`);
  assert.equal(install("phenesthe", "darwin", []), "python3 -m pip install .");
});
