/**
 * Changes of a county or the country: the median of the changes of those markets that have a value in both months, so
 * neither markets that come and go nor one of twelve in a wrong unit move it far. No fit is part of it.
 */
import type { MonthNumber } from "../../model/calendar.ts";
import { medianOf } from "../../store/figures.ts";
import {
  type MatchedMarkets,
  type MeasureName,
  type MonthMeasures,
  matchedNamedMax,
  type NotComputable,
  noPrice,
  type PriceChange,
  percentOf,
  previousMonthsMax,
  tooFewMarkets,
} from "./judge-month.ts";
import type { MonthlyPanel } from "./monthly-panel.ts";

/** A change of a county or the country. */
export type MatchedChange = PriceChange & { readonly matched: MatchedMarkets };

/** The changes on some earlier months, of which a question takes the newest that enough markets stand behind. */
export interface ChangesSince {
  /** True if any market has a value in one of these months. */
  readonly hasPrice: boolean;
  /** Newest first; each of more markets than those before it, as the others are never taken. */
  readonly changes: readonly MatchedChange[];
}

/**
 * The changes on months from `newest` back to `oldest`.
 *
 * @param positions Of the values of the judged month, see `MonthlyPanel.positionsOf`.
 * @param months All months that have a value, ascending.
 */
function changesSince(
  panel: MonthlyPanel,
  positions: readonly number[],
  months: Int32Array,
  { newest, oldest }: { readonly newest: MonthNumber; readonly oldest: MonthNumber },
): ChangesSince {
  const earlier = months.filter((month) => month >= oldest && month <= newest).reverse();
  const changes: MatchedChange[] = [];
  for (const month of earlier) {
    const change = changeAt(panel, positions, month);
    if (change !== undefined && change.matched.count > (changes.at(-1)?.matched.count ?? 0)) changes.push(change);
  }
  return { hasPrice: earlier.length > 0, changes };
}

/** The change on a month; undefined where no market has a value in both. @param positions As of `changesSince`. */
export function changeAt(
  panel: MonthlyPanel,
  positions: readonly number[],
  month: MonthNumber,
): MatchedChange | undefined {
  const { medians } = panel;
  const matched: number[] = [];
  const percents: number[] = [];
  for (const at of positions) {
    const before = panel.earlier(at, month);
    if (before === -1) continue;
    matched.push(at);
    percents.push(percentOf(medians[at]!, medians[before]!));
  }
  const count = percents.length;
  if (count === 0) return undefined;
  const sorted = Float64Array.from(percents).sort();
  // Read before the median, which moves the values.
  const [changePercentMin, changePercentMax] = [sorted[0]!, sorted[count - 1]!];
  const changes =
    count > matchedNamedMax
      ? []
      : matched.map((at, position) => ({ market: panel.marketAt(at), changePercent: percents[position]! }));
  return {
    month,
    changePercent: medianOf(sorted, 0, count),
    matched: { count, changePercentMin, changePercentMax, changes },
  };
}

/** What changes of a judged month are made of, whatever number of markets a question needs. */
export interface MonthMatches {
  /** Markets with a value in the month. */
  readonly markets: number;
  readonly yearBefore: ChangesSince;
  readonly previous: ChangesSince;
}

/** @param positions Of the values of the month. @param months All months that have a value, ascending. */
export function matchesOf(
  panel: MonthlyPanel,
  positions: readonly number[],
  months: Int32Array,
  month: MonthNumber,
): MonthMatches {
  return {
    markets: positions.length,
    yearBefore: changesSince(panel, positions, months, { newest: month - 12, oldest: month - 12 }),
    previous: changesSince(panel, positions, months, { newest: month - 1, oldest: month - previousMonthsMax }),
  };
}

/**
 * The changes of a month that enough markets stand behind, or the first reason why there is none.
 *
 * @param needed Markets that must have a value in the judged month, and in both months of a change; at least 1.
 */
export function changesOf(matches: MonthMatches, needed: number): Pick<MonthMeasures, "yearBefore" | "previous"> {
  return {
    yearBefore: takeChange("year_before", matches.markets, matches.yearBefore, needed),
    previous: takeChange("previous", matches.markets, matches.previous, needed),
  };
}

function takeChange(
  measure: MeasureName,
  markets: number,
  { hasPrice, changes }: ChangesSince,
  needed: number,
): MatchedChange | NotComputable {
  if (markets < needed) return tooFewMarkets(measure, markets, needed);
  if (!hasPrice) return noPrice(measure);
  const found = changes.at(-1)?.matched.count ?? 0;
  const newest = changes.find(({ matched }) => matched.count >= needed);
  return newest ?? { measure, reason: "TOO_FEW_MATCHED_MARKETS", found, needed };
}
