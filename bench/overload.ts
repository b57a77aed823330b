/**
 * What the service does beyond its capacity:
 * `npm run bench -- overload [--seconds 300] [--prices 1m] [--short] [--write]`. A service with one thread and without
 * answer cache in a process of its own, clients in another.
 *
 * Statistics by day of a type of market over all years, which have no rollup, cost more than ten times a refusal.
 * Look-ups cost little more than one: at three times capacity they get 200 or 429 and nothing else. All the while the
 * admin port answers and memory is level.
 *
 * Gates are on processor time of the service, the median of five windows: what a refusal takes beside an answer, and so
 * which part of its capacity a whole thread answers where 30 and 100 connections ask again at once, and where three
 * times the capacity is asked, whatever comes back; and what a thousand connections take that send bytes one by one.
 * Times of answers are printed alone.
 *
 * Exits with 1 beyond the gates. `--short` is for machines that other work shares: a few seconds, 100 k prices, where
 * an answer costs little more than a refusal, and so no gate on the open loop.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { median } from "simple-statistics";
import { pointTo } from "../test/support/watch-swaps.ts";
import { requestBytes } from "./http/request-headers.ts";
import { LoadClients, type LoadResult, type OfferedLoad } from "./overload/offer-load.ts";
import { type LoadCost, noCost, readServed } from "./overload/read-served.ts";
import { startDribbling } from "./overload/start-dribbling.ts";
import { watchAdmin } from "./overload/watch-admin.ts";
import { readCount } from "./read-count.ts";
import { readOptions } from "./read-options.ts";
import { bytesText } from "./report/figure-text.ts";
import { describedMachine, describeMachine } from "./report/machine.ts";
import { markdownTable } from "./report/markdown-table.ts";
import { writeFigures } from "./report/write-readme.ts";
import { type BenchService, startBenchService } from "./swap/service-process.ts";
import { writeNamedSample } from "./swap/time-look-ups.ts";

const values = readOptions({
  seconds: { type: "string", default: "300" },
  prices: { type: "string", default: "1m" },
  short: { type: "boolean", default: false },
  write: { type: "boolean", default: false },
});

const overload = 3;
const seconds = values.short ? 3 : Number(values.seconds);
const prices = readCount(values.short ? "100k" : values.prices);
/** Signatures are made for each window; they are good for five minutes. */
const windowSeconds = Math.min(30, seconds / 2);
const referenceSeconds = values.short ? 1 : 15;
/** Fewer than an address may have, and so many that three times the capacity is asked, though refusals are held. */
const connectionCount = 900;
const dribblingCount = 1000;
/** The service gives up each of these connections after ten seconds; a window has that twice. */
const dribbleSeconds = values.short ? 2 : 20;
/** Of the processor time of a core. */
const dribbleCoreMax = 0.15;

/** Of connections that ask again at once. */
const manyConnections = [30, 100] as const;
const answeredShareMin = 0.85;
const openShareMin = 0.75;
const windowCount = values.short ? 2 : 5;
const windowRounds = values.short ? 1 : 3;
const closedSeconds = 2;
const uncountedSeconds = values.short ? 0.5 : 1;

/** Memory must be level, so this limit is no measured one. */
const growthGate = values.short ? 2 : 1.2;

/** A load beyond the capacity, and the least part of the capacity that is answered under it. */
interface LoadBeyond {
  readonly name: string;
  readonly answeredMin: number;
  readonly connections: number;
  /** Null: a closed loop. */
  readonly timesCapacity: number | null;
}

const loadsBeyond: readonly LoadBeyond[] = [
  ...manyConnections.map((connections) => ({
    name: `closed loop of ${connections} connections`,
    answeredMin: answeredShareMin,
    connections,
    timesCapacity: null,
  })),
  {
    name: `open loop at ${overload}× capacity`,
    answeredMin: values.short ? 0 : openShareMin,
    connections: connectionCount,
    timesCapacity: overload,
  },
];

