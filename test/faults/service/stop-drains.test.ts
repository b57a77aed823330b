import { once } from "node:events";
import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import t, { type Test } from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { issueKey } from "../../../src/service/auth/keys-file.ts";
import {
  folderWithData,
  holdsWithin,
  type RunningService,
  startProcess,
  type Variables,
} from "../../support/start-process.ts";

/** Without requests that are under way, stopping is a matter of moments. */
const stopMillisecondsMax = 3000;

t.jobs = 3;

t.test("SIGTERM lets a request end whose body is still being sent", { buffered: true }, async (t) => {
  const service = await startWithKey(t);
  const { process, baseUrl, adminUrl } = service;
  const idle = await idleConnection(service);
  const { client, answer } = await sendBegin(service);
  process.child.kill("SIGTERM");

  await once(idle, "close");
  t.pass("an idle connection is closed");
  t.ok(await holdsWithin(1000, () => isRefused(baseUrl)), "new connections are refused");
  t.equal((await fetch(`${adminUrl}/ready`)).status, 503, "the admin port still answers");
  t.equal(process.child.exitCode, null, "the process waits for the request");

  const sentAt = performance.now();
  client.end("1}");
  const { status, body, connection } = await answer;
  t.equal(status, 200);
  t.match(JSON.parse(body), { data: [{ product: { name: "Maize" } }] });
  t.equal(connection, "close", "the client learns that the connection is not kept");
  t.strictSame(await process.ended, { code: 0, signal: null });
  t.ok(performance.now() - sentAt < stopMillisecondsMax, "the process ends after its last request");
  t.match(process.logged("stopping"), [{ signal: "SIGTERM" }]);
  t.match(process.logged("request").at(-1), { method: "POST", status: 200 });
  t.match(process.log.at(-1), { msg: "stopped" });
  t.strictSame(process.complaints, []);
});

t.test("SIGINT does the same, and signals that come again change nothing", { buffered: true }, async (t) => {
  // npm passes a Ctrl-C on that the process has had from the terminal already.
  const service = await startWithKey(t);
  const { process, baseUrl } = service;
  const { client, answer } = await sendBegin(service);
  for (const signal of ["SIGINT", "SIGINT", "SIGTERM", "SIGTERM"] as const) {
    process.child.kill(signal);
    await delay(30);
  }
  t.ok(await holdsWithin(1000, () => isRefused(baseUrl)), "new connections are refused");
  client.end("1}");
  t.equal((await answer).status, 200);
  t.strictSame(await process.ended, { code: 0, signal: null });
  t.match(process.logged("stopping"), [{ signal: "SIGINT" }]);
  t.equal(process.logged("stopping").length, 1);
});

t.test("connections without a request under way do not hold up the end", { buffered: true }, async (t) => {
  const service = await startWithKey(t);
  const { process, baseUrl } = service;
  const silent = connect(Number(new URL(baseUrl).port), "127.0.0.1");
  await once(silent, "connect");
  const busy = askOnAndOn(t, service);
  await holdsWithin(3000, () => busy.answered > 20);
  const startedAt = performance.now();
  process.child.kill("SIGTERM");
  t.strictSame(await process.ended, { code: 0, signal: null });
  t.ok(performance.now() - startedAt < stopMillisecondsMax);
  t.match(await busy.ended, /ECONNREFUSED|ECONNRESET/, "who went on asking was answered until the connection closed");
});

t.test("in the pause everything is answered, and no client loses a request", { buffered: true }, async (t) => {
  const service = await startWithKey(t, { DRAIN_SECONDS: "1" });
  const { process, baseUrl, adminUrl } = service;
  const busy = [0, 0, 0, 1, 2, 5, 10, 20].map((milliseconds) => askUntilClosed(service, () => delay(milliseconds)));
  // These are idle in the pause, and ask when it ends or a moment later.
  const signal = Promise.withResolvers<void>();
  const late = [800, 900, 950, 980, 990, 1000, 1010, 1020, 1050].map((milliseconds) =>
    askUntilClosed(service, () => signal.promise.then(() => delay(milliseconds))),
  );
  t.ok(await holdsWithin(5000, () => [...busy, ...late].every(({ answered }) => answered > 0)));
  process.child.kill("SIGTERM");
  const startedAt = performance.now();
  signal.resolve();
  t.ok(await holdsWithin(500, async () => (await fetch(`${adminUrl}/ready`)).status === 503), "it is not ready");
  t.equal((await fetch(`${adminUrl}/live`)).status, 200);
  const answer = await fetch(`${baseUrl}/api/v1/counties`, { headers: { "X-API-Key": service.key } });
  t.equal(answer.status, 200, "a new connection is answered");
  t.equal(answer.headers.get("connection"), "close");
  for (const client of [...busy, ...late]) t.equal(await client.ended, "close", `after ${client.answered} answers`);
  t.strictSame(await process.ended, { code: 0, signal: null });
  t.ok(performance.now() - startedAt >= 1000, "the pause was kept");
  const unanswered = process.logged("request").filter(({ status }) => status !== 200);
  t.strictSame(unanswered, [], "every request was answered");
  t.strictSame(process.complaints, []);
});

