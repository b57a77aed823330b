/**
 * The parts of a store that are built from sorted prices, each on its own, so that several threads can build one store.
 * Building them one after the other and building them on threads is the same table of parts.
 */
import { countyIdMax } from "../domain/ids.ts";
import { compareUuids } from "../domain/uuid-words.ts";
import { buildPostingLists, type PostingLists } from "./posting-list.ts";
import { buildPriceOrder, type PriceOrder } from "./price-order.ts";
import { buildRollup, type Rollup, type RollupSources } from "./rollups.ts";
import { buildNewestRows } from "./series.ts";
import { buildUuidIndex, type UuidIndex } from "./uuid-index.ts";

/** What the parts are built from. Shareable: typed arrays over shared memory, records, lists and maps of them. */
export interface PartSources extends RollupSources {
  /** Every row, in answer order. */
  readonly rowsByTime: Uint32Array<SharedArrayBuffer>;
  readonly rowsByProduct: PostingLists;
}

/** All parts of a store. */
export interface StoreParts {
  readonly rollupByWeek: Rollup;
  readonly rollupByMonth: Rollup;
  readonly rollupByDay: Rollup;
  readonly rowByUuid: UuidIndex;
  readonly priceOrder: PriceOrder;
  readonly rowsByCounty: PostingLists;
  readonly rowsByMarket: PostingLists;
  readonly newestRows: PostingLists;
  /** Checked, not kept. */
  readonly answerOrder: null;
}

export type PartName = keyof StoreParts;

/** Each is independent of all others. Those that take longest come first, so that no thread begins one last. */
const partBuilders: { readonly [Name in PartName]: (sources: PartSources) => StoreParts[Name] } = {
  rollupByWeek: (sources) => buildRollup(sources, "week"),
  rollupByMonth: (sources) => buildRollup(sources, "month"),
  rollupByDay: (sources) => buildRollup(sources, "day"),
  rowByUuid: ({ prices }) => buildUuidIndex(prices.uuids, prices.rowCount),
  priceOrder: ({ prices, rowsByTime, periods }) => buildPriceOrder(prices.prices, rowsByTime, periods),
  rowsByCounty: ({ catalogue: { marketCounties }, prices, rowsByTime }) =>
    buildPostingLists(rowsByTime, countyIdMax + 1, prices.markets, marketCounties),
  rowsByMarket: ({ catalogue, prices, rowsByTime }) =>
    buildPostingLists(rowsByTime, catalogue.markets.length, prices.markets),
  newestRows: ({ prices, series, rowsByProduct }) => buildNewestRows(prices, series, rowsByProduct),
  answerOrder: checkAnswerOrder,
};

/** The names of all parts, in the order in which they are best begun. */
export const partNames: readonly PartName[] = Object.keys(partBuilders) as PartName[];

/** Builds one part. */
export function buildPart<Name extends PartName>(name: Name, sources: PartSources): StoreParts[Name] {
  return partBuilders[name](sources);
}

/**
 * Checks once what every query relies on: prices are in answer order. All other lists are these rows, moved by counting
 * sorts that keep their order.
 *
 * @throws {RangeError} when they are not.
 */
function checkAnswerOrder({ prices: { recordedAt, uuids }, rowsByTime }: PartSources): null {
  for (let place = 1; place < rowsByTime.length; place++) {
    const before = rowsByTime[place - 1]!;
    const row = rowsByTime[place]!;
    const age = recordedAt[before]! - recordedAt[row]!;
    if (age > 0 || (age === 0 && compareUuids(uuids, before, row) < 0)) continue;
    throw new RangeError(`price ${place} of all is not in answer order`);
  }
  return null;
}
