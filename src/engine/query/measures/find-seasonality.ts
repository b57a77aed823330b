/** The seasonality of a series at any level: the median of all its prices of each month, suspicious ones left out. */

import type { MonthNumber } from "../../model/calendar.ts";
import type { ProductCode } from "../../store/catalogue.ts";
import type { Range } from "../../store/columns.ts";
import { isMeant, runsAt } from "../../store/runs.ts";
import type { Store } from "../../store/store.ts";
import type { MarketConditions } from "../questions.ts";
import { selectMarkets } from "../select.ts";
import type { NotComputable } from "./judge-month.ts";
import { MonthlyReader } from "./monthly-values.ts";
import { type SeasonMonth, seasonalIndexes } from "./seasonality.ts";

/** A market, or the markets of a type in a county or in the country. */
export interface SeasonalityQuestion extends MarketConditions {
  readonly product: ProductCode;
}

export interface SeasonalityAnswer {
  /** The first and the last month that have a value; undefined without any. */
  readonly months: { readonly first: MonthNumber; readonly last: MonthNumber } | undefined;
  readonly suspiciousLeftOut: number;
  readonly indexes: readonly SeasonMonth[] | NotComputable;
}

/** Cost: three looks at each price. Yields the rows that were read. */
export function* findSeasonality(store: Store, question: SeasonalityQuestion): Generator<number, SeasonalityAnswer> {
  const { catalogue, runs } = store;
  const { product } = question;
  const markets = selectMarkets(catalogue, question);
  const reader = new MonthlyReader(store);
  const rowsByMonth = new Map<MonthNumber, Range[]>();
  let suspiciousLeftOut = 0;
  const { from, to } = runsAt(runs, product, markets);
  for (let run = from; run < to; run++) {
    if (!isMeant(catalogue, runs.markets[run]!, markets)) continue;
    const { length, months, rowsFrom, rowsTo } = reader.readRun(product, run);
    for (let at = 0; at < length; at++) {
      rowsByMonth.getOrInsertComputed(months[at]!, () => []).push({ from: rowsFrom[at]!, to: rowsTo[at]! });
    }
    suspiciousLeftOut += reader.countSuspicious(run, Infinity);
    yield runs.rowOffsets[run + 1]! - runs.rowOffsets[run]!;
  }
  const medians = new Map<MonthNumber, number>();
  for (const [month, rows] of rowsByMonth) {
    const { median, count } = reader.medianOfRows(product, rows);
    medians.set(month, median);
    yield count;
  }
  const found = [...medians.keys()];
  const months = found.length === 0 ? undefined : { first: Math.min(...found), last: Math.max(...found) };
  return { months, suspiciousLeftOut, indexes: seasonalIndexes(medians) };
}