interface Question {
  readonly title: string;
  /** Whether requests beyond capacity are refused. */
  readonly refuses: boolean;
  /** In a closed loop that keeps the thread busy, and no more. */
  readonly capacityConnections: number;
  /** Made again for each load, because signatures grow old. */
  readonly requests: () => Uint8Array[];
}

const failures: string[] = [];
const lines: string[] = [];
// Every answer is computed.
process.env["ANSWER_CACHE_MB"] = "0";
const machine = describeMachine();
const folder = await mkdtemp(join(tmpdir(), "price-overload-"));
const data = join(folder, "data");
await pointTo(data, await writeNamedSample(data, prices, 1));
const service = await startBenchService(folder, 1);
const clients = new LoadClients();
try {
  const port = Number(new URL(service.baseUrl).port);
  const { statistics, lookUps } = await questionsFor(service, port);
  const rows = [await overloadWith(statistics, port), await overloadWith(lookUps, port)];
  const header = [
    "question",
    " capacity/s",
    " p99 at half",
    " asked/s",
    " 200/s",
    " 429/s",
    " p99 of 200",
    " ratio",
    " resident",
  ];
  lines.push(markdownTable(header, rows));
  process.stdout.write(`${lines.at(-1)}\n`);
  await answeredBeyondCapacity(statistics);
  await dribbleBeside(lookUps, port);
  if (values.write) await writeFigures("overload", [describedMachine(machine, []), ...lines].join("\n\n"));
} finally {
  clients.stop();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
}
if (failures.length > 0) {
  process.stderr.write(`${failures.join("\n")}\n`);
  process.exitCode = 1;
}

async function questionsFor(
  { baseUrl, publicKey, secretKey }: BenchService,
  port: number,
): Promise<{ readonly statistics: Question; readonly lookUps: Question }> {
  const keys = { publicKey, secretKey };
  const response = await fetch(`${baseUrl}/api/v1/products?page_size=20`, { headers: { "X-API-Key": publicKey } });
  const { data: products } = (await response.json()) as { data: readonly { uuid: string }[] };
  const days = { start_date: "2000-01-01", end_date: "2026-12-31" };
  const body = { ...days, group_by: "day", market_type: "Wholesale" };
  return {
    statistics: {
      title: "statistics by day of a type",
      refuses: true,
      capacityConnections: 4,
      requests: () =>
        products.map(({ uuid }) =>
          requestBytes(
            {
              method: "POST",
              target: "/api/v1/prices/statistics",
              body: JSON.stringify({ product_uuid: uuid, ...body }),
              access: "secret",
            },
            keys,
            port,
          ),
        ),
    },
    lookUps: {
      title: "latest price of a product",
      refuses: false,
      capacityConnections: 32,
      requests: () =>
        products.map(({ uuid }) =>
          requestBytes(
            {
              method: "GET",
              target: `/api/v1/prices/latest?product_uuids=${uuid}&limit=1`,
              body: "",
              access: "public",
            },
            keys,
            port,
          ),
        ),
    },
  };
}

