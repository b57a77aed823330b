/** A server of the race in a process of its own: started, asked for its processor time, ended. */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { callChild } from "../calls/call-child.ts";
import type { ServerSetup, StartedServer } from "./server-main.ts";
import { type OurName, type ServerName, serverTitles } from "./server-names.ts";

/** A running server. */
export interface ServerProcess {
  readonly name: ServerName;
  readonly port: number;
  /** Names and versions of what it is made of, beside Node. */
  readonly titles: readonly string[];
  /**
   * Processor time so far, user and system, of all its threads and of a database server that it has started, in
   * microseconds.
   */
  processorMicroseconds(): Promise<number>;
  /** Ends it and waits for its end. */
  stop(): Promise<void>;
}

/** Where our service finds its data and keys, and where it writes its log. */
export interface OurSetup {
  readonly dataDirectory: string;
  readonly keysFile: string;
  readonly logFile: string;
  readonly answerCacheMebibytes: number;
  /** Requests a minute of each key; 0 for no limit. */
  readonly ratePerMinute: number;
  /** The checkout whose service it is. */
  readonly checkout: string;
}

/** How long a server may take to end before it is killed. */
const stopMilliseconds = 5000;

/** Starts our service with one thread, as it runs in production. */
export async function startOurs(name: OurName, setup: OurSetup): Promise<ServerProcess> {
  const log = openSync(setup.logFile, "a");
  const preload = pathToFileURL(join(import.meta.dirname, "report-usage.ts")).href;
  const child = spawn(process.execPath, ["--import", preload, join(setup.checkout, "src/main.ts")], {
    env: {
      ...process.env,
      NODE_ENV: "production",
      PORT: "0",
      ADMIN_PORT: "0",
      DATA_DIR: setup.dataDirectory,
      KEYS_FILE: setup.keysFile,
      THREADS: "1",
      LOG_LEVEL: "info",
      DRAIN_SECONDS: "0",
      ANSWER_CACHE_MB: String(setup.answerCacheMebibytes),
      RATE_LIMIT_PER_MINUTE: String(setup.ratePerMinute),
    },
    stdio: ["ignore", "pipe", log, "ipc"],
  });
  closeSync(log);
  return running(name, child, { port: await listeningPort(child, setup.logFile), titles: [] });
}

/** Starts one of the other servers. */
export async function startPeer(setup: ServerSetup): Promise<ServerProcess> {
  const child = fork(join(import.meta.dirname, "server-main.ts"), {
    serialization: "advanced",
    env: { ...process.env, NODE_ENV: "production" },
  });
  try {
    return running(setup.name, child, (await callChild(child, setup.name, "start", setup)) as StartedServer);
  } catch (error) {
    await end(child);
    throw error;
  }
}

function running(name: ServerName, child: ChildProcess, { port, titles }: StartedServer): ServerProcess {
  return {
    name,
    port,
    titles,
    processorMicroseconds: async () => (await callChild(child, serverTitles[name], "usage", null)) as number,
    stop: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), stopMilliseconds);
  await ended;
  clearTimeout(timer);
}

/** Reads the standard output of our service up to the line that says where it listens. */
function listeningPort(child: ChildProcess, logFile: string): Promise<number> {
  return new Promise((resolve, reject) => {
    if (child.stdout === null) throw new Error("the service has no standard output");
    child.once("exit", (code) =>
      reject(new Error(`the service ended with ${code} before it listened; see ${logFile}`)),
    );
    createInterface(child.stdout).on("line", (line) => {
      const port = /^listening on http:\/\/.*:(\d+)$/.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
  });
}
