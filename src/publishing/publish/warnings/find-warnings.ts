/** Finds warnings: something in the prices that a publication adds or changes looks wrong, and may be true. */

import {
  type Warning,
  type WarningKind,
  type WarningList,
  warningKinds,
} from "../../../contract/publication-report.ts";
import { compareTexts } from "../../../engine/model/folded-text.ts";
import { findRowOf, type Uuid } from "../../../engine/model/ids.ts";
import type { PriceColumnName } from "../../../engine/model/price-columns.ts";
import type { PriceAcceptance } from "../../../engine/model/records.ts";
import { recordedPrice } from "../../../engine/query/recorded-price.ts";
import { type Place, type Problem, ProblemList } from "../../../engine/snapshots/problem.ts";
import type { PlacedRecords } from "../../../engine/snapshots/read-tables.ts";
import { tableFileNames } from "../../../engine/snapshots/snapshot-layout.ts";
import { recordAt } from "../../../engine/store/catalogue.ts";
import type { Store } from "../../../engine/store/store.ts";
import { pricesOfStore, rowComparison } from "../compare-prices.ts";
import { PublicationRefusedError } from "../publish-problem.ts";
import { findCopiedMonths } from "./copied-months.ts";
import { findEarlyDates, findFutureDates } from "./future-and-early-dates.ts";
import { findMovedCorrections } from "./moved-corrections.ts";
import { findNewOfProducts, findNewSources } from "./new-values.ts";
import { findRepeatedDays } from "./repeated-days.ts";
import { findSilentMarkets, findSilentSources, findUnpriced } from "./silences.ts";
import { countNewlyMarked, findMarkedRows, findSuspicious } from "./suspicious.ts";
import { type Finding, type Judgement, noWarnings } from "./warning.ts";

export interface WarningsQuestion {
  /** The snapshot as readers would see it, or see it. */
  readonly after: Store;
  /** The snapshot to compare with. Without one, all prices count as added. */
  readonly before?: Store | undefined;
  /**
   * The records and their places: all of `after`, or the prices that an append adds. Without it, warnings of prices
   * name no file and line.
   */
  readonly reading?: PlacedRecords | undefined;
  /** The `changedRows` where they are known already. */
  readonly rows?: Uint32Array | undefined;
  /** The acceptances of prices of `after`; those of the `reading` when absent. */
  readonly accepted?: readonly PriceAcceptance[] | undefined;
  /** True if prices were left out because they have problems: then it is not known what lacks prices. */
  readonly isPartial?: boolean | undefined;
  /** Number of warnings of each kind that are kept in full; 20 when absent. */
  readonly perKindMax?: number | undefined;
}

/** Finds warnings. */
type Finder = (judgement: Judgement) => Iterable<Finding>;

/** Find every kind that is listed. `not-compared` is of publishing itself. */
const finders: readonly Finder[] = [
  findSuspicious,
  findCopiedMonths,
  findRepeatedDays,
  findMovedCorrections,
  findFutureDates,
  findEarlyDates,
  (judgement) => findNewOfProducts(judgement, "currency"),
  (judgement) => findNewOfProducts(judgement, "unit"),
  findNewSources,
];

/** The finders of what lacks prices. */
const absenceFinders: readonly Finder[] = [findSilentMarkets, findSilentSources, findUnpriced];

/**
 * Finds all warnings of a snapshot, or of what it changes of another: of prices added or changed, and of markets,
 * sources and products that lack new ones.
 *
 * @returns By kind, within a kind by file and line. Cost: of a whole snapshot some passes over its prices, and
 *   a look-up of each in the snapshot before; of an append, look-ups of its prices in the indexes and a read of each
 *   market.
 */
export function findWarnings(question: WarningsQuestion): WarningList {
  const { after, before, reading, isPartial = false, perKindMax } = question;
  const rows = question.rows ?? judgedRows(after, before, reading);
  const accepted = question.accepted ?? reading?.records.accepted ?? [];
  const suspicious = findMarkedRows({ after, before, rows, accepted });
  const judgement: Judgement = { after, before, rows, accepted, suspicious };
  const warnings = noWarnings(perKindMax);
  const counts = new Map<WarningKind, number>();
  const first: Finding[] = [];
  for (const find of isPartial ? finders : [...finders, ...absenceFinders]) {
    for (const finding of find(judgement)) {
      const count = counts.get(finding.kind) ?? 0;
      counts.set(finding.kind, count + 1);
      if (count < warnings.perKindMax) first.push(finding);
    }
  }
  for (const [kind, count] of [
    ["newly-marked", countNewlyMarked(judgement)],
    ["not-judged", suspicious.unjudgedCount],
  ] as const) {
    if (count > 0) counts.set(kind, count);
  }
  warnings.addAll(locateFindings(after, first, reading), counts);
  return warnings;
}

/**
 * The rows of a store that a publication adds or changes, ascending. Cost: a look-up for each price that an append
 * adds; of a whole snapshot as `changedRows`.
 */
