/**
 * Tries farm-prices.nginx.conf: two instances over one DATA_DIR behind Debian's nginx with TLS, on ports that are free.
 * Checks what must pass through unchanged, then runs load while snapshots are published, instances restart and one is
 * killed. Prints what a client observes between the swaps of the two instances. Skips where nginx is not installed.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { type ClientHttp2Session, connect } from "node:http2";
import { Agent, type RequestOptions } from "node:https";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { signRequest } from "../../src/contract/credentials.ts";
import { openHalfGreetings, withKernelLimit } from "./half-open.ts";
import { type Answer, exchange, Load } from "./load.ts";
import { serviceSite } from "./nginx-trial.ts";
import {
  endProcess,
  freePort,
  hasProgram,
  type Instance,
  report,
  runNode,
  runProgram,
  Trial,
  waitUntil,
} from "./trial.ts";

/** Also a loopback address, so that the client's address is another than that of nginx. */
const clientAddress = "127.0.0.9";
const floodAddress = "127.0.0.8";
/** More than the 768 connections of a worker process that Debian's nginx has. */
const halfOpenCount = 800;
const product = "8279063d-b290-5e29-a97f-e7b9ef6a7e2a";
const statistics = JSON.stringify({ product_uuid: product, start_date: "2015-01-01", end_date: "2024-12-31" });
/** Encoded and doubled characters, which a proxy could make equal; the signature is over them as they are. */
const unusualTarget = "/api/v1/products?search=ma%69ze%20&page=1";

if (hasProgram("nginx", "nginx")) await Trial.run(tryNginx);

async function tryNginx(trial: Trial): Promise<void> {
  await trial.copyData();
  const publicKey = await trial.issueKey("public");
  const secretKey = await trial.issueKey("secret");
  // The load is beyond any limit.
  const variables = { RATE_LIMIT_PER_MINUTE: "0", THREADS: "1", DRAIN_SECONDS: "1" };
  const ports = [await freePort(), await freePort()];
  const start = async (port = 0): Promise<Instance> => await trial.startInstance(variables, port, await freePort());
  const instances = await Promise.all(ports.map(start));
  const tlsPort = await freePort();
  const nginx = await startNginx(trial, ports, tlsPort);
  const agent = new Agent({
    keepAlive: true,
    ca: await readFile(trial.path("tls/fullchain.pem")),
    servername: "localhost",
  });
  const fresh = new Agent({ ...agent.options, keepAlive: false });
  const overTls = { agent, port: tlsPort, localAddress: clientAddress };
  const get = async (path: string, headers = {}, options: RequestOptions = overTls): Promise<Answer> =>
    await exchange(options, "GET", path, { "X-API-Key": publicKey, ...headers });
  const signed = (method: string, path: string, body = ""): Record<string, string> => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = signRequest(secretKey, { method, path, timestamp, body: Buffer.from(body) });
    return { "X-API-Key": secretKey, "X-Signature-Timestamp": timestamp, "X-Signature": signature };
  };
  const post = async (path: string, body: string): Promise<Answer> =>
    await exchange(overTls, "POST", path, { ...signed("POST", path, body), "Content-Type": "application/json" }, body);
  const first = instances[0] as Instance;
  const direct = { port: first.port };

  await waitUntil("nginx answers", async () => (await get("/api/v1/counties").catch(() => undefined))?.status === 200);
  assert.equal((await post("/api/v1/prices/statistics", statistics)).status, 200);
  assert.equal((await exchange(overTls, "GET", unusualTarget, signed("GET", unusualTarget))).status, 200);
  assert.equal((await exchange(overTls, "HEAD", unusualTarget, signed("HEAD", unusualTarget))).status, 200);
  assert.equal(
    await statusOverHttp2(tlsPort, agent.options.ca as Buffer, signed("POST", "/api/v1/prices/statistics", statistics)),
    200,
  );
  report("signed GET, HEAD and POST over TLS, HTTP/1.1 and HTTP/2: 200");

  await checkCodings(get, direct);
  await checkErrors(get, post);
  await checkOwnErrors(tlsPort);
  const own = JSON.parse((await get("/api/v1/nothing")).body.toString()) as { code: string };
  assert.equal(own.code, "NOT_FOUND");
  report("errors of the service pass unchanged; nginx's own have the same codes");

  await get("/api/v1/crops", { "X-Forwarded-For": "192.0.2.1", "X-Request-Id": "forged-address" });
  const logs = async (): Promise<string> =>
    (await Promise.all(instances.map(({ logFile }) => readFile(logFile, "utf8")))).join("");
  await waitUntil("the request is logged", async () => (await logs()).includes("forged-address"));
  const line = (await logs()).split("\n").find((text) => text.includes("forged-address")) ?? "";
  assert.equal((JSON.parse(line) as { client?: string }).client, clientAddress);
  report(`a client that claims to be 192.0.2.1 is logged as ${clientAddress}, its address`);

  await withKernelLimit(trial, tlsPort, async (perAddress) => {
    await checkHalfOpen(
      tlsPort,
      perAddress,
      async () => await get("/api/v1/counties", {}, { ...overTls, agent: fresh }),
    );
  });

  const load = new Load(async (round) =>
    round % 2 === 0
      ? await get(`/api/v1/prices/latest?product_uuids=${product}`)
      : await post("/api/v1/prices/statistics", statistics),
  );
  const restart = async (index: number, signal: NodeJS.Signals): Promise<void> => {
    await endProcess((instances[index] as Instance).child, signal);
    if (signal === "SIGKILL") await delay(1000);
    instances[index] = await start(ports[index]);
    await delay(500);
  };
  await publishAndRestart(trial, load, restart);

  for (const { child } of instances) await endProcess(child, "SIGKILL");
  const none = await get("/api/v1/crops");
  assert.deepEqual([none.status, none.headers["retry-after"]], [503, "5"]);
  assert.equal((JSON.parse(none.body.toString()) as { code: string }).code, "SERVICE_UNAVAILABLE");
  report("no instance: 503 SERVICE_UNAVAILABLE");
  agent.destroy();
  await endProcess(nginx, "SIGQUIT");
  report("nginx: all as expected");
}

