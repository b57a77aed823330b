/**
 * Turns a table of prices, CSV or a workbook (.xlsx), into the files that `append` takes:
 *
 *   bytes → cells → prices → records → files
 *
 * Markets, products and units are those of the current snapshot; names that it does not have go to matches.csv.
 */
import { basename, dirname, join } from "node:path";
import type { Instant } from "../../../engine/model/calendar.ts";
import { counted } from "../../../engine/model/counted.ts";
import { ProblemList, problemsReadMax } from "../../../engine/snapshots/problem.ts";
import { ImportRefusedError } from "../import-refused.ts";
import { leaveOut, noPriceText } from "../left-out-rows.ts";
import { claimRecordFolder, writeRecordFolder } from "../record-folder.ts";
import { buildRecords, originRecords } from "./build-sheet-records.ts";
import { withoutCheck } from "./check-workbook.ts";
import { dayOf } from "./date-cell.ts";
import { neededUnits, withDeclaredUnits } from "./declared-units.ts";
import { columnTexts } from "./header-rows.ts";
import { fields } from "./headings.ts";
import { indexNames } from "./known-names.ts";
import { findReplacedPrices, type KnownPrices, type ReplacedPrice } from "./known-prices.ts";
import { readKnownRecords } from "./known-records.ts";
import { type Mapping, readMapping } from "./mapping.ts";
import { readAnswers } from "./match-answers.ts";
import { readMatches, type UnmatchedName, writeMatches } from "./matches-file.ts";
import { type PricesReading, readPrices } from "./read-sheet-prices.ts";
import { type RunReader, readTable } from "./read-sheet-tables.ts";
import { NameResolver } from "./resolve-names.ts";
import { type ImportReport, reportImport } from "./sheet-report.ts";
import type { ShownHeadings } from "./shown-numbers.ts";

/** A table and what it is read with. */
export interface SheetWork {
  /** CSV or a workbook. */
  readonly path: string;
  readonly mappingPath: string;
  /** Beside the mapping when absent. */
  readonly matchesPath?: string | undefined;
  /** The dataset directory whose current snapshot has the markets, products and units. */
  readonly dataDirectory: string;
  /** The day or month of all prices, `YYYY-MM-DD` or `YYYY-MM`, of a table without dates. */
  readonly date?: string | undefined;
  /** A table of mostly new prices may be of days before the newest of its source. */
  readonly acceptsEarlier?: boolean;
  readonly now: Instant;
  /** A process with limits when absent. */
  readonly runReader?: RunReader;
}

export interface SheetImport extends SheetWork {
  /** Folder to make; it must be new or empty. */
  readonly outputPath: string;
  /** An earlier import in that folder may be replaced. */
  readonly replacesImport?: boolean;
}

export type SheetOutcome =
  | { readonly outcome: "imported"; readonly report: ImportReport; readonly warnings: ProblemList }
  | {
      readonly outcome: "refused";
      /** The faults of rows of the table and of matches.csv. */
      readonly problems: ProblemList;
      readonly warnings: ProblemList;
      /** The names that matches.csv has now without an answer. */
      readonly unmatched: readonly UnmatchedName[];
      readonly matchesPath: string;
    };

/**
 * Imports one table. The output folder is complete afterwards, or as it was; matches.csv is written only when a name is
 * in it for the first time, or an answer does not yet name its record as it is called now.
 *
 * Cost: memory for the rows, serialized, and for every price; see reader-limits.ts.
 *
 * @throws {ImportRefusedError} when the file, the mapping or matches.csv is not usable, or there is no price.
 * @throws {FolderTakenError} when the folder must not be written to.
 * @throws {DatasetError} naming every fault of the mapping, or of the snapshot's tables, or too many of the table.
 * @throws {SnapshotUnavailableError} when there is no current snapshot.
 */
export async function importSheet(work: SheetImport): Promise<SheetOutcome> {
  const { path, outputPath, replacesImport: replaces = false, now } = work;
  const folder = await claimRecordFolder(outputPath, replaces, ["units", "products", "markets", "prices"]);
  const sheet = await readSheet(work, new ProblemList(problemsReadMax));
  const { mapping, table, problems, warnings, matches, matchesPath, answers, resolver } = sheet;
  const read = readPrices(sheet);
  const { unmatched } = resolver;
  const hasNewMatch = answers.some(({ row }) => !matches.some(({ line, use }) => line === row.line && use === row.use));
  if (unmatched.length > 0 || hasNewMatch) {
    const separator = table.text?.delimiter === ";" ? ";" : ",";
    const decided = answers.map(({ row }) => row);
    await writeMatches(matchesPath, matches, decided, resolver, separator);
  }
  if (problems.total > 0 || unmatched.length > 0) {
    return { outcome: "refused", problems, warnings, unmatched, matchesPath };
  }

  const { before, reading } = await comparePrices(sheet, read, work);
  const { known, unitCategories, newRecords } = sheet;
  const { source, attribution } = mapping;
  const { facts } = reading;
  const records = buildRecords(facts, source, newRecords, now);
  const origins = originRecords(facts, { file: basename(path), sheet: table.sheet }, now);
  const units = neededUnits(known.unitCategories, unitCategories, new Set(facts.map(({ unit }) => unit)));
  const manifest = attribution.length === 0 ? undefined : { attribution };
  await writeRecordFolder(path, folder, { ...records, units, origins }, manifest);
  return { outcome: "imported", report: reportImport(table, mapping, reading, records, before), warnings };
}

