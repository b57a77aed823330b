/** `npm start` in the project's folder: the process that supervisors and containers signal is npm's. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import t, { type Test } from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { issueKey } from "../../../src/service/auth/keys-file.ts";
import {
  folderWithData,
  holdsWithin,
  type RunningService,
  ServiceProcess,
  serviceEnvironment,
  untilListening,
} from "../../support/start-process.ts";

const projectFolder = join(import.meta.dirname, "../../..");

/** Everything here is quick, but on a busy machine. */
const waitMillisecondsMax = 20_000;

const skip =
  (process.platform === "win32" && "Windows has no signals to end a process with") ||
  (spawnSync("npm", ["--version"]).error !== undefined && "there is no npm");

interface NpmStart {
  readonly service: RunningService;
  readonly publicKey: string;
  /** Process id of the service, a child of npm's process. */
  readonly pid: number;
}

async function npmStart(t: Test): Promise<NpmStart> {
  const folder = await folderWithData(t);
  const keysFile = join(folder, "keys.json");
  const { key } = await issueKey(keysFile, { kind: "public", label: "test" }, () => Date.now() as Instant);
  const env = serviceEnvironment(folder, { KEYS_FILE: keysFile, THREADS: "1" });
  const child = spawn("npm", ["start"], { cwd: projectFolder, env, stdio: ["ignore", "pipe", "pipe"] });
  const npm = new ServiceProcess(child);
  t.teardown(async () => {
    child.kill("SIGKILL");
    const pid = Number(npm.log[0]?.["pid"] ?? 0);
    if (pid > 0 && isAlive(pid)) process.kill(pid, "SIGKILL");
    await npm.ended;
  });
  const service = await untilListening(npm);
  return { service, publicKey: key, pid: Number(npm.log[0]?.["pid"]) };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Sends half of a request. */
async function beginRequest({ service, publicKey }: NpmStart): Promise<ClientRequest> {
  const headers = { "X-API-Key": publicKey, "Content-Type": "application/json", "Content-Length": 11 };
  const client = request(`${service.baseUrl}/api/v1/prices/latest`, { method: "POST", headers });
  client.write('{"limit":');
  await once(client, "socket");
  // A whole answer on a later connection: the first one has been accepted by the only thread.
  await fetch(`${service.baseUrl}/openapi.json`);
  return client;
}

async function isRefused(url: string): Promise<boolean> {
  return await fetch(url).then(
    () => false,
    (error: Error) => (error.cause as { readonly code?: string } | undefined)?.code === "ECONNREFUSED",
  );
}

t.jobs = 3;
const together = { buffered: true, skip, timeout: 90_000 };

for (const signal of ["SIGTERM", "SIGINT", "SIGKILL"] as const) {
  t.test(`${signal} to the process of npm start ends the service in good order`, { ...together }, async (t) => {
    const started = await npmStart(t);
    const { process: npm, baseUrl, adminUrl } = started.service;
    const client = await beginRequest(started);
    npm.child.kill(signal);
    t.ok(await holdsWithin(waitMillisecondsMax, () => isRefused(baseUrl)), "new connections are refused");
    t.ok(isAlive(started.pid), "the service waits for the request");
    if (signal !== "SIGKILL") t.equal(npm.child.exitCode, null, "and npm for the service");

    const answered = once(client, "response") as Promise<[IncomingMessage]>;
    client.end("1}");
    const [answer] = await answered;
    t.equal(answer.statusCode, 200);
    answer.resume();
    if (signal !== "SIGKILL") t.strictSame(await npm.ended, { code: 0, signal: null });
    t.ok(await holdsWithin(waitMillisecondsMax, () => !isAlive(started.pid)), "the service is gone");
    for (const url of [baseUrl, adminUrl]) t.ok(await isRefused(url), "its port is free");
    t.match(npm.logged("stopping"), [signal === "SIGKILL" ? { ended_parent: npm.child.pid } : { signal }]);
    t.equal(npm.logged("stopped").length, 1);
  });
}
