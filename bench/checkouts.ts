/**
 * Processor time of a request, and p99 of its answers, here and in another checkout: `npm run bench -- checkouts
 * --with ../before [--runs 3] [--pairs 20] [--seconds 0.3] [--questions NAME]`. Each serves its own bundled prices with
 * one thread and without an answer cache; they take turns at each question. A run starts both again, because what the
 * compiler decides differs from start to start.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { median } from "simple-statistics";
import { loadServedDataset } from "./http/http-data.ts";
import type { HttpQuestion } from "./http/http-question.ts";
import { connections, wantedQuestions, warmUpSecondsUsual } from "./http/http-race.ts";
import { LoadProcess } from "./http/load/load-process.ts";
import type { LoadFigures } from "./http/load/run-load.ts";
import { type BenchKeys, requestBytes } from "./http/request-headers.ts";
import { type ServerProcess, startOurs } from "./http/server-process.ts";
import { readOptions } from "./read-options.ts";
import { durationText } from "./report/figure-text.ts";
import { describedMachine, describeMachine } from "./report/machine.ts";
import { markdownTable } from "./report/markdown-table.ts";
import { stageProgress } from "./report/stage-progress.ts";
import { issueKeyOf } from "./swap/service-process.ts";

/** A running service with the keys it knows. */
interface Side {
  readonly server: ServerProcess;
  readonly keys: BenchKeys;
}

/** What a turn measured, in microseconds. */
interface Turn {
  /** Processor time of a request. */
  readonly processorTime: number;
  /** By the clock, from a request to its answer. */
  readonly p99: number;
}

/** A turn of each, one right after the other. */
interface Pair {
  readonly other: Turn;
  readonly here: Turn;
}

/** Before each turn: connections are accepted, and caches of the processor hold what the question needs. */
const warmUpMilliseconds = 100;

/** A positive number that an option gives. */
function positive(name: string, text: string): number {
  const value = Number(text);
  if (value > 0) return value;
  throw new RangeError(`--${name} is "${text}", expected a number above 0`);
}

const values = readOptions({
  with: { type: "string" },
  runs: { type: "string", default: "3" },
  pairs: { type: "string", default: "20" },
  seconds: { type: "string", default: "0.3" },
  questions: { type: "string", multiple: true, default: [] },
});
if (values.with === undefined) throw new RangeError("--with is missing, expected the folder of another checkout");
const here = resolve(import.meta.dirname, "..");
const checkouts = [resolve(values.with), here] as const;
const milliseconds = positive("seconds", values.seconds) * 1000;
const runs = positive("runs", values.runs);
const pairsOfRun = positive("pairs", values.pairs);
const machine = describeMachine();
const progress = stageProgress();
const folder = await mkdtemp(join(tmpdir(), "price-checkouts-"));
const load = new LoadProcess();
try {
  const questions = wantedQuestions(await loadServedDataset(join(here, "data")), values.questions);
  const figures = new Map<HttpQuestion, Pair[][]>(questions.map((question) => [question, []]));
  for (let run = 0; run < runs; run++) {
    progress.show("starts and turns", run, runs);
    const [other, own] = await Promise.all([start(checkouts[0], `other-${run}`), start(checkouts[1], `here-${run}`)]);
    try {
      for (const side of [other, own]) {
        for (const question of questions) await ask(side, question, warmUpSecondsUsual * 1000);
      }
      for (const question of questions) figures.get(question)?.push(await takeTurns(other, own, question));
    } finally {
      await Promise.all([other.server.stop(), own.server.stop()]);
    }
  }
  progress.stop();
  process.stdout.write(`${describedMachine(machine, [])}\n\n${tableText(figures)}\n`);
} finally {
  progress.stop();
  load.stop();
  await rm(folder, { recursive: true, force: true });
}

/** @param name That of its files in the folder of this benchmark. */
async function start(checkout: string, name: string): Promise<Side> {
  const own = join(folder, name);
  await mkdir(own);
  const keysFile = join(own, "keys.json");
  const publicKey = await issueKeyOf(checkout, keysFile, "public");
  const secretKey = await issueKeyOf(checkout, keysFile, "secret");
  const server = await startOurs("ours", {
    dataDirectory: join(checkout, "data"),
    keysFile,
    logFile: join(own, "log"),
    answerCacheMebibytes: 0,
    ratePerMinute: 0,
    checkout,
  });
  return { server, keys: { publicKey, secretKey } };
}

/**
 * Short turns in pairs: on a shared machine the same work takes twice as long in some minutes as in others, which meets
 * both turns of a pair alike. Who begins alternates.
 */
async function takeTurns(other: Side, own: Side, question: HttpQuestion): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let pair = 0; pair < pairsOfRun; pair++) {
    const first = pair % 2 === 0 ? other : own;
    const firstTime = await timeTurn(first, question);
    const secondTime = await timeTurn(first === other ? own : other, question);
    pairs.push(first === other ? { other: firstTime, here: secondTime } : { other: secondTime, here: firstTime });
  }
  return pairs;
}

async function timeTurn(side: Side, question: HttpQuestion): Promise<Turn> {
  await ask(side, question, warmUpMilliseconds);
  const before = await side.server.processorMicroseconds();
  const { answers, p99 } = await ask(side, question, milliseconds);
  return { processorTime: ((await side.server.processorMicroseconds()) - before) / answers, p99 };
}

/** In a closed loop. @throws {Error} at an answer with a status other than 200. */
async function ask({ server, keys }: Side, { requests }: HttpQuestion, duration: number): Promise<LoadFigures> {
  const { port } = server;
  const bytes = requests.map((request) => requestBytes(request, keys, port));
  return await load.run({ port, connections, requests: bytes, milliseconds: duration, perSecond: null });
}

/** Times are the least of all turns, because other work on the machine only adds to them. */
function tableText(figures: ReadonlyMap<HttpQuestion, readonly (readonly Pair[])[]>): string {
  const rows = Array.from(figures, ([{ name }, runs]) => {
    const ratiosOf = (figure: keyof Turn): number[] =>
      runs.map((pairs) => median(pairs.map(({ here: own, other }) => own[figure] / other[figure])));
    const ratios = ratiosOf("processorTime");
    const latencies = ratiosOf("p99");
    const leasts = runs.map((pairs) => least(pairs, "here") / least(pairs, "other"));
    return [
      name,
      durationText(least(runs.flat(), "other")),
      durationText(least(runs.flat(), "here")),
      listText(leasts),
      listText(ratios),
      median(ratios).toFixed(3),
      listText(latencies),
      median(latencies).toFixed(3),
    ];
  });
  return markdownTable(
    [
      "processor time a request",
      " the other",
      " here",
      "ratio of leasts, by run",
      "median ratio of a run's pairs",
      " median",
      "p99 of their answers, the same",
      " median",
    ],
    rows,
  );
}

function least(pairs: readonly Pair[], side: keyof Pair): number {
  return Math.min(...pairs.map((pair) => pair[side].processorTime));
}

function listText(ratios: readonly number[]): string {
  return ratios.map((ratio) => ratio.toFixed(3)).join(" ");
}
