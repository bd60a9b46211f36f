// Tries whether a candidate has Phenesthe, and one that can serve. No `vscode` here: tested alone.
import { execFile } from "node:child_process";
import type { Candidate } from "./interpreters";

export type Verdict =
  | { readonly kind: "works"; readonly version: string }
  | { readonly kind: "cannot start"; readonly reason: string }
  | { readonly kind: "no phenesthe" }
  | { readonly kind: "no server"; readonly version: string }
  | { readonly kind: "fails"; readonly reason: string };

export interface Outcome {
  /** The exit code, or why the program did not run to its end. */
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

export type Run = (command: string, args: readonly string[]) => Promise<Outcome>;

export interface Tried {
  readonly candidate: Candidate;
  readonly verdict: Verdict;
}

/** The first candidate that works, and all that were tried before it. */
export async function chooseCandidate(
  candidates: readonly Candidate[],
  run: Run = runProgram,
): Promise<{ readonly chosen: Candidate | undefined; readonly tried: readonly Tried[] }> {
  const tried: Tried[] = [];
  for (const candidate of candidates) {
    const verdict = await probe(candidate, run);
    tried.push({ candidate, verdict });
    if (verdict.kind === "works") {
      return { chosen: candidate, tried };
    }
  }
  return { chosen: undefined, tried };
}

export async function probe(candidate: Candidate, run: Run): Promise<Verdict> {
  const asked = await run(candidate.command, [...candidate.prefix, "--version"]);
  if (typeof asked.code === "string") {
    return { kind: "cannot start", reason: asked.code };
  }
  const version = /^phenesthe (\S+)/.exec(asked.stdout)?.[1];
  if (asked.code !== 0 || version === undefined) {
    return asked.code === 1 && /No module named '?phenesthe/.test(asked.stderr)
      ? { kind: "no phenesthe" }
      : { kind: "fails", reason: lastLine(asked.stderr) || `exit code ${asked.code}` };
  }
  const serving = await run(candidate.command, [...candidate.prefix, "lsp", "--help"]);
  return serving.code === 0 ? { kind: "works", version } : { kind: "no server", version };
}

function lastLine(text: string): string {
  return text.trimEnd().split(/\r?\n/).at(-1) ?? "";
}

/** One sentence on what is wrong, about the candidate that should have worked: the first. */
export function explainMissing(tried: readonly Tried[]): string {
  // PATH is tried last and by itself: that it has nothing is news only when it was all there is.
  const first = tried[0];
  if (first === undefined) {
    return "No Python environment was found.";
  }
  const { candidate, verdict } = first;
  const where =
    candidate.origin === "PATH"
      ? "`phenesthe` on the PATH"
      : `${candidate.command} (${NAMES[candidate.origin]})`;
  switch (verdict.kind) {
    case "works":
      return `${where} works.`;
    case "cannot start":
      return candidate.origin === "PATH"
        ? "No Python environment was chosen, and there is no `phenesthe` on the PATH."
        : `${where} cannot be started: ${verdict.reason}.`;
    case "no phenesthe":
      return `Phenesthe is not installed in ${where}.`;
    case "no server":
      return `Phenesthe ${verdict.version} in ${where} is too old to have a language server.`;
    case "fails":
      return `Phenesthe in ${where} does not start: ${verdict.reason}`;
  }
}

/** Where to install Phenesthe: the first interpreter that can be started, else any. */
export function chooseForInstall(tried: readonly Tried[]): Candidate | undefined {
  return (tried.find(({ verdict }) => verdict.kind !== "cannot start") ?? tried.at(-1))?.candidate;
}

const NAMES: Record<Exclude<Candidate["origin"], "PATH">, string> = {
  setting: "the setting `phenesthe.python`",
  "python extension": "the interpreter of the Python extension",
  folder: "`.venv` of the folder",
};

const TIMEOUT_MS = 20_000;

/** Without the folder it is started in: a `phenesthe` or `re.py` there is not what is meant. */
export const ENVIRONMENT: NodeJS.ProcessEnv = { ...process.env, PYTHONSAFEPATH: "1" };

/** Runs a program to its end; what it cannot do is in the outcome, nothing is thrown. */
export function runProgram(command: string, args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    try {
      execFile(
        command,
        [...args],
        { timeout: TIMEOUT_MS, windowsHide: true, encoding: "utf8", env: ENVIRONMENT },
        (problem, stdout, stderr) => {
          resolve({ code: problem === null ? 0 : describe(problem), stdout, stderr });
        },
      );
    } catch (problem) {
      resolve({ code: String(problem), stdout: "", stderr: "" });
    }
  });
}

function describe(problem: Error & { code?: unknown; killed?: boolean }): number | string {
  if (typeof problem.code === "number") {
    return problem.code;
  }
  if (problem.killed) {
    return `no answer in ${TIMEOUT_MS / 1000} seconds`;
  }
  return problem.code === "ENOENT" ? "there is no such program" : problem.message;
}
