/**
 * What the trials of the deployment files share: a temporary folder, processes that end with the trial, and the service
 * in it.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseEnv, promisify } from "node:util";
import { writeNginxFiles } from "./nginx-trial.ts";

export const projectFolder: string = join(import.meta.dirname, "..", "..");
const waitMillisecondsMax = 300_000;
const waitIntervalMilliseconds = 50;
const endMillisecondsMax = 20_000;

/** A running instance of the service. */
export interface Instance {
  readonly child: ChildProcess;
  readonly port: number;
  readonly adminPort: number;
  readonly logFile: string;
}

/** A running trial: its folder and its processes. */
export class Trial {
  readonly folder: string;
  readonly #children: ChildProcess[] = [];

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Runs a trial: prints what it reports, ends its processes, removes its folder, and sets the exit status. */
  static async run(work: (trial: Trial) => Promise<void>): Promise<void> {
    const trial = new Trial(await mkdtemp(join(tmpdir(), "farm-prices-trial-")));
    try {
      await work(trial);
    } catch (error) {
      process.stderr.write(`${(error as Error).stack}\n`);
      process.exitCode = 1;
    } finally {
      // nginx ends its workers only when it is asked to end.
      await Promise.all(trial.#children.map((child) => endProcess(child, "SIGTERM")));
      await rm(trial.folder, { recursive: true, force: true });
    }
    // Connections that are kept alive would keep the process.
    process.exit();
  }

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  /** Starts a process that lives until the trial ends; its output goes to a file of the folder. */
  spawn(command: string, args: readonly string[], logFile: string, environment = process.env): ChildProcess {
    const child = spawn(command, args, {
      cwd: projectFolder,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = createWriteStream(logFile, { flags: "a" });
    child.stdout?.pipe(output, { end: false });
    child.stderr?.pipe(output, { end: false });
    this.#children.push(child);
    return child;
  }

  /** Starts nginx with a site; `name` is that of its folder. */
  async startNginx(name: string, site: string): Promise<ChildProcess> {
    const file = await writeNginxFiles(this.folder, name, site);
    await runProgram("nginx", ["-t", "-c", file]);
    return this.spawn("nginx", ["-c", file], this.path(`${name}.log`));
  }

  /** The configuration of the deployment, with the data, keys and cache of this trial. */
  async environment(): Promise<NodeJS.ProcessEnv> {
    const deployed = parseEnv(await readFile(join(import.meta.dirname, "farm-prices.env"), "utf8"));
    return {
      ...process.env,
      ...deployed,
      DATA_DIR: this.path("data"),
      KEYS_FILE: this.path("keys.json"),
      NODE_COMPILE_CACHE: this.path("compiled-code"),
    };
  }

  /** Copies the bundled snapshot, without the downloads that services over it have made, and perhaps are making now. */
  async copyData(): Promise<void> {
    const filter = (path: string): boolean => basename(path) !== "downloads";
    await cp(join(projectFolder, "data"), this.path("data"), { recursive: true, filter });
  }

  /** Starts the service, and waits until it is ready. */
  async startInstance(variables: NodeJS.ProcessEnv, port: number, adminPort: number): Promise<Instance> {
    const environment = { ...(await this.environment()), PORT: `${port}`, ADMIN_PORT: `${adminPort}`, ...variables };
    const logFile = this.path(`service-${port}.log`);
    const child = this.spawn(process.execPath, ["src/main.ts"], logFile, environment);
    await runNode(["scripts/deploy/check-ready.ts", "--wait", "300"], environment);
    return { child, port, adminPort, logFile };
  }

  /** Issues a key, and returns it. */
  async issueKey(kind: "public" | "secret"): Promise<string> {
    const args = ["scripts/keys.ts", "issue", "--kind", kind, "--label", `trial, ${kind}`, "--json"];
    return (JSON.parse(await runNode(args, await this.environment())) as { key: string }).key;
  }
}

/** Prints one line of the report. */
export function report(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Whether a program is installed; if not, says what is skipped and how to install it. */
export function hasProgram(name: string, debianPackage: string): boolean {
  if (!spawnSync(name, ["--help"]).error) return true;
  report(`skipped: ${name} is not installed (apt-get install ${debianPackage})`);
  return false;
}

/** @returns What a command of the project printed. @throws with its stderr where its exit status is not 0. */
export async function runNode(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  return await runProgram(process.execPath, args, environment);
}

/** @returns What a program printed. @throws with its stderr where its exit status is not 0. */
export async function runProgram(
  command: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const options = { cwd: projectFolder, env: environment, maxBuffer: 2 ** 26 };
  return (await promisify(execFile)(command, [...args], options)).stdout;
}

/** Ends a process, and waits until it has ended; one that takes too long is killed. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  const timer = setTimeout(() => child.kill("SIGKILL"), endMillisecondsMax);
  await ended;
  clearTimeout(timer);
}

/** A port of loopback that is free at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** Waits until a condition holds. @throws {Error} when it does not within five minutes. */
export async function waitUntil(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + waitMillisecondsMax;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`waited ${waitMillisecondsMax / 1000} s, expected: ${what}`);
    await delay(waitIntervalMilliseconds);
  }
}
