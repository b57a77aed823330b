/** An origin that is slow, or never ends: an announcement has 15 s in all, files have a least speed. */
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import t, { type Test } from "tap";
import {
  type Origin,
  type OriginObject,
  openOrigin,
  type ReadOptions,
  readObject,
} from "../../../src/publishing/transfer/origin.ts";
import { TransferError } from "../../../src/publishing/transfer/transfer-error.ts";
import type { FolderOrigin } from "../../support/folder-origin.ts";
import { ManualClock } from "../../support/manual-clock.ts";
import { daysLater, publishTables } from "../../support/published-data.ts";
import { metric, prepareReplica, publisher, readyOf, serves } from "../../support/replica.ts";
import { priceRows } from "../../support/snapshot-files.ts";
import { holdsWithin } from "../../support/start-process.ts";
import { type PreparedService, startPrepared } from "../../support/start-threads.ts";

interface RawOrigin {
  readonly origin: Origin;
  readonly clock: ManualClock;
  /** The connection of the next request, whose headers have come. */
  readonly asked: () => Promise<Socket>;
}

/** An origin whose answers a test writes byte by byte. */
async function rawOrigin(t: Test): Promise<RawOrigin> {
  const requests: Socket[] = [];
  const waiting: ((socket: Socket) => void)[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", () => {
      const next = waiting.shift();
      if (next === undefined) requests.push(socket);
      else next(socket);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => server.close());
  const clock = new ManualClock();
  const remote = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, send: fetch };
  return {
    clock,
    origin: openOrigin("origin", remote, clock),
    asked: async () => requests.shift() ?? (await new Promise((resolve) => waiting.push(resolve))),
  };
}

/** Resolves when a connection is closed, also by a reset. */
async function closing(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => socket.once("close", () => resolve()));
}

async function readAll(origin: Origin, path: string, options: ReadOptions = {}): Promise<Buffer> {
  const found = await origin.open(path, options);
  return await readObject(origin, path, found as OriginObject, 10 * 2 ** 20);
}

/** What has to come of an answer before it stops, and the pauses after it in which nothing comes. */
const cases: readonly [what: string, isSmall: boolean, sent: string, pauses: readonly number[]][] = [
  ["an announcement without an answer", true, "", [15_000]],
  ["a file without an answer", false, "", [30_000]],
  ["headers that never end", true, "HTTP/1.1 200 OK\r\nx-a: 1\r\n", [15_000]],
  ["headers without a body", true, "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n", [15_000]],
  ["headers of a file without a body", false, "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n", [30_000]],
  ["a body without its end", true, "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{", [14_999, 1]],
  ["a whole body whose connection stays open", true, "HTTP/1.1 200 OK\r\n\r\n{}", [15_000]],
  ["chunks that never end", false, "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n", [30_000]],
  ["early hints alone", true, "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n", [15_000]],
];

for (const [what, isSmall, sent, pauses] of cases) {
  t.test(`${what}: the request ends with a line that says so, and its connection is closed`, async (t) => {
    const { origin, clock, asked } = await rawOrigin(t);
    const reading = readAll(origin, "announcement.json", { isSmall });
    reading.catch(() => undefined);
    const socket = await asked();
    const closed = closing(socket);
    await new Promise<void>((resolve) => socket.write(sent, () => resolve()));
    for (const milliseconds of pauses) clock.advance(milliseconds);
    const error: unknown = await reading.catch((error: unknown) => error);
    t.ok(error instanceof TransferError && error.reason === "slow", String(error));
    const wanted = isSmall ? "all of it within 15 s" : "at least 8192 bytes a second over 30 s";
    t.equal((error as Error).message, `origin/announcement.json: found less, expected ${wanted}`);
    await closed;
    t.equal(clock.waiting, 0);
  });
}

t.test("a byte every five seconds is no announcement, and no file", async (t) => {
  for (const [isSmall, bytesMax] of [
    [true, 3],
    [false, 6],
  ] as const) {
    const { origin, clock, asked } = await rawOrigin(t);
    const found = origin.open("announcement.json", { isSmall });
    const socket = await asked();
    const closed = closing(socket);
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 300\r\n\r\n");
    const chunks = ((await found) as OriginObject).content[Symbol.asyncIterator]();
    let bytes = 0;
    const readByte = async (): Promise<void> => {
      const next = chunks.next();
      // The clock goes on while the next byte is waited for.
      clock.advance(5000);
      socket.write("x");
      bytes += (await next).value?.length ?? 0;
    };
    const readBytes = async (): Promise<void> => {
      for (;;) await readByte();
    };
    await t.rejects(readBytes(), TransferError);
    t.ok(bytes < bytesMax, `${bytes} bytes`);
    await closed;
  }
});

