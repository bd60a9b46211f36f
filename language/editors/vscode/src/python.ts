// The interpreter that is chosen in the Python extension, when it is there.
import * as vscode from "vscode";

/** What we use of the Python extension's interface. */
interface PythonExtension {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(path: {
      readonly path: string;
    }): Promise<{ readonly executable: { readonly uri: vscode.Uri | undefined } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

const ID = "ms-python.python";

export function hasPythonExtension(): boolean {
  return vscode.extensions.getExtension(ID) !== undefined;
}

async function askPythonExtension(): Promise<PythonExtension | undefined> {
  try {
    return await vscode.extensions.getExtension<PythonExtension>(ID)?.activate();
  } catch {
    return undefined; // it says itself what is wrong with it
  }
}

export async function findActiveInterpreter(folder: vscode.Uri | undefined): Promise<string | undefined> {
  const environments = (await askPythonExtension())?.environments;
  if (environments === undefined) {
    return undefined;
  }
  try {
    const active = environments.getActiveEnvironmentPath(folder);
    return (await environments.resolveEnvironment(active))?.executable.uri?.fsPath;
  } catch {
    return undefined; // the chosen interpreter was removed
  }
}

export async function watchActiveInterpreter(listen: () => void): Promise<vscode.Disposable | undefined> {
  return (await askPythonExtension())?.environments.onDidChangeActiveEnvironmentPath(listen);
}
