/**
 * How one client's work affects the others: `npm run bench:fairness [-- --with ../before] [--prices 1m] [--only NAME]`.
 * Each scene runs on a service of its own, with two threads, of this checkout and of the one
 * that `--with` names, in turns. Clients with different addresses use different addresses of loopback.
 *
 * Exits with 1 where a scene of this checkout misses its limit. Times are those of this machine; other work on it makes
 * them longer.
 */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { quantile } from "simple-statistics";
import { pointTo } from "../test/support/watch-swaps.ts";
import type { PlainRequest } from "./http/http-question.ts";
import { headersOf } from "./http/request-headers.ts";
import { readCount } from "./read-count.ts";
import { describedMachine, describeMachine } from "./report/machine.ts";
import { type BenchService, startBenchService } from "./swap/service-process.ts";
import { writeNamedSample } from "./swap/time-look-ups.ts";

/** Duration of a scene without an end of its own. */
const sceneMilliseconds = 8000;

const { values } = parseArgs({
  options: {
    with: { type: "string" },
    prices: { type: "string", default: "1m" },
    only: { type: "string" },
  },
});

/** What a scene found, and whether it keeps its limit. */
interface Finding {
  readonly text: string;
  readonly isWithin: boolean;
}

interface Scene {
  readonly name: string;
  readonly title: string;
  /** True if answers are kept, as by default; otherwise each is made. */
  readonly keepsAnswers?: boolean;
  readonly run: (service: BenchService) => Promise<Finding>;
}

const days = { start_date: "2000-01-01", end_date: "2026-12-31" };

const scenes: readonly Scene[] = [
  {
    name: "documents",
    title: "280 slow readers of a document beside a key: its answers",
    keepsAnswers: true,
    run: besideSlowDocuments,
  },
  {
    name: "slow-exports",
    title: "exports of a public key that are not read, beside those of a secret key",
    run: besideSlowExports,
  },
  {
    name: "loop",
    title: "a public key in a loop of 60 long answers beside long answers of a secret key",
    run: besideLoop,
  },
  {
    name: "pages",
    title: "pages, 25 at a time from each of 4 addresses, beside look-ups with a key on new connections",
    run: besidePages,
  },
  { name: "exports", title: "ten exports beside 128 connections of look-ups", run: exportsBesideLookUps },
  { name: "page", title: "a page beside endless statistics with a key", run: pageBesideStatistics },
  { name: "pipelined", title: "100 connections that pipeline 3,000 requests and read nothing", run: pipelined },
];

const freshConnections = new Agent({ keepAlive: false });

process.env["EXPLORER"] = "public";
const folder = await mkdtemp(join(tmpdir(), "price-fairness-"));
try {
  const machine = describeMachine();
  process.stdout.write(`${describedMachine(machine, [])}\n`);
  const data = join(folder, "data");
  await pointTo(data, await writeNamedSample(data, readCount(values.prices), 1));
  const here = resolve(import.meta.dirname, "..");
  const checkouts = values.with === undefined ? [here] : [resolve(values.with), here];
  for (const scene of scenes) {
    if (values.only !== undefined && values.only !== scene.name) continue;
    process.stdout.write(`${scene.name}: ${scene.title}\n`);
    for (const checkout of checkouts) {
      const service = await startBenchService(folder, 2, checkout, scene.keepsAnswers ? {} : { ANSWER_CACHE_MB: "0" });
      const { text, isWithin } = await scene.run(service).finally(() => service.stop());
      const isHere = checkout === here;
      process.stdout.write(
        `  ${isHere ? "this checkout" : "the other"}: ${text}${isWithin ? "" : " (beyond its limit)"}\n`,
      );
      if (isHere && !isWithin) process.exitCode = 1;
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** An answer as a client sees it. */
interface Answer {
  readonly status: number;
  readonly milliseconds: number;
  readonly bytes: number;
}

interface Asking {
  readonly agent?: Agent;
  /** The client's address on loopback. */
  readonly from?: string;
}

function ask(service: BenchService, plain: PlainRequest | string, { agent, from }: Asking = {}): Promise<Answer> {
  const startedAt = performance.now();
  const isPage = typeof plain === "string";
  const target = isPage ? plain : plain.target;
  const headers = isPage ? { Accept: "text/html" } : headersOf(plain, service);
  return new Promise((done, fail) => {
    request(
      service.baseUrl + target,
      {
        method: isPage ? "GET" : plain.method,
        headers,
        agent: agent ?? freshConnections,
        ...(from !== undefined && { localAddress: from }),
      },
      (incoming: IncomingMessage) => {
        let bytes = 0;
        incoming
          .on("data", (chunk: Buffer) => {
            bytes += chunk.length;
          })
          .on("end", () =>
            done({ status: incoming.statusCode ?? 0, milliseconds: performance.now() - startedAt, bytes }),
          )
          .on("error", fail);
      },
    )
      .on("error", fail)
      .end(isPage ? undefined : plain.body);
  });
}

async function productsOf(service: BenchService): Promise<readonly string[]> {
  const target = "/api/v1/products?page_size=50";
  const response = await fetch(service.baseUrl + target, { headers: { "X-API-Key": service.publicKey } });
  const { data } = (await response.json()) as { data: readonly { uuid: string }[] };
  return data.map(({ uuid }) => uuid);
}

/** Statistics by day of a type of market, whose answer is long. */
function longStatistics(uuid: string | undefined, access: PlainRequest["access"]): PlainRequest {
  const body = JSON.stringify({ product_uuid: uuid, ...days, group_by: "day", market_type: "Wholesale" });
  return { method: "POST", target: "/api/v1/prices/statistics", body, access };
}

function lookUp(uuid: string | undefined): PlainRequest {
  const target = `/api/v1/prices/latest?product_uuids=${uuid}&limit=1`;
  return { method: "GET", target, body: "", access: "public" };
}

/** Opens a connection that sends a request and never reads. */
async function openUnread(service: BenchService, bytes: string | Uint8Array, from: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(service.baseUrl).port), host: "127.0.0.1", localAddress: from });
  socket.on("error", () => undefined).pause();
  await once(socket, "connect");
  socket.write(bytes);
  return socket;
}

