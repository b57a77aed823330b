/** Work on a dataset directory, in a process of its own that something happens to on the way. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, relative } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { getOrInsert } from "../../src/engine/model/get-or-insert.ts";
import { appendPrices } from "../../src/publishing/publish/append-prices.ts";
import { collectGarbage, type GarbageRequest } from "../../src/publishing/publish/collect-garbage.ts";
import { type PublishRequest, publishSnapshot } from "../../src/publishing/publish/publish-snapshot.ts";
import type { AppendRequest } from "../../src/publishing/publish/read-addition.ts";
import { type RollbackRequest, rollbackSnapshot } from "../../src/publishing/publish/rollback-snapshot.ts";
import { compileCache } from "./compile-cache.ts";
import { type DiskCall, type DiskFault, failDisk } from "./fault-disk.ts";

/** What is to be done. */
export type FaultWork =
  | { readonly kind: "publish"; readonly request: PublishRequest }
  | { readonly kind: "append"; readonly request: AppendRequest }
  | { readonly kind: "rollback"; readonly request: RollbackRequest }
  | { readonly kind: "gc"; readonly request: GarbageRequest };

/**
 * A greatest size of files: what would be longer is not written (`EFBIG`), or ends the process in the middle of
 * writing.
 */
export interface SizeLimit {
  readonly bytes: number;
  readonly isDeadly: boolean;
}

/** What happens to the process at a call that changes the disk. */
export type WorkFault = Pick<DiskFault, "kind" | "at">;

export interface WorkFaults {
  readonly fault?: WorkFault;
  readonly sizeLimit?: SizeLimit;
}

/** What `faulty-publisher.ts` is reported. */
export type FaultyWork = FaultWork & { readonly fault: WorkFault; readonly diesOfSizeLimit: boolean };

/** How a process ended. */
export interface WorkEnd {
  readonly signal: NodeJS.Signals | null;
  /** The calls that it came to, as `callText` writes them. */
  readonly calls: readonly string[];
  /** `done`, or the code or name of the error that ended the work; undefined when it did not get so far. */
  readonly outcome: string | undefined;
  /** From the beginning of the work, when everything had been imported, to the end of the process. */
  readonly milliseconds: number;
}

export interface RunningWork {
  readonly child: ChildProcess;
  /** When the work begins. */
  readonly begun: Promise<void>;
  /** When the process comes to the call of a number, counted from 1; never when it does not. */
  reaches(number: number): Promise<void>;
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
  const reported: FaultyWork = {
    ...work,
    fault: fault ?? { kind: "EIO" },
    diesOfSizeLimit: sizeLimit?.isDeadly ?? false,
  };
  const command = [process.execPath, script, JSON.stringify(reported)] as const;
  const isLimited = sizeLimit !== undefined;
  // A limit is for the files of the work, not for those of the compile cache.
  const env = isLimited ? inherited : { ...inherited, NODE_COMPILE_CACHE: compileCache };
  const [file, ...args] = isLimited ? limited(command, sizeLimit?.bytes) : command;
  const child = spawn(file, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  const lines: string[] = [];
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  // Calls are waited for by their numbers.
  const said = (word: string): PromiseWithResolvers<void> =>
    getOrInsert(waiting, word, () => Promise.withResolvers<void>());
  let begunAt = performance.now();
  createInterface(child.stdout).on("line", (line) => {
    if (line === "begun") begunAt = performance.now();
    lines.push(line);
    said(line.split(" ")[0] ?? "").resolve();
  });
  const ended = closed.then(([, signal]): WorkEnd => {
    const last = lines.at(-1) ?? "";
    const outcome = /^ended (.*)$/.exec(last)?.[1];
    const calls = lines.filter((line) => /^\d/.test(line));
    return { signal, calls, outcome, milliseconds: performance.now() - begunAt };
  });
  return { child, begun: said("begun").promise, reaches: (number) => said(String(number)).promise, ended };
}

/** Does the work. */
export async function doWork(work: FaultWork): Promise<unknown> {
  switch (work.kind) {
    case "publish":
      return await publishSnapshot(work.request);
    case "append":
      return await appendPrices(work.request);
    case "rollback":
      return await rollbackSnapshot(work.request);
    case "gc":
      return await collectGarbage(work.request);
  }
}

/**
 * Does the work in this process, on a disk that may fail.
 *
 * @returns `done`, or the code or name of the error that ended the work, and all calls that change something beside
 *   or below the dataset directory.
 */
export async function attemptWork(
  work: FaultWork,
  fault: Omit<DiskFault, "folder"> = { kind: "EIO" },
): Promise<{ readonly outcome: string; readonly calls: readonly DiskCall[] }> {
  const end = failDisk({ ...fault, folder: dirname(work.request.dataDirectory) });
  const outcome = await doWork(work).then(
    () => "done",
    (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : String(error)),
  );
  return { outcome, calls: end() };
}

/** The call of a number as text: its function and where it leads to, without what is drawn at random. */
export function callText(calls: readonly DiskCall[], number: number, root: string): string {
  const { name, path } = calls[number - 1] as DiskCall;
  const shown = relative(root, path)
    .replaceAll(/\d{8}T\d{6}Z-[0-9a-f]{12}/g, "ID")
    .replaceAll(/(?<=\.staging-)\w+|(?<=\.store\.)[\w-]+(?=\.partial)/g, "");
  return `${number} ${name} ${shown}`;
}