function judgedRows(after: Store, before: Store | undefined, reading: PlacedRecords | undefined): Uint32Array {
  const { prices, rowByUuid } = after;
  const added = reading?.records.prices;
  if (added === undefined || added.rowCount === prices.rowCount) return changedRows(before, after);
  const rowOf = (at: number): number => findRowOf(rowByUuid, prices.uuids, added.uuids, at) as number;
  return Uint32Array.from({ length: added.rowCount }, (_, at) => rowOf(at)).sort();
}

/** Columns by which nothing is judged. */
const notJudged: readonly PriceColumnName[] = ["notes", "flags", "createdAt", "updatedAt"];

/**
 * The rows of `after` whose price `before` does not have, or has with another product, market, instant, amount, unit,
 * currency, source or grade. Notes and timestamps do not count: nothing is judged by them. All rows without `before`.
 *
 * @returns Rows of `after`, ascending. Cost: a look-up for each.
 */
export function changedRows(before: Store | undefined, after: Store): Uint32Array {
  const rows = new Uint32Array(after.prices.rowCount).map((_, row) => row);
  if (before === undefined) return rows;
  const isSame = rowComparison(pricesOfStore(before), pricesOfStore(after), notJudged);
  return rows.filter((row) => {
    const rowBefore = findRowOf(before.rowByUuid, before.prices.uuids, after.prices.uuids, row);
    return rowBefore === undefined || !isSame(rowBefore, row);
  });
}

/**
 * Refuses a plan for its problems, or else for its warnings of some kinds: these become problems, the others stay
 * warnings.
 *
 * @param subject Names what is published, in the message.
 * @param strict Kinds of warnings that are refused; none when undefined.
 * @throws {PublicationRefusedError} with all problems and warnings.
 */
export function refusePlan<Kind extends string, Item extends Problem<Kind>>(
  subject: string,
  problems: ProblemList<string>,
  warnings: ProblemList<Kind, Item>,
  strict: ReadonlySet<Kind> | undefined,
): void {
  if (problems.total > 0) throw new PublicationRefusedError(subject, problems, warnings);
  if (strict === undefined) return;
  const emptyList = (): ProblemList<Kind, Item> => new ProblemList(Number.POSITIVE_INFINITY, warnings.perKindMax);
  const [refused, others] = [emptyList(), emptyList()];
  for (const [kind, count] of warnings.counts) {
    const list = strict.has(kind) ? refused : others;
    const ofKind = warnings.problems.filter((warning) => warning.kind === kind);
    list.addAll(ofKind, new Map([[kind, count]]));
  }
  if (refused.total > 0) throw new PublicationRefusedError(subject, refused, others);
}

/** Findings as warnings, with the files and lines of what they are about: by kind, file and line. */
function locateFindings(after: Store, findings: readonly Finding[], reading: PlacedRecords | undefined): Warning[] {
  const locations = reading === undefined ? undefined : findLocations(after, findings, reading);
  const located = findings.map(({ kind, subject, describe }): Warning => {
    const finding = { kind, ...describe() };
    if (subject === "prices") return { file: "prices", ...finding };
    if ("row" in subject) {
      const location = locations?.get(subject.row) ?? { file: "prices" };
      return { ...location, ...finding, price: recordedPrice(after, subject.row) };
    }
    const { markets, products } = after.catalogue;
    if ("market" in subject) {
      return { ...locationOfRecord("markets", recordAt(markets, subject.market), reading), ...finding };
    }
    return { ...locationOfRecord("products", recordAt(products, subject.product), reading), ...finding };
  });
  return located.toSorted(
    (a, b) =>
      warningKinds.indexOf(a.kind) - warningKinds.indexOf(b.kind) ||
      compareTexts(a.file, b.file) ||
      (a.line ?? 0) - (b.line ?? 0),
  );
}

/** The location of a product or market: in an input file, or in that of the current snapshot. */
function locationOfRecord(
  kind: "products" | "markets",
  { uuid }: { readonly uuid: Uuid },
  reading: PlacedRecords | undefined,
): Pick<Warning, "file" | "line"> {
  const table = reading?.tables[kind];
  const position = table?.records.findIndex((record) => record.uuid === uuid) ?? -1;
  return table === undefined || position === -1 ? { file: tableFileNames[kind] } : table.locationOf(position);
}

/** The locations of the rows that findings are about. Cost: a look-up for each price of the reading. */
function findLocations(
  { prices, rowByUuid }: Store,
  findings: readonly Finding[],
  { records, locationOfPrice }: PlacedRecords,
): ReadonlyMap<number, Place> {
  const locations = new Map<number, Place>();
  const wanted = new Set(
    findings.flatMap(({ subject }) => (typeof subject === "object" && "row" in subject ? [subject.row] : [])),
  );
  if (wanted.size === 0) return locations;
  const { uuids, rowCount } = records.prices;
  for (let at = 0; at < rowCount; at++) {
    const row = findRowOf(rowByUuid, prices.uuids, uuids, at);
    if (row !== undefined && wanted.has(row)) locations.set(row, locationOfPrice(at));
  }
  return locations;
}
