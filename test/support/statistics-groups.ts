/** Statistics whose groups are written down one object each, to look at them by name. */
import type { CountyId } from "../../src/domain/ids.ts";
import {
  priceStatistics,
  type StatisticsAnswer,
  type StatisticsProblem,
  type WriteGroups,
} from "../../src/query/price-statistics.ts";
import type { PriceStatistics } from "../../src/query/questions.ts";
import { roundFigure } from "../../src/query/summarise.ts";
import { recordAt } from "../../src/store/catalogue.ts";
import type { MarketCode } from "../../src/store/codes.ts";
import type { Store } from "../../src/store/store.ts";

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
}

/** An answer with its groups. */
export type GroupedAnswer = StatisticsAnswer<StatisticsGroup[]>;

export function askStatistics(
  store: Store,
  question: PriceStatistics,
  sliceRows?: number,
): GroupedAnswer | StatisticsProblem | Promise<GroupedAnswer> {
  return priceStatistics(store, question, writeGroups, sliceRows);
}

const writeGroups: WriteGroups<StatisticsGroup[]> = ({ catalogue, periods }, grouping, list) =>
  list.places.flatMap((place, group) => {
    const figures = place < 0 ? list.made : list.ready;
    const at = place < 0 ? -1 - place : place;
    const key = list.keys[group] ?? -1;
    const figureOf = (column: Float64Array): number => roundFigure(column[at] ?? Number.NaN);
    const count = figures.counts[at] ?? -1;
    if (count === 0) return [];
    const label =
      grouping === "market"
        ? recordAt(catalogue.markets, key).name
        : grouping === "county"
          ? (catalogue.counties.get(key as CountyId)?.name ?? "none")
          : (periods[grouping].labels[key] ?? "none");
    return [
      {
        label,
        market: grouping === "market" ? (key as MarketCode) : undefined,
        county: grouping === "county" ? (key as CountyId) : undefined,
        figures: {
          average: figureOf(figures.means),
          min: figureOf(figures.mins),
          max: figureOf(figures.maxs),
          median: figureOf(figures.medians),
          count,
          deviation: figureOf(figures.deviations),
        },
      },
    ];
  });
