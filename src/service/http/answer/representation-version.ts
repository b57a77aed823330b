/**
 * One version for all representations: a hash of the code and texts that answers, documents and pages are made of, and
 * of the packages that they use. It is part of every tag, so a client never gets 304 for a body that other code made.
 */
import { hash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const sourceFolder = join(import.meta.dirname, "../../..");

/** Folders of `src` whose files have a part in what a client receives. */
const folders = ["contract", "engine", "service/http", "site"];

const otherFiles = [
  "data/county-shapes/county-shapes.json",
  "data/reference/county-tiles.json",
  // For the version, which some answers name.
  "package.json",
  "package-lock.json",
  "npm-shrinkwrap.json",
];

let known: string | undefined;

/** Computed once for a process: reads 3 MB. Threads get it from the supervisor. */
export function representationVersion(): string {
  known ??= hashFiles([
    ...globSync(`{${folders.join(",")}}/**/*.{ts,js,css,svg,json,md}`, { cwd: sourceFolder })
      .sort()
      .map((name) => join(sourceFolder, name)),
    ...otherFiles.map((name) => join(sourceFolder, "..", name)).filter((path) => existsSync(path)),
  ]);
  return known;
}

function hashFiles(paths: readonly string[]): string {
  const digests = paths.map((path) => hash("sha256", readFileSync(path), "hex"));
  return hash("sha256", digests.join("\n"), "base64url").slice(0, 12);
}
