/** Work on a dataset directory, in a process of its own that something happens to on the way. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { appendPrices } from "../../src/publishing/publish/append-prices.ts";
import { approveDraft, type DraftRequest } from "../../src/publishing/publish/approve-draft.ts";
import { collectGarbage, type GarbageRequest } from "../../src/publishing/publish/collect-garbage.ts";
import { type DecisionRequest, decidePrices } from "../../src/publishing/publish/decide-prices.ts";
import { type PublishRequest, publishSnapshot } from "../../src/publishing/publish/publish-snapshot.ts";
import type { PublishStep, StepObserver } from "../../src/publishing/publish/publish-steps.ts";
import type { AppendRequest } from "../../src/publishing/publish/read-addition.ts";
import { type ReplaceRequest, replaceSource } from "../../src/publishing/publish/replace-source.ts";
import { type RollbackRequest, rollbackSnapshot } from "../../src/publishing/publish/rollback-snapshot.ts";
import { type UndoRequest, undoAppend } from "../../src/publishing/publish/undo-append.ts";
import { compileCache } from "./compile-cache.ts";

/** What is to be done. */
export type FaultWork =
  | { readonly kind: "publish"; readonly request: PublishRequest }
  | { readonly kind: "append"; readonly request: AppendRequest }
  | { readonly kind: "replace a source"; readonly request: ReplaceRequest }
  | { readonly kind: "decide on prices"; readonly request: DecisionRequest }
  | { readonly kind: "approve"; readonly request: DraftRequest }
  | { readonly kind: "rollback"; readonly request: RollbackRequest }
  | { readonly kind: "undo"; readonly request: UndoRequest }
  | { readonly kind: "gc"; readonly request: GarbageRequest };

/** A step, and which time it is come to, counted from 1. */
export interface StepTime {
  readonly step: PublishStep;
  readonly time: number;
}

/** What happens to a process at a step. */
export type StepFault =
  | { readonly kind: "kill"; readonly at: StepTime }
  /** It waits, for ever. */
  | { readonly kind: "hang"; readonly at: StepTime }
  /** No file may grow any more, as far as this process goes. */
  | { readonly kind: "limit"; readonly at: StepTime };

/**
 * A greatest size of files: what would be longer is not written (`EFBIG`), or ends the process in the middle of
 * writing.
 */
export interface SizeLimit {
  readonly bytes: number;
  readonly isDeadly: boolean;
}

export interface WorkFaults {
  readonly fault?: StepFault;
  readonly sizeLimit?: SizeLimit;
}

/** What `faulty-publisher.ts` is reported. */
export type FaultyWork = FaultWork & { readonly fault: StepFault | null; readonly diesOfSizeLimit: boolean };

/** How a process ended. */
export interface WorkEnd {
  readonly signal: NodeJS.Signals | null;
  /** The steps it came to, each with its time, as `file-copied 2`. */
  readonly steps: readonly string[];
  /** `done`, or the code or name of the error that ended the work; undefined when it did not get so far. */
  readonly outcome: string | undefined;
  /** From the beginning of the work, when everything had been imported, to the end of the process. */
  readonly milliseconds: number;
}

export interface RunningWork {
  readonly child: ChildProcess;
  /** When the work begins. */
  readonly begun: Promise<void>;
  /** When the process comes to a step; never when it does not. */
  reaches(step: PublishStep): Promise<void>;
  readonly ended: Promise<WorkEnd>;
}

const script = fileURLToPath(new URL("faulty-publisher.ts", import.meta.url));

/** The unit of `ulimit -f`, source: POSIX. */
const sizeLimitUnit = 512;

/**
 * A command that runs another with a greatest size of files, in bytes, or with none yet. What would watch the signals
 * of the process from within (`NODE_OPTIONS`) is taken away, or the limit's signal, which Node ignores, would end it.
 */
export function limited(command: readonly string[], bytes: number | undefined): [string, ...string[]] {
  const limit = bytes === undefined ? "" : `ulimit -f ${Math.floor(bytes / sizeLimitUnit)}; `;
  return ["sh", "-c", `unset NODE_OPTIONS; ulimit -c 0; ${limit}exec "$@"`, "sh", ...command];
}

