/** Many damaged files, read by a thread that is watched: it must neither die nor hang. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { FileFuzzNotice, FileFuzzWork } from "./file-fuzz-worker.ts";

export interface FileFuzzOptions {
  readonly files: number;
  readonly seed: number;
  /** The number of the one case to do. */
  readonly only?: number;
}

export interface FileFuzzReport {
  readonly failures: readonly string[];
  /** How many cases ended how, by name and outcome. */
  readonly outcomes: ReadonlyMap<string, number>;
}

/** One case takes some milliseconds. */
const hangMilliseconds = 20_000;

/** Many times what the files of a case hold. */
const heapMiBMax = 1024;

export async function runFileFuzz({ files, seed, only }: FileFuzzOptions): Promise<FileFuzzReport> {
  const folder = await mkdtemp(join(tmpdir(), "fuzz-files-"));
  const outcomes = new Map<string, number>();
  const failures: string[] = [];
  const range = only === undefined ? { numberFirst: 0, numberEnd: files } : { numberFirst: only, numberEnd: only + 1 };
  const workerData: FileFuzzWork = { seed, folder, ...range };
  const worker = new Worker(new URL("file-fuzz-worker.ts", import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: heapMiBMax },
  });
  let begun = "";
  const fail = (problem: string): void => void failures.push(problem);
  try {
    await new Promise<void>((resolve) => {
      const stop = (problem: string): void => {
        fail(`${problem}\n  ${begun}`);
        resolve();
      };
      const timer = setTimeout(() => stop(`nothing came for ${hangMilliseconds} ms`), hangMilliseconds);
      worker.on("message", (notice: FileFuzzNotice) => {
        timer.refresh();
        const { number, name } = notice;
        begun = `again: npm run fuzz -- --files 1 --seed ${seed} --only ${number} (${name})`;
        if (!("outcome" in notice)) return;
        const key = `${name}: ${notice.outcome}`;
        outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
        if (notice.problem !== undefined) fail(`${notice.problem}\n  ${begun}`);
      });
      worker.once("error", (error) => stop(`the thread died: ${error}`));
      worker.once("exit", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  } finally {
    await worker.terminate();
    await rm(folder, { recursive: true, force: true });
  }
  return { failures, outcomes };
}
