/** The service as people run it: `node src/main.ts` as a process of its own, in a temporary folder. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Test } from "tap";
import { shellQuoted } from "../../src/cli/curl-command.ts";
import { compileCache } from "./compile-cache.ts";
import { type TestSnapshot, writeCurrentSnapshot } from "./snapshot-files.ts";

const mainPath = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** Longer than a start takes on a busy machine. */
const startMillisecondsMax = 300_000;

/** Variables that would change how the service starts; a test says itself which it wants. */
const ownVariables = [
  ...["HOST", "PORT", "ADMIN_HOST", "ADMIN_PORT", "DATA_DIR", "KEYS_FILE", "THREADS", "RATE_LIMIT_PER_MINUTE"],
  ...["MAX_CONNECTIONS", "MAX_CONNECTIONS_PER_ADDRESS", "DRAIN_SECONDS", "TRUST_PROXY"],
  ...["ADMIN_NAMES", "LOG_LEVEL", "NODE_ENV", "NODE_OPTIONS", "SIGNING_KEY", "npm_lifecycle_event"],
  "STOP_WITH_PARENT",
];

export type Variables = Readonly<Record<string, string>>;

/** One line of the log. */
export type LogLine = Readonly<Record<string, unknown>>;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process, running or ended, with what it has written so far. */
export class ServiceProcess {
  readonly child: ChildProcess;
  /** When both the process and its output have ended. */
  readonly ended: Promise<Ended>;
  stdout = "";
  stderr = "";
  readonly #isInTerminal: boolean;

  constructor(child: ChildProcess, isInTerminal = false) {
    this.child = child;
    this.#isInTerminal = isInTerminal;
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      // A terminal ends lines with both characters.
      this.stdout += isInTerminal ? chunk.replaceAll("\r", "") : chunk;
    });
    const log = (isInTerminal ? child.stdio[3] : child.stderr) as Readable | null;
    log?.setEncoding("utf8").on("data", (chunk: string) => {
      this.stderr += chunk;
    });
    this.ended = once(child, "close").then(([code, signal]) => ({ code, signal }));
  }

  /** The service's own process, once it has logged; in a terminal `child` is what runs it there. */
  get pid(): number {
    return this.#isInTerminal ? Number(this.log[0]?.["pid"] ?? 0) : (this.child.pid ?? 0);
  }

  /** Lines of stderr that are JSON objects, in order. */
  get log(): LogLine[] {
    return this.stderrLines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as LogLine);
  }

  /** Lines of stderr that are for a person. */
  get complaints(): string[] {
    return this.stderrLines.filter((line) => !line.startsWith("{"));
  }

  /** Lines of the log with this message, or whose message has this beginning. */
  logged(message: string): LogLine[] {
    return this.log.filter((line) => String(line["msg"]).startsWith(message));
  }

  private get stderrLines(): string[] {
    // A line without its end is still being written.
    return this.stderr.split("\n").slice(0, -1);
  }
}

/** A process that listens. */
export interface RunningService {
  readonly process: ServiceProcess;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly adminUrl: string;
}

/** The variables that a service is started with, see `spawnService`. */
export function serviceEnvironment(folder: string, variables: Variables = {}): Variables {
  const inherited = Object.entries(process.env).filter(([name]) => !ownVariables.includes(name));
  return {
    ...(Object.fromEntries(inherited) as Variables),
    NODE_COMPILE_CACHE: compileCache,
    PORT: "0",
    ADMIN_PORT: "0",
    DATA_DIR: join(folder, "data"),
    THREADS: "1",
    ...variables,
  };
}

export interface SpawnOptions {
  /** Whether stdout is a terminal, which the command `script` makes, rather than a pipe. */
  readonly isInTerminal?: boolean;
  /** The limit of open files; that of the test when absent. Not together with a terminal. */
  readonly filesMax?: number;
  /** Its program; that of this project when absent. Not together with a terminal. */
  readonly program?: string;
}

