/** A line at the end of a file, on the disk when the promise resolves. */
import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { regularFileExists } from "./read-regular-file.ts";
import { withFile } from "./with-file.ts";
import { flushDirectory } from "./write-file-durably.ts";

/** Windows lacks the last of them, and FIFOs in its file system. */
const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);

const lineEnd = 0x0a;

/**
 * Appends a line to a file, and flushes it. Where a killed writer has left half a line, a new one is begun; where it
 * fails, the file is cut to its size before, if it can be. Writers of one file must hold a lock.
 *
 * @param line Without its end.
 * @param mode Permissions of a new file, less those of the process's umask.
 * @throws {NotRegularFileError} when the path leads to a FIFO, a device, a directory or a socket.
 * @throws the system's error when the file cannot be written.
 */
export async function appendLine(path: string, line: string, mode: number): Promise<void> {
  const isThere = await regularFileExists(path);
  const append = async (file: FileHandle): Promise<void> => {
    const { size } = await file.stat();
    const start = (await endsInLine(file, size)) ? "" : "\n";
    try {
      await file.appendFile(`${start}${line}\n`);
      await file.sync();
    } catch (error) {
      await file.truncate(size).catch(() => {});
      throw error;
    }
  };
  await withFile(path, flags, append, mode);
  if (!isThere) await flushDirectory(dirname(path));
}

async function endsInLine(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === lineEnd;
}
