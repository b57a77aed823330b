/** The service as people run it, for benchmarks: a process of its own with keys of its own. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

export interface BenchService {
  readonly baseUrl: string;
  readonly adminUrl: string;
  readonly publicKey: string;
  readonly secretKey: string;
  /** From the start of the process until it listened. */
  readonly startSeconds: number;
  /** Serves what CURRENT names. @returns What the service answered. */
  reload(): Promise<{ readonly id: string; readonly changed: boolean }>;
  /** Resident size of the process, in bytes. */
  residentBytes(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * @param folder Where `data` is the dataset directory; keys go there as well.
 * @param checkout The one whose service it is; this one unless given.
 * @param variables Further configuration of it.
 */
export async function startBenchService(
  folder: string,
  threads: number,
  checkout: string = join(import.meta.dirname, "../.."),
  variables: NodeJS.ProcessEnv = {},
): Promise<BenchService> {
  const keysFile = join(folder, "keys.json");
  const publicKey = await issueKeyOf(checkout, keysFile, "public");
  const secretKey = await issueKeyOf(checkout, keysFile, "secret");
  const started = performance.now();
  const child = spawn(process.execPath, [join(checkout, "src/main.ts")], {
    env: {
      ...process.env,
      PORT: "0",
      ADMIN_PORT: "0",
      DATA_DIR: join(folder, "data"),
      KEYS_FILE: keysFile,
      THREADS: String(threads),
      RATE_LIMIT_PER_MINUTE: "0",
      LOG_LEVEL: "info",
      ...variables,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const line = await listeningLine(child);
  const startSeconds = (performance.now() - started) / 1000;
  const adminUrl = String(line["admin_url"]);
  return {
    baseUrl: String(line["url"]),
    adminUrl,
    publicKey,
    secretKey,
    startSeconds,
    async reload() {
      const response = await fetch(`${adminUrl}/reload`, { method: "POST" });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`the reload failed: ${text}`);
      return JSON.parse(text);
    },
    async residentBytes() {
      const status = await readFile(`/proc/${child.pid}/status`, "utf8");
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
    },
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Issues a key by the command of the checkout: another version may write the file in another format. */
export async function issueKeyOf(checkout: string, keysFile: string, kind: "public" | "secret"): Promise<string> {
  const command = [join(checkout, "scripts/keys.ts"), "issue", "--kind", kind, "--label", "bench", "--file", keysFile];
  const { stdout } = await promisify(execFile)(process.execPath, [...command, "--json"]);
  return (JSON.parse(stdout) as { key: string }).key;
}

/** Reads the log to its end, so that the service never waits for a reader. @returns The line that says it listens. */
function listeningLine(child: ChildProcess): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    if (child.stderr === null) throw new Error("the service has no log");
    child.once("exit", (code) => reject(new Error(`the service ended with ${code} before it listened`)));
    createInterface(child.stderr).on("line", (text) => {
      if (!text.includes('"msg":"listening"')) return;
      resolve(JSON.parse(text) as Record<string, unknown>);
    });
  });
}