/** Answers have the same bytes and ETag through nginx as straight from an instance, in every coding. */
async function checkCodings(
  get: (path: string, headers?: object, options?: RequestOptions) => Promise<Answer>,
  direct: RequestOptions,
): Promise<void> {
  for (const coding of ["zstd", "br", "gzip", "identity"]) {
    const headers = { "Accept-Encoding": coding };
    const [through, straight] = [
      await get("/api/v1/products", headers),
      await get("/api/v1/products", headers, direct),
    ];
    assert.equal(through.headers["content-encoding"], coding === "identity" ? undefined : coding);
    assert.deepEqual(through.body, straight.body);
    assert.equal(through.headers.etag, straight.headers.etag);
    const again = await get("/api/v1/products", { ...headers, "If-None-Match": through.headers.etag });
    assert.deepEqual([again.status, again.body.length, again.headers.etag], [304, 0, through.headers.etag]);
  }
  report("zstd, br, gzip and identity: same bytes and ETag as without nginx; If-None-Match: 304");
}

/** Publishes a day and restarts both instances under load, which must not see a failure. */
async function publishAndRestart(
  trial: Trial,
  load: Load,
  restart: (index: number, signal: NodeJS.Signals) => Promise<void>,
): Promise<void> {
  await delay(1000);
  const environment = await trial.environment();
  await runNode(["scripts/snapshot.ts", "append", await writeMarketDay(trial), "--note", "trial"], environment);
  await waitUntil("both instances serve the new snapshot", async () => load.seconds() - load.newestMixSeconds() > 2);
  report(`published under load: ${load.text()}`);
  assert.ok(load.snapshots.size === 2, "both snapshots were seen");
  for (const index of [0, 1]) await restart(index, "SIGTERM");
  report(`each instance restarted under load: ${load.text()}`);
  await restart(0, "SIGKILL");
  await load.stop();
  report(`one instance killed and started under load: ${load.text()}`);
  assert.deepEqual(load.failures.slice(0, 5), []);
}

/** Starts nginx with the deployed file; only ports, certificate and paths of logs are the trial's. */
async function startNginx(trial: Trial, ports: readonly number[], tlsPort: number): Promise<Instance["child"]> {
  await runProgram(join(import.meta.dirname, "self-signed.sh"), [trial.path("tls"), "localhost"]);
  return await trial.startNginx("nginx", await serviceSite(trial.folder, tlsPort, ports));
}

/** What is too large is answered with the documented code, by the service or, where it never gets it, by nginx. */
async function checkErrors(
  get: (path: string, headers?: object) => Promise<Answer>,
  post: (path: string, body: string) => Promise<Answer>,
): Promise<void> {
  const expected: [Promise<Answer>, number, string][] = [
    [post("/api/v1/prices/search", " ".repeat(70_000)), 413, "PAYLOAD_TOO_LARGE"],
    [post("/api/v1/prices/search", " ".repeat(2_000_000)), 413, "PAYLOAD_TOO_LARGE"],
    [get(`/api/v1/products?search=${"x".repeat(9000)}`), 414, "URI_TOO_LONG"],
    [get(`/api/v1/products?search=${"x".repeat(40_000)}`), 414, "URI_TOO_LONG"],
    [get("/api/v1/products", { "X-Long": "x".repeat(20_000) }), 431, "HEADERS_TOO_LARGE"],
    [get("/api/v1/products", { "X-Long": "x".repeat(40_000) }), 431, "HEADERS_TOO_LARGE"],
  ];
  for (const [answering, status, code] of expected) {
    const { status: found, body } = await answering;
    const error = JSON.parse(body.toString()) as { code: string };
    assert.deepEqual([found, error.code], [status, code]);
  }
}