/** Repeats a call until a time has passed. */
async function repeat(milliseconds: number, call: () => Promise<void>): Promise<void> {
  for (const end = performance.now() + milliseconds; performance.now() < end; ) await call();
}

/** Runs a call again and again beside another one. */
function loop(count: number, call: (turn: number) => Promise<unknown>): { stop(): Promise<void> } {
  let isOver = false;
  const runs = Array.from({ length: count }, async (_, at) => {
    for (let turn = at; !isOver; turn += count) await call(turn).catch(() => delay(10));
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(runs);
    },
  };
}

function timesText(times: readonly number[]): string {
  const [p50, p90, p99] = [0.5, 0.9, 0.99].map((part) => quantile([...times], part).toFixed(1));
  return `${times.length} answers, median ${p50} ms, p90 ${p90} ms, p99 ${p99} ms`;
}

async function besideSlowDocuments(service: BenchService): Promise<Finding> {
  const [product] = await productsOf(service);
  const sockets = await Promise.all(
    Array.from({ length: 280 }, (_, at) =>
      openUnread(service, "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n", `127.0.0.${10 + (at % 40)}`),
    ),
  );
  await delay(1000);
  const answers: Answer[] = [];
  await repeat(sceneMilliseconds, async () => {
    answers.push(await ask(service, lookUp(product)), await ask(service, longStatistics(product, "secret")));
  });
  for (const socket of sockets) socket.destroy();
  const refused = answers.filter(({ status }) => status !== 200).length;
  return {
    text: `${timesText(answers.map(({ milliseconds }) => milliseconds))}, ${refused} refused`,
    isWithin: refused === 0,
  };
}

async function besideSlowExports(service: BenchService): Promise<Finding> {
  const [product] = await productsOf(service);
  const target = "/api/v1/exports/prices.csv";
  const unread = `GET ${target} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${service.publicKey}\r\n\r\n`;
  const sockets: Socket[] = [];
  for (let at = 0; at < 100; at++) sockets.push(await openUnread(service, unread, `127.0.0.${10 + (at % 20)}`));
  await delay(1000);
  const answers: Answer[] = [];
  await repeat(sceneMilliseconds, async () => {
    answers.push(
      await ask(service, { method: "GET", target: `${target}?product_uuid=${product}`, body: "", access: "secret" }),
    );
  });
  for (const socket of sockets) socket.destroy();
  const refused = answers.filter(({ status }) => status !== 200).length;
  return {
    text: `${timesText(answers.map(({ milliseconds }) => milliseconds))}, ${refused} refused`,
    isWithin: refused === 0,
  };
}

async function besideLoop(service: BenchService): Promise<Finding> {
  const products = await productsOf(service);
  const agent = new Agent({ keepAlive: true });
  const busy = loop(60, (turn) =>
    ask(service, longStatistics(products[turn % products.length], "public"), { agent, from: "127.0.0.20" }),
  );
  await delay(1000);
  const answers: Answer[] = [];
  await repeat(sceneMilliseconds, async () => {
    answers.push(await ask(service, longStatistics(products[0], "secret"), { from: "127.0.0.30" }));
    await delay(100);
  });
  await busy.stop();
  agent.destroy();
  const refused = answers.filter(({ status }) => status !== 200).length;
  return {
    text: `${timesText(answers.map(({ milliseconds }) => milliseconds))}, ${refused} refused`,
    isWithin: refused === 0,
  };
}

