import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { rejectedFileName, type SnapshotId, snapshotPath } from "../dataset/snapshot-layout.ts";

/** How many price rows were set aside when a snapshot was published. */
export async function countRejectedRows(dataDirectory: string, id: SnapshotId): Promise<number> {
  try {
    const text = await readFile(join(snapshotPath(dataDirectory, id), rejectedFileName), "utf8");
    return text.split("\n").length - 1;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return 0;
    throw error;
  }
}
