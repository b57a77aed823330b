/** What happens to a fleet: an origin that is away, and a disk that is full. */
import type { ChildProcess } from "node:child_process";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { systemErrorCode } from "../../src/engine/files/read-regular-file.ts";
import { endProcess, runProgram, type Trial } from "../deploy/trial.ts";
import type { Replica } from "./fleet.ts";

const smallDiskMebibytes = 64;

/** The nginx of the origin. */
export class StoppableOrigin {
  readonly #trial: Trial;
  readonly #site: string;
  #child: ChildProcess | undefined;
  #starts = 0;

  constructor(trial: Trial, site: string) {
    this.#trial = trial;
    this.#site = site;
  }

  async start(): Promise<void> {
    this.#starts++;
    this.#child = await this.#trial.startNginx(`origin-${this.#starts}`, this.#site);
  }

  async stop(): Promise<void> {
    if (this.#child !== undefined) await endProcess(this.#child, "SIGTERM");
  }
}

export interface SmallDisk {
  readonly fill: (replica: Replica) => Promise<void>;
  readonly free: (replica: Replica) => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** A disk in memory where this user may mount one; else, no file of the replica's process may grow (Linux). */
export async function smallDisk(folder: string): Promise<SmallDisk> {
  await mkdir(folder);
  try {
    await runProgram("mount", ["-t", "tmpfs", "-o", `size=${smallDiskMebibytes}m`, "tmpfs", folder]);
  } catch {
    const limit = async ({ child }: Replica, bytes: string): Promise<void> => {
      await runProgram("prlimit", ["--pid", `${child.pid}`, `--fsize=${bytes}:unlimited`]);
    };
    return {
      fill: async (replica) => await limit(replica, "0"),
      free: async (replica) => await limit(replica, "unlimited"),
      remove: async () => {},
    };
  }
  const filler = join(folder, "filler");
  return {
    async fill() {
      await using file = await open(filler, "w");
      const block = Buffer.alloc(64 * 1024);
      try {
        for (;;) await file.writeFile(block);
      } catch (error) {
        if (systemErrorCode(error) !== "ENOSPC") throw error;
      }
    },
    free: async () => await rm(filler),
    // The replica's process still has its folder there.
    remove: async () => void (await runProgram("umount", ["--lazy", folder])),
  };
}
