/** The servers side by side: each in a process of its own, all asked the same, only one of them at a time. */
import { join } from "node:path";
import { median } from "simple-statistics";
import type { Instant } from "../../src/engine/model/calendar.ts";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { ratePerMinuteLimits } from "../../src/service/auth/key-record.ts";
import { issueKey } from "../../src/service/auth/keys-file.ts";
import { prepareBodies, requireOurAnswers } from "./ask-server.ts";
import { loadServedDataset } from "./http-data.ts";
import { type HttpQuestion, type HttpQuestionName, makeHttpQuestions } from "./http-question.ts";
import { LoadProcess } from "./load/load-process.ts";
import { whyNoPostgres } from "./postgres-cluster.ts";
import { type BenchKeys, requestBytes } from "./request-headers.ts";
import { type OurName, type ServerName, serverTitles } from "./server-names.ts";
import { type OurSetup, type ServerProcess, startOurs, startPeer } from "./server-process.ts";

export interface HttpRaceOptions {
  /** Where `CURRENT` names the snapshot that all serve. */
  readonly dataDirectory: string;
  /** For keys and logs. */
  readonly folder: string;
  /** The checkout whose service is ours. */
  readonly checkout: string;
  readonly servers: readonly ServerName[];
  /** Only questions whose name contains one of these; all when empty. */
  readonly questionNames: readonly string[];
  /** Turns of each server at each question. */
  readonly rounds: number;
  /** How long a turn is timed, in either loop. */
  readonly seconds: number;
  /** How long each server is asked each question before the first is timed, so that its code is compiled. */
  readonly warmUpSeconds: number;
  /** Whether p50 and p99 are measured, at half of the capacity. */
  readonly measuresLatency: boolean;
  readonly onProgress: (stage: string, done: number, total: number) => void;
}

/** In microseconds. */
interface Latency {
  readonly p50: number;
  readonly p99: number;
}

/** What a server has shown at a question. */
export interface ServerFigures {
  /** As fast as it answers; the median over its turns. */
  readonly requestsPerSecond: number;
  /**
   * Processor time of a request at that rate, in microseconds: the least of its turns, because what else runs on the
   * machine adds to it and never takes from it.
   */
  readonly processorMicroseconds: number;
  /** At half of that rate, the median over all windows; null when not measured. */
  readonly latency: Latency | null;
}

interface Turn extends Omit<ServerFigures, "latency"> {
  /** A value for each window. */
  readonly latency: readonly Latency[];
}

export interface HttpQuestionResult {
  readonly name: HttpQuestionName;
  readonly figures: Readonly<Partial<Record<ServerName, ServerFigures>>>;
}

export interface HttpRaceResult {
  readonly prices: number;
  /** Names and versions of what ours was compared with. */
  readonly titles: readonly string[];
  /** Why a server did not take part. */
  readonly skipped: readonly string[];
  readonly results: readonly HttpQuestionResult[];
}

export interface HttpRace extends Omit<HttpRaceResult, "results"> {
  readonly questions: readonly HttpQuestion[];
  /** Times one question. */
  run(question: HttpQuestion): Promise<HttpQuestionResult>;
  stop(): Promise<void>;
}

export const connections = 32;

/** Before each turn: connections are accepted, and caches hold what the question needs. */
const turnWarmUpMilliseconds = 400;

/**
 * How long latency is measured at a time: a pause of the machine decides the p99 of its window, which the median leaves
 * out.
 */
const latencySeconds = 0.5;

/** Size of the answer cache in the rows that have one, the default of the service. */
const answerCacheMebibytes = 64;

/** What `warmUpSeconds` should be; with less, code is still being compiled while the first question is timed. */
export const warmUpSecondsUsual = 2;

/** Runs a whole race. @throws {AnswersDifferError} before anything is timed. */
export async function runHttpRace(options: HttpRaceOptions): Promise<HttpRaceResult> {
  const race = await startHttpRace(options);
  try {
    const results: HttpQuestionResult[] = [];
    for (const [done, question] of race.questions.entries()) {
      options.onProgress("timing", done, race.questions.length);
      results.push(await race.run(question));
    }
    const { prices, titles, skipped } = race;
    return { prices, titles, skipped, results };
  } finally {
    await race.stop();
  }
}

/** Starts the servers and compares their answers. @throws {AnswersDifferError} */
export async function startHttpRace(options: HttpRaceOptions): Promise<HttpRace> {
  const { dataDirectory, onProgress } = options;
  onProgress("loading", 0, 1);
  const dataset = await loadServedDataset(dataDirectory);
  const questions = wantedQuestions(dataset, options.questionNames);
  const running: ServerProcess[] = [];
  const skipped: string[] = [];
  const load = new LoadProcess();
  const stop = async (): Promise<void> => {
    load.stop();
    await Promise.all(running.map((server) => server.stop()));
  };
  try {
    const keys = await issueKeys(join(options.folder, "keys.json"));
    const servers = await startServers(options, questions, keys, running, skipped);
    for (const [done, { port }] of servers.entries()) {
      onProgress("warming up", done, servers.length);
      // Each question for itself: beside slow ones, quick ones are asked too seldom for the compiler.
      for (const question of questions) {
        const requests = question.requests.map((plain) => requestBytes(plain, keys, port));
        await load.run({ port, connections, requests, milliseconds: options.warmUpSeconds * 1000, perSecond: null });
      }
    }
    return {
      prices: dataset.prices.rowCount,
      titles: [...new Set(servers.flatMap(({ titles }) => titles))],
      skipped,
      questions,
      run: (question) => timeQuestion(servers, question, keys, load, options),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The questions that fit a dataset.
 *
 * @param parts Only those whose name contains one of these; all when empty.
 * @throws {RangeError} when there is none.
 */
export function wantedQuestions(dataset: Dataset, parts: readonly string[]): HttpQuestion[] {
  const all = makeHttpQuestions(dataset);
  const wanted = all.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)));
  if (wanted.length > 0) return wanted;
  throw new RangeError(`no question is called ${parts.join(", ")}; there are ${namesOf(all)}`);
}

