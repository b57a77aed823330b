/** Compares two snapshots as their readers see them. */
import { isDeepStrictEqual } from "node:util";
import {
  type LatestPrice,
  type LatestPriceMove,
  moveReportedPercentMin,
  type PriceKind,
  type RowChanges,
  type RunName,
  type SnapshotChanges,
  type SourceChange,
} from "../../contract/publication-report.ts";
import type { Instant } from "../../engine/model/calendar.ts";
import { compareTexts } from "../../engine/model/folded-text.ts";
import type { Records } from "../../engine/model/records.ts";
import { marketTypes } from "../../engine/model/vocabulary.ts";
import type { SnapshotId, TableKind } from "../../engine/snapshots/snapshot-layout.ts";
import { tableRecords } from "../../engine/snapshots/table-records.ts";
import { type Catalogue, recordAt } from "../../engine/store/catalogue.ts";
import { rowsOf } from "../../engine/store/columns.ts";
import { findRun } from "../../engine/store/runs.ts";
import type { Store } from "../../engine/store/store.ts";
import { absent, remapCatalogue } from "./compare-prices.ts";
import { openSnapshotStore } from "./open-published.ts";
import { findPriceChanges } from "./price-changes.ts";
import { identities, tableKinds } from "./record-files.ts";

/**
 * Compares two published snapshots.
 *
 * @throws {SnapshotUnavailableError} when a manifest cannot be read.
 * @throws {DatasetError} when the records of one are broken.
 */
export async function diffSnapshots(
  dataDirectory: string,
  before: SnapshotId,
  after: SnapshotId,
): Promise<SnapshotChanges> {
  return changesBetween(await openSnapshotStore(dataDirectory, before), await openSnapshotStore(dataDirectory, after));
}

/**
 * Compares two snapshots record by record. A record is changed when any of its fields differs.
 *
 * @param prices The number of prices that differ, where that is known already.
 * Cost: one look-up for each price of `after`, and memory for the dictionaries; no object per price.
 */
export function changesBetween(before: Store, after: Store, prices?: RowChanges): SnapshotChanges {
  return {
    rows: {
      ...compareTables(before.catalogue, after.catalogue),
      prices: prices ?? findPriceChanges(before, after).counts,
    },
    latestPriceMoves: latestPriceMoves(before, after),
    runs: { appearing: runsOnlyIn(after, before), vanishing: runsOnlyIn(before, after) },
    sources: compareSources(before, after),
  };
}

/** Compares the small tables by identifier; the order of records does not matter. */
function compareTables(a: Catalogue, b: Catalogue): Readonly<Record<TableKind, RowChanges>> {
  const [recordsBefore, records] = [tableRecords(a), tableRecords(b)];
  const compare = <Kind extends TableKind>(kind: Kind): [Kind, RowChanges] => {
    const idOf = (record: Records[Kind]): string => identities[kind](record)[0];
    const before = new Map(recordsBefore[kind].map((record: Records[Kind]) => [idOf(record), record]));
    const after: readonly Records[Kind][] = records[kind];
    const kept = after.filter((record) => before.has(idOf(record)));
    const changed = kept.filter((record) => !isDeepStrictEqual(before.get(idOf(record)), record)).length;
    return [kind, { added: after.length - kept.length, gone: before.size - kept.length, changed }];
  };
  return Object.fromEntries(tableKinds.map(compare)) as Record<TableKind, RowChanges>;
}

/**
 * Products whose latest price moves by more than `moveReportedPercentMin`. It compares the newest price of the product
 * in `after` with the newest price in `before` at the same market, of the same unit and currency; where that market had
 * none, with the newest one at any market of its type, and both markets are named. A bag and a kilogram, or wholesale
 * and retail, are not comparable. It does not report products without such a price.
 *
 * Cost: for each product its prices in `before` down to the first comparable one, all where its market has none.
 */
