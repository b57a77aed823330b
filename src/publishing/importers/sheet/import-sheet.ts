/**
 * Turns a table of prices, CSV or a workbook (.xlsx), into the files that `append` takes:
 *
 *   readTable → readPrices (with readMapping, readMatches, NameResolver) → buildRecords → files
 *
 * Markets, products and units are those of the current snapshot; names that it does not have go to matches.csv.
 */
import { basename, dirname, join } from "node:path";
import type { Instant } from "../../../engine/model/calendar.ts";
import { readCurrent, readManifestOf } from "../../../engine/snapshots/current-snapshot.ts";
import { toListedFile } from "../../../engine/snapshots/load-dataset.ts";
import { readManifestDecisions } from "../../../engine/snapshots/price-decisions.ts";
import { DatasetError, ProblemList, problemsReadMax } from "../../../engine/snapshots/problem.ts";
import { readTables as readRecordTables } from "../../../engine/snapshots/read-tables.ts";
import { snapshotPath } from "../../../engine/snapshots/snapshot-layout.ts";
import { ReadingCounter } from "../../../engine/snapshots/stored-file.ts";
import { ImportRefusedError } from "../import-refused.ts";
import { leaveOut, noPriceText } from "../left-out-rows.ts";
import { claimRecordFolder, writeRecordFolder } from "../record-folder.ts";
import { buildRecords, originRecords } from "./build-sheet-records.ts";
import { dayOf } from "./date-cell.ts";
import { neededUnits, withDeclaredUnits } from "./declared-units.ts";
import { findReplacedPrices, type PricesPlace } from "./known-prices.ts";
import { readMapping } from "./mapping.ts";
import { readMatches, type UnmatchedName, writeMatches } from "./matches-file.ts";
import { type PricesReading, readPrices } from "./read-price-rows.ts";
import { readTable } from "./read-sheet-tables.ts";
import { type KnownRecords, NameResolver } from "./resolve-names.ts";
import { type ImportReport, reportImport } from "./sheet-report.ts";

export interface SheetImport {
  /** CSV or a workbook. */
  readonly path: string;
  readonly mappingPath: string;
  /** Beside the mapping when absent. */
  readonly matchesPath?: string | undefined;
  /** The dataset directory whose current snapshot has the markets, products and units. */
  readonly dataDirectory: string;
  /** Folder to make; it must be new or empty. */
  readonly outputPath: string;
  /** An earlier import in that folder may be replaced. */
  readonly replacesImport?: boolean;
  readonly now: Instant;
}

export type SheetOutcome =
  | { readonly outcome: "imported"; readonly report: ImportReport; readonly warnings: ProblemList }
  | {
      readonly outcome: "refused";
      /** What is wrong with rows of the table and of matches.csv. */
      readonly problems: ProblemList;
      readonly warnings: ProblemList;
      /** The names that are in matches.csv now, without an answer. */
      readonly unmatched: readonly UnmatchedName[];
      readonly matchesPath: string;
    };

/**
 * Imports one table. The output folder is complete afterwards, or as it was; matches.csv is written only when a name is
 * in it for the first time.
 *
 * Cost: memory for the rows, serialized, and for every price; see reader-limits.ts.
 *
 * @throws {ImportRefusedError} when the file, the mapping or matches.csv is not usable, or there is no price.
 * @throws {FolderTakenError} when the folder must not be written to.
 * @throws {DatasetError} naming every fault of the mapping, or of the snapshot's tables.
 * @throws {SnapshotUnavailableError} when there is no current snapshot.
 */
