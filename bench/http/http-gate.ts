/**
 * The short form for CI: our processor time a request beside that of bare Koa sending the same bytes, with the bundled
 * prices, held to the greatest ratios of bench/http-limits.json: without rate limits, and with limits that are never
 * reached.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { durationText, ratioText } from "../report/figure-text.ts";
import { limitRoom } from "../report/gate-limits.ts";
import { describedMachine, describeMachine } from "../report/machine.ts";
import { markdownTable } from "../report/markdown-table.ts";
import { type HttpQuestion, httpQuestionNames } from "./http-question.ts";
import {
  type HttpQuestionResult,
  type HttpRace,
  type HttpRaceOptions,
  startHttpRace,
  warmUpSecondsUsual,
} from "./http-race.ts";

/** The greatest ratio by the name of what is held. */
export type HttpLimits = Readonly<Record<string, number>>;

const limitsPath = join(import.meta.dirname, "..", "http-limits.json");

/** How many times a question above its limit is asked again before the run fails. */
const repeatsMax = 3;

/** The mixed load asks nothing that the others do not. */
const gatedQuestions = httpQuestionNames.filter((name) => name !== "mixed load");

/** Without rate limits, and with limits that are never reached. */
const gatedServers = ["ours", "limited"] as const;

/** What the gate holds: processor time of a question, with rate limits where its name says so. */
interface GateResult {
  readonly name: string;
  /** In microseconds. */
  readonly ours: number;
  readonly koa: number;
  readonly ratio: number;
}

/** What the gate has to say. */
export interface HttpGateResult {
  /** The machine, and a table of what was measured. */
  readonly text: string;
  /** A line for each question above its limit, or without one; empty when all are within theirs. */
  readonly failures: readonly string[];
}

type GateOptions = Pick<HttpRaceOptions, "dataDirectory" | "folder" | "checkout" | "onProgress">;

/**
 * Measures and compares.
 *
 * @param calibrates Writes new limits instead of comparing with those there are.
 */
export async function runHttpGate(options: GateOptions, calibrates: boolean): Promise<HttpGateResult> {
  const limits = JSON.parse(await readFile(limitsPath, "utf8")) as HttpLimits;
  const machine = describedMachine(describeMachine(), []);
  const results = await measure(options, calibrates ? undefined : limits);
  if (calibrates) {
    const measured = results.map(({ name, ratio }) => [name, Number((ratio * limitRoom).toPrecision(2))]);
    await writeFile(limitsPath, `${JSON.stringify(Object.fromEntries(measured), null, 2)}\n`);
  }
  return {
    text: `${machine}\n\n${tableText(results, limits)}`,
    failures: calibrates ? [] : limitFailures(results, limits),
  };
}

/**
 * Asks all questions.
 *
 * @param limits Absent where nothing is compared; then no question is repeated.
 */
async function measure(options: GateOptions, limits?: HttpLimits): Promise<GateResult[]> {
  const race = await startHttpRace({
    ...options,
    servers: ["koa", ...gatedServers],
    questionNames: gatedQuestions,
    rounds: 3,
    seconds: 1,
    warmUpSeconds: warmUpSecondsUsual,
    measuresLatency: false,
  });
  try {
    const results: GateResult[] = [];
    for (const [done, question] of race.questions.entries()) {
      options.onProgress("timing", done, race.questions.length);
      results.push(...(await best(race, question, limits)));
    }
    return results;
  } finally {
    await race.stop();
  }
}

/** Asks a question, again where a server is above its limit; the best attempt of each server counts. */
async function best(race: HttpRace, question: HttpQuestion, limits: HttpLimits | undefined): Promise<GateResult[]> {
  let results = gateResultsOf(await race.run(question));
  const isAbove = ({ name, ratio }: GateResult): boolean => ratio > (limits?.[name] ?? Number.POSITIVE_INFINITY);
  for (let repeat = 0; repeat < repeatsMax && results.some(isAbove); repeat++) {
    const again = gateResultsOf(await race.run(question));
    results = results.map((result, at) => {
      const other = again[at] ?? result;
      return other.ratio < result.ratio ? other : result;
    });
  }
  return results;
}

/** What the gate holds of a question, for each of its servers; a ratio is NaN where a server is missing. */
export function gateResultsOf({ name, figures }: HttpQuestionResult): GateResult[] {
  const koa = figures.koa?.processorMicroseconds ?? Number.NaN;
  return gatedServers.map((server) => {
    const ours = figures[server]?.processorMicroseconds ?? Number.NaN;
    return { name: server === "limited" ? `${name}, rate limits on` : name, ours, koa, ratio: ours / koa };
  });
}

/** Lines about the questions above their limits, and those without one. */
export function limitFailures(results: readonly GateResult[], limits: HttpLimits): string[] {
  return results.flatMap(({ name, ratio }) => {
    const limit = limits[name];
    if (limit === undefined) return [`"${name}" has no limit in bench/http-limits.json, expected one`];
    if (ratio <= limit) return [];
    return [
      `"${name}": ${ratioText(ratio)} the processor time of bare Koa in the best of ${repeatsMax + 1} attempts, ` +
        `expected at most ${ratioText(limit)}`,
    ];
  });
}

function tableText(results: readonly GateResult[], limits: HttpLimits): string {
  const rows = results.map(({ name, ours, koa, ratio }) => [
    name,
    durationText(ours),
    durationText(koa),
    ratioText(ratio),
    ratioText(limits[name] ?? Number.NaN),
  ]);
  return markdownTable(["processor time a request", " ours", " bare Koa", " ratio", " limit"], rows);
}
