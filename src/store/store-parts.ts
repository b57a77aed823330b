/**
 * The parts of a store, each built on its own from sorted prices, so that several threads can build one store. Building
 * them one after the other and building them on threads is the same table of parts.
 */
import { compareUuids } from "../domain/uuid-words.ts";
import { buildCountyRows, type CountyRows } from "./county-rows.ts";
import {
  extendFiguresByCounty,
  extendFiguresBySeries,
  extendFiguresByTime,
  extendFiguresByTimeOfType,
} from "./extend-figures.ts";
import { extendUuidIndex } from "./extend-uuid-index.ts";
import type { Extension } from "./extension.ts";
import { buildNewestRows } from "./newest-rows.ts";
import { buildPostingIndex, type PostingIndex } from "./posting-index.ts";
import type { PriceColumns } from "./price-columns.ts";
import { buildPriceOrder, type PriceOrder } from "./price-order.ts";
import {
  buildFiguresByCounty,
  buildFiguresBySeries,
  buildFiguresByTime,
  buildFiguresByTimeOfType,
  type FigureSources,
  type ReadyFigures,
} from "./ready-figures.ts";
import { buildSeriesSamples, type SeriesSamples } from "./series-samples.ts";
import { buildUuidIndex, type UuidIndex } from "./uuid-index.ts";

/** What the parts are built from. Shareable: typed arrays over shared memory, records, lists and maps of them. */
export interface PartSources extends FigureSources {
  /** Every row, in answer order. */
  readonly rowsByTime: Uint32Array<SharedArrayBuffer>;
  /** Where the prices are those of another store and a day's: what that one was. The parts are the same without. */
  readonly extension?: Extension | undefined;
}

/** All parts of a store. */
export interface StoreParts {
  readonly figuresByTime: ReadyFigures["byTime"];
  readonly figuresByTimeOfType: ReadyFigures["byTimeOfType"];
  readonly figuresByCounty: ReadyFigures["byCounty"];
  readonly figuresBySeries: ReadyFigures["bySeries"];
  readonly rowByUuid: UuidIndex;
  readonly priceOrder: PriceOrder;
  readonly rowsByCounty: CountyRows;
  readonly rowsByMarket: PostingIndex;
  readonly samples: SeriesSamples;
  readonly newestRows: PostingIndex;
  /** Checked, not kept. */
  readonly answerOrder: null;
}

export type PartName = keyof StoreParts;

type PartBuilders = { readonly [Name in PartName]: (sources: PartSources) => StoreParts[Name] };

/** Each is independent of all others. Those that take longest come first, so that no thread begins one last. */
const partBuilders: PartBuilders = {
  figuresByTime: (sources) =>
    sources.extension === undefined ? buildFiguresByTime(sources) : extendFiguresByTime(sources, sources.extension),
  figuresByTimeOfType: (sources) =>
    sources.extension === undefined
      ? buildFiguresByTimeOfType(sources)
      : extendFiguresByTimeOfType(sources, sources.extension),
  rowByUuid: ({ prices, extension }) =>
    extension === undefined
      ? buildUuidIndex(prices.uuids, prices.rowCount)
      : extendUuidIndex(prices.uuids, prices.rowCount, extension),
  samples: ({ catalogue, prices, series, periods, measures, utcOffset }) =>
    buildSeriesSamples(catalogue, prices, series, periods, measures, utcOffset),
  figuresByCounty: (sources) =>
    sources.extension === undefined ? buildFiguresByCounty(sources) : extendFiguresByCounty(sources, sources.extension),
  figuresBySeries: (sources) =>
    sources.extension === undefined ? buildFiguresBySeries(sources) : extendFiguresBySeries(sources, sources.extension),
  priceOrder: ({ prices, rowsByTime, periods, utcOffset }) =>
    buildPriceOrder(prices.prices, prices.recordedAt, rowsByTime, periods, utcOffset),
  rowsByCounty: ({ catalogue: { marketCounties }, prices, rowsByTime }) =>
    buildCountyRows(prices, rowsByTime, marketCounties),
  rowsByMarket: ({ catalogue, prices, rowsByTime }) =>
    buildPostingIndex(rowsByTime, catalogue.markets.length, (row) => prices.markets[row]!),
  newestRows: ({ prices, series }) => buildNewestRows(prices, series),
  answerOrder: checkOrders,
};

/** The names of all parts, in the order in which they are best begun. */
export const partNames: readonly PartName[] = Object.keys(partBuilders) as PartName[];

/** Builds one part. */
export function buildPart<Name extends PartName>(name: Name, sources: PartSources): StoreParts[Name] {
  return partBuilders[name](sources);
}

/**
 * Checks once what every query relies on: prices are in answer order, altogether and within each product. The lists of
 * markets and counties are these rows, moved by counting sorts that keep their order.
 *
 * @throws {RangeError} when they are not.
 */
function checkOrders({ prices, catalogue, rowsByTime, extension }: PartSources): null {
  if (extension !== undefined) return checkSeams(prices, rowsByTime, extension);
  for (const product of catalogue.products.keys()) {
    const { productOffsets } = prices;
    checkAnswerOrder(prices, null, productOffsets[product]!, productOffsets[product + 1]!, `product ${product}`);
  }
  checkAnswerOrder(prices, rowsByTime, 0, rowsByTime.length, "all rows");
  return null;
}

/** The rows between two added ones stood in this order before. */
function checkSeams(prices: PriceColumns, rowsByTime: Uint32Array, { addedRows, addedPlaces }: Extension): null {
  const { products, rowCount } = prices;
  for (const row of addedRows) {
    const from = row > 0 && products[row - 1] === products[row] ? row - 1 : row;
    const to = row + 1 < rowCount && products[row + 1] === products[row] ? row + 2 : row + 1;
    checkAnswerOrder(prices, null, from, to, `product ${products[row]}`);
  }
  for (const place of addedPlaces) {
    checkAnswerOrder(prices, rowsByTime, Math.max(0, place - 1), Math.min(rowCount, place + 2), "all rows");
  }
  return null;
}

/** @param rows Row by place, or null when places are rows. */
function checkAnswerOrder(
  { recordedAt, uuids }: PriceColumns,
  rows: Uint32Array | null,
  from: number,
  to: number,
  name: string,
): void {
  for (let place = from + 1; place < to; place++) {
    const before = rows === null ? place - 1 : rows[place - 1]!;
    const row = rows === null ? place : rows[place]!;
    const age = recordedAt[before]! - recordedAt[row]!;
    if (age > 0 || (age === 0 && compareUuids(uuids, before, row) < 0)) continue;
    throw new RangeError(`${name}: place ${place} is not in answer order`);
  }
}
