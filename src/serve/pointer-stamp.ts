/** What `CURRENT` and the manifest it names say, as texts to compare with what they said before. */
import { join } from "node:path";
import {
  currentBytesMax,
  currentPath,
  manifestBytesMax,
  manifestFileName,
  snapshotPath,
  toSnapshotId,
} from "../dataset/snapshot-layout.ts";
import { readRegularFile } from "../files/read-regular-file.ts";

/** The content of `CURRENT`, or why it cannot be read. */
export async function currentStamp(dataDirectory: string): Promise<string> {
  return readStamp(currentPath(dataDirectory), currentBytesMax);
}

/** The content of the manifest that a content of `CURRENT` leads to, or why it cannot be read. */
export async function manifestStamp(dataDirectory: string, current: string): Promise<string> {
  const id = toSnapshotId(current.replace(/\r?\n$/, ""));
  return id === undefined ? "" : readStamp(join(snapshotPath(dataDirectory, id), manifestFileName), manifestBytesMax);
}

async function readStamp(path: string, bytesMax: number): Promise<string> {
  try {
    return (await readRegularFile(path, bytesMax)).toString();
  } catch (error) {
    return `unreadable: ${(error as NodeJS.ErrnoException).code}`;
  }
}
