/** A checked dataset → a store, on this thread or on several. */
import { availableParallelism } from "node:os";
import type { Dataset, SnapshotIdentity } from "../model/dataset.ts";
import { buildUuidIndex, countyIdMax } from "../model/ids.ts";
import type { PriceAcceptance } from "../model/records.ts";
import { sharedUint32 } from "../model/shared-columns.ts";
import { entryFile } from "../threads/entry-file.ts";
import { WorkerClient, WorkerEndedError } from "../threads/worker-client.ts";
import { compareAnswers, sortInAnswerOrder } from "./answer-order.ts";
import { buildPeriods } from "./build-periods.ts";
import { buildCatalogue } from "./catalogue.ts";
import { buildPostingLists, type PostingLists, type UnsortedPrices } from "./columns.ts";
import { gatherPriceColumns, type TableCodes } from "./gather-columns.ts";
import { buildRollup } from "./group-prices.ts";
import { buildNewestRows } from "./newest-rows.ts";
import { buildMonthlyRates, buildStatisticsUnits } from "./price-conversion.ts";
import { buildPriceOrder } from "./price-order.ts";
import { buildRunIndex } from "./runs.ts";
import { buildSeries } from "./series.ts";
import type { Store } from "./store.ts";
import { buildSuspiciousPrices, type SuspiciousSources } from "./suspicious-prices.ts";

/**
 * Sorts and indexes a checked dataset: the entry point of this room (a store with a day's prices more:
 * extend-store.ts). The store is complete and never changes afterwards.
 *
 * Cost: one radix sort by time, then passes over the prices; the dataset's columns are copied, not kept.
 * @throws {RangeError} when an invariant that the dataset's checks guarantee does not hold.
 */
export function buildStore(dataset: Dataset): Store {
  return indexPrices(sortDataset(dataset));
}

/** As `buildStore`, on several threads where that is quicker. The store is the same. */
export async function buildStoreOnThreads(dataset: Dataset, threads: number = availableParallelism()): Promise<Store> {
  return await indexPricesOnThreads(sortDataset(dataset), threads);
}

/** Prices in the store's order, before they are indexed. */
export interface SortedPrices extends Pick<Store, "snapshot" | "catalogue" | "prices" | "rowsByTime"> {
  /** Prices that are not marked as suspicious; some may not be there. None when absent. */
  readonly accepted?: readonly PriceAcceptance[] | undefined;
}

function sortDataset(dataset: Dataset): SortedPrices {
  const { snapshot, prices, accepted } = dataset;
  const catalogue = buildCatalogue(dataset);
  const codes = {
    products: Uint32Array.from(dataset.products, ({ uuid }) => catalogue.productCodes.get(uuid)!),
    markets: Uint32Array.from(dataset.markets, ({ uuid }) => catalogue.marketCodes.get(uuid)!),
  };
  return { snapshot, catalogue, accepted, ...sortPrices(prices, codes) };
}

/**
 * Sorts prices by time, then by counting sorts that keep this order, by market and by product, and moves them to their
 * rows.
 *
 * @param codes Codes of the store.
 */
export function sortPrices(table: UnsortedPrices, codes: TableCodes): Pick<SortedPrices, "prices" | "rowsByTime"> {
  const byTime = sortInAnswerOrder(table.recordedAt, table.uuids);
  const byMarket = buildPostingLists(byTime, codes.markets.length, table.markets, codes.markets).rows;
  const byRun = buildPostingLists(byMarket, codes.products.length, table.products, codes.products).rows;
  const rowOf = new Uint32Array(table.rowCount);
  for (let row = 0; row < rowOf.length; row++) rowOf[byRun[row]!] = row;
  const rowsByTime = sharedUint32(table.rowCount);
  for (let at = 0; at < rowsByTime.length; at++) rowsByTime[at] = rowOf[byTime[at]!]!;
  return { prices: gatherPriceColumns(table, rowOf, codes), rowsByTime };
}

/**
 * Indexes sorted prices.
 *
 * @throws {RangeError} when the prices are not in answer order.
 */
function indexPrices(sorted: SortedPrices): Store {
  const sources = sourcesOf(sorted);
  const parts = Object.fromEntries(partNames.map((name) => [name, buildPart(name, sources)]));
  return assembleStore(sorted, sources, parts as unknown as StoreParts);
}

/** Fewer prices than this are indexed sooner than threads are started. */
const threadedRowsMin = 200_000;

/**
 * As `indexPrices`, on threads of their own, which end when they are done or one of them fails. The store is the same.
 *
 * @param rowsMin Fewer prices are indexed on this thread.
 */
export async function indexPricesOnThreads(
  sorted: SortedPrices,
  threads: number,
  rowsMin: number = threadedRowsMin,
): Promise<Store> {
  if (sorted.prices.rowCount < rowsMin || threads === 1) return indexPrices(sorted);
  const sources = sourcesOf(sorted);
  const script = entryFile("./part-worker", import.meta.url);
  const workers = Array.from({ length: Math.min(threads, partNames.length) }, () => {
    return new WorkerClient<PartName, unknown>(script, "a thread that builds a store", { workerData: sources });
  });
  const waiting = partNames.values();
  // In one order, whichever is ready first: stores of another order would be slower to read.
  const parts = Object.fromEntries(partNames.map((name): [string, unknown] => [name, undefined]));
  try {
    // All take from one list, each its next part when it has built one.
    const building = workers.map(async (worker) => {
      for (const name of waiting) parts[name] = await worker.request(name);
    });
    await Promise.all(building);
    return assembleStore(sorted, sources, parts as unknown as StoreParts);
  } catch (error) {
    throw error instanceof WorkerEndedError ? (error.cause ?? error) : error;
  } finally {
    await Promise.all(workers.map((worker) => worker.end()));
  }
}

