/**
 * Many cases to one service, several at a time. A machine that other work shares makes answers late now and then, so a
 * case that was slow or refused for overload, or whose export lost its place to another, is asked again alone, and
 * counts when it is then slow or refused each time, or reset. Slow is measured by what the machine can do meanwhile.
 */
import { setTimeout as delay } from "node:timers/promises";
import { median } from "simple-statistics";
import { readApi } from "./api-operations.ts";
import type { FuzzCase } from "./fuzz-case.ts";
import { type FuzzedService, startFuzzedService } from "./fuzzed-service.ts";
import { makeCase } from "./make-case.ts";
import { type CaseResult, hangMilliseconds, runCase, type Target } from "./run-case.ts";

export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  /** The number of the one case to send. */
  readonly only?: number;
  /** Called after each tenth of the cases. */
  readonly onProgress?: (done: number) => void;
}

export interface FuzzReport {
  /** What must not be, each with all that is needed to send it again. */
  readonly failures: readonly string[];
  /** How often each status was answered; `none` for connections without an answer. */
  readonly statuses: ReadonlyMap<string, number>;
  /** How many cases were late, refused for overload or preempted among others, and were asked again alone. */
  readonly retried: number;
  readonly seconds: number;
  /** Resident size after each tenth, in bytes, and at last with all connections closed. */
  readonly resident: readonly number[];
}

/** An answer must not take longer when nothing else is asked. */
const answerMillisecondsMax = 100;

/** An export is made for as long as it has rows, 13 MB of prices in the bundled snapshot. */
const exportMillisecondsMax = 1000;

/** Each of thousands on a connection has its turn of the event loop; the reader here takes as long. */
const manyRequests = 50;
const pipelinedMillisecondsMax = 1;

/** Processor time that is compared with the time that passes: several turns of the scheduler. */
const slowdownMilliseconds = 20;

const lanes = 8;
const tries = 5;

/** From so many cases on, memory has come to its level and is compared. */
const weighedCasesMin = 100_000;
const growthMax = 1.15;
/** What allocators and collections move by themselves. */
const growthBytes = 24 * 1024 * 1024;

const failuresMax = 20;
const shownBytesMax = 6000;
const shownTextMax = 4 * shownBytesMax;

export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  // A cache that is full after some hundred answers, so that memory comes to its level soon.
  const service = await startFuzzedService(undefined, { ANSWER_CACHE_MB: "4", EXPLORER: "on" });
  try {
    const report = await fuzzService(service, options);
    const endedItself = hasEnded(service);
    const { code, complaints } = await service.stop();
    const failures = [...report.failures, ...complaints.map((line) => `the log has: ${line}`)];
    if (endedItself) failures.push("the service ended before it was stopped");
    if (code !== 0) failures.push(`the service ended with ${code}, expected 0`);
    return { ...report, failures };
  } finally {
    service.child.kill("SIGKILL");
  }
}

