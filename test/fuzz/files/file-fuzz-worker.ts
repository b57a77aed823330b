/** Does the cases of a range of numbers one after the other, in a thread that may run out of memory or never end. */
import { parentPort, workerData } from "node:worker_threads";
import { choiceOf } from "../make-case.ts";
import { makeFileCases } from "./file-cases.ts";

export interface FileFuzzWork {
  readonly seed: number;
  readonly numberFirst: number;
  /** Exclusive. */
  readonly numberEnd: number;
  /** An empty folder. */
  readonly folder: string;
}

/** What the thread says of each case: when it begins it, and what came of it. */
export type FileFuzzNotice =
  | { readonly number: number; readonly name: string }
  | { readonly number: number; readonly name: string; readonly outcome: string; readonly problem?: string };

const { seed, numberFirst, numberEnd, folder } = workerData as FileFuzzWork;
const cases = Object.entries(await makeFileCases(folder));
const notify = (notice: FileFuzzNotice): void => parentPort?.postMessage(notice);

for (let number = numberFirst; number < numberEnd; number++) {
  const [name, run] = cases[number % cases.length] as (typeof cases)[number];
  notify({ number, name });
  try {
    notify({ number, name, outcome: await run(choiceOf(seed, number)) });
  } catch (error) {
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
    notify({ number, name, outcome: "wrong", problem: problem.slice(0, 3000) });
  }
}
