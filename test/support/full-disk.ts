/** Small disks in memory, which superusers may mount, and one that can be filled. */
import { execFile } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { attemptWork, type FaultWork } from "./fault-work.ts";

const run = promisify(execFile);

export interface SmallDisk {
  /** A folder on it. */
  readonly folder: string;
  /** Does work; from a call on the disk has no room for it. There is room again afterwards. @returns Its outcome. */
  attempt(work: FaultWork, at: number): Promise<string>;
  remove(): Promise<void>;
}

/** Mounts a small disk on a new folder. */
export async function mountSmallDisk(folder: string): Promise<SmallDisk> {
  await mkdir(folder, { recursive: true });
  await run("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", folder]);
  const filler = join(folder, "filler");
  return {
    folder,
    async attempt(work, at) {
      const onCall = ({ length }: readonly unknown[]): void => void (length === at && fill(filler));
      const { outcome } = await attemptWork(work, { kind: "EIO", onCall });
      await rm(filler);
      return outcome;
    },
    async remove() {
      await run("umount", [folder]);
    },
  };
}

/** Mounts a read-only disk on a new folder. */
export async function mountReadOnlyDisk(folder: string): Promise<Pick<SmallDisk, "folder" | "remove">> {
  await mkdir(folder, { recursive: true });
  await run("mount", ["-t", "tmpfs", "-o", "ro", "tmpfs", folder]);
  return { folder, remove: async () => void (await run("umount", [folder])) };
}

/** A disk that a superuser has not mounted: calls that need room are refused it. */
export async function refusingDisk(folder: string): Promise<SmallDisk> {
  await mkdir(folder, { recursive: true });
  return {
    folder,
    attempt: async (work, at) => (await attemptWork(work, { kind: "ENOSPC", at })).outcome,
    async remove() {},
  };
}

/** Writes a file until nothing more can be written, at last byte by byte. */
function fill(path: string): void {
  const file = openSync(path, "w");
  for (let bytes = 65_536; bytes >= 1; ) {
    try {
      if (writeSync(file, new Uint8Array(bytes)) < bytes) bytes >>= 1;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
      bytes >>= 1;
    }
  }
  closeSync(file);
}
