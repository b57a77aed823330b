/** Which test files there are, and which process runs each: one of its own, or that of its room. */
import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

export const projectFolder: string = join(import.meta.dirname, "../..");

/**
 * The folders of tests, the rooms, by the process that runs their files one after the other: three processes, which
 * take about the same processor time. `others` are the files of all other folders, each of few, and of `test/` itself.
 */
export const roomProcesses = [
  ["publish", "http", "serve", "interface"],
  ["importers", "cli", "query"],
  ["others", "store", "snapshots", "compiled", "bench", "export", "explore"],
] as const;

const roomNames = roomProcesses.flat();

type RoomName = (typeof roomProcesses)[number][number];

/** Paths from the project's folder, with slashes, sorted; none of installed packages. */
export function filesMatching(...patterns: readonly string[]): string[] {
  return globSync(patterns, { cwd: projectFolder, exclude: (name) => name === "node_modules" })
    .map((path) => path.split(sep).join("/"))
    .sort();
}

/** What `.taprc` includes, each in a process of its own: `test/rooms.test.ts`, and the files that stay apart. */
export function filesOfTap(): string[] {
  const patterns = [...readFileSync(join(projectFolder, ".taprc"), "utf8").matchAll(/^ {2}- (test\/\S+)$/gm)];
  return filesMatching(...patterns.map(([, pattern = ""]) => pattern));
}

/** The files of a room: those of its folders that do not stay apart. */
export function filesOfRoom(room: string): string[] {
  const apart = new Set([...filesOfTap(), ...filesMatching("test/{programs,faults,peers}/**/*.test.ts")]);
  return filesMatching("test/**/*.test.ts").filter((file) => !apart.has(file) && roomOf(file) === room);
}

/** The wings of `src/`, whose rooms are one level deeper. */
export const wings = ["engine", "contract", "service", "publishing", "site"] as const;

function roomOf(file: string): RoomName {
  const [, folder = "", inner = ""] = file.split("/");
  const name = wings.some((wing) => wing === folder) ? inner : folder;
  return roomNames.find((room) => room === name) ?? "others";
}

/**
 * @param folder The name of a room or of a folder in `test/`, however deep, or a path in `src/` or `test/`, which has
 *   the room that its tests are in or would be in.
 * @throws {RangeError} when there is no folder of the name.
 */
export function roomOfFolder(folder: string): RoomName {
  if (folder.includes("/")) return roomOf(folder);
  const room = roomNames.find((name) => name === folder);
  const [path] = filesMatching(`test/**/${folder}`);
  if (room === undefined && path === undefined) {
    throw new RangeError(`found ${folder}, expected a folder in test/, or others`);
  }
  return room ?? roomOf(path as string);
}
