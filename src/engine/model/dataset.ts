/**
 * A checked snapshot in memory, before it is sorted and indexed: small tables as records, prices as unsorted columns.
 * The code that makes a Dataset (a reader of files, a generator, a test) ensures that every reference in it resolves.
 */

import type { Instant } from "./calendar.ts";
import { mapTexts, type PriceRows, type PriceTexts, priceColumns, sharedPriceRows } from "./price-columns.ts";
import type { PriceAcceptance, Records } from "./records.ts";
import { columnTypes, missingCode } from "./shared-columns.ts";
import { periodOfSource, type SamplePeriod, type SourcePeriods } from "./vocabulary.ts";

/** The place and the licence under which the prices of a source are published; null where it is not stated. */
export interface SourceDetails {
  /** Publisher and work, as a citation names them. */
  readonly title: string | null;
  readonly url: string | null;
  readonly licence: { readonly id: string; readonly url: string | null } | null;
  /** True if a program made the prices up: they are not real. */
  readonly generated: boolean | null;
}

const unknownDetails: SourceDetails = { title: null, url: null, licence: null, generated: null };

/** Returns what a snapshot states of a source of prices. */
export function sourceDetails({ sources }: Pick<SnapshotIdentity, "sources">, source: string): SourceDetails {
  return Object.hasOwn(sources, source) ? (sources[source] as SourceDetails) : unknownDetails;
}

/** The period, place and licence that a snapshot states of a source of prices, as answers and files have them. */
export function describeSource(
  snapshot: Pick<SnapshotIdentity, "sources" | "periods">,
  source: string,
): Omit<SourceDetails, "generated"> & { readonly source: string; readonly period: SamplePeriod | null } {
  const { title, url, licence } = sourceDetails(snapshot, source);
  return { source, period: periodOfSource(snapshot.periods, source), title, url, licence };
}

/** Identifies the publication that the records come from. */
export interface SnapshotIdentity {
  /** Sorts by time of publication and ends in the first 12 hex digits of the content hash. */
  readonly id: string;
  readonly createdAt: Instant;
  /** IANA name of a zone with a fixed offset; its calendar is the calendar of all days, weeks and months. */
  readonly timeZone: string;
  /** Milliseconds that clocks in `timeZone` are ahead of UTC. */
  readonly utcOffset: number;
  /** Id of the snapshot this one followed, null for the first. */
  readonly parent: string | null;
  readonly note: string | null;
  readonly attribution: readonly string[];
  readonly periods: SourcePeriods;
  /** By source of prices; a source may be missing. */
  readonly sources: Readonly<Record<string, SourceDetails>>;
}

/** For records that no snapshot holds. */
export const unpublished: SnapshotIdentity = {
  id: "unpublished",
  createdAt: 0 as Instant,
  timeZone: "UTC",
  utcOffset: 0,
  parent: null,
  note: null,
  attribution: [],
  periods: {},
  sources: {},
};

/** The number of different texts that the columns of units, currencies, sources and grades have codes for. */
export const shortDictionarySizeMax: number = missingCode(columnTypes[priceColumns.grades.type]);

/** The prices in order of arrival: columns as `priceColumns` describes them, and their dictionaries. */
export interface PriceTable extends PriceRows<SharedArrayBuffer>, PriceTexts {
  readonly rowCount: number;
}

export function emptyPriceTable(): PriceTable {
  return { rowCount: 0, ...sharedPriceRows(0), ...mapTexts(() => []) };
}

export interface Dataset {
  readonly snapshot: SnapshotIdentity;
  /** The small tables in the order of their files. */
  readonly counties: readonly Records["counties"][];
  readonly crops: readonly Records["crops"][];
  readonly unitCategories: readonly Records["units"][];
  readonly marketTypes: readonly Records["market-types"][];
  readonly products: readonly Records["products"][];
  readonly markets: readonly Records["markets"][];
  /** Empty where the snapshot has no such file. */
  readonly exchangeRates: readonly Records["exchange-rates"][];
  /** Empty where the snapshot has no such file. */
  readonly continuations: readonly Records["continuations"][];
  /** Empty where the snapshot has no such file. */
  readonly marketContinuations: readonly Records["market-continuations"][];
  readonly prices: PriceTable;
  /** Prices that are not marked as suspicious while their acceptances hold; some may not be there. None when absent. */
  readonly accepted?: readonly PriceAcceptance[] | undefined;
}