/** @returns A row of the table. */
async function overloadWith(question: Question, port: number): Promise<string[]> {
  const { title, capacityConnections } = question;
  const offer = (perSecond: number | null, connections: number, loadSeconds: number): Promise<LoadResult> =>
    clients.offer({ port, connections, milliseconds: loadSeconds * 1000, requests: question.requests(), perSecond });
  await offer(null, capacityConnections, referenceSeconds);
  const closed = await offer(null, capacityConnections, referenceSeconds);
  requireStatuses(title, closed, [200, 429]);
  const capacity = rateOf(closed, 200);
  const half = await offer(capacity / 2, connectionCount, referenceSeconds);
  requireStatuses(`${title} at half capacity`, half, [200, 429]);
  const reference = figuresOf(half, 200).p99;

  const stopWatching = watchAdmin(service.adminUrl);
  const results: LoadResult[] = [];
  const resident: number[] = [];
  for (let window = 0; window < Math.ceil(seconds / windowSeconds); window++) {
    const result = await offer(overload * capacity, connectionCount, windowSeconds);
    requireStatuses(`${title} at ${overload}× capacity`, result, [200, 429]);
    results.push(result);
    resident.push(await service.residentBytes());
    process.stdout.write(`${title}: ${JSON.stringify(result.figures)}, resident ${bytesText(resident.at(-1) ?? 0)}\n`);
  }
  const { asked, failed, longestMilliseconds } = await stopWatching();
  const longest = Math.round(longestMilliseconds);
  const adminText = `${asked} requests to the admin port, ${failed} failed, the longest took ${longest} ms`;
  lines.push(`${title}: ${adminText}.`);
  if (failed > 0) failures.push(`${title}: ${adminText}, expected none to fail`);

  const middle = (read: (result: LoadResult) => number): number => median(results.map(read));
  const accepted = middle((result) => figuresOf(result, 200).p99);
  const ratio = accepted / reference;
  if (question.refuses && !results.every((result) => figuresOf(result, 429).answers > 0)) {
    failures.push(`${title}: nothing was refused at ${overload}× capacity`);
  }
  const [first = 0] = resident;
  const last = resident.at(-1) ?? 0;
  if (last > first * growthGate) {
    failures.push(`${title}: resident grew from ${bytesText(first)} to ${bytesText(last)}, expected it to be level`);
  }
  return [
    title,
    capacity.toFixed(0),
    milliseconds(reference),
    (overload * capacity).toFixed(0),
    middle((result) => rateOf(result, 200)).toFixed(0),
    middle((result) => rateOf(result, 429)).toFixed(0),
    milliseconds(accepted),
    // Where nothing is refused, requests wait at the clients, which is not the service's time.
    question.refuses ? `${ratio.toFixed(1)}×` : "–",
    `${bytesText(first)} → ${bytesText(last)}`,
  ];
}

/**
 * The first seconds of a load are not counted: its connections are opened, and the heap takes the size that it needs.
 */
async function costOf(title: string, { requests }: Question, load: Partial<OfferedLoad>): Promise<LoadCost> {
  const port = Number(new URL(service.baseUrl).port);
  const { milliseconds: counted = closedSeconds * 1000, ...others } = load;
  const offered = clients.offer({
    port,
    connections: connectionCount,
    perSecond: null,
    ...others,
    milliseconds: uncountedSeconds * 1000 + counted,
    requests: requests(),
  });
  const [result, cost] = await Promise.all([offered, costBetween(uncountedSeconds * 1000, counted)]);
  requireStatuses(title, result, [200, 429]);
  return cost;
}

/** What the service counts of itself for so long, after it has been left alone for so long. */
async function costBetween(uncounted: number, counted: number): Promise<LoadCost> {
  await delay(uncounted);
  const before = await readServed(service.adminUrl);
  await delay(counted);
  return addCosts(await readServed(service.adminUrl), before, -1);
}

function addCosts(one: LoadCost, other: LoadCost, times = 1): LoadCost {
  return {
    milliseconds: one.milliseconds + times * other.milliseconds,
    wallMilliseconds: one.wallMilliseconds + times * other.wallMilliseconds,
    answered: one.answered + times * other.answered,
    refused: one.refused + times * other.refused,
  };
}

/**
 * The part of its capacity that a whole thread answers beyond it: all but what refusals take of a second. So it is the
 * same beside other work, which takes from a thread the time for answers alone: refusals are as many a second as their
 * clients ask for. A window is of several rounds, in which the loads follow one another: a shared machine takes twice
 * as long for the same answer in some seconds as in others.
 */