function latestPriceMoves(before: Store, after: Store): LatestPriceMove[] {
  const moves: LatestPriceMove[] = [];
  const { products, markets } = remapCatalogue(after, before);
  after.catalogue.products.forEach(({ record }, product) => {
    const productBefore = products[product] as number;
    const [row] = rowsOf(after.rowsByProduct, product);
    if (productBefore === absent || row === undefined) return;
    const kind = kindOf(after, row);
    const preferred = markets[after.prices.markets[row] as number] as number;
    const rowBefore = newestOfKind(before, productBefore, kind, preferred);
    if (rowBefore === undefined) return;
    const [priceBefore, price] = [before.prices.prices[rowBefore] as number, after.prices.prices[row] as number];
    if (Math.abs(price - priceBefore) * 100 <= priceBefore * moveReportedPercentMin) return;
    const { uuid, name } = record;
    moves.push({ uuid, name, ...kind, before: latestPrice(before, rowBefore), after: latestPrice(after, row) });
  });
  return moves;
}

/** @param preferred A market, or `absent`; another one of the type counts where it has no such price. */
function newestOfKind(store: Store, product: number, wanted: PriceKind, preferred: number): number | undefined {
  const { prices, catalogue } = store;
  const unit = prices.unitNames.indexOf(wanted.unit);
  const currency = prices.currencyCodes.indexOf(wanted.currency);
  const type = marketTypes.indexOf(wanted.marketType);
  const rows = rowsOf(store.rowsByProduct, product);
  const isOfKind = (row: number): boolean => prices.units[row] === unit && prices.currencies[row] === currency;
  return (
    rows.find((row) => prices.markets[row] === preferred && isOfKind(row)) ??
    rows.find((row) => isOfKind(row) && catalogue.marketTypeCodes[prices.markets[row] as number] === type)
  );
}

function kindOf({ prices, catalogue }: Store, row: number): PriceKind {
  return {
    unit: prices.unitNames[prices.units[row] as number] as string,
    currency: prices.currencyCodes[prices.currencies[row] as number] as string,
    marketType: recordAt(catalogue.markets, prices.markets[row] as number).type,
  };
}

function latestPrice({ prices, catalogue }: Store, row: number): LatestPrice {
  return {
    price: prices.prices[row] as number,
    recordedAt: prices.recordedAt[row] as Instant,
    source: prices.sourceNames[prices.sources[row] as number] as string,
    market: recordAt(catalogue.markets, prices.markets[row] as number).name,
  };
}

/** Runs of one store that the other does not have. Cost: a binary search for each. */
function runsOnlyIn(store: Store, other: Store): RunName[] {
  const { products, markets } = remapCatalogue(store, other);
  const { runs, catalogue } = store;
  const found: RunName[] = [];
  for (let product = 0; product < products.length; product++) {
    const productThere = products[product] as number;
    const from = runs.runOffsets[product] as number;
    const isMissing = new Set<number>();
    for (const market of runs.markets.subarray(from, runs.runOffsets[product + 1])) {
      const marketThere = markets[market] as number;
      const isThere = productThere !== absent && marketThere !== absent;
      if (!isThere || findRun(other.runs, productThere, marketThere) === undefined) isMissing.add(market);
    }
    if (isMissing.size === 0) continue;
    const { uuid: productUuid, name } = recordAt(catalogue.products, product);
    for (const market of catalogue.marketsByName) {
      if (!isMissing.has(market)) continue;
      const there = recordAt(catalogue.markets, market);
      found.push({ productUuid, product: name, marketUuid: there.uuid, market: there.name });
    }
  }
  return found;
}

/** The sources with another number of prices in one of two stores than in the other, by name. */
function compareSources(before: Store, after: Store): SourceChange[] {
  const [countsBefore, counts] = [sourceCountsOf(before), sourceCountsOf(after)];
  return [...new Set([...countsBefore.keys(), ...counts.keys()])]
    .sort(compareTexts)
    .map((source) => ({ source, before: countsBefore.get(source) ?? 0, after: counts.get(source) ?? 0 }))
    .filter((change) => change.before !== change.after);
}

function sourceCountsOf({ prices, sourceCounts }: Store): ReadonlyMap<string, number> {
  return new Map(prices.sourceNames.map((source, code) => [source, sourceCounts[code] as number]));
}
