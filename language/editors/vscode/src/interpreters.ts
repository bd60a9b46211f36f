// Where the server may be, in the order in which it is looked for. No `vscode` here: tested alone.
import { homedir } from "node:os";
import { join } from "node:path";

/** A way to run `phenesthe`: what to start, and how people know it. */
export interface Candidate {
  readonly command: string;
  /** What comes before the subcommand. */
  readonly prefix: readonly string[];
  readonly origin: "setting" | "python extension" | "folder" | "PATH";
}

export interface Surroundings {
  /** `phenesthe.python`; empty when it is not set. */
  readonly setting: string;
  /** The interpreter that is chosen in the Python extension. */
  readonly active: string | undefined;
  /** Paths of the folders that are open. */
  readonly folders: readonly string[];
  readonly platform: NodeJS.Platform;
  readonly exists: (path: string) => boolean;
}

/**
 * All candidates, best first. A setting stands alone: who chose an interpreter wants to hear that
 * it does not work, not to be served by another one.
 */
export function listCandidates(around: Surroundings): Candidate[] {
  const chosen = expandPath(around.setting.trim(), around.folders[0]);
  if (chosen !== "") {
    return [runModule(chosen, "setting")];
  }
  const candidates: Candidate[] = [];
  if (around.active) {
    candidates.push(runModule(around.active, "python extension"));
  }
  for (const folder of around.folders) {
    const python = join(folder, ".venv", ...placeInEnvironment(around.platform));
    if (python !== around.active && around.exists(python)) {
      candidates.push(runModule(python, "folder"));
    }
  }
  candidates.push({ command: "phenesthe", prefix: [], origin: "PATH" });
  return candidates;
}

function runModule(command: string, origin: Candidate["origin"]): Candidate {
  return { command, prefix: ["-m", "phenesthe"], origin };
}

function placeInEnvironment(platform: NodeJS.Platform): string[] {
  return platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"];
}

/** With `${workspaceFolder}` and a leading `~` filled in; empty when a folder is needed and missing. */
export function expandPath(path: string, folder: string | undefined): string {
  if (path.includes("${workspaceFolder}")) {
    return folder === undefined ? "" : path.replaceAll("${workspaceFolder}", () => folder);
  }
  return /^~(?=$|[\\/])/.test(path) ? homedir() + path.slice(1) : path;
}

/** The command line that starts the server. */
export function serve(candidate: Candidate): { command: string; args: string[] } {
  return { command: candidate.command, args: [...candidate.prefix, "lsp"] };
}

/** What to type, inside a checkout, so that the interpreter of the candidate has Phenesthe. */
export function writeInstallCommand(candidate: Candidate, platform: NodeJS.Platform): string {
  if (candidate.prefix.length === 0) {
    return `${platform === "win32" ? "py" : "python3"} -m pip install .`;
  }
  const isPlain = /^[\w./:\\@+-]+$/.test(candidate.command);
  const shown = isPlain ? candidate.command : `"${candidate.command}"`;
  // PowerShell, the usual shell of Windows, starts a quoted program only after `&`.
  return `${!isPlain && platform === "win32" ? "& " : ""}${shown} -m pip install .`;
}
