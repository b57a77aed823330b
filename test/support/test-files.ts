/** Which test files there are, and which process runs each: one of its own, or that of its room. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

export const projectFolder: string = join(import.meta.dirname, "../..");

/**
 * The folders of tests whose files run in one process each, those that take longest first. `others` are the files of
 * all other folders, each too small for a process, and of `test/` itself.
 */
export const roomNames = [
  ...["behaviour", "importers", "publish", "others", "dataset", "http", "cli", "store"],
  ...["compiled", "contract", "bench", "query", "serve", "explore", "export"],
] as const;

type RoomName = (typeof roomNames)[number];

/** Paths from the project's folder, with slashes, sorted. */
export function filesMatching(...patterns: readonly string[]): string[] {
  return globSync(patterns, { cwd: projectFolder })
    .map((path) => path.split(sep).join("/"))
    .sort();
}

/** What `.taprc` includes, each in a process of its own: `test/rooms.test.ts`, and the files that stay apart. */
export function filesOfTap(): string[] {
  const patterns = [...readFileSync(join(projectFolder, ".taprc"), "utf8").matchAll(/^ {2}- (test\/\S+)$/gm)];
  return filesMatching(...patterns.map(([, pattern = ""]) => pattern));
}

/** The files that run in the process of a room: those of its folders that do not stay apart. */
export function filesOfRoom(room: string): string[] {
  const apart = new Set([...filesOfTap(), ...filesMatching("test/{programs,faults}/**/*.test.ts")]);
  return filesMatching("test/**/*.test.ts").filter((file) => !apart.has(file) && roomOf(file) === room);
}

function roomOf(file: string): RoomName {
  const [, folder = ""] = file.split("/");
  return roomNames.find((room) => room === folder) ?? "others";
}

/** @throws {RangeError} when there is no such folder. */
export function roomOfFolder(folder: string): RoomName {
  if (folder !== "others" && !existsSync(join(projectFolder, "test", folder))) {
    throw new RangeError(`found ${folder}, expected a folder of test/, or others`);
  }
  return roomOf(`test/${folder}/`);
}
