/**
 * What the service does beyond its capacity:
 * `npm run bench -- overload [--seconds 300] [--prices 1m] [--short] [--write] [--calibrate]`. A service with one
 * thread and without answer cache in a process of its own, clients in another.
 *
 * Statistics by day of a type of market over all years, which have no rollup, cost more than ten times a refusal. At
 * three times capacity, the 99th percentile of those that are answered must stay below 1.5 times the measured multiple
 * of that at half capacity. Look-ups cost little more than a refusal: at three times capacity they get 200 or 429 and
 * nothing else. With 30 and with 100 connections in a closed loop, the statistics that are answered for a second of
 * processor time must be at least 85 % of those with few. All the while the admin port answers and memory is level. At
 * last, a thousand connections send bytes one by one beside look-ups at half capacity.
 *
 * Exits with 1 beyond the gates. `--short` is for machines that other work shares: a few seconds, and no gates on
 * times.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { median } from "simple-statistics";
import { pointTo } from "../test/support/watch-swaps.ts";
import { requestBytes } from "./http/request-headers.ts";
import { LoadClients, type LoadResult } from "./overload/offer-load.ts";
import { startDribbling } from "./overload/start-dribbling.ts";
import { watchAdmin } from "./overload/watch-admin.ts";
import { readCount } from "./read-count.ts";
import { bytesText } from "./report/figure-text.ts";
import { calibrate, gateLimit } from "./report/gate-limits.ts";
import { describedMachine, describeMachine } from "./report/machine.ts";
import { markdownTable } from "./report/markdown-table.ts";
import { writeFigures } from "./report/write-readme.ts";
import { type BenchService, startBenchService } from "./swap/service-process.ts";
import { writeNamedSample } from "./swap/time-look-ups.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "300" },
    prices: { type: "string", default: "1m" },
    short: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    calibrate: { type: "boolean", default: false },
  },
});

const overload = 3;
const seconds = values.short ? 3 : Number(values.seconds);
const prices = readCount(values.short ? "100k" : values.prices);
/** Signatures are made for each window; they are good for five minutes. */
const windowSeconds = Math.min(30, seconds / 2);
const referenceSeconds = values.short ? 1 : 15;
/** Fewer than an address may have in flight. */
const connectionCount = 200;
const dribblingCount = 1000;
/**
 * The service gives up each of these connections after ten seconds; a window has that twice. Figures are medians of
 * windows.
 */
const dribbleSeconds = values.short ? 1 : 20;
const dribbleWindows = values.short ? 1 : 5;

/** Of connections that ask again at once. */
const manyConnections = [30, 100] as const;
const answeredShareMin = 0.85;
const closedSeconds = values.short ? 1 : 5;
const closedWindows = values.short ? 1 : 5;

const holdsTimes = !(values.short || values.calibrate);
const ratioGate = holdsTimes ? await gateLimit("overload") : Number.POSITIVE_INFINITY;
const dribbleGate = holdsTimes ? await gateLimit("dribble") : Number.POSITIVE_INFINITY;
/** Memory must be level, so this limit is no measured one. */
const growthGate = values.short ? 2 : 1.2;
const measured: { overload?: number; dribble?: number } = {};
/**
 * The part of the requests within capacity that may be refused: after a pause of the machine they come as a burst.
 * Where other work takes the processor, half of what was the capacity may be more than it is.
 */
const refusedShareMax = values.short ? 1 : 0.01;

