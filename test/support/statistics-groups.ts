/** Statistics whose groups are written down one object each, to look at them by name. */
import type { CountyId } from "../../src/engine/model/ids.ts";
import type { Grouping } from "../../src/engine/model/vocabulary.ts";
import { listGroups } from "../../src/engine/query/found-groups.ts";
import type { Coverage } from "../../src/engine/query/group-coverage.ts";
import {
  priceStatistics,
  type StatisticsAnswer,
  type StatisticsProblem,
} from "../../src/engine/query/price-statistics.ts";
import type { PriceStatistics } from "../../src/engine/query/questions.ts";
import { type MarketCode, recordAt } from "../../src/engine/store/catalogue.ts";
import { type Group, roundFigure } from "../../src/engine/store/figures.ts";
import { finish } from "../../src/engine/store/steps.ts";
import type { Store } from "../../src/engine/store/store.ts";
import { runSliced } from "./run-sliced.ts";

/** One group of an answer. `market` or `county` says which, when grouped by it. */
export interface StatisticsGroup {
  /** `2026-01-31`, `2026-W05`, `2026-01`, or the name of the market or county. */
  readonly label: string;
  readonly market: MarketCode | undefined;
  readonly county: CountyId | undefined;
  /** Rounded as they are answered. */
  readonly figures: {
    readonly average: number;
    readonly min: number;
    readonly max: number;
    readonly median: number;
    readonly count: number;
    readonly deviation: number;
  };
  /** Undefined where it was not asked for. */
  readonly coverage: Coverage | undefined;
}

/** An answer with its groups. */
export type GroupedAnswer = StatisticsAnswer & { readonly groups: readonly StatisticsGroup[] };

/** @param sliceRows Other work runs between slices of so many rows; none does when absent. */
export function askStatistics(
  store: Store,
  question: PriceStatistics,
  sliceRows?: number,
): GroupedAnswer | StatisticsProblem | Promise<GroupedAnswer> {
  const work = priceStatistics(store, question);
  if ("problem" in work) return work;
  const grouped = withGroups(store, question.grouping, work);
  return sliceRows === undefined ? finish(grouped) : runSliced(grouped, sliceRows);
}

function* withGroups(
  store: Store,
  grouping: Grouping,
  work: Generator<number, StatisticsAnswer>,
): Generator<number, GroupedAnswer> {
  const answer = yield* work;
  const groups = listGroups(answer.found).map((group) => {
    return { ...describeGroup(store, grouping, group), coverage: answer.coverage?.get(group.key) };
  });
  return { ...answer, groups };
}

function describeGroup(
  { catalogue, periods }: Store,
  grouping: Grouping,
  { key, mean, min, max, median, count, deviation }: Group,
): Omit<StatisticsGroup, "coverage"> {
  const label =
    grouping === "market"
      ? recordAt(catalogue.markets, key).name
      : grouping === "county"
        ? (catalogue.counties.get(key as CountyId)?.name ?? "none")
        : (periods[grouping].labels[key] ?? "none");
  return {
    label,
    market: grouping === "market" ? (key as MarketCode) : undefined,
    county: grouping === "county" ? (key as CountyId) : undefined,
    figures: {
      average: roundFigure(mean),
      min: roundFigure(min),
      max: roundFigure(max),
      median: roundFigure(median),
      count,
      deviation: roundFigure(deviation),
    },
  };
}
