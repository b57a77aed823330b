/** The version of the program that runs, and the commit of its code. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { systemErrorCode } from "./read-regular-file.ts";

export interface ProgramVersion {
  /** As package.json has it. */
  readonly version: string;
  /** In hex, or `unknownCommit`. */
  readonly commit: string;
}

export const unknownCommit = "unknown";

/** The form of GIT_COMMIT: SHA-1 or SHA-256, perhaps shortened. */
export const commitPattern = "^[0-9a-f]{7,64}$";

const projectFolder = join(import.meta.dirname, "..", "..", "..");

interface Manifest {
  readonly version: string;
  /** The commit that the package was made of; a clone has none. */
  readonly gitHead?: string;
}

let running: ProgramVersion | undefined;

/** The version of this process. It is read once, so that an update of the files does not change the answer. */
export function programVersion(): ProgramVersion {
  running ??= readProgramVersion(projectFolder, process.env["GIT_COMMIT"]);
  return running;
}

/**
 * Reads the version of the project in a folder.
 *
 * @param buildCommit The commit where neither package.json nor a `.git` names one.
 */
export function readProgramVersion(folder: string, buildCommit: string = ""): ProgramVersion {
  const { version, gitHead } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  const built = new RegExp(commitPattern).test(buildCommit) ? buildCommit : unknownCommit;
  return { version, commit: gitHead ?? checkedOutCommit(folder) ?? built };
}

/** A version for people: `1.0.0 (45fa283e1234)`. */
export function versionText({ version, commit }: ProgramVersion): string {
  return `${version} (${commit === unknownCommit ? "commit unknown" : commit.slice(0, 12)})`;
}

/**
 * The commit that is checked out in a folder, read without git, which may be missing or refuse the owner of the folder.
 * Source: gitrepository-layout(5).
 *
 * @returns undefined where there is none, or where it is stored in another way (reftable).
 */
function checkedOutCommit(folder: string): string | undefined {
  const git = join(folder, ".git");
  // In a worktree or submodule, `.git` is a file with the path of the folder.
  const [, path] = /^gitdir: (.+)$/m.exec(readIfThere(git)) ?? [];
  const own = path === undefined ? git : resolve(folder, path);
  const common = resolve(own, readIfThere(join(own, "commondir")).trim());
  return commitOf("HEAD", own, common);
}

/** The links from one ref to another that are followed, as many as git follows. */
const refDepthMax = 5;

/** @param own The folder of the worktree. @param common The folder that all worktrees share. */
function commitOf(ref: string, own: string, common: string, depth: number = 0): string | undefined {
  const text = readIfThere(join(own, ref)) || readIfThere(join(common, ref));
  const [, target] = /^ref: (refs\/\S+)$/m.exec(text) ?? [];
  if (target !== undefined) return depth < refDepthMax ? commitOf(target, own, common, depth + 1) : undefined;
  return commitIn(text) ?? commitIn(packedLine(ref, common));
}

function packedLine(ref: string, common: string): string {
  const lines = readIfThere(join(common, "packed-refs")).split("\n");
  return lines.find((line) => line.endsWith(` ${ref}`))?.split(" ")[0] ?? "";
}

function commitIn(text: string): string | undefined {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text.trim()) ? text.trim() : undefined;
}

/** @returns The text of a file; empty where there is none that can be read. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "") throw error;
    return "";
  }
}