interface Question {
  readonly title: string;
  /** Whether requests beyond capacity are refused; then the times of those that are answered have a gate. */
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
  await answeredWithMany(statistics, port);
  await dribbleBeside(lookUps, port);
  if (values.calibrate) await calibrate(measured);
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
  requireAccepted(title, closed);
  const capacity = rateOf(closed, 200);
  const half = await offer(capacity / 2, connectionCount, referenceSeconds);
  requireAccepted(`${title} at half capacity`, half);
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
  if (question.refuses) measured.overload = ratio;
  if (question.refuses && ratio > ratioGate) {
    failures.push(`${title}: p99 is ${ratio.toFixed(1)} times that at half capacity, expected at most ${ratioGate}`);
  }
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
 * Answers for a second of processor time of the service where many connections ask again at once, whatever
 * `Retry-After` says, as a share of those with few; in turns. Processor time is the same beside other work.
 */
async function answeredWithMany({ title, requests, capacityConnections }: Question, port: number): Promise<void> {
  const perSecond = async (connections: number): Promise<number> => {
    const before = await service.processorMilliseconds();
    const load = { port, connections, milliseconds: closedSeconds * 1000, requests: requests(), perSecond: null };
    const result = await clients.offer(load);
    const after = await service.processorMilliseconds();
    requireStatuses(`${title} on ${connections} connections`, result, [200, 429]);
    const spent = after.user - before.user + after.kernel - before.kernel;
    return (figuresOf(result, 200).answers * 1000) / spent;
  };
  const shares = manyConnections.map((): number[] => []);
  for (let window = 0; window < closedWindows; window++) {
    const few = await perSecond(capacityConnections);
    for (const [at, connections] of manyConnections.entries()) shares[at]?.push((await perSecond(connections)) / few);
  }
  for (const [at, connections] of manyConnections.entries()) {
    const share = median(shares[at] as number[]);
    const text =
      `${title}, closed loop of ${connections} connections: ${(100 * share).toFixed(0)} % of the answers for a ` +
      `second of processor time that ${capacityConnections} connections get`;
    lines.push(`${text}.`);
    process.stdout.write(`${text}\n`);
    if (holdsTimes && share < answeredShareMin) {
      failures.push(`${text}, expected at least ${answeredShareMin * 100} %`);
    }
  }
}

/**
 * Look-ups at half of what the service can do, without and with connections that send slowly, in turns. The first time
 * beside these is not timed: what the service does for them is compiled then.
 */
async function dribbleBeside({ requests, capacityConnections }: Question, port: number): Promise<void> {
  const offer = (perSecond: number | null, milliseconds: number): Promise<LoadResult> =>
    clients.offer({ port, connections: capacityConnections, milliseconds, requests: requests(), perSecond });
  const rate = rateOf(await offer(null, referenceSeconds * 1000), 200) / 2;
  const p99 = async (title: string): Promise<number> => {
    const result = await offer(rate, dribbleSeconds * 1000);
    requireAccepted(title, result);
    return figuresOf(result, 200).p99;
  };
  const p99Beside = async (): Promise<number> => {
    const stop = await startDribbling(port, dribblingCount);
    return await p99("look-ups beside connections that send slowly").finally(stop);
  };
  await p99Beside();
  const quiet: number[] = [];
  const beside: number[] = [];
  for (let window = 0; window < dribbleWindows; window++) {
    quiet.push(await p99("look-ups at half capacity"));
    beside.push(await p99Beside());
  }
  const [before, after] = [median(quiet), median(beside)];
  const text =
    `p99 of look-ups at half capacity: ${milliseconds(before)}, beside ${dribblingCount} connections ` +
    `that send slowly ${milliseconds(after)}`;
  lines.push(`${text}.`);
  process.stdout.write(`${text}\n`);
  const ratio = after / Math.max(before, 1);
  measured.dribble = Math.max(1, ratio);
  if (ratio > dribbleGate) failures.push(`${text}, expected at most ${dribbleGate} times as much`);
}

function requireStatuses(title: string, { figures }: LoadResult, expected: readonly number[]): void {
  for (const { status, answers } of figures) {
    if (!expected.includes(status)) failures.push(`${title}: ${answers} answers with ${status}, expected ${expected}`);
  }
}

/** 200, and 429, because all is asked by one client, for no more than the share that may be refused within capacity. */
function requireAccepted(title: string, result: LoadResult): void {
  requireStatuses(title, result, [200, 429]);
  const [accepted, refused] = [figuresOf(result, 200).answers, figuresOf(result, 429).answers];
  if (refused > (accepted + refused) * refusedShareMax) {
    failures.push(`${title}: ${refused} of ${accepted + refused} refused, expected at most ${refusedShareMax * 100} %`);
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