function sourcesOf({ snapshot, catalogue, prices, rowsByTime, accepted = [] }: SortedPrices): PartSources {
  const periods = buildPeriods(prices.recordedAt, snapshot.utcOffset);
  return {
    accepted,
    catalogue,
    prices,
    rowsByTime,
    rowsByProduct: buildPostingLists(rowsByTime, catalogue.products.length, prices.products),
    statisticsUnits: buildStatisticsUnits(catalogue, prices),
    runs: buildRunIndex(prices),
    periods,
    rates: buildMonthlyRates(catalogue, prices, periods),
  };
}

function assembleStore({ snapshot }: SortedPrices, { accepted: _, ...sources }: PartSources, parts: StoreParts): Store {
  const { rollupByDay: day, rollupByWeek: week, rollupByMonth: month, ...others } = parts;
  const { rollupByQuarter: quarter, rollupByYear: year, bySource, answerOrder: _checked, ...indexes } = others;
  const rollups = { day, week, month, quarter, year };
  return Object.freeze({ snapshot, ...sources, ...indexes, ...bySource, rollups });
}

/**
 * The store of a snapshot that differs from another in nothing but the prices that are accepted.
 *
 * Cost: that of marking prices.
 */
export function withAcceptedPrices(
  store: Store,
  snapshot: SnapshotIdentity,
  accepted: readonly PriceAcceptance[],
): Store {
  return Object.freeze({ ...store, snapshot, suspicious: buildSuspiciousPrices({ ...store, accepted }) });
}

/** The sources of the parts. Shareable: typed arrays over shared memory, records, lists and maps of them. */
export interface PartSources extends SuspiciousSources {
  /** Every row, in answer order. */
  readonly rowsByTime: Uint32Array<SharedArrayBuffer>;
  readonly rowsByProduct: PostingLists;
}

/** Each is independent of all others. Those that take longest come first, so that no thread begins one last. */
const partBuilders = {
  rollupByWeek: (sources: PartSources) => buildRollup(sources, "week"),
  rollupByMonth: (sources: PartSources) => buildRollup(sources, "month"),
  rollupByDay: (sources: PartSources) => buildRollup(sources, "day"),
  rollupByQuarter: (sources: PartSources) => buildRollup(sources, "quarter"),
  rollupByYear: (sources: PartSources) => buildRollup(sources, "year"),
  suspicious: buildSuspiciousPrices,
  rowByUuid: ({ prices }: PartSources) => buildUuidIndex(prices.uuids, prices.rowCount),
  priceOrder: ({ prices, rowsByTime, periods }: PartSources) => buildPriceOrder(prices.prices, rowsByTime, periods),
  rowsByCounty: ({ catalogue: { marketCounties }, prices, rowsByTime }: PartSources) =>
    buildPostingLists(rowsByTime, countyIdMax + 1, prices.markets, marketCounties),
  rowsByMarket: ({ catalogue, prices, rowsByTime }: PartSources) =>
    buildPostingLists(rowsByTime, catalogue.markets.length, prices.markets),
  newestRows: ({ prices, runs }: PartSources) => buildNewestRows(prices, runs),
  series: buildSeries,
  bySource: countSources,
  /** Checked, not kept. */
  answerOrder: checkAnswerOrder,
};

type StoreParts = { readonly [Name in PartName]: ReturnType<(typeof partBuilders)[Name]> };

export type PartName = keyof typeof partBuilders;

/** The names of all parts, in the order in which they are best begun. */
const partNames: readonly PartName[] = Object.keys(partBuilders) as PartName[];

/** Builds one part. */
export function buildPart(name: PartName, sources: PartSources): unknown {
  return partBuilders[name](sources);
}

/** Returns the number of rows that each source has, and its first one in answer order. Cost: a read of every row. */
function countSources({ prices, rowsByTime }: PartSources): Pick<Store, "sourceCounts" | "newestRowBySource"> {
  const sourceCounts = sharedUint32(prices.sourceNames.length);
  const newestRowBySource = sharedUint32(prices.sourceNames.length);
  for (let at = rowsByTime.length - 1; at >= 0; at--) {
    const row = rowsByTime[at]!;
    sourceCounts[prices.sources[row]!]!++;
    newestRowBySource[prices.sources[row]!] = row;
  }
  return { sourceCounts, newestRowBySource };
}

/**
 * Checks once what every query relies on: prices are in answer order. All other lists are these rows, moved by counting
 * sorts that keep their order.
 *
 * @throws {RangeError} when they are not.
 */
function checkAnswerOrder({ prices, rowsByTime }: PartSources): void {
  for (let at = 1; at < rowsByTime.length; at++) {
    if (compareAnswers(prices, rowsByTime[at - 1]!, rowsByTime[at]!) < 0) continue;
    throw new RangeError(`price ${at} of all is not in answer order`);
  }
}
