/** Describes the prices of a store as a whole, and lists the sources of any selection of them. */
import type { Instant } from "../model/calendar.ts";
import { compareTexts } from "../model/folded-text.ts";
import { marketTypes } from "../model/vocabulary.ts";
import type { Store } from "../store/store.ts";
import { type PriceSelection, walkPrices, walkStepRows } from "./walk-prices.ts";

/** Number of prices of something. */
export interface PriceCount {
  readonly name: string;
  readonly count: number;
}

/** Describes the prices of a source. */
export interface SourceDescription extends PriceCount {
  readonly lastRecordedAt: Instant;
  /** Row of its newest price. */
  readonly newestRow: number;
}

export interface PricesDescription {
  /** Null without prices. */
  readonly firstRecordedAt: Instant | null;
  readonly lastRecordedAt: Instant | null;
  /** Most frequent first, equal counts by code unit; so too the currencies. */
  readonly sources: readonly SourceDescription[];
  readonly currencies: readonly PriceCount[];
  /** Every type, in the order of the vocabulary. */
  readonly marketTypes: readonly PriceCount[];
  /** Products and markets that have a price; the catalogue may have others. */
  readonly productCount: number;
  readonly marketCount: number;
}

/** Describes all prices. Cost: a read of every series. */
export function describePrices(store: Store): PricesDescription {
  const { catalogue, prices, rowsByTime, series, sourceCounts, newestRowBySource } = store;
  const byCurrency = new Float64Array(prices.currencyCodes.length);
  const byType = new Float64Array(marketTypes.length);
  for (let at = 0; at < series.counts.length; at++) {
    byCurrency[series.currencies[at]!]! += series.counts[at]!;
    byType[catalogue.marketTypeCodes[series.markets[at]!]!]! += series.counts[at]!;
  }
  const newestOfSource = new Map(prices.sourceNames.map((name, code) => [name, newestRowBySource[code]!]));
  const isEmpty = rowsByTime.length === 0;
  return {
    firstRecordedAt: isEmpty ? null : (prices.recordedAt[rowsByTime.at(-1)!] as Instant),
    lastRecordedAt: isEmpty ? null : (prices.recordedAt[rowsByTime[0]!] as Instant),
    sources: mostFrequentFirst(prices.sourceNames, sourceCounts).map((source) => {
      const newestRow = newestOfSource.get(source.name)!;
      return { ...source, newestRow, lastRecordedAt: prices.recordedAt[newestRow] as Instant };
    }),
    currencies: mostFrequentFirst(prices.currencyCodes, byCurrency),
    marketTypes: marketTypes.map((name, code) => ({ name, count: byType[code]! })),
    productCount: new Set(Array.from(series.newestRows, (row) => prices.products[row]!)).size,
    marketCount: new Set(series.markets).size,
  };
}

/** Names with their counts, equal ones by code unit. */
export function mostFrequentFirst(names: readonly string[], counts: Uint32Array | Float64Array): PriceCount[] {
  return names
    .map((name, code) => ({ name, count: counts[code]! }))
    .sort((a, b) => b.count - a.count || compareTexts(a.name, b.name));
}

/** The names of all sources, the one with most prices first. */
export function allSources({ prices, sourceCounts }: Store): string[] {
  return mostFrequentFirst(prices.sourceNames, sourceCounts).map(({ name }) => name);
}

/**
 * The sources of the prices of some selections.
 *
 * @returns The sources of `allSources` that have one of the prices, in the same order.
 * Cost: a read of the selected prices until each source has been seen.
 */
export function* findSources(store: Store, selections: readonly PriceSelection[]): Generator<number, string[]> {
  const { sources, sourceNames } = store.prices;
  const all = allSources(store);
  const seen = new Uint8Array(sourceNames.length);
  let missing = all.length;
  for (const selection of selections) {
    for (const block of walkPrices(store, selection)) {
      for (let at = 0; at < block.length; at++) {
        const source = sources[block[at]!]!;
        missing -= 1 - seen[source]!;
        seen[source] = 1;
      }
      if (missing === 0) return all;
      // A block may have examined fewer, but a slice must not become long.
      yield walkStepRows;
    }
  }
  return all.filter((name) => seen[sourceNames.indexOf(name)] === 1);
}