/** Starts the work in another process. */
export function startWork(work: FaultWork, { fault, sizeLimit }: WorkFaults = {}): RunningWork {
  const { NODE_OPTIONS: _options, NODE_COMPILE_CACHE: _cache, ...inherited } = process.env;
  const reported: FaultyWork = { ...work, fault: fault ?? null, diesOfSizeLimit: sizeLimit?.isDeadly ?? false };
  const command = [process.execPath, script, JSON.stringify(reported)] as const;
  const isLimited = sizeLimit !== undefined || fault?.kind === "limit";
  // A limit is for the files of the work, not for those of the compile cache.
  const env = isLimited ? inherited : { ...inherited, NODE_COMPILE_CACHE: compileCache };
  const [file, ...args] = isLimited ? limited(command, sizeLimit?.bytes) : command;
  const child = spawn(file, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  const lines: string[] = [];
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  const said = (line: string): PromiseWithResolvers<void> => {
    const known = waiting.get(line) ?? Promise.withResolvers<void>();
    waiting.set(line, known);
    return known;
  };
  let begunAt = performance.now();
  createInterface(child.stdout).on("line", (line) => {
    if (line === "begun") begunAt = performance.now();
    lines.push(line);
    said(line).resolve();
  });
  const ended = closed.then(([, signal]): WorkEnd => {
    const last = lines.at(-1) ?? "";
    const outcome = /^ended (.*)$/.exec(last)?.[1];
    const steps = lines.filter((line) => / \d+$/.test(line));
    return { signal, steps, outcome, milliseconds: performance.now() - begunAt };
  });
  return { child, begun: said("begun").promise, reaches: (step) => said(`${step} 1`).promise, ended };
}

/** Does the work, telling its steps. */
export async function doWork(work: FaultWork, onStep: StepObserver): Promise<void> {
  switch (work.kind) {
    case "publish":
      await publishSnapshot({ ...work.request, onStep });
      break;
    case "append":
      await appendPrices({ ...work.request, onStep });
      break;
    case "replace a source":
      await replaceSource({ ...work.request, onStep });
      break;
    case "decide on prices":
      await decidePrices({ ...work.request, onStep });
      break;
    case "approve":
      await approveDraft({ ...work.request, onStep });
      break;
    case "rollback":
      await rollbackSnapshot({ ...work.request, onStep });
      break;
    case "undo":
      await undoAppend({ ...work.request, onStep });
      break;
    case "gc":
      await collectGarbage({ ...work.request, onStep });
      break;
  }
}

/**
 * Does the work in this process.
 *
 * @param onTime Called with each step and its time, as in `WorkEnd.steps`; the work waits for it.
 * @returns `done`, or the code or name of the error that ended the work.
 */
export async function attemptWork(work: FaultWork, onTime: (at: string) => unknown): Promise<string> {
  const seen = new Map<PublishStep, number>();
  const onStep = async (step: PublishStep): Promise<void> => {
    const time = (seen.get(step) ?? 0) + 1;
    seen.set(step, time);
    await onTime(timeText({ step, time }));
  };
  try {
    await doWork(work, onStep);
    return "done";
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

/** A step and its time, as in `WorkEnd.steps`. */
export function timeText({ step, time }: StepTime): string {
  return `${step} ${time}`;
}

/** Does the work in this process. @returns Every step, the same step as often as it is come to. */
export async function stepsOfWork(work: FaultWork): Promise<PublishStep[]> {
  const steps: PublishStep[] = [];
  await doWork(work, (step) => {
    steps.push(step);
  });
  return steps;
}

/** Each step once, at its first and, if it is come to more often, at its last time. */
export function stepTimes(steps: readonly PublishStep[]): StepTime[] {
  return [...new Set(steps)].flatMap((step) => {
    const times = steps.filter((one) => one === step).length;
    return times === 1
      ? [{ step, time: 1 }]
      : [
          { step, time: 1 },
          { step, time: times },
        ];
  });
}

/** Does something for every element, for two at a time. */
export async function forEachTwoAtATime<T>(elements: readonly T[], work: (element: T) => Promise<void>): Promise<void> {
  const queue = [...elements];
  const workers = [0, 1].map(async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next);
  });
  await Promise.all(workers);
}
