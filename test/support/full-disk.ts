/** A disk that can be filled: a small one in memory where this user may mount one. */
import { execFile } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { attemptWork, type FaultWork, type StepTime, startWork, timeText, type WorkEnd } from "./fault-work.ts";

const run = promisify(execFile);

export interface SmallDisk {
  /** A folder on it. */
  readonly folder: string;
  /** Does work; from a step on the disk has no room for it. There is room again afterwards. */
  attempt(work: FaultWork, at: StepTime): Promise<Pick<WorkEnd, "outcome" | "steps">>;
  remove(): Promise<void>;
}

/**
 * How a disk is filled here: `tmpfs`, a small disk is mounted and filled with a file; `limit`, no file of the process
 * may grow (Linux); undefined, neither can be done. `FULL_DISK=limit` chooses.
 */
export async function wayToFill(root: string): Promise<"tmpfs" | "limit" | undefined> {
  const wanted = process.env["FULL_DISK"];
  if (wanted !== "limit") {
    try {
      const disk = await mountSmallDisk(join(root, "probe"));
      await disk.remove();
      return "tmpfs";
    } catch {
      // Mounting is for superusers, and few containers allow it.
    }
  }
  try {
    await run("prlimit", ["--version"]);
    return "limit";
  } catch {
    return undefined;
  }
}

/** Mounts a small disk on a new folder. */
export async function mountSmallDisk(folder: string): Promise<SmallDisk> {
  await mkdir(folder, { recursive: true });
  await run("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", folder]);
  const filler = join(folder, "filler");
  return {
    folder,
    async attempt(work, at) {
      const steps: string[] = [];
      const outcome = await attemptWork(work, (reached) => {
        steps.push(reached);
        if (reached === timeText(at)) fill(filler);
      });
      await rm(filler);
      return { outcome, steps };
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

/** A folder of the disk that is there, on which the files of one process alone may not grow. */
export async function limitedFolder(folder: string): Promise<SmallDisk> {
  await mkdir(folder, { recursive: true });
  return {
    folder,
    attempt: (work, at) => startWork(work, { fault: { kind: "limit", at } }).ended,
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