/** The one of util-linux, which takes a command as an option and answers with its exit code. */
export const lacksTerminal: boolean =
  process.platform !== "linux" || !spawnSync("script", ["--version"]).stdout?.includes("util-linux");

/**
 * Starts the service on ports that the system chooses. It is ended with the test.
 *
 * @param folder Its working folder, in which `keys.json` is made unless KEYS_FILE says otherwise.
 * @param variables DATA_DIR is `data` in the folder and THREADS is 1, unless given.
 */
export function spawnService(
  t: Test,
  folder: string,
  variables: Variables = {},
  { isInTerminal = false, filesMax, program = mainPath }: SpawnOptions = {},
): ServiceProcess {
  const env = serviceEnvironment(folder, variables);
  const underLimit = filesMax === undefined ? [] : ["sh", "-c", `ulimit -n ${filesMax} && exec "$@"`, "sh"];
  const [command = process.execPath, ...args] = [...underLimit, process.execPath, program];
  // Its stderr stays a pipe, the fourth file, so that the log is apart.
  const line = `exec ${shellQuoted(process.execPath)} ${shellQuoted(mainPath)} 2>&3`;
  const child = isInTerminal
    ? spawn("script", ["--quiet", "--return", "--command", line, "/dev/null"], {
        cwd: folder,
        env: { ...env, SHELL: "/bin/sh" },
        stdio: ["ignore", "pipe", "ignore", "pipe"],
      })
    : spawn(command, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const service = new ServiceProcess(child, isInTerminal);
  t.teardown(async () => {
    child.kill("SIGKILL");
    // The service has outlived the command that made the terminal, unless the test has ended it.
    if (isInTerminal && child.exitCode === null && service.pid > 0) process.kill(service.pid, "SIGKILL");
    await service.ended;
  });
  return service;
}

/**
 * As `spawnService`, and waits until it listens.
 *
 * @throws {Error} with what the process wrote, when it ends or hesitates.
 */
export async function startProcess(
  t: Test,
  folder: string,
  variables: Variables = {},
  options: SpawnOptions = {},
): Promise<RunningService> {
  return untilListening(spawnService(t, folder, variables, options));
}

/**
 * Waits until a service listens.
 *
 * @throws {Error} with what the process wrote, when it ends or hesitates.
 */
export async function untilListening(service: ServiceProcess): Promise<RunningService> {
  const hasEnded = service.ended.then(() => true);
  const end = performance.now() + startMillisecondsMax;
  for (;;) {
    const baseUrl = /^listening on (http:\/\/\S+)$/m.exec(service.stdout)?.[1];
    const adminUrl = service.logged("listening")[0]?.["admin_url"];
    if (baseUrl !== undefined && typeof adminUrl === "string") return { process: service, baseUrl, adminUrl };
    if ((await Promise.race([hasEnded, delay(5)])) === true || performance.now() > end) {
      throw new Error(`the service does not listen; stdout: ${service.stdout}; stderr: ${service.stderr}`);
    }
  }
}

/** A temporary folder with a small snapshot as the current one of its dataset directory `data`. */
export async function folderWithData(t: Test, snapshot: TestSnapshot = {}): Promise<string> {
  const folder = t.testdir({});
  await writeCurrentSnapshot(join(folder, "data"), snapshot);
  return folder;
}

/** How much longer work may take on a machine that other work shares, and how long a test waits at most. */
const busyFactor = 10;
const waitMillisecondsMax = 300_000;

/**
 * Waits until something holds.
 *
 * @param milliseconds How long that takes at most on a quiet machine.
 * @returns Whether it did in time.
 */
export async function holdsWithin(milliseconds: number, holds: () => boolean | Promise<boolean>): Promise<boolean> {
  const end = performance.now() + Math.min(waitMillisecondsMax, busyFactor * milliseconds);
  // What takes longer is checked less often: a check is a request, mostly, and delays what it waits for.
  for (let pause = 10; performance.now() < end; pause = Math.min(pause * 1.2, 100)) {
    if (await holds()) return true;
    await delay(pause);
  }
  return holds();
}