async function answeredBeyondCapacity(question: Question): Promise<void> {
  const { title, capacityConnections } = question;
  const shares = loadsBeyond.map((): number[] => []);
  const refusals: number[] = [];
  for (let window = 0; window < windowCount; window++) {
    let capacity = noCost;
    const costs = loadsBeyond.map(() => noCost);
    for (let round = 0; round < windowRounds; round++) {
      capacity = addCosts(capacity, await costOf(title, question, { connections: capacityConnections }));
      for (const [at, { name, connections, timesCapacity }] of loadsBeyond.entries()) {
        const perSecond = timesCapacity && (timesCapacity * 1000 * capacity.answered) / capacity.milliseconds;
        const cost = await costOf(`${title}, ${name}`, question, { connections, perSecond });
        costs[at] = addCosts(costs[at] as LoadCost, cost);
      }
    }
    const answer = capacity.milliseconds / capacity.answered;
    for (const [at, cost] of costs.entries()) {
      const { milliseconds: spent, answered, wallMilliseconds } = cost;
      shares[at]?.push(1 - (spent - answered * answer) / wallMilliseconds);
      process.stdout.write(`${loadsBeyond[at]?.name}: ${JSON.stringify({ answer, ...cost })}\n`);
    }
    // That of the last load, which has most of them.
    const { milliseconds: spent, answered, refused } = costs.at(-1) as LoadCost;
    refusals.push((spent - answered * answer) / refused);
  }
  for (const [at, { name, answeredMin }] of loadsBeyond.entries()) {
    requireShare(`${title}, ${name}`, shares[at] as number[], answeredMin);
  }
  report(`${title}: a refusal takes ${(1000 * median(refusals)).toFixed(0)} µs`);
}

function requireShare(title: string, shares: readonly number[], least: number): void {
  const share = ofWindows(shares, Math.max);
  const text =
    `${title}: ${(100 * share).toFixed(0)} % of capacity is answered ` +
    `(${shares.map((one) => (100 * one).toFixed(0)).join(", ")})`;
  report(text);
  if (share < least) failures.push(`${text}, expected at least ${least * 100} %`);
}

/** The figure that counts: the median, or the best in a short run, whose few windows are beside other work. */
function ofWindows(figures: readonly number[], best: (...figures: number[]) => number): number {
  return values.short ? best(...figures) : median([...figures]);
}

function report(text: string): void {
  lines.push(`${text}.`);
  process.stdout.write(`${text}\n`);
}

/**
 * What connections take that send slowly: the processor time of the service beside them, less that of as many look-ups
 * without them, in turns. The first time is not counted: what the service does for them is compiled then.
 */
async function dribbleBeside(question: Question, port: number): Promise<void> {
  const connections = question.capacityConnections;
  const capacity = await costOf("look-ups", question, { connections });
  const perSecond = (1000 * capacity.answered) / capacity.wallMilliseconds / 2;
  const lookUps = (title: string): Promise<LoadCost> =>
    costOf(title, question, { connections, perSecond, milliseconds: dribbleSeconds * 1000 });
  const beside = async (): Promise<LoadCost> => {
    const stop = await startDribbling(port, dribblingCount);
    return await lookUps("look-ups beside connections that send slowly").finally(stop);
  };
  await beside();
  const parts: number[] = [];
  for (let window = 0; window < windowCount; window++) {
    const quiet = await lookUps("look-ups at half capacity");
    const { milliseconds: spent, answered, wallMilliseconds } = await beside();
    parts.push((spent - (quiet.milliseconds / quiet.answered) * answered) / wallMilliseconds);
  }
  const taken = ofWindows(parts, Math.min);
  const text =
    `${dribblingCount} connections that send slowly take ${(100 * taken).toFixed(1)} % of a core beside look-ups at ` +
    `half capacity (${parts.map((part) => (100 * part).toFixed(1)).join(", ")})`;
  report(text);
  if (taken > dribbleCoreMax) failures.push(`${text}, expected at most ${dribbleCoreMax * 100} %`);
}

function requireStatuses(title: string, { figures }: LoadResult, expected: readonly number[]): void {
  for (const { status, answers } of figures) {
    if (!expected.includes(status)) failures.push(`${title}: ${answers} answers with ${status}, expected ${expected}`);
  }
}

function figuresOf({ figures }: LoadResult, wanted: number): { readonly answers: number; readonly p99: number } {
  return figures.find(({ status }) => status === wanted) ?? { answers: 0, p99: 0 };
}

function rateOf(result: LoadResult, status: number): number {
  return figuresOf(result, status).answers / result.seconds;
}

function milliseconds(value: number): string {
  return `${value.toFixed(1)} ms`;
}