function namesOf(questions: readonly HttpQuestion[]): string {
  return questions.map(({ name }) => `"${name}"`).join(", ");
}

async function issueKeys(keysFile: string): Promise<BenchKeys> {
  const now = (): Instant => Date.now() as Instant;
  const publicKey = (await issueKey(keysFile, { kind: "public", label: "bench" }, now)).key;
  const secretKey = (await issueKey(keysFile, { kind: "secret", label: "bench" }, now)).key;
  return { publicKey, secretKey };
}

/**
 * @param running Receives each server as soon as it runs.
 * @param skipped Receives why a server is left out.
 * @returns Those to be timed.
 */
async function startServers(
  options: HttpRaceOptions,
  questions: readonly HttpQuestion[],
  keys: BenchKeys,
  running: ServerProcess[],
  skipped: string[],
): Promise<readonly ServerProcess[]> {
  const { servers: names, onProgress } = options;
  onProgress("starting ours", 0, 1);
  // Ours is always there, because the bare servers send its bodies and the others' answers are compared with its own.
  const ours = await startOurs("ours", ourSetup(options, "ours"));
  running.push(ours);
  const bodies = await prepareBodies(ours, questions, keys);
  const servers: ServerProcess[] = [];
  for (const name of names) {
    if (name === "ours") {
      servers.push(ours);
      continue;
    }
    const reason = name === "postgres" ? whyNoPostgres() : null;
    if (reason !== null) {
      skipped.push(`${serverTitles[name]} is left out: ${reason}.`);
      continue;
    }
    onProgress(`starting ${name}`, 0, 1);
    const server =
      name === "cached" || name === "limited"
        ? await startOurs(name, ourSetup(options, name))
        : await startPeer({ name, bodies, dataDirectory: options.dataDirectory, ...filesOf(options.folder, name) });
    running.push(server);
    servers.push(server);
    await requireOurAnswers(server, questions, keys, bodies, name === "node" || name === "koa");
  }
  return servers;
}

function ourSetup({ dataDirectory, folder, checkout }: HttpRaceOptions, name: OurName): OurSetup {
  return {
    dataDirectory,
    ...filesOf(folder, name),
    // Limits that are never reached.
    ratePerMinute: name === "limited" ? ratePerMinuteLimits.max : 0,
    answerCacheMebibytes: name === "cached" ? answerCacheMebibytes : 0,
    checkout,
  };
}

function filesOf(folder: string, name: ServerName): { readonly keysFile: string; readonly logFile: string } {
  return { keysFile: join(folder, "keys.json"), logFile: join(folder, `${name}.log`) };
}

async function timeQuestion(
  servers: readonly ServerProcess[],
  { name, requests }: HttpQuestion,
  keys: BenchKeys,
  load: LoadProcess,
  { rounds, seconds, measuresLatency }: HttpRaceOptions,
): Promise<HttpQuestionResult> {
  const turns = new Map<ServerName, Turn[]>(servers.map((server) => [server.name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const server of servers) {
      const { port } = server;
      // Signed again for each turn: a signature is good for five minutes.
      const common = { port, connections, requests: requests.map((request) => requestBytes(request, keys, port)) };
      await load.run({ ...common, milliseconds: turnWarmUpMilliseconds, perSecond: null });
      const before = await server.processorMicroseconds();
      const closed = await load.run({ ...common, milliseconds: seconds * 1000, perSecond: null });
      const after = await server.processorMicroseconds();
      const requestsPerSecond = closed.answers / closed.seconds;
      const latency: Latency[] = [];
      for (let window = 0; measuresLatency && window < seconds / latencySeconds; window++) {
        const perSecond = requestsPerSecond / 2;
        latency.push(await load.run({ ...common, milliseconds: latencySeconds * 1000, perSecond }));
      }
      turns.get(server.name)?.push({
        requestsPerSecond,
        processorMicroseconds: (after - before) / closed.answers,
        latency,
      });
    }
  }
  return { name, figures: Object.fromEntries([...turns].map(([server, figures]) => [server, figuresOf(figures)])) };
}

function figuresOf(turns: readonly Turn[]): ServerFigures {
  const windows = turns.flatMap(({ latency }) => latency);
  return {
    requestsPerSecond: median(turns.map((turn) => turn.requestsPerSecond)),
    processorMicroseconds: Math.min(...turns.map((turn) => turn.processorMicroseconds)),
    latency:
      windows.length === 0
        ? null
        : { p50: median(windows.map(({ p50 }) => p50)), p99: median(windows.map(({ p99 }) => p99)) },
  };
}
