/**
 * Loaded before a program (`--import`), it kills the process in the middle of one of its writings to a compiled store:
 * the one whose number `KILL_AT_WRITE` is, counted from 1, when half of its bytes are in the file. Compiled stores are
 * what this project writes piece by piece to given places; all other files are written as a whole.
 */
import { writeSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

const killAt = Number(process.env["KILL_AT_WRITE"]);
const file = await open(import.meta.filename);
const handle = Object.getPrototypeOf(file) as FileHandle;
await file.close();

const write = handle.write as (...args: unknown[]) => Promise<unknown>;
let times = 0;
Object.assign(handle, {
  write(this: FileHandle, ...args: unknown[]): Promise<unknown> {
    const [bytes, from, length, position] = args as [Uint8Array, number, number, number | undefined];
    if (position !== undefined && ++times === killAt) {
      writeSync(this.fd, bytes, from, length >> 1, position);
      process.kill(process.pid, "SIGKILL");
    }
    return write.apply(this, args);
  },
});