export async function importSheet(work: SheetImport): Promise<SheetOutcome> {
  const { path, mappingPath, outputPath, replacesImport: replaces = false, now } = work;
  const matchesPath = work.matchesPath ?? join(dirname(mappingPath), "matches.csv");
  const folder = await claimRecordFolder(outputPath, replaces, ["units", "products", "markets", "prices"]);
  const mapping = await readMapping(mappingPath);
  const { sheet, encoding, delimiter, columns } = mapping;
  const headings = [columns.price, columns.unit].flat().filter((heading) => heading !== undefined);
  const shown = mapping.header_row === 0 ? [] : headings;
  const table = await readTable(path, { sheet, encoding, delimiter, shown });
  const known = await readKnownRecords(work.dataDirectory);
  const problems = new ProblemList(problemsReadMax);
  const warnings = new ProblemList();
  const matches = await readMatches(matchesPath, problems);
  const unitCategories = withDeclaredUnits(known.unitCategories, mapping, mappingPath, problems);
  const resolver = new NameResolver({ ...known, unitCategories }, matches, matchesPath, problems);
  const rowReading = { table, mapping, resolver, problems, warnings, today: dayOf(now) };
  const read = untilTooMany(problems, () => readPrices(rowReading));
  const { unmatched } = resolver;
  if (unmatched.length > 0) await writeMatches(matchesPath, matches, unmatched, (name) => resolver.candidatesOf(name));
  if (read === undefined || problems.total > 0 || unmatched.length > 0) {
    return { outcome: "refused", problems, warnings, unmatched, matchesPath };
  }
  const reading = withoutWithdrawn(read, known.withdrawn);
  const { facts } = reading;
  if (reading.rowCount === 0) {
    const where = mapping.header_row === 0 ? "no row" : `headings in row ${mapping.header_row} and no row below them`;
    throw new ImportRefusedError(`${table.file}: has ${where}, expected prices`);
  }
  if (facts.length === 0) {
    throw new ImportRefusedError(`${table.file}: ${noPriceText("price below the headings", reading)}`);
  }
  const records = buildRecords(facts, mapping.source, resolver, now);
  const origins = originRecords(facts, { file: basename(path), sheet: table.sheet }, now);
  const usedUnits = new Set(facts.map(({ unit }) => unit));
  const units = neededUnits(known.unitCategories, unitCategories, usedUnits);
  const { attribution, source, heading_in_key } = mapping;
  const imported = { file: table.file, source, isDecided: heading_in_key !== undefined, now };
  const replaced = await findReplacedPrices(known.pricesPlace, reading, imported, warnings);
  await writeRecordFolder(
    folder,
    { ...records, units, origins },
    attribution.length === 0 ? undefined : { attribution },
  );
  return { outcome: "imported", report: reportImport(table, mapping, reading, records, replaced), warnings };
}

/** Leaves out the rows whose prices are withdrawn. */
function withoutWithdrawn(reading: PricesReading, withdrawn: ReadonlySet<string>): PricesReading {
  const leftOut = new Map(reading.leftOut);
  const facts = reading.facts.filter((fact) => {
    const isWithdrawn = withdrawn.has(fact.uuid);
    if (isWithdrawn) leaveOut(leftOut, "withdrawn", fact.line);
    return !isWithdrawn;
  });
  return { ...reading, facts, leftOut };
}

/** The tables of the current snapshot, the uuids of its withdrawn prices, and where its prices are. */
async function readKnownRecords(
  dataDirectory: string,
): Promise<KnownRecords & { readonly withdrawn: ReadonlySet<string>; readonly pricesPlace: PricesPlace }> {
  const id = await readCurrent(dataDirectory);
  const manifest = await readManifestOf(dataDirectory, id);
  const problems = new ProblemList();
  const directory = snapshotPath(dataDirectory, id);
  const reading = { directory, problems, counter: new ReadingCounter() };
  const tables = await readRecordTables(reading, manifest.files.map(toListedFile));
  problems.throwIfAny(`snapshot ${id}`);
  const { withdrawals } = await readManifestDecisions(directory, manifest);
  return {
    pricesPlace: { directory, files: manifest.files },
    withdrawn: new Set(withdrawals.map(({ uuid }) => uuid)),
    counties: tables.counties.records,
    unitCategories: tables.units.records,
    products: tables.products.records,
    markets: tables.markets.records,
  };
}

/** The result of work that adds problems; undefined when it ended because there were too many. */
function untilTooMany<T>(problems: ProblemList, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof DatasetError && error.list === problems && problems.isCut) return undefined;
    throw error;
  }
}
