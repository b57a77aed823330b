/**
 * The data that a query may read: plain, frozen, shareable data. Buffers are over `SharedArrayBuffer` and the small
 * tables are arrays and maps of records, so a store can be posted to another thread, which then reads the same memory.
 */
import type { SnapshotIdentity } from "../model/dataset.ts";
import type { UuidIndex } from "../model/ids.ts";
import type { Catalogue } from "./catalogue.ts";
import type { PostingLists, PriceColumns } from "./columns.ts";
import type { Rollups } from "./group-prices.ts";
import type { Periods } from "./periods.ts";
import type { UnitAndCurrency } from "./price-conversion.ts";
import type { PriceOrder } from "./price-order.ts";
import type { RunIndex } from "./runs.ts";
import type { SeriesTable } from "./series.ts";
import type { SuspiciousPrices } from "./suspicious-prices.ts";

/**
 * *Answer order* is the order in which prices are answered: newest `recorded_at` first, equal times by uuid ascending.
 * Every list of rows below but `priceOrder` is in answer order, so a page is a slice and a range of days is found by
 * binary search.
 */
export interface Store {
  readonly snapshot: SnapshotIdentity;
  readonly catalogue: Catalogue;
  /** Sorted by product code, market code, then in answer order. */
  readonly prices: PriceColumns;
  /** Unit and currency of each product's statistics, by product code. */
  readonly statisticsUnits: readonly UnitAndCurrency[];
  /** The exchange rate of each currency in each month, see `RowRates`. */
  readonly rates: Float64Array<SharedArrayBuffer>;
  readonly rowByUuid: UuidIndex;
  /** Every row. */
  readonly rowsByTime: Uint32Array<SharedArrayBuffer>;
  /** By product code. */
  readonly rowsByProduct: PostingLists;
  /** By market code. */
  readonly rowsByMarket: PostingLists;
  /** By county id. */
  readonly rowsByCounty: PostingLists;
  /** The rows of each product at each market. */
  readonly runs: RunIndex;
  /** The newest row of each market and unit, by product code. */
  readonly newestRows: PostingLists;
  /** Counts of the prices of each product, market, unit and currency. */
  readonly series: SeriesTable;
  /** Number of prices that come from each source, by source code. */
  readonly sourceCounts: Uint32Array<SharedArrayBuffer>;
  /** The first row of each source in answer order, by source code. */
  readonly newestRowBySource: Uint32Array<SharedArrayBuffer>;
  /** The days, weeks and months that have prices. */
  readonly periods: Periods;
  /** Rows of each month by price. */
  readonly priceOrder: PriceOrder;
  readonly rollups: Rollups;
  /** The prices that look wrong. */
  readonly suspicious: SuspiciousPrices;
}

/**
 * Bytes of all columns and indexes, without dictionaries and records of small tables. For the log and the benchmarks.
 *
 * @param part A store, or a part of it, however deep.
 */
export function storeBytes(part: unknown): number {
  if (ArrayBuffer.isView(part)) return part.byteLength;
  // Lists are of texts and records: nothing to find there.
  if (typeof part !== "object" || part === null || Array.isArray(part)) return 0;
  return Object.values(part).reduce((sum, inner) => sum + storeBytes(inner), 0);
}