/** A table that waits for its rows to be read, and all that they are read with. */
type OpenSheet = Awaited<ReturnType<typeof readSheet>>;

/** Reads everything but the rows; throws as `importSheet`. @param problems Receives those of all that is read. */
export async function readSheet(work: SheetWork, problems: ProblemList) {
  const { path, mappingPath, now } = work;
  const matchesPath = work.matchesPath ?? join(dirname(mappingPath), "matches.csv");
  const mapping = await readMapping(mappingPath, work.date);
  const { sheet, encoding, delimiter } = mapping;
  const choice = { sheet, encoding, delimiter, shown: headingsOfFormats(mapping) };
  const table = withoutCheck(await readTable(path, choice, work.runReader), mapping);
  const known = await readKnownRecords(work.dataDirectory);
  const warnings = new ProblemList();
  const matches = await readMatches(matchesPath);
  const unitCategories = withDeclaredUnits(known.unitCategories, mapping, mappingPath, problems);
  const indexes = indexNames({ ...known, unitCategories });
  const { answers, ...newRecords } = readAnswers(matches, indexes, matchesPath, problems);
  const resolver = new NameResolver(indexes, answers);
  const names = { matches, matchesPath, answers, newRecords, resolver };
  return { mapping, table, known, unitCategories, problems, warnings, today: dayOf(now), ...names };
}

/** Compares prices with the snapshot. @throws {ImportRefusedError} where there is none, or all are too early. */
export async function comparePrices({ table, mapping, known }: OpenSheet, read: PricesReading, work: SheetWork) {
  const { pricesPlace } = known;
  refuseNoPrice(table.file, mapping, read);
  const before = await findReplacedPrices(pricesPlace, read, table.file, mapping, work.now);
  const reading = withoutWithdrawn(read, pricesPlace.withdrawn, before.replaced);
  refuseNoPrice(table.file, mapping, reading);
  if (work.acceptsEarlier !== true) refuseEarlier(table.file, reading, before);
  return { before, reading };
}

/** Number formats of prices and units count, and marks in all columns but that of notes; without headings in any. */
function headingsOfFormats({ columns, header_row }: Mapping): ShownHeadings {
  if (header_row === 0 || typeof columns.price === "object") return { numbers: [], marked: [] };
  const marked = fields.filter((field) => field !== "notes").flatMap((field) => columnTexts(columns[field]));
  return { numbers: [...columnTexts(columns.price), ...columnTexts(columns.unit)], marked };
}

/** Leaves out the rows whose prices are withdrawn, and no others than the rows say. */
function withoutWithdrawn(
  reading: PricesReading,
  withdrawn: ReadonlySet<string>,
  replaced: readonly ReplacedPrice[],
): PricesReading {
  const leftOut = new Map(reading.leftOut);
  const corrected = new Set(replaced.map(({ uuid }) => uuid));
  const facts = reading.facts.filter((fact) => {
    const isWithdrawn = withdrawn.has(fact.uuid) && !corrected.has(fact.uuid);
    if (isWithdrawn) leaveOut(leftOut, "withdrawn", fact.line);
    return !isWithdrawn;
  });
  return { ...reading, facts, leftOut };
}

/** Refuses a table of an earlier time that the snapshot does not have: its days may be wrong. */
function refuseEarlier(file: string, { facts }: PricesReading, { earlier, newCount }: KnownPrices): void {
  if (earlier === undefined || earlier.daysBefore <= 0 || newCount * 2 <= facts.length) return;
  const days = counted(earlier.daysBefore, "day");
  const found = `${newCount} of ${facts.length} prices new, and all at least ${days} before the newest`;
  throw new ImportRefusedError(
    `${file}: found ${found} of the source, expected newer ones, or --yes where they are right`,
  );
}

function refuseNoPrice(file: string, { header_row }: Mapping, reading: PricesReading): void {
  if (reading.facts.length > 0) return;
  throw new ImportRefusedError(`${file}: ${noPriceText(`price below the headings in row ${header_row}`, reading)}`);
}
