/** Scenes in which one client's work could cost others their turn or their place. */
import { Agent } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { quantile } from "simple-statistics";
import type { BenchService } from "../swap/service-process.ts";
import {
  type Answer,
  ask,
  heldAnswers,
  longLatest,
  longStatistics,
  lookUp,
  loop,
  openUnread,
  productsOf,
  repeat,
} from "./clients.ts";

/** Duration of a scene without an end of its own. */
const sceneMilliseconds = 8000;

/** The others have begun by then. */
const leadMilliseconds = 1000;

const pagesPercentileMilliseconds = 60;
const pageMilliseconds = 10_000;

/** A person reads a page for longer. */
const readMilliseconds = 300;

/**
 * Ten exports beside 128 connections of look-ups take at most so many times as long as alone, on the same service: half
 * of a busy thread is theirs, and so is a client in another process on the same cores. Measured: 4 to 6 times.
 */
const exportsFactor = 10;

const pipelinedGrowthBytes = 100 * 2 ** 20;

/** A finding of a scene, and in which points it misses its limits. */
export interface Finding {
  readonly text: string;
  readonly misses: readonly string[];
}

export interface Scene {
  readonly name: string;
  readonly title: string;
  /** Configuration beside that of all scenes; without it each answer is made, none is cached. */
  readonly variables: NodeJS.ProcessEnv;
  readonly run: (service: BenchService) => Promise<Finding>;
}

const withoutCache = { ANSWER_CACHE_MB: "0" };

export const scenes: readonly Scene[] = [
  {
    name: "documents",
    title: "280 slow readers of a document beside a key: its answers",
    variables: {},
    run: besideSlowDocuments,
  },
  {
    name: "slow-exports",
    title: "exports of a public key that are not read, beside those of a secret key",
    variables: { ...withoutCache, EXPORT_ACCESS: "public" },
    run: besideSlowExports,
  },
  {
    name: "loop",
    title: "a public key in a loop of 60 long answers beside long answers of a secret key",
    variables: withoutCache,
    run: besideLoop,
  },
  {
    name: "pages",
    title: "pages, 25 at a time from each of 4 addresses, beside look-ups with a key on new connections",
    variables: withoutCache,
    run: besidePages,
  },
  {
    name: "exports",
    title: "ten exports, alone and beside 128 connections of look-ups",
    variables: withoutCache,
    run: exportsBesideLookUps,
  },
  {
    name: "page",
    title: "a page beside endless statistics with a key",
    variables: withoutCache,
    run: pageBesideStatistics,
  },
  {
    name: "pipelined",
    title: "100 connections that pipeline 3,000 requests and read nothing",
    variables: withoutCache,
    run: pipelined,
  },
];

/**
 * A finding about the answers of a client, none of which may be refused.
 *
 * @param beside What the others held or were answered meanwhile; without it the scene shows nothing.
 */
function findingOf(answers: readonly Answer[], beside: { readonly count: number; readonly of: string }): Finding {
  const times = answers.map(({ milliseconds }) => milliseconds);
  const [p50, p90, longest] = [0.5, 0.9, 1].map((part) => quantile(times, part).toFixed(1));
  const refused = answers.filter(({ status }) => status !== 200).length;
  const text =
    `${times.length} answers, median ${p50} ms, p90 ${p90} ms, longest ${longest} ms, ${refused} refused; ` +
    `meanwhile ${beside.count} ${beside.of}`;
  const misses: string[] = [];
  if (refused > 0) misses.push(`${refused} were refused, expected none`);
  if (beside.count === 0) misses.push(`there were no ${beside.of}, so nothing was tried`);
  return { text, misses };
}

/** The answers of a client that asks one thing after another for the time of a scene. */
async function answersTo(...questions: readonly (() => Promise<Answer>)[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  await repeat(sceneMilliseconds, async () => {
    for (const question of questions) answers.push(await question());
  });
  return answers;
}

async function besideSlowDocuments(service: BenchService): Promise<Finding> {
  const [product] = await productsOf(service);
  // A document of a third of a megabyte; the system's buffers take one or two megabytes of what is not read.
  const unread = "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n".repeat(16);
  const sockets = await openAll(280, (at) => openUnread(service, unread, `127.0.0.${10 + (at % 40)}`));
  await delay(leadMilliseconds);
  const count = await heldAnswers(service, "keyless_long_answers");
  const answers = await answersTo(
    () => ask(service, lookUp(product)),
    () => ask(service, longStatistics(product, "secret")),
  );
  for (const socket of sockets) socket.destroy();
  return findingOf(answers, { count, of: "documents held" });
}

async function besideSlowExports(service: BenchService): Promise<Finding> {
  const [product] = await productsOf(service);
  const target = "/api/v1/exports/prices.csv";
  const unread = `GET ${target} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${service.publicKey}\r\n\r\n`;
  const sockets = await openAll(100, (at) => openUnread(service, unread, `127.0.0.${10 + (at % 20)}`));
  await delay(leadMilliseconds);
  const count = await heldAnswers(service, "long_answers");
  const answers = await answersTo(() => ask(service, exportOf(product)));
  for (const socket of sockets) socket.destroy();
  return findingOf(answers, { count, of: "exports held" });
}

function exportOf(product: string | undefined) {
  return {
    method: "GET",
    target: `/api/v1/exports/prices.csv?product_uuid=${product}`,
    body: "",
    access: "secret",
  } as const;
}

function openAll(count: number, open: (at: number) => Promise<Socket>): Promise<Socket[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => open(at)));
}

