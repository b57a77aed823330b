import type { RecordFile } from "./read-record-file.ts";
import { inspectStoredFile } from "./read-stored-file.ts";

/** How many bytes reading these files takes, as stored. Prices that no manifest counts are counted first, then read. */
export async function bytesToRead(directory: string, files: readonly RecordFile[]): Promise<number> {
  let bytes = 0;
  for (const { name, kind, claim } of files) {
    const size = await inspectStoredFile(directory, name);
    const times = kind === "prices" && claim === undefined ? 2 : 1;
    if (typeof size === "number") bytes += times * size;
  }
  return bytes;
}
