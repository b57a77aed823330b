/** A service whose log is not read until a test says so. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Test } from "tap";
import { freePort } from "../../scripts/deploy/trial.ts";
import { compileCache } from "./compile-cache.ts";
import { holdsWithin, type LogLine } from "./start-process.ts";

const mainPath = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** A pipe of the shell is a pipe that waits for its reader; what Node makes for a child is a pair of sockets. */
export const stalledReaders = ["shell pipe", "spawn pipe"] as const;

/**
 * Reports the process id of the service on descriptor 3, and its exit code; the reader waits for a line on descriptor
 * 4.
 */
const pipeline = `
  { "$0" "$1" 2>&1 1>&3 3>&- & echo "pid $!" >&3; wait $!; echo "code $?" >&3; } | { read -r go <&4; exec cat; }`;

export interface StalledService {
  readonly baseUrl: string;
  readonly adminUrl: string;
  readonly pid: number;
  /** Lets the reader read. */
  resume(): void;
  /** Lines that the reader has got, all of them whole JSON objects. */
  readonly log: () => LogLine[];
  /** Ends the service with SIGTERM. @returns Its exit code; NaN when it does not end. */
  stop(): Promise<number>;
  /** Resident memory, in bytes. */
  memory(): number;
}

/** Starts a service with two threads over a folder made by `folderWithData`; it ends with the test. */
export async function startStalled(
  t: Test,
  folder: string,
  reader: (typeof stalledReaders)[number],
): Promise<StalledService> {
  // The log, which says what the system chose, cannot be read.
  const adminPort = await freePort();
  const env = {
    PATH: process.env["PATH"],
    NODE_COMPILE_CACHE: compileCache,
    PORT: "0",
    ADMIN_PORT: String(adminPort),
    DATA_DIR: join(folder, "data"),
    THREADS: "2",
  };
  const isShell = reader === "shell pipe";
  const child: ChildProcess = isShell
    ? spawn("sh", ["-c", pipeline, process.execPath, mainPath], {
        cwd: folder,
        env,
        stdio: ["ignore", "pipe", "inherit", "pipe", "pipe"],
      })
    : spawn(process.execPath, [mainPath], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  const reported = collect(isShell ? (child.stdio[3] as Readable) : child.stdout);
  const logStream = isShell ? child.stdout : child.stderr;
  const read = isShell ? collect(logStream) : { text: "" };
  const reportedNumber = (name: string): number => Number(new RegExp(`^${name} (\\d+)$`, "m").exec(reported.text)?.[1]);
  const listening = /^listening on (\S+)$/m;
  const code = (): number => (isShell ? reportedNumber("code") : (child.exitCode ?? Number.NaN));
  const hasEnded = (): boolean => !Number.isNaN(code());
  let pid = child.pid ?? 0;
  t.teardown(async () => {
    if (!hasEnded()) process.kill(pid, "SIGKILL");
    resume();
    await ended;
  });
  const listens = await holdsWithin(20_000, () => listening.test(reported.text));
  if (isShell) pid = reportedNumber("pid");
  if (!listens) throw new Error(`the service does not listen; it wrote: ${reported.text}`);

  function resume(): void {
    if (isShell) (child.stdio[4] as NodeJS.WritableStream).write("go\n");
    else collectInto(logStream, read);
  }

  return {
    baseUrl: listening.exec(reported.text)?.[1] ?? "",
    adminUrl: `http://127.0.0.1:${adminPort}`,
    pid,
    resume,
    log: () =>
      read.text
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as LogLine),
    async stop() {
      process.kill(pid, "SIGTERM");
      await holdsWithin(20_000, hasEnded);
      return code();
    },
    memory: () => 1024 * Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]),
  };
}

function collect(stream: Readable | null): { text: string } {
  const collected = { text: "" };
  collectInto(stream, collected);
  return collected;
}

function collectInto(stream: Readable | null, collected: { text: string }): void {
  stream?.setEncoding("utf8").on("data", (chunk: string) => {
    collected.text += chunk;
  });
}
