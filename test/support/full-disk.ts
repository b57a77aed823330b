/**
 * Small disks in memory, which superusers may mount, and one that can be filled. They lie below the system's temporary
 * folder, so that a run that is killed leaves none in the work tree.
 */
import { execFile } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import { mkdir, mkdtemp, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
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

/** Mounts a disk on a new folder. @returns The folder, and what takes both away. */
async function mountDisk(options: string): Promise<Pick<SmallDisk, "folder" | "remove">> {
  const folder = await mkdtemp(join(tmpdir(), "farm-prices-disk-"));
  const removeFolder = async (): Promise<void> => await rmdir(folder);
  await run("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]).catch(async (error) => {
    await removeFolder();
    throw error;
  });
  return {
    folder,
    async remove() {
      await run("umount", [folder]);
      await removeFolder();
    },
  };
}

/** Mounts a small disk on a new folder. */
export async function mountSmallDisk(): Promise<SmallDisk> {
  const { folder, remove } = await mountDisk("size=4m");
  const filler = join(folder, "filler");
  return {
    folder,
    async attempt(work, at) {
      const onCall = ({ length }: readonly unknown[]): void => void (length === at && fill(filler));
      const { outcome } = await attemptWork(work, { kind: "EIO", onCall });
      await rm(filler);
      return outcome;
    },
    remove,
  };
}

/** Mounts a read-only disk on a new folder. */
export function mountReadOnlyDisk(): Promise<Pick<SmallDisk, "folder" | "remove">> {
  return mountDisk("ro");
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
