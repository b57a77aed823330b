import { dayOfInstant } from "../domain/calendar-day.ts";
import type { Instant } from "../domain/instant.ts";
import { type PeriodList, type Periods, positionOfDay, type TimeGrouping } from "./periods.ts";
import type { PriceColumns } from "./price-columns.ts";
import type { Store } from "./store.ts";

/**
 * What a store was extended from, and where it differs: for parts that take over what a day has not touched. Shareable, as
 * the sources of parts are.
 */
export interface Extension {
  readonly before: Pick<Store, "prices" | "measures" | "series" | "periods" | "rowByUuid" | "figures">;
  /** New row by old row; `goneRow` for those that were replaced. */
  readonly rowsOfOld: Uint32Array<SharedArrayBuffer>;
  /** Rows of the old store that are gone, ascending. */
  readonly replacedRows: Uint32Array;
  /** Rows of the new store that the old one has not, in any order. */
  readonly addedRows: Uint32Array;
  /** Their places in `Store.rowsByTime`, ascending. */
  readonly addedPlaces: Uint32Array;
}

/** A row that was added to the new store or is gone from the old one. */
export interface ChangedRow {
  readonly product: number;
  readonly market: number;
  readonly recordedAt: Instant;
  readonly isAdded: boolean;
}

/** All rows in which the two stores differ. */
export function* changedRows(
  { before, replacedRows, addedRows }: Extension,
  prices: PriceColumns,
): Generator<ChangedRow, void> {
  for (const row of replacedRows) yield changedRow(before.prices, row, false);
  for (const row of addedRows) yield changedRow(prices, row, true);
}

function changedRow({ products, markets, recordedAt }: PriceColumns, row: number, isAdded: boolean): ChangedRow {
  return {
    product: products[row]!,
    market: markets[row]!,
    recordedAt: recordedAt[row]! as Instant,
    isAdded,
  };
}

/** Stands for a period that has no prices any more. */
export const gonePeriod = -1;

/** The periods of a store in those of another, and which of them hold changed rows. */
export interface ExtendedPeriods {
  /** Period by old period, or `gonePeriod`. */
  readonly ofOld: Int32Array;
  /** By product: periods that hold a row that was added or have lost one, newest first. */
  readonly touched: ReadonlyMap<number, readonly number[]>;
}

/** Where the periods of a grouping come to stand. Cost: a look at every period and every changed row. */
export function extendedPeriods(
  extension: Extension,
  prices: PriceColumns,
  periods: Periods,
  utcOffset: number,
  grouping: TimeGrouping,
): ExtendedPeriods {
  const old = extension.before.periods;
  const positions = new Map(periods[grouping].labels.map((label, period) => [label, period]));
  const ofOld = Int32Array.from(old[grouping].labels, (label) => positions.get(label) ?? gonePeriod);
  const touched = new Map<number, Set<number>>();
  for (const { product, recordedAt, isAdded } of changedRows(extension, prices)) {
    const day = dayOfInstant(recordedAt, utcOffset);
    const period = isAdded
      ? periodOfDay(periods, periods[grouping], day)
      : ofOld[periodOfDay(old, old[grouping], day)]!;
    if (period === gonePeriod) continue;
    const known = touched.get(product);
    if (known === undefined) touched.set(product, new Set([period]));
    else known.add(period);
  }
  const newestFirst = (set: ReadonlySet<number>): number[] => [...set].sort((a, b) => b - a);
  return { ofOld, touched: new Map([...touched].map(([product, set]) => [product, newestFirst(set)])) };
}

function periodOfDay(periods: Periods, list: PeriodList, day: number): number {
  return list.ofDay[positionOfDay(periods, day)]!;
}