async function besideLoop(service: BenchService): Promise<Finding> {
  const products = await productsOf(service);
  const agent = new Agent({ keepAlive: true });
  const busy = loop(60, (turn) =>
    ask(service, longLatest(products[turn % products.length]), { agent, from: "127.0.0.20" }),
  );
  await delay(leadMilliseconds);
  const answers = await answersTo(async () => {
    const answer = await ask(service, longStatistics(products[0], "secret"), { from: "127.0.0.30" });
    await delay(100);
    return answer;
  });
  await busy.stop();
  agent.destroy();
  return findingOf(answers, { count: busy.answered, of: "answers of the loop" });
}

async function besidePages(service: BenchService): Promise<Finding> {
  const products = await productsOf(service);
  const busy = [40, 41, 42, 43].map((host) => {
    const agent = new Agent({ keepAlive: true });
    return loop(25, (turn) => {
      const path = `/explore/products/${products[turn % products.length]}?from=20${10 + (turn % 15)}-01`;
      return ask(service, path, { agent, from: `127.0.0.${host}` });
    });
  });
  await delay(leadMilliseconds);
  const answers = await answersTo(async () => {
    const answer = await ask(service, lookUp(products[0]));
    await delay(20);
    return answer;
  });
  await Promise.all(busy.map((one) => one.stop()));
  const count = busy.reduce((sum, { answered }) => sum + answered, 0);
  const { text, misses } = findingOf(answers, { count, of: "pages" });
  const p90 = quantile(
    answers.map(({ milliseconds }) => milliseconds),
    0.9,
  );
  if (p90 <= pagesPercentileMilliseconds) return { text, misses };
  return { text, misses: [...misses, `p90 is ${p90.toFixed(0)} ms, expected at most ${pagesPercentileMilliseconds}`] };
}

async function exportsBesideLookUps(service: BenchService): Promise<Finding> {
  const products = await productsOf(service);
  const timeExports = async (): Promise<{ readonly milliseconds: number; readonly refused: number }> => {
    const startedAt = performance.now();
    const answers = await Promise.all(products.slice(0, 10).map((uuid) => ask(service, exportOf(uuid))));
    const refused = answers.filter(({ status }) => status !== 200).length;
    return { milliseconds: performance.now() - startedAt, refused };
  };
  // The first compiles their code.
  await timeExports();
  const alone = await timeExports();
  const agent = new Agent({ keepAlive: true, maxSockets: 128 });
  const busy = loop(128, (turn) =>
    ask(service, lookUp(products[turn % products.length]), { agent, from: "127.0.0.20" }),
  );
  await delay(leadMilliseconds);
  const before = busy.answered;
  const beside = await timeExports();
  const lookUps = busy.answered - before;
  await busy.stop();
  agent.destroy();
  const factor = beside.milliseconds / alone.milliseconds;
  const refused = alone.refused + beside.refused;
  const misses: string[] = [];
  if (refused > 0) misses.push(`${refused} were refused, expected none`);
  if (lookUps === 0) misses.push("there were no look-ups, so nothing was tried");
  if (factor > exportsFactor)
    misses.push(`they take ${factor.toFixed(1)} times as long, expected at most ${exportsFactor}`);
  const perSecond = ((lookUps / beside.milliseconds) * 1000).toFixed(0);
  const [first, second] = [alone, beside].map(({ milliseconds }) => milliseconds.toFixed(0));
  return { text: `${first} ms alone, ${second} ms beside ${perSecond} look-ups a second, ${refused} refused`, misses };
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
  await delay(leadMilliseconds);
  const answers: Answer[] = [];
  for (const product of products.slice(0, 10)) {
    answers.push(await ask(service, `/explore/products/${product}`, { from: "127.0.0.50" }));
    await delay(readMilliseconds);
  }
  await busy.stop();
  agent.destroy();
  const { text, misses } = findingOf(answers, { count: busy.answered, of: "answers with a key" });
  const longest = Math.max(...answers.map(({ milliseconds }) => milliseconds));
  if (longest <= pageMilliseconds) return { text, misses };
  return { text, misses: [...misses, `a page took ${longest.toFixed(0)} ms, expected at most ${pageMilliseconds}`] };
}

async function pipelined(service: BenchService): Promise<Finding> {
  const one = `GET /api/v1/counties HTTP/1.1\r\nHost: a\r\nX-API-Key: ${service.publicKey}\r\n\r\n`;
  const bytes = one.repeat(3000);
  const start = await service.residentBytes();
  const added: number[] = [];
  for (let round = 0; round < 6; round++) {
    const sockets = await openAll(100, (at) => openUnread(service, bytes, `127.0.0.${60 + (at % 50)}`));
    await delay(1500);
    added.push((await service.residentBytes()) - start);
    for (const socket of sockets) socket.destroy();
    await delay(300);
  }
  const [first = 0] = added;
  const growth = Math.max(...added) - first;
  const mebibytes = added.map((value) => Math.round(value / 2 ** 20));
  const misses: string[] = [];
  if (first <= 0) misses.push("nothing was held");
  if (growth >= pipelinedGrowthBytes) misses.push("it grew by 100 MiB or more after the first round");
  return { text: `MiB more than before, round by round: ${mebibytes.join(" ")}`, misses };
}
