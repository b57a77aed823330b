/**
 * The short form for CI: our processor time a request beside that of bare Koa sending the same bytes, with the bundled
 * prices, held to the greatest ratios of bench/http-limits.json. Once without rate limits and once with limits that are never
 * reached.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ratePerMinuteLimits } from "../../src/auth/key-record.ts";
import { durationText, ratioText } from "../report/figure-text.ts";
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

/** A new limit is the measured ratio times this, which leaves room for a noisy machine. */
const limitRoom = 1.3;

/** The mixed load asks nothing that the others do not. */
const gatedQuestions = httpQuestionNames.filter((name) => name !== "mixed load");

/** What the gate holds: a question, with rate limits where its name says so. */
type GateResult = Pick<HttpQuestionResult, "figures"> & { readonly name: string };

/** What the gate has to say. */
export interface HttpGateResult {
  /** A table of what was measured. */
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
  const results = [
    ...(await measure(options, 0, calibrates ? undefined : limits)),
    ...(await measure(options, ratePerMinuteLimits.max, calibrates ? undefined : limits)),
  ];
  if (calibrates) {
    const measured = results.map((result) => [result.name, Number((ratioOf(result) * limitRoom).toPrecision(2))]);
    await writeFile(limitsPath, `${JSON.stringify(Object.fromEntries(measured), null, 2)}\n`);
  }
  return { text: tableText(results, limits), failures: calibrates ? [] : limitFailures(results, limits) };
}

/**
 * Asks all questions.
 *
 * @param ratePerMinute 0 for no rate limit.
 * @param limits Absent where nothing is compared; then no question is repeated.
 */
async function measure(options: GateOptions, ratePerMinute: number, limits?: HttpLimits): Promise<GateResult[]> {
  const race = await startHttpRace({
    ...options,
    servers: ["koa", "ours"],
    questionNames: gatedQuestions,
    rounds: 2,
    seconds: 1,
    warmUpSeconds: warmUpSecondsUsual,
    measuresLatency: false,
    ratePerMinute,
  });
  try {
    const results: GateResult[] = [];
    for (const [done, question] of race.questions.entries()) {
      options.onProgress("timing", done, race.questions.length);
      const name = ratePerMinute === 0 ? question.name : `${question.name}, rate limits on`;
      results.push({ ...(await best(race, question, limits?.[name])), name });
    }
    return results;
  } finally {
    await race.stop();
  }
}

/** Asks a question, again where it is above its limit; the best attempt counts. */
async function best(race: HttpRace, question: HttpQuestion, limit: number | undefined): Promise<HttpQuestionResult> {
  let result = await race.run(question);
  for (let repeat = 0; limit !== undefined && repeat < repeatsMax && ratioOf(result) > limit; repeat++) {
    const again = await race.run(question);
    if (ratioOf(again) < ratioOf(result)) result = again;
  }
  return result;
}

/** Lines about the questions above their limits, and those without one. */
export function limitFailures(results: readonly GateResult[], limits: HttpLimits): string[] {
  return results.flatMap((result) => {
    const limit = limits[result.name];
    if (limit === undefined) return [`"${result.name}" has no limit in bench/http-limits.json, expected one`];
    const ratio = ratioOf(result);
    if (ratio <= limit) return [];
    return [
      `"${result.name}": ${ratioText(ratio)} the processor time of bare Koa in the best of ${repeatsMax + 1} attempts, expected at most ${ratioText(limit)}`,
    ];
  });
}

function ratioOf({ figures }: Pick<HttpQuestionResult, "figures">): number {
  return (figures.ours?.processorMicroseconds ?? Number.NaN) / (figures.koa?.processorMicroseconds ?? Number.NaN);
}

function tableText(results: readonly GateResult[], limits: HttpLimits): string {
  const rows = results.map((result) => [
    result.name,
    durationText(result.figures.ours?.processorMicroseconds ?? Number.NaN),
    durationText(result.figures.koa?.processorMicroseconds ?? Number.NaN),
    ratioText(ratioOf(result)),
    ratioText(limits[result.name] ?? Number.NaN),
  ]);
  return markdownTable(["processor time a request", " ours", " bare Koa", " ratio", " limit"], rows);
}
