/** The service as a process of its own, whose log and metrics are watched for what must never happen. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { generateKey } from "../../src/contract/credentials.ts";
import type { Instant } from "../../src/engine/model/calendar.ts";
import { issueKey, revokeKey } from "../../src/service/auth/keys-file.ts";
import { serviceEnvironment, type Variables } from "../support/start-process.ts";
import type { FuzzKeys } from "./random-request.ts";

const projectFolder = join(import.meta.dirname, "../..");

export interface FuzzedService {
  readonly child: ChildProcess;
  readonly port: number;
  readonly baseUrl: string;
  readonly adminUrl: string;
  readonly keys: FuzzKeys;
  readonly keysFile: string;
  /** Adds a text that must not be in the log. */
  guard(secret: string): void;
  /** The values of the metrics without labels, by name. */
  metrics(): Promise<ReadonlyMap<string, number>>;
  stop(): Promise<FuzzedEnd>;
}

/** The end of a service that was told to stop, or that had ended by itself. */
export interface FuzzedEnd {
  readonly code: number | null;
  /** Lines of the log that must never be there: errors, and keys; the first few. */
  readonly complaints: readonly string[];
}

const complaintsMax = 25;

/** How often the log is read until the service listens. */
const pollMilliseconds = 20;

/** Keys of all kinds begin with this; only lines that have it are compared with each of hundreds. */
const keyBeginning = "svc_";

/** The level of pino from which on a line is about an error. */
const errorLevel = 50;

/** Issues keys of all kinds into a file. */
export async function issueFuzzKeys(keysFile: string): Promise<FuzzKeys> {
  const now = (): Instant => Date.now() as Instant;
  const longAgo = (): Instant => (Date.now() - 1_000_000) as Instant;
  const publicKey = await issueKey(keysFile, { kind: "public", label: "fuzz" }, now);
  const secretKey = await issueKey(keysFile, { kind: "secret", label: "fuzz" }, now);
  const revoked = await issueKey(keysFile, { kind: "public", label: "revoked" }, now);
  await revokeKey(keysFile, revoked.entry.id, now);
  const expired = await issueKey(keysFile, { kind: "secret", label: "expired", lifetimeMilliseconds: 1 }, longAgo);
  const unknown = generateKey("public");
  return {
    publicKey: publicKey.key,
    secretKey: secretKey.key,
    refused: [revoked.key, expired.key, unknown, `${unknown.slice(0, -1)}?`],
  };
}

/**
 * Starts the service with two threads.
 *
 * @param dataDirectory The dataset directory; that of the project when absent.
 */
export async function startFuzzedService(
  dataDirectory: string = join(projectFolder, "data"),
  variables: Variables = {},
): Promise<FuzzedService> {
  const folder = await mkdtemp(join(tmpdir(), "fuzz-"));
  const keysFile = join(folder, "keys.json");
  const keys = await issueFuzzKeys(keysFile);
  const env = serviceEnvironment(folder, {
    ...{ DATA_DIR: dataDirectory, KEYS_FILE: keysFile, THREADS: "2" },
    // Limits that are never reached, and clients behind a proxy, so that both are at work.
    ...{ RATE_LIMIT_PER_MINUTE: "10000000", TRUST_PROXY: "127.0.1.0/24" },
    ...variables,
  });
  // A file takes every line at once. A pipe would be read by this process, which cannot read while it decodes files or
  // sorts answers: then the service drops lines, as it should, and says so by an error.
  const logPath = join(folder, "log");
  const logFile = await open(logPath, "w");
  const child = spawn(process.execPath, [join(projectFolder, "src/main.ts")], {
    env,
    stdio: ["ignore", "ignore", logFile.fd],
  });
  await logFile.close();
  const ended = once(child, "close");
  const secrets = [keys.publicKey, keys.secretKey, ...keys.refused.slice(0, 3)];
  const line = await untilListening(child, logPath);
  const baseUrl = String(line["url"]);
  const adminUrl = String(line["admin_url"]);
  return {
    child,
    port: Number(new URL(baseUrl).port),
    baseUrl,
    adminUrl,
    keys,
    keysFile,
    guard: (secret) => void secrets.push(secret),
    async metrics() {
      const text = await (await fetch(`${adminUrl}/metrics`)).text();
      const lines = [...text.matchAll(/^(\w+)(?:\{resource="\w+"\})? (\S+)$/gm)];
      return new Map(lines.map(([, name = "", value]) => [name, Number(value)]));
    },
    async stop() {
      child.kill("SIGTERM");
      const [code] = (await ended) as [number | null];
      const complaints = await complaintsIn(logPath, secrets);
      await rm(folder, { recursive: true, force: true });
      return { code, complaints };
    },
  };
}

/** @throws {Error} When the service ends before. */
async function untilListening(child: ChildProcess, logPath: string): Promise<Readonly<Record<string, unknown>>> {
  for (;;) {
    const { exitCode, signalCode } = child;
    for await (const line of logLines(logPath)) {
      // The last line may be half-written.
      if (line.includes('"msg":"listening"') && line.endsWith("}")) {
        return JSON.parse(line) as Readonly<Record<string, unknown>>;
      }
    }
    if (exitCode !== null || signalCode !== null) {
      throw new Error(`the service ended with ${exitCode ?? signalCode}: ${await readFile(logPath, "utf8")}`);
    }
    await delay(pollMilliseconds);
  }
}

/** Lines of a log that are no JSON, about an error, or have a secret; the first few. */
export async function complaintsIn(logPath: string, secrets: readonly string[]): Promise<string[]> {
  const complaints: string[] = [];
  for await (const line of logLines(logPath)) {
    const isError = !line.startsWith('{"level":') || Number.parseInt(line.slice(9), 10) >= errorLevel;
    const hasKey = line.includes(keyBeginning) && secrets.some((secret) => line.includes(secret));
    if (isError || hasKey) complaints.push(line.slice(0, 2000));
    if (complaints.length === complaintsMax) break;
  }
  return complaints;
}

async function* logLines(path: string): AsyncGenerator<string, undefined> {
  const file = await open(path);
  try {
    yield* file.readLines();
  } finally {
    await file.close();
  }
}
