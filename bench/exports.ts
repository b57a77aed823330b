/**
 * How fast exports leave: `npm run bench -- exports [--prices 10m] [--seconds 15] [--write]`. One thread sends an
 * export to a client that reads as fast as it can, uncompressed, until its end or for that many seconds. The bytes
 * count, the processor time of the whole process, its greatest resident size, and the look-ups of another client: a
 * market by uuid, every 10 ms.
 *
 * Exits with 1 below 30 MB in a second of processor time: unlike the clock, that holds beside other work.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { quantile } from "simple-statistics";
import { apiPrefix } from "../src/contract/paths.ts";
import { publicKey, secretKey } from "../test/support/signed-request.ts";
import { callChild } from "./calls/call-child.ts";
import { headersOf } from "./http/request-headers.ts";
import { readCount } from "./read-count.ts";
import { readOptions } from "./read-options.ts";
import { bytesText, countText } from "./report/figure-text.ts";
import { describedMachine, describeMachine } from "./report/machine.ts";
import { markdownTable } from "./report/markdown-table.ts";
import { writeFigures } from "./report/write-readme.ts";
import type { ProcessUsage } from "./stretches/app-main.ts";

const gateMegabytes = 30;
const lookUpPauseMilliseconds = 10;
const exportsMeasured = [
  "prices.csv",
  "prices.ndjson",
  "statistics.csv?start_date=2016-01-01&end_date=2026-12-31&group_by=day",
];

const values = readOptions({
  prices: { type: "string", default: "10m" },
  seconds: { type: "string", default: "15" },
  write: { type: "boolean", default: false },
});
const prices = readCount(values.prices);
const millisecondsMax = Number(values.seconds) * 1000;
const machine = describeMachine();
const agent = new Agent({ keepAlive: true });
const child: ChildProcess = fork(join(import.meta.dirname, "stretches/app-main.ts"), {
  serialization: "advanced",
  execArgv: ["--expose-gc"],
});
const call = (name: string, argument: unknown = null): Promise<unknown> => callChild(child, "the app", name, argument);
const usage = async (): Promise<ProcessUsage> => (await call("usage")) as ProcessUsage;
try {
  const { port } = (await call("prepare", { prices })) as { port: number };
  const baseUrl = `http://127.0.0.1:${port}`;
  const market = await firstMarket(baseUrl);
  // Both kinds of request once, so that their code is compiled.
  await readExport(baseUrl, "prices.csv", 1000);
  const quiet = await timeLookUps(baseUrl, market, delay(3000));
  const rows: string[][] = [];
  for (const name of exportsMeasured) {
    const { bytes, isWhole, seconds, processorSeconds, addedBytes, lookUps } = await measure(baseUrl, name, market);
    const megabytes = bytes / 1e6;
    const perProcessorSecond = megabytes / processorSeconds;
    rows.push([
      `${name.split("?")[0]}${isWhole ? "" : `, its first ${Math.round(seconds)} s`}`,
      `${Math.round(megabytes)} MB`,
      `${(megabytes / seconds).toFixed(1)} MB`,
      `${perProcessorSecond.toFixed(1)} MB`,
      bytesText(addedBytes),
      `${quantile(lookUps, 0.5).toFixed(2)} ms`,
      `${quantile(lookUps, 0.99).toFixed(2)} ms`,
    ]);
    process.stdout.write(`${rows.at(-1)?.join("  ")}\n`);
    if (perProcessorSecond >= gateMegabytes) continue;
    process.stderr.write(`${name}: ${perProcessorSecond.toFixed(1)} MB, expected at least ${gateMegabytes}\n`);
    process.exitCode = 1;
  }
  const header = [
    "export",
    " bytes",
    " a second",
    " a second of processor time",
    " memory added",
    " look-ups, median",
    " p99",
  ];
  const [p50, p99] = [quantile(quiet, 0.5), quantile(quiet, 0.99)];
  const alone = `Look-ups alone: median ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms.`;
  const report = [describedMachine(machine, []), `${countText(prices)} prices`, markdownTable(header, rows), alone];
  process.stdout.write(`${alone}\n`);
  if (values.write) await writeFigures("exports", report.join("\n\n"));
} finally {
  agent.destroy();
  child.kill("SIGKILL");
}

interface Measurement {
  readonly bytes: number;
  readonly isWhole: boolean;
  readonly seconds: number;
  readonly processorSeconds: number;
  /** The greatest resident size, less that before. */
  readonly addedBytes: number;
  /** In milliseconds. */
  readonly lookUps: number[];
}

async function measure(baseUrl: string, name: string, market: string): Promise<Measurement> {
  const before = await usage();
  const startedAt = performance.now();
  const reading = readExport(baseUrl, name, millisecondsMax);
  let residentMax = before.residentBytes;
  const looking = timeLookUps(baseUrl, market, reading);
  let isRead = false;
  reading.finally(() => {
    isRead = true;
  });
  while (!isRead) {
    residentMax = Math.max(residentMax, (await usage()).residentBytes);
    await delay(100);
  }
  const { bytes, isWhole } = await reading;
  const seconds = (performance.now() - startedAt) / 1000;
  const after = await usage();
  const processorSeconds = (after.processorMicroseconds - before.processorMicroseconds) / 1e6;
  return {
    bytes,
    isWhole,
    seconds,
    processorSeconds,
    addedBytes: residentMax - before.residentBytes,
    lookUps: await looking,
  };
}

/** Reads an export, and cuts it when the time is over. */
async function readExport(
  baseUrl: string,
  name: string,
  milliseconds: number,
): Promise<{ readonly bytes: number; readonly isWhole: boolean }> {
  const target = `${apiPrefix}/exports/${name}`;
  const headers = headersOf({ method: "GET", target, body: "", access: "secret" }, { publicKey, secretKey });
  const outgoing = request(baseUrl + target, { headers: { ...headers, "Accept-Encoding": "identity" } }).end();
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  if (incoming.statusCode !== 200) throw new Error(`${name}: ${incoming.statusCode}, expected 200`);
  const timer = setTimeout(() => incoming.destroy(), milliseconds);
  let bytes = 0;
  incoming.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  incoming.on("error", () => {});
  await new Promise((resolve) => incoming.once("close", resolve));
  clearTimeout(timer);
  return { bytes, isWhole: incoming.complete };
}

/** Asks for a market again and again until something else has ended. @returns The times, in milliseconds. */
async function timeLookUps(baseUrl: string, market: string, until: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  until.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const startedAt = performance.now();
    await lookUp(baseUrl, `/markets/${market}`);
    times.push(performance.now() - startedAt);
    await delay(lookUpPauseMilliseconds);
  }
  return times;
}

async function firstMarket(baseUrl: string): Promise<string> {
  const { data } = JSON.parse(await lookUp(baseUrl, "/markets?page_size=1")) as { data: [{ readonly uuid: string }] };
  return data[0].uuid;
}

async function lookUp(baseUrl: string, path: string): Promise<string> {
  const outgoing = request(baseUrl + apiPrefix + path, { agent, headers: { "X-API-Key": publicKey } }).end();
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  if (incoming.statusCode !== 200) throw new Error(`${path}: ${incoming.statusCode}, expected 200`);
  let text = "";
  for await (const chunk of incoming.setEncoding("utf8")) text += chunk;
  return text;
}
