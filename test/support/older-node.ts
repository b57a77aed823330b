/** Versions of Node that are older than the project's, from npm, as the Node of a machine. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "./test-files.ts";

/** Kept until `npm ci` removes it. */
const cache = join(projectFolder, "node_modules/.cache/older-node");

export interface OlderNode {
  readonly version: string;
  /** Empty when it could not be installed. */
  readonly path: string;
  /** Option of a test that needs it: why it is skipped, or false. */
  readonly skip: string | false;
}

/** Installs a version of Node from npm, unless an earlier run of the tests has done so. */
export function olderNode(version: string): OlderNode {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(cache, version);
  const path = join(folder, "node_modules", name, "bin/node");
  if (existsSync(path)) return { version, path, skip: false };
  if (process.platform !== "linux") return { version, path: "", skip: "the package for Linux is the one tried" };
  mkdirSync(cache, { recursive: true });
  const part = mkdtempSync(join(cache, "part-"));
  const wanted = ["--prefix", part, "--no-save", "--no-audit", "--no-fund", "--fetch-retries=0", `${name}@${version}`];
  const { status, stderr, error } = spawnSync("npm", ["install", "--ignore-scripts", ...wanted], {
    cwd: part,
    encoding: "utf8",
  });
  if (status === 0 && !existsSync(folder)) renameSync(part, folder);
  rmSync(part, { recursive: true, force: true });
  if (existsSync(path)) return { version, path, skip: false };
  const [reason = "npm failed"] = error === undefined ? stderr.trim().split("\n") : [error.message];
  return { version, path: "", skip: `${name}@${version} cannot be installed: ${reason}` };
}
