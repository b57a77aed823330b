/** What a commit must have before files of a release are made of it. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The newest section of the changelog. */
export interface NewestVersion {
  readonly version: string;
  /** As it stands in the heading; "not released" where there is none. */
  readonly date: string;
  /** The section without its heading. */
  readonly notes: string;
}

/** Runs git in a folder. @returns Its output without white space at the ends. */
export function git(folder: string, ...args: readonly string[]): string {
  return execFileSync("git", ["-C", folder, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}

export function readNewestVersion(folder: string): NewestVersion {
  const changelog = readFileSync(join(folder, "CHANGELOG.md"), "utf8");
  const [, section = ""] = changelog.split(/^## /m);
  const [heading = "", ...lines] = section.split("\n");
  const [, version = heading, date = ""] = /^(\S+)(?: \(([^)]*)\))?/.exec(heading) ?? [];
  return { version, date, notes: lines.join("\n").trim() };
}

export function readVersion(folder: string, file: string = "package.json"): string {
  return (JSON.parse(readFileSync(join(folder, file), "utf8")) as { version: string }).version;
}

/** Files that have the version of package.json. */
const versionFiles = ["src/client/package.json", "package-lock.json"];

/**
 * Faults of a checked-out commit, each a line.
 *
 * @param isTagged Whether it is to be a version. Otherwise it is a trial, and its number may be that of a candidate for
 *   the version that the changelog describes: 1.2.0-rc.1 for 1.2.0.
 */
export function releaseFaults(folder: string, isTagged: boolean): string[] {
  const version = readVersion(folder);
  const changelog = readNewestVersion(folder);
  const described = isTagged ? version : version.replace(/-.*/, "");
  const faults = versionFiles
    .map((file) => ({ file, found: readVersion(folder, file) }))
    .filter(({ found }) => found !== version)
    .map(({ file, found }) => `${file} is ${found}, expected ${version}, as package.json has it`);
  if (changelog.version !== described) {
    faults.push(`CHANGELOG.md begins with ${changelog.version}, expected ${described}`);
  }
  if (!isTagged) return faults;
  if (!/^\d{4}-\d\d-\d\d$/.test(changelog.date)) {
    faults.push(`CHANGELOG.md says "${changelog.date}" of ${changelog.version}, expected the date of its release`);
  }
  const tags = git(folder, "tag", "--points-at", "HEAD").split("\n");
  if (!tags.includes(`v${version}`))
    faults.push(`HEAD has no tag v${version}, expected one: a version is what is tagged`);
  return faults;
}

/** Files that git does not know or that differ from the commit. */
export function uncommitted(folder: string): string[] {
  const status = git(folder, "status", "--porcelain");
  return status === "" ? [] : status.split("\n").map((line) => line.trim());
}
