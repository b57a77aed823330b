/** What a warning is, its kinds, and the list that publishing reports. */

import type { CountedName } from "../../../engine/model/counted.ts";
import type { PriceOrigin, PriceRecord } from "../../../engine/model/records.ts";
import { type Problem, ProblemList, problemsPerKindMax } from "../../../engine/snapshots/problem.ts";
import type { PlacedRecords } from "../../../engine/snapshots/read-tables.ts";
import type { Store } from "../../../engine/store/store.ts";

/** Every kind of warning, in the order in which they are reported, and the words that count warnings of it. */
export const warningNames = {
  "decimal-slip": [
    "price that looks 10 or 100 times too high or too low",
    "prices that look 10 or 100 times too high or too low",
  ],
  "unit-slip": ["price that looks as if it were per another unit", "prices that look as if they were per another unit"],
  outlier: ["price far from the usual one", "prices far from the usual one"],
  "repeated-price": ["price that stands twice", "prices that stand twice"],
  "second-price": ["second price of a series and day", "second prices of a series and day"],
  "moved-correction": [
    "correction that changes product, market or day",
    "corrections that change product, market or day",
  ],
  "future-date": ["date in the future", "dates in the future"],
  "early-date": ["date before the data starts", "dates before the data starts"],
  "odd-date": ["date out of step with its file", "dates out of step with their file"],
  "new-currency": ["currency new to a product", "currencies new to a product"],
  "new-unit": ["unit new to a product", "units new to a product"],
  "new-source": ["source not seen before", "sources not seen before"],
  "new-grade": ["quality grade not seen before", "quality grades not seen before"],
  "silent-market": ["market that went silent", "markets that went silent"],
  "silent-source": ["source that went silent", "sources that went silent"],
  "no-prices": ["product without prices", "products without prices"],
  "not-compared": ["comparison that could not be made", "comparisons that could not be made"],
  "not-judged": ["price that nothing could judge", "prices that nothing could judge"],
} as const satisfies Readonly<Record<string, CountedName>>;

export type WarningKind = keyof typeof warningNames;

export const warningKinds = Object.keys(warningNames) as readonly WarningKind[];

/** Kinds that say that something looks wrong: all but the one that says that nothing is known. */
export const suspectKinds: readonly WarningKind[] = warningKinds.filter((kind) => kind !== "not-judged");

/** The price that a warning is about. */
export interface WarnedPrice
  extends Pick<
    PriceRecord,
    "uuid" | "productUuid" | "marketUuid" | "price" | "unit" | "currency" | "recordedAt" | "source"
  > {
  readonly product: string;
  readonly market: string;
}

/** How far a price is from the usual one. */
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
  readonly price?: WarnedPrice | undefined;
  /** Only of prices that are far from the usual one. */
  readonly deviation?: Deviation | undefined;
  /** Where the price comes from, if an import has written that down. */
  readonly origin?: PriceOrigin | undefined;
}

/** Warnings: the first of each kind in full, all of them counted. */
export type WarningList = ProblemList<WarningKind, Warning>;

/** An empty list. @param perKindMax How many of each kind it keeps in full. */
export function noWarnings(perKindMax: number = problemsPerKindMax): WarningList {
  return new ProblemList(Number.POSITIVE_INFINITY, perKindMax);
}

/** What a kind of warning is judged by. */
export interface Judgement {
  /** The prices as readers would see them. */
  readonly after: Store;
  /** The prices as readers see them now, if there is a snapshot to compare with. */
  readonly before: Store | undefined;
  /** Where the prices come from; prices of it that are not judged may be compared with those that are. */
  readonly reading: PlacedRecords | undefined;
  /** Rows of `after` to warn of, ascending: what a publication adds or changes. */
  readonly rows: Uint32Array;
}

/** What a finding is about: a row, a product code or a market code of `after`, or the prices as a whole. */
type Subject = { readonly row: number } | { readonly product: number } | { readonly market: number } | "prices";

/** What is said of a finding. */
export type Description = Pick<Warning, "field" | "found" | "wanted" | "deviation">;

/** A warning before its file and line are known. */
export interface Finding {
  readonly kind: WarningKind;
  readonly subject: Subject;
  /** Called only for the first of a kind, so that a million findings cost no texts. */
  readonly describe: () => Description;
}

/** A finding about a row. */
export function findingOf(kind: WarningKind, row: number, describe: () => Description): Finding {
  return { kind, subject: { row }, describe };
}
