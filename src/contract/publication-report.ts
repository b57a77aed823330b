/**
 * The report on a publication as values: publishing makes it from two stores, the site draws it, and the commands print
 * it.
 */

import type { Instant } from "../engine/model/calendar.ts";
import type { CountedName } from "../engine/model/counted.ts";
import type { Uuid } from "../engine/model/ids.ts";
import type { PriceOrigin } from "../engine/model/records.ts";
import type { MarketType } from "../engine/model/vocabulary.ts";
import type { RecordedPrice } from "../engine/query/recorded-price.ts";
import type { Problem, ProblemList } from "../engine/snapshots/problem.ts";
import { type RecordKind, recordKinds } from "../engine/snapshots/snapshot-layout.ts";
import type { Store } from "../engine/store/store.ts";

/** A snapshot beside the one that it is compared with. */
export interface PublicationReport {
  readonly store: Store;
  /** The snapshot that it is compared with; undefined without one. */
  readonly before: Store | undefined;
  /** Why there is none; empty where there is. */
  readonly uncompared: string;
  readonly changes: SnapshotChanges | undefined;
  /** Rows of `store` that are added or changed, ascending; without a snapshot to compare with, all. */
  readonly changedRows: Uint32Array;
  /** Returns whether two prices of one uuid agree in every field; undefined without a snapshot to compare with. */
  readonly isSamePrice: ((rowBefore: number, row: number) => boolean) | undefined;
  /** About what the snapshot adds or changes; without a snapshot to compare with, about all prices. */
  readonly warnings: WarningList;
}

/** The changes that readers notice from one snapshot to another. */
export interface SnapshotChanges {
  /** Records by identifier (prices, products, markets by uuid; units by category; market types by type). */
  readonly rows: Readonly<Record<RecordKind, RowChanges>>;
  /** By product name, then uuid. */
  readonly latestPriceMoves: readonly LatestPriceMove[];
  readonly runs: RunChanges;
  /** Sources with another number of prices, by name. */
  readonly sources: readonly SourceChange[];
}

/** Number of prices of a source. */
export interface SourceChange {
  readonly source: string;
  readonly before: number;
  readonly after: number;
}

/** Numbers of records of a table that differ between two snapshots. */
export interface RowChanges {
  readonly added: number;
  readonly gone: number;
  /** Records of one identifier that differ in any field. */
  readonly changed: number;
}

/** The tables that differ, in their order. */
export function changedTables({ rows }: Pick<SnapshotChanges, "rows">): (RowChanges & { readonly kind: RecordKind })[] {
  return recordKinds
    .map((kind) => ({ kind, ...rows[kind] }))
    .filter(({ added, gone, changed }) => added + gone + changed > 0);
}

/** A product at a market: what names a run. */
export interface RunName {
  readonly productUuid: Uuid;
  readonly product: string;
  readonly marketUuid: Uuid;
  readonly market: string;
}

/** Runs with prices in only one of two snapshots; each by product name, then market name. */
export interface RunChanges {
  readonly appearing: readonly RunName[];
  readonly vanishing: readonly RunName[];
}

/** A price as it is compared. */
export interface LatestPrice {
  readonly price: number;
  readonly recordedAt: Instant;
  readonly source: string;
  readonly market: string;
}

/** The kind of a price; only prices of one kind are comparable. */
export interface PriceKind {
  readonly unit: string;
  readonly currency: string;
  readonly marketType: MarketType;
}

/** A product whose latest price is far from the one before. */
export interface LatestPriceMove extends PriceKind {
  readonly uuid: Uuid;
  readonly name: string;
  readonly before: LatestPrice;
  readonly after: LatestPrice;
}

/** A latest price may move by this many percent without being reported (inclusive). */
export const moveReportedPercentMin = 20;

/** Every kind of warning, in the order in which they are reported, and the words that count warnings of it. */
export const warningNames = {
  suspicious: ["suspicious price", "suspicious prices"],
  "copied-market": ["month of a market that equals that of another", "months of markets that equal those of others"],
  "copied-month": ["month of a market that equals the month before", "months of markets that equal the months before"],
  "repeated-price": ["price that stands twice", "prices that stand twice"],
  "second-price": ["second price of a series and day", "second prices of a series and day"],
  "moved-correction": [
    "correction that changes product, market or day",
    "corrections that change product, market or day",
  ],
  "future-date": ["date in the future", "dates in the future"],
  "early-date": ["date before the data starts", "dates before the data starts"],
  "new-currency": ["currency new to a product", "currencies new to a product"],
  "new-unit": ["unit new to a product", "units new to a product"],
  "new-source": ["source not seen before", "sources not seen before"],
  "silent-market": ["market that went silent", "markets that went silent"],
  "silent-source": ["source that went silent", "sources that went silent"],
  "no-prices": ["product without prices", "products without prices"],
  "not-compared": ["comparison that could not be made", "comparisons that could not be made"],
  "newly-marked": [
    "price published before that is marked as suspicious now",
    "prices published before that are marked as suspicious now",
  ],
  "not-judged": ["price that nothing could judge", "prices that nothing could judge"],
} as const satisfies Readonly<Record<string, CountedName>>;

export type WarningKind = keyof typeof warningNames;

export const warningKinds = Object.keys(warningNames) as readonly WarningKind[];

/** Kinds that are counted alone, and refuse nothing: they are not about what the publication states. */
const countedKinds: readonly WarningKind[] = ["newly-marked", "not-judged"];

/** Kinds that say that something looks wrong. */
export const suspectKinds: readonly WarningKind[] = warningKinds.filter((kind) => !countedKinds.includes(kind));

/** The distance of a price from the usual one. */
export interface Deviation {
  /** In the unit and currency of the price. */
  readonly usualPrice: number;
  /**
   * By how much a slip has multiplied the price: 10, 100, 0.1, 0.01, or the ratio of two units; undefined without a
   * slip.
   */
  readonly slipFactor: number | undefined;
}

/** One thing that looks wrong and may be true. */
export interface Warning extends Problem<WarningKind> {
  /** Undefined where it is about a product, a market, a source, or the comparison as a whole. */
  readonly price?: RecordedPrice | undefined;
  /** Only of suspicious prices. */
  readonly deviation?: Deviation | undefined;
  /** The file and row that the price comes from, if an import has written that down. */
  readonly origin?: PriceOrigin | undefined;
}

/** Warnings: the first of each kind in full, all of them counted. */
export type WarningList = ProblemList<WarningKind, Warning>;

/** `prices.xlsx, sheet Nakuru, row 12` */
export function originText({ file, sheet, row }: PriceOrigin): string {
  return `${file}${sheet === null ? "" : `, sheet ${sheet}`}, row ${row}`;
}