/** What nginx refuses itself has the error body of the service, with the status that belongs to its code. */
async function checkOwnErrors(port: number): Promise<void> {
  const plain = await exchange({ port }, "GET", "/api/v1/crops", {});
  assert.deepEqual([plain.status, codeOf(plain.body.toString())], [400, "BAD_REQUEST"], "plain HTTP");
  const host = "Host: localhost";
  const expected: [string, number, string][] = [
    [`TRACE /api/v1/crops HTTP/1.1\r\n${host}`, 405, "METHOD_NOT_ALLOWED"],
    [`POST /api/v1/crops HTTP/1.1\r\n${host}\r\nTransfer-Encoding: x`, 400, "BAD_REQUEST"],
    [`GET /api/v1/crops HTTP/3.0\r\n${host}`, 400, "BAD_REQUEST"],
    [`GET /api/v1/crops HTTP/1.x\r\n${host}`, 400, "BAD_REQUEST"],
    ["GET /api/v1/crops HTTP/1.1", 400, "BAD_REQUEST"],
    [`GET /%00 HTTP/1.1\r\n${host}`, 400, "BAD_REQUEST"],
    [`POST /api/v1/crops HTTP/1.1\r\n${host}\r\nContent-Length: -1`, 400, "BAD_REQUEST"],
  ];
  for (const [head, status, code] of expected) {
    const answer = await exchangeText(port, `${head}\r\nConnection: close\r\n\r\n`);
    const [headers = "", body = ""] = answer.split("\r\n\r\n");
    assert.deepEqual([Number(headers.split(" ")[1]), codeOf(body)], [status, code], head);
    const lines = headers.split("\r\n");
    assert.ok(lines.includes("Content-Type: application/json"), head);
    assert.equal(lines.includes("Allow: GET, HEAD, POST, OPTIONS"), status === 405, head);
  }
}

function codeOf(body: string): string {
  return (JSON.parse(body) as { code: string }).code;
}

/** Sends a text as it is over TLS. @returns All that comes back. */
async function exchangeText(port: number, text: string): Promise<string> {
  const socket = connectTls({ host: "127.0.0.1", port, rejectUnauthorized: false });
  socket.write(text);
  let answer = "";
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

/**
 * Greetings that one address begins and never finishes take no place from a client at another, and nginx closes them.
 *
 * @param perAddress The limit of the kernel; without it nginx holds all of them beside the client.
 */
async function checkHalfOpen(port: number, perAddress: number | undefined, ask: () => Promise<Answer>): Promise<void> {
  const flood = await openHalfGreetings(halfOpenCount, port, floodAddress);
  assert.equal(flood.openCount, perAddress ?? halfOpenCount);
  const statuses = [];
  for (let count = 0; count < 20; count++) statuses.push((await ask()).status);
  assert.deepEqual(statuses, Array(20).fill(200));
  // Connections that nginx has no room for wait until it closes others.
  assert.equal(flood.heldCount(), flood.openCount, "the answers came while the greetings were open");
  await flood.closed();
  report(
    `${halfOpenCount} half-open greetings from one address, ${flood.openCount} let through: ` +
      "20 of 20 new connections from elsewhere are answered; nginx closes the greetings after 5 s",
  );
}

async function statusOverHttp2(port: number, ca: Buffer, headers: Record<string, string>): Promise<number> {
  const session: ClientHttp2Session = connect(`https://localhost:${port}`, { ca });
  const stream = session.request({
    ":method": "POST",
    ":path": "/api/v1/prices/statistics",
    "content-type": "application/json",
    ...headers,
  });
  stream.end(statistics);
  const [response] = await once(stream, "response");
  stream.resume();
  await once(stream, "end");
  session.close();
  return response[":status"];
}

/** Writes a market day to append: the first price of the bundled snapshot, newer than all of it. */
async function writeMarketDay(trial: Trial): Promise<string> {
  const current = (await readFile(trial.path("data/CURRENT"), "utf8")).trim();
  const [line = ""] = (await readFile(trial.path("data/snapshots", current, "prices.ndjson"), "utf8")).split("\n", 1);
  const instant = "2026-05-02T06:00:00.000Z";
  const price = {
    ...JSON.parse(line),
    uuid: randomUUID(),
    recorded_at: instant,
    created_at: instant,
    updated_at: instant,
  };
  const file = trial.path("2026-05-02.ndjson");
  await writeFile(file, `${JSON.stringify(price)}\n`);
  return file;
}
