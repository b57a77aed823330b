/**
 * What a query may read: plain, frozen, shareable data. Buffers are over `SharedArrayBuffer` and the small tables are
 * arrays and maps of records, so a store can be posted to another thread, which then reads the same memory.
 */
import type { SnapshotIdentity } from "../domain/dataset.ts";
import type { Catalogue } from "./catalogue.ts";
import type { CountyRows } from "./county-rows.ts";
import type { Periods } from "./periods.ts";
import type { PostingIndex } from "./posting-index.ts";
import type { PriceColumns } from "./price-columns.ts";
import type { PriceOrder } from "./price-order.ts";
import type { ProductMeasure } from "./product-measures.ts";
import type { ReadyFigures } from "./ready-figures.ts";
import type { SeriesIndex } from "./series-index.ts";
import type { SeriesSamples } from "./series-samples.ts";
import type { UuidIndex } from "./uuid-index.ts";

/**
 * *Answer order* is the order in which prices are answered: newest `recorded_at` first, equal times by uuid ascending.
 * Every list of rows below is in answer order, so a page is a slice and a range of days is found by binary search.
 */
export interface Store {
  readonly snapshot: SnapshotIdentity;
  readonly catalogue: Catalogue;
  /** Sorted by product code, then in answer order. */
  readonly prices: PriceColumns;
  /** Unit and currency of each product's statistics, by product code. */
  readonly measures: readonly ProductMeasure[];
  readonly rowByUuid: UuidIndex;
  /** Every row, in answer order. */
  readonly rowsByTime: Uint32Array<SharedArrayBuffer>;
  /** Rows of each market, by market code, in answer order. */
  readonly rowsByMarket: PostingIndex;
  /** Rows of each county, by county id, in answer order, with the class of each price. */
  readonly rowsByCounty: CountyRows;
  /** Rows of each product at each market. */
  readonly series: SeriesIndex;
  /** Day and measured price of each series, in its order. */
  readonly samples: SeriesSamples;
  /** The newest row of each market and unit, by product code, in answer order. */
  readonly newestRows: PostingIndex;
  /** The days, weeks and months that have prices. */
  readonly periods: Periods;
  /** Rows of each month by price. */
  readonly priceOrder: PriceOrder;
  readonly figures: ReadyFigures;
}
