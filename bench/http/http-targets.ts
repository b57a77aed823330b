/** What our processor time, p99 and throughput are held to, beside others in the same run. */
import type { HttpQuestionName } from "./http-question.ts";
import type { HttpQuestionResult, HttpRaceResult, ServerFigures } from "./http-race.ts";
import type { ServerName } from "./server-names.ts";

/** One target and what was found. */
export interface TargetResult {
  readonly question: HttpQuestionName;
  /** What is compared: ours against another server. */
  readonly what: string;
  readonly ratio: number;
  /** Greatest ratio, or, where `isLeast`, the least. */
  readonly target: number;
  readonly isLeast: boolean;
  readonly isMet: boolean;
}

/** Greatest ratios of processor time a request: ours without answer cache, and ours with it. */
const processorTargets: Readonly<
  Record<HttpQuestionName, { readonly koa?: number; readonly sqlite?: number; readonly cached?: number }>
> = {
  "price by uuid": { koa: 1.85, sqlite: 1, cached: 1.7 },
  "products, page of 20": { koa: 1.5, sqlite: 1, cached: 1.7 },
  "latest of one product, 10 rows": { koa: 1.9, sqlite: 0.4, cached: 1.7 },
  "signed search of a product, 20 rows": { koa: 2.1, sqlite: 0.1, cached: 2 },
  "signed statistics, ten years by month": { koa: 2.6, sqlite: 0.01, cached: 2 },
  "mixed load": {},
};

/** The targets beside Fastify + SQLite are for so many prices or more: with fewer, SQLite reads little as well. */
const sqlitePricesMin = 1_000_000;

/** Greatest p99 at half of capacity beside bare Koa. */
const p99Target = 2;

/** Least requests a second of the mixed load beside Fastify + SQLite, with at most so many prices. */
const mixedTarget = 2;
const mixedPricesMax = 100_000;

type Figure = (figures: ServerFigures) => number | undefined;

const processorTime: Figure = ({ processorMicroseconds }) => processorMicroseconds;
const p99: Figure = ({ latency }) => latency?.p99;
const throughput: Figure = ({ requestsPerSecond }) => requestsPerSecond;

/** The targets for which the run has figures, question by question. */
export function targetResults({ prices, results }: HttpRaceResult): TargetResult[] {
  return results.flatMap((result) => {
    const { koa, sqlite, cached } = processorTargets[result.name];
    const sqliteTarget = prices >= sqlitePricesMin ? sqlite : undefined;
    return [
      atMost(result, "processor time to bare Koa", processorTime, "ours", "koa", koa),
      atMost(result, "processor time to Fastify + SQLite", processorTime, "ours", "sqlite", sqliteTarget),
      atMost(result, "processor time to Fastify + PostgreSQL", processorTime, "ours", "postgres", 1),
      atMost(result, "processor time to bare Koa, answer cache", processorTime, "cached", "koa", cached),
      atMost(result, "p99 at half of capacity to bare Koa", p99, "ours", "koa", p99Target),
      result.name === "mixed load" && prices <= mixedPricesMax
        ? compare(result, { what: "requests/s to Fastify + SQLite", target: mixedTarget, isLeast: true }, throughput, [
            "ours",
            "sqlite",
          ])
        : [],
    ].flat();
  });
}

function atMost(
  result: HttpQuestionResult,
  what: string,
  figure: Figure,
  ours: ServerName,
  theirs: ServerName,
  target: number | undefined,
): TargetResult[] {
  return target === undefined ? [] : compare(result, { what, target, isLeast: false }, figure, [ours, theirs]);
}

function compare(
  { name, figures }: HttpQuestionResult,
  { what, target, isLeast }: Pick<TargetResult, "what" | "target" | "isLeast">,
  figure: Figure,
  [ours, theirs]: readonly [ServerName, ServerName],
): TargetResult[] {
  const ratio = ratioOf(figures, figure, ours, theirs);
  if (ratio === undefined) return [];
  return [{ question: name, what, ratio, target, isLeast, isMet: isLeast ? ratio >= target : ratio <= target }];
}

/** One server's figure divided by another's; undefined when either is missing. */
function ratioOf(
  figures: HttpQuestionResult["figures"],
  figure: Figure,
  server: ServerName,
  other: ServerName,
): number | undefined {
  const [above, below] = [figures[server], figures[other]].map((found) => found && figure(found));
  return above === undefined || below === undefined ? undefined : above / below;
}
