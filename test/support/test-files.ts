/** Which test files there are, and which process runs each: one of its own, or that of its room. */
import { existsSync, globSync, readFileSync } from "node:fs";
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
 * The files that `test/rooms/<room>.test.ts` runs in its process: those below `test/<room>/` that do not stay apart.
 * The room `others` has those of the folders without an entry, each too small for a process, and of `test/` itself.
 */
export function filesOfRoom(room: string): string[] {
  const apart = new Set([...filesOfTap(), ...filesMatching("test/{programs,faults}/**/*.test.ts")]);
  return filesMatching("test/**/*.test.ts").filter((file) => !apart.has(file) && roomOf(file) === room);
}

function roomOf(file: string): string {
  const [, folder = ""] = file.split("/");
  return existsSync(join(projectFolder, `test/rooms/${folder}.test.ts`)) ? folder : "others";
}
