/** Which test files there are, and which process runs each: one of its own, or that of its room. */
import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

export const projectFolder: string = join(import.meta.dirname, "../..");

/** Paths from the project's folder, with slashes, sorted. */
export function filesMatching(...patterns: readonly string[]): string[] {
  return globSync(patterns, { cwd: projectFolder })
    .map((path) => path.split(sep).join("/"))
    .sort();
}

/** What `.taprc` includes, each in a process of its own: the entries of the rooms, and the files that stay apart. */
export function filesOfTap(): string[] {
  const patterns = [...readFileSync(join(projectFolder, ".taprc"), "utf8").matchAll(/^ {2}- (test\/\S+)$/gm)];
  return filesMatching(...patterns.map(([, pattern = ""]) => pattern));
}

/**
 * The files that `test/rooms/<room>.test.ts` runs in its process: those below `test/<room>/` that do not stay apart. The room
 * `project` has the files of `test/` itself.
 */
export function filesOfRoom(room: string): string[] {
  const apart = new Set(filesOfTap());
  const pattern = room === "project" ? "test/*.test.ts" : `test/${room}/**/*.test.ts`;
  return filesMatching(pattern).filter((file) => !apart.has(file));
}