t.test("a file that is fast enough may take longer, and what the reader does takes none of its time", async (t) => {
  const { origin, clock, asked } = await rawOrigin(t);
  const block = Buffer.alloc(30 * 8192, "x");
  const found = origin.open("snapshots/prices.ndjson");
  const socket = await asked();
  const blocks = 4;
  socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${blocks * block.length}\r\n\r\n`);
  const { content } = (await found) as OriginObject;
  const chunks = content[Symbol.asyncIterator]();
  let bytes = 0;
  for (let number = 1; number <= blocks; number++) {
    const first = chunks.next();
    clock.advance(29_000);
    socket.write(block);
    bytes += (await first).value?.length ?? 0;
    // It writes the chunk to a slow disk.
    clock.advance(100_000);
    while (bytes < number * block.length) bytes += (await chunks.next()).value?.length ?? 0;
  }
  t.same(await chunks.next(), { done: true, value: undefined });
  t.equal(bytes, blocks * block.length);
  t.equal(clock.waiting, 0);
});

t.test("an answer that is refused, left or stopped gives its connection back at once", async (t) => {
  const { origin, asked } = await rawOrigin(t);
  const redirect = t.rejects(origin.open("announcement.json"), { reason: "status", message: /a redirect to/ });
  const redirected = await asked();
  redirected.write("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 100000\r\n\r\nx");
  await Promise.all([redirect, closing(redirected)]);

  const missing = origin.open("announcement.json");
  const notThere = await asked();
  notThere.write("HTTP/1.1 404 Not Found\r\ncontent-length: 100000\r\n\r\nx");
  t.equal(await missing, 404);
  await closing(notThere);

  const unread = origin.open("announcement.json");
  const left = await asked();
  left.write("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\nx");
  ((await unread) as OriginObject)[Symbol.dispose]();
  await closing(left);

  const stop = new AbortController();
  const reading = t.rejects(readAll(origin, "announcement.json", { signal: stop.signal }), TransferError);
  const stopped = await asked();
  stop.abort();
  await Promise.all([reading, closing(stopped)]);
  await t.rejects(origin.open("announcement.json", { signal: stop.signal }), TransferError);
});

/** A replica that measures by a clock how fast its origin is. */
function slowReplica(folder: string, origin: FolderOrigin, clock: ManualClock): PreparedService {
  return prepareReplica(folder, origin, {}, null, clock);
}

t.test(
  "a replica says that its origin is slow, serves what it has, and goes on from the bytes that came",
  async (t) => {
    const { root, data, ids, origin, folder } = await publisher(t);
    const clock = new ManualClock();
    const service = await startPrepared(t, slowReplica(folder, origin, clock));
    t.ok(await serves(service, ids[1] as string));
    const errorOf = async (): Promise<string> => (await readyOf(service)).follows.error ?? "";
    t.ok((await metric(service, "origin_poll_age_seconds")) < 60);

    origin.misbehave = (request, response) => {
      if (request.url !== "/announcement.json") return false;
      response.writeHead(200, { "content-length": 300 });
      response.write("{", () => clock.advance(15_000));
      return true;
    };
    t.ok(await holdsWithin(30_000, async () => /announcement\.json: found less, expected all/.test(await errorOf())));
    const ages = [await metric(service, "origin_poll_age_seconds")];
    const refusals = 'origin_refusals_total{reason="slow"}';
    const counted = await metric(service, refusals);
    t.ok(counted > 0);
    t.ok(await holdsWithin(30_000, async () => (await metric(service, refusals)) > counted + 2), "it is asked again");
    ages.push(await metric(service, "origin_poll_age_seconds"));
    t.ok((ages[1] as number) > (ages[0] as number), "a poll that is slow is none");
    t.match(await readyOf(service), { status: "ready", snapshot: ids[1] });

    const next = await publishTables(root, { prices: priceRows(3000) }, daysLater(4));
    const prices = `/snapshots/${next}/prices.ndjson`;
    let isSlow = true;
    origin.misbehave = (request, response, file) => {
      if (request.url !== prices || !isSlow || request.headers.range !== undefined) return false;
      response.writeHead(200, { "content-length": statSync(file).size, etag: '"slow"' });
      response.write(Buffer.alloc(10), () => clock.advance(30_000));
      return true;
    };
    t.ok(await holdsWithin(30_000, async () => /prices\.ndjson: found less, expected at least/.test(await errorOf())));
    t.match(await readyOf(service), { status: "ready", snapshot: ids[1] });
    t.ok(readdirSync(join(folder, "data/snapshots")).includes(`.fetching-${next}`), "what came stays");
    isSlow = false;
    t.ok(await serves(service, next));
    t.notOk(readdirSync(join(folder, "data/snapshots")).some((name) => name.startsWith(".")));
    t.ok(await holdsWithin(30_000, async () => (await errorOf()) === ""));
    t.ok(statSync(join(data, prices)).size > 10);
  },
);

t.test("a service stops while its origin says nothing", async (t) => {
  const { ids, origin, folder } = await publisher(t);
  // Its clock stands still, so nothing else ends the request.
  const service = await startPrepared(t, slowReplica(folder, origin, new ManualClock()));
  t.ok(await serves(service, ids[1] as string));
  const silent = Promise.withResolvers<void>();
  origin.misbehave = () => {
    silent.resolve();
    return true;
  };
  await silent.promise;
  await service.stop();
});
