// Which program is run, and whether it is one that we can talk to. Asked before the client starts, so that each way of
// going wrong has one message of its own in place of the client's "couldn't create connection".

import { execFile } from "node:child_process";
import { constants, promises as fs } from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { ExtensionContext, workspace } from "vscode";

/** A program that runs and says its version. */
export interface Binary {
  path: string;
  version: string;
}

/** Why there is none, in one sentence for the person; `setting`: it is `caveat.path` that has to change. */
export class NoBinary extends Error {
  constructor(message: string, readonly setting: boolean) {
    super(message);
  }
}

const NAME = process.platform === "win32" ? "caveat.exe" : "caveat";

/** Finds the program and asks it for its version. Throws `NoBinary`. */
export async function findBinary(context: ExtensionContext): Promise<Binary> {
  const shipped = context.asAbsolutePath(path.join("server", NAME));
  if (!workspace.isTrusted) {
    if (await runs(shipped)) return asked(shipped, false);
    throw new NoBinary(
      "In restricted mode caveat runs only the program that it ships, and this build ships none for this system. Trust the workspace to use one that is installed.",
      false,
    );
  }
  const set = workspace.getConfiguration("caveat").get<string>("path", "").trim();
  if (set !== "") {
    const named = set === "~" || set.startsWith("~/") ? path.join(os.homedir(), set.slice(1)) : set;
    if (!path.isAbsolute(named)) throw new NoBinary("The setting caveat.path is not an absolute path.", true);
    if (await runs(named)) return asked(named, true);
    throw new NoBinary("The setting caveat.path names no program that can be run.", true);
  }
  if (await runs(shipped)) return asked(shipped, false);
  for (const folder of (process.env["PATH"] ?? "").split(path.delimiter)) {
    // A relative folder on PATH would let a workspace bring its own program.
    if (!path.isAbsolute(folder)) continue;
    const found = path.join(folder, NAME);
    if (await runs(found)) return asked(found, false);
  }
  throw new NoBinary(
    "The program caveat was not found: this build ships none for this system, and there is none on PATH. Install it, or name it in the setting caveat.path.",
    true,
  );
}

async function runs(file: string): Promise<boolean> {
  try {
    await fs.access(file, constants.X_OK);
    return (await fs.stat(file)).isFile();
  } catch {
    return false;
  }
}

function asked(file: string, setting: boolean): Promise<Binary> {
  return new Promise((resolve, reject) => {
    execFile(file, ["--version"], { timeout: 20_000, cwd: os.tmpdir() }, (error, stdout) => {
      const version = /^caveat (\d+\.\d+\.\d+\S*)\s*$/.exec(stdout)?.[1];
      if (!error && version !== undefined) return resolve({ path: file, version });
      const which = setting ? "that the setting caveat.path names" : "caveat that was found";
      reject(
        new NoBinary(
          error
            ? `The program ${which} does not run on this system (built for another one, or damaged).`
            : `The program ${which} is not caveat: it does not say its version.`,
          true,
        ),
      );
    });
  });
}

/** Whether program and extension belong together: the same major and minor number. */
export function fits(program: string, extension: string): boolean {
  const head = (version: string) => version.split(".").slice(0, 2).join(".");
  return head(program) === head(extension);
}