async function fuzzService(
  service: FuzzedService,
  { requests, seed, only, onProgress }: FuzzOptions,
): Promise<FuzzReport> {
  const { port, baseUrl, keys } = service;
  const api = await readApi(baseUrl, keys.publicKey);
  const target: Target = { port, api, secrets: [keys.publicKey, keys.secretKey] };
  const failures: string[] = [];
  const statuses = new Map<string, number>();
  const again: number[] = [];
  const resident: number[] = [];
  const startedAt = performance.now();
  const numbers = only === undefined ? counting(requests) : [only][Symbol.iterator]();

  const runOne = async (number: number): Promise<void> => {
    const fuzzCase = makeCase(api, keys, seed, number);
    const result = await runCase(fuzzCase, target);
    for (const status of result.statuses.length === 0 ? ["none"] : result.statuses.map(String)) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    if (result.problem !== undefined && !result.isPreempted) {
      failures.push(failureText(seed, number, fuzzCase, result.problem));
    } else if (result.isPreempted || isLate(fuzzCase, result)) again.push(number);
    if ((number + 1) % Math.ceil(requests / 10) === 0) {
      resident.push((await service.metrics()).get("process_resident_memory_bytes") ?? 0);
      onProgress?.(number + 1);
    }
  };
  const lane = async (): Promise<void> => {
    for (const number of numbers) {
      if (failures.length >= failuresMax || hasEnded(service)) return;
      await runOne(number);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const seconds = (performance.now() - startedAt) / 1000;

  for (const number of again) {
    if (hasEnded(service)) break;
    const problem = await problemAlone(makeCase(api, keys, seed, number), target);
    if (problem !== undefined) failures.push(failureText(seed, number, makeCase(api, keys, seed, number), problem));
  }
  if (hasEnded(service)) return { failures, statuses, retried: again.length, seconds, resident };
  failures.push(...(await problemsAfterwards(service)));
  resident.push((await service.metrics()).get("process_resident_memory_bytes") ?? 0);
  if (requests >= weighedCasesMin && only === undefined) failures.push(...problemsOfMemory(resident));
  return { failures, statuses, retried: again.length, seconds, resident };
}

function hasEnded({ child }: FuzzedService): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function* counting(count: number): Generator<number, undefined> {
  for (let number = 0; number < count; number++) yield number;
}

/** @param factor How many times as long the machine takes. */
function isLate(fuzzCase: FuzzCase, { milliseconds, statuses }: CaseResult, factor = 1): boolean {
  return milliseconds > factor * millisecondsMax(fuzzCase) || statuses.includes(429) || statuses.includes(503);
}

function millisecondsMax({ pieces, requests }: FuzzCase): number {
  // Exports, and the script of 1.7 MB that the documents have.
  const isLong = /\/exports\/|\.js\b/.test(Buffer.concat(pieces).toString("latin1"));
  const most = isLong ? exportMillisecondsMax : answerMillisecondsMax;
  return most + (requests.length > manyRequests ? requests.length * pipelinedMillisecondsMax : 0);
}

async function problemAlone(fuzzCase: FuzzCase, target: Target): Promise<string | undefined> {
  let problem: string | undefined;
  for (let attempt = 0; attempt < tries; attempt++) {
    const before = slowdown();
    const result = await runCase(fuzzCase, target);
    const factor = Math.max(before, slowdown());
    if (result.problem !== undefined) return result.problem;
    if (!isLate(fuzzCase, result, factor)) return undefined;
    const found = `alone it took ${result.milliseconds.toFixed(0)} ms and got ${result.statuses.join(", ")}`;
    const most = `${millisecondsMax(fuzzCase)} ms on a quiet machine, ${factor.toFixed(1)} times as many on this one`;
    problem = `${found}, expected at most ${most}, and no 503`;
  }
  return problem;
}

/** How many times as long as on a quiet machine a calculation takes now: what passes for its processor time. */
function slowdown(): number {
  const startedAt = performance.now();
  const before = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(before);
    const milliseconds = (user + system) / 1000;
    if (milliseconds >= slowdownMilliseconds) return Math.max(1, (performance.now() - startedAt) / milliseconds);
  }
}

/** What is left of the clients, once all of them are gone. */
async function problemsAfterwards(service: FuzzedService): Promise<string[]> {
  const { adminUrl } = service;
  const held = [
    "http_connections",
    ...["", "keyless_"].flatMap((of) => [`http_${of}requests_in_flight`, `http_${of}long_answers`]),
  ];
  let metrics = await service.metrics();
  for (const end = performance.now() + hangMilliseconds; performance.now() < end; metrics = await service.metrics()) {
    if (held.every((name) => metrics.get(name) === 0)) break;
    await delay(20);
  }
  const problems = [...held, "server_thread_deaths_total"]
    .filter((name) => metrics.get(name) !== 0)
    .map((name) => `${name} is ${metrics.get(name)} after all clients have gone, expected 0`);
  const ready = await fetch(`${adminUrl}/ready`);
  if (ready.status !== 200) problems.push(`/ready is ${ready.status}: ${await ready.text()}`);
  return problems;
}

function problemsOfMemory(resident: readonly number[]): string[] {
  const early = median(resident.slice(2, 6));
  const late = median(resident.slice(-3));
  if (late <= early * growthMax + growthBytes) return [];
  return [`resident size grew from ${early} to ${late} bytes, expected at most ${growthMax} times as much and 24 MiB`];
}

function failureText(seed: number, number: number, { kind, pieces, ending }: FuzzCase, problem: string): string {
  const sent = pieces
    .map((piece) => JSON.stringify(piece.toString("latin1", 0, shownBytesMax)))
    .join("\n  ")
    .slice(0, shownTextMax);
  return `${problem}
  again: npm run fuzz -- --seed ${seed} --only ${number}
  case ${number}, ${kind}, ends with ${ending}; sent in Latin-1:
  ${sent}`;
}