async function besidePages(service: BenchService): Promise<Finding> {
  const products = await productsOf(service);
  let pages = 0;
  const busy = [40, 41, 42, 43].map((host) => {
    const agent = new Agent({ keepAlive: true });
    return loop(25, async (turn) => {
      const path = `/explore/products/${products[turn % products.length]}?from=20${10 + (turn % 15)}-01`;
      const { status } = await ask(service, path, { agent, from: `127.0.0.${host}` });
      if (status === 200) pages++;
      else await delay(20);
    });
  });
  await delay(1000);
  const answers: Answer[] = [];
  await repeat(sceneMilliseconds, async () => {
    answers.push(await ask(service, lookUp(products[0])));
    await delay(20);
  });
  await Promise.all(busy.map((one) => one.stop()));
  const times = answers.map(({ milliseconds }) => milliseconds);
  return {
    text: `${timesText(times)}; ${pages} pages`,
    isWithin: answers.every(({ status }) => status === 200) && quantile(times, 0.9) <= 60,
  };
}

async function exportsBesideLookUps(service: BenchService): Promise<Finding> {
  const products = await productsOf(service);
  const agent = new Agent({ keepAlive: true, maxSockets: 128 });
  let lookUps = 0;
  const busy = loop(128, async (turn) => {
    await ask(service, lookUp(products[turn % products.length]), { agent, from: "127.0.0.20" });
    lookUps++;
  });
  await delay(1000);
  const startedAt = performance.now();
  const before = lookUps;
  const answers = await Promise.all(
    products.slice(0, 10).map((uuid) =>
      ask(service, {
        method: "GET",
        target: `/api/v1/exports/prices.csv?product_uuid=${uuid}`,
        body: "",
        access: "secret",
      }),
    ),
  );
  const milliseconds = performance.now() - startedAt;
  const perSecond = ((lookUps - before) / milliseconds) * 1000;
  await busy.stop();
  agent.destroy();
  const refused = answers.filter(({ status }) => status !== 200).length;
  const megabytes = answers.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  return {
    text:
      `${megabytes.toFixed(1)} MB in ${milliseconds.toFixed(0)} ms, ${refused} refused, ` +
      `${perSecond.toFixed(0)} look-ups a second meanwhile`,
    isWithin: true,
  };
}

async function pageBesideStatistics(service: BenchService): Promise<Finding> {
  const products = await productsOf(service);
  const agent = new Agent({ keepAlive: true });
  const body = (turn: number): string =>
    JSON.stringify({ min_price: 50 + (turn % 10), max_price: 60 + (turn % 10), page_size: 100, page: 50 });
  const busy = loop(30, (turn) =>
    turn % 2 === 0
      ? ask(service, longStatistics(products[turn % products.length], "secret"), { agent })
      : ask(
          service,
          { method: "POST", target: "/api/v1/prices/search", body: body(turn), access: "secret" },
          { agent },
        ),
  );
  await delay(500);
  const times: number[] = [];
  for (let turn = 0; turn < 10; turn++) {
    const { status, milliseconds } = await ask(service, `/explore/products/${products[turn]}`, { from: "127.0.0.50" });
    times.push(status === 200 ? milliseconds : Number.POSITIVE_INFINITY);
  }
  await busy.stop();
  agent.destroy();
  return { text: timesText(times), isWithin: Math.max(...times) < 10_000 };
}

async function pipelined(service: BenchService): Promise<Finding> {
  const one = `GET /api/v1/counties HTTP/1.1\r\nHost: a\r\nX-API-Key: ${service.publicKey}\r\n\r\n`;
  const bytes = one.repeat(3000);
  const start = await service.residentBytes();
  const added: number[] = [];
  for (let round = 0; round < 6; round++) {
    const sockets = await Promise.all(
      Array.from({ length: 100 }, (_, at) => openUnread(service, bytes, `127.0.0.${60 + (at % 50)}`)),
    );
    await delay(1500);
    added.push((await service.residentBytes()) - start);
    for (const socket of sockets) socket.destroy();
    await delay(300);
  }
  const [first = 0] = added;
  const mebibytes = added.map((value) => Math.round(value / 2 ** 20));
  return {
    text: `MiB more than before, round by round: ${mebibytes.join(" ")}`,
    isWithin: Math.max(...added) - first < 100 * 2 ** 20,
  };
}