interface StartedService extends RunningService {
  readonly key: string;
}

async function startWithKey(t: Test, variables: Variables = {}): Promise<StartedService> {
  const folder = await folderWithData(t);
  const now = (): Instant => Date.now() as Instant;
  const { key } = await issueKey(join(folder, "keys.json"), { kind: "public", label: "test" }, now);
  return { ...(await startProcess(t, folder, variables)), key };
}

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
  readonly connection: string | undefined;
}

/** Sends all but the end of a body; done when the service has taken the request in. */
async function sendBegin({
  baseUrl,
  key,
}: StartedService): Promise<{ readonly client: ClientRequest; readonly answer: Promise<Answer> }> {
  const client = request(`${baseUrl}/api/v1/prices/latest`, {
    method: "POST",
    agent: new Agent({ keepAlive: true }),
    headers: {
      "X-API-Key": key,
      "Content-Type": "application/json",
      "Content-Length": '{"limit":1}'.length,
      // The service says "100 Continue" to a request whose headers it has read.
      Expect: "100-continue",
    },
  });
  const answer = readAnswer(client);
  client.flushHeaders();
  await once(client, "continue");
  client.write('{"limit":');
  return { client, answer };
}

async function readAnswer(client: ClientRequest): Promise<Answer> {
  const [response] = (await once(client, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode,
    body: Buffer.concat(chunks).toString(),
    connection: response.headers.connection,
  };
}

/** A connection that has had an answer and waits. */
async function idleConnection({ baseUrl, key }: StartedService): Promise<Socket> {
  const socket = connect(Number(new URL(baseUrl).port), "127.0.0.1");
  socket.write(`GET /api/v1/counties HTTP/1.1\r\nHost: test\r\nX-API-Key: ${key}\r\n\r\n`);
  await once(socket, "data");
  return socket;
}

/** One request after the other on one connection, until one fails; `ended` is the code of the failure. */
function askOnAndOn(
  t: Test,
  { baseUrl, key }: StartedService,
): { answered: number; readonly ended: Promise<string | undefined> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  const progress = { answered: 0, ended: ask() };
  return progress;

  async function ask(): Promise<string | undefined> {
    try {
      for (;;) {
        const client = request(`${baseUrl}/api/v1/counties`, { agent, headers: { "X-API-Key": key } }).end();
        const [response] = (await once(client, "response")) as [IncomingMessage];
        await once(response.resume(), "end");
        progress.answered++;
      }
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    }
  }
}

/**
 * One request after the other on one connection, until an answer says that the connection ends, as a load balancer that
 * has seen the service leave. `ended` is "close" then, otherwise the code of the failure: a reset, or an end without an
 * answer, is ECONNRESET.
 */
function askUntilClosed(
  { baseUrl, key }: StartedService,
  pause: () => Promise<void>,
): { answered: number; readonly ended: Promise<string | undefined> } {
  const progress = { answered: 0, ended: ask() };
  return progress;

  async function ask(): Promise<string | undefined> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      for (;;) {
        const client = request(`${baseUrl}/api/v1/counties`, { agent, headers: { "X-API-Key": key } }).end();
        const [response] = (await once(client, "response")) as [IncomingMessage];
        await once(response.resume(), "end");
        progress.answered++;
        if (response.headers.connection === "close") return "close";
        await pause();
      }
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    } finally {
      agent.destroy();
    }
  }
}

async function isRefused(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  try {
    await once(socket, "connect");
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ECONNREFUSED";
  } finally {
    socket.destroy();
  }
}
