/** What `CURRENT` and the manifest it names say, as texts to compare with what they said before. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { currentPath, manifestFileName, snapshotPath, toSnapshotId } from "../dataset/snapshot-layout.ts";

/** The content of `CURRENT`, or why it cannot be read. */
export async function currentStamp(dataDirectory: string): Promise<string> {
  return readStamp(currentPath(dataDirectory));
}

/** The content of the manifest that a content of `CURRENT` leads to, or why it cannot be read. */
export async function manifestStamp(dataDirectory: string, current: string): Promise<string> {
  const id = toSnapshotId(current.replace(/\r?\n$/, ""));
  return id === undefined ? "" : readStamp(join(snapshotPath(dataDirectory, id), manifestFileName));
}

async function readStamp(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    return `unreadable: ${(error as NodeJS.ErrnoException).code}`;
  }
}
