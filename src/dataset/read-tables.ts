/** The small tables: files of records, each checked by itself, then all of them together. */
import { join } from "node:path";
import type { CountyRecord, MarketRecord, ProductRecord, UnitCategoryRecord, UnitRecord } from "../domain/records.ts";
import { type Fault, foundText, type ProblemList } from "./problem.ts";
import { type Records, recordFormats } from "./record-formats.ts";
import { type RecordText, readJsonArray, readNdjson } from "./record-texts.ts";
import { readRecord } from "./schema.ts";
import { type RecordKind, type TableKind, tableFileNames } from "./snapshot-layout.ts";
import {
  type FileDigest,
  faultOfReading,
  inspectStoredFile,
  type ReadingTally,
  readStoredFile,
} from "./stored-file.ts";

export interface TableFile extends RecordFile {
  readonly kind: TableKind;
}

/** The small tables, and what each file was when it was read; undefined where it could not be read to its end. */
export interface TablesReading {
  readonly tables: Tables;
  readonly readings: ReadonlyMap<string, FileReading | undefined>;
}

/**
 * Reads the small tables and checks the links between them.
 *
 * @param files One of each kind.
 * @param problems Receives whatever is wrong.
 * @param tally Counts bytes and rows.
 */
export async function readTables(
  directory: string,
  files: readonly TableFile[],
  problems: ProblemList,
  tally: ReadingTally,
): Promise<TablesReading> {
  const readings = new Map<string, FileReading | undefined>();
  const tables: Tables = {
    counties: await readTable("counties", inOrderOfId),
    crops: await readTable("crops"),
    units: await readTable("units"),
    "market-types": await readTable("market-types"),
    products: await readTable("products"),
    markets: await readTable("markets"),
  };
  checkLinks(tables, problems);
  return { tables, readings };

  async function readTable<Kind extends TableKind>(
    kind: Kind,
    arranged: (record: Records[Kind]) => Records[Kind] = (record) => record,
  ): Promise<RecordTable<Records[Kind]>> {
    const table = new RecordTable<Records[Kind]>(tableFileNames[kind]);
    const file = files.find((candidate) => candidate.kind === kind);
    if (file === undefined) {
      problems.add({ file: table.file, kind: "file", found: "no such file", wanted: "a file" });
      table.isWhole = false;
      return table;
    }
    const reading = await readRecordFile(directory, { ...file, kind }, problems, tally, (record, line) => {
      table.add(arranged(record), line);
    });
    readings.set(file.name, reading);
    table.isWhole = reading?.isWhole ?? false;
    return table;
  }
}

/** The county, its sub-counties sorted. */
function inOrderOfId(county: CountyRecord): CountyRecord {
  return { ...county, subCounties: county.subCounties.toSorted((a, b) => a.id - b.id) };
}

/** What a manifest says of a file. */
export interface FileClaim extends FileDigest {
  readonly rows: number;
}

/** A record file to be read. */
export interface RecordFile {
  /** Path inside the directory, as `recordKindOf` knows it. */
  readonly name: string;
  readonly kind: RecordKind;
  /** Undefined where no manifest lists the file: then its content is not compared. */
  readonly claim?: FileClaim | undefined;
}

export interface PriceFile extends RecordFile {
  readonly kind: "prices";
  /** Rows replace rows of the same uuid in files of lower sequence. */
  readonly sequence: number;
  /** How many rows do so. */
  readonly replaces: number;
}

/** What was read: the file's digest, its number of rows, and whether each of them is a fit record. */
export interface FileReading extends FileClaim {
  readonly isWhole: boolean;
}

/**
 * Reads one record file in one pass: every line is parsed and checked by itself, the file is hashed on the way and
 * compared with what the manifest says of it.
 *
 * @param visit Called with each fit record and its line, in order of the file.
 * @param problems Receives whatever is wrong with the file or a record.
 * @param tally Counts bytes and rows.
 * @returns Undefined when the file could not be read to its end, as `problems` then says.
 */
export async function readRecordFile<Kind extends RecordKind>(
  directory: string,
  file: RecordFile & { readonly kind: Kind },
  problems: ProblemList,
  tally: ReadingTally,
  visit: (record: Records[Kind], line: number) => void,
): Promise<FileReading | undefined> {
  const { name, kind, claim } = file;
  const size = await inspectStoredFile(directory, name);
  const sizeFault = typeof size === "number" ? faultOfSize(size, claim) : size;
  if (sizeFault !== undefined) {
    problems.add({ file: name, ...sizeFault });
    return undefined;
  }
  const stored = readStoredFile(join(directory, name), tally);
  const problemsBefore = problems.total;
  let rows = 0;
  try {
    for await (const texts of textsOf(name, stored.content)) {
      tally.addRows(kind, texts.length);
      rows += texts.length;
      for (const text of texts) {
        const { record, faults = [] } = readRecord(recordFormats[kind], text);
        if (record !== undefined) visit(record, text.line);
        for (const fault of faults) problems.add({ file: name, line: text.line, ...fault });
      }
    }
  } catch (error) {
    problems.add({ file: name, ...faultOfReading(error) });
    return undefined;
  }
  const digest = stored.digest();
  if (claim !== undefined) {
    for (const fault of faultsOfClaim({ ...digest, rows }, claim)) problems.add({ file: name, ...fault });
  }
  return { ...digest, rows, isWhole: problems.total === problemsBefore };
}

/** Whether a file has another size than its manifest says; then it is not read at all. */
export function faultOfSize(size: number, claim: FileClaim | undefined): Fault | undefined {
  if (claim === undefined || size === claim.bytes) return undefined;
  return { kind: "checksum", found: `${size} bytes`, wanted: `${claim.bytes}, as the manifest says` };
}

/** In what a file that was read differs from what its manifest says. */
export function faultsOfClaim(read: FileClaim, claim: FileClaim): Fault[] {
  const different = (["bytes", "sha256", "rows"] as const).filter((property) => read[property] !== claim[property]);
  return different.map((property) => {
    const wanted = `${claim[property]}, as the manifest says`;
    return { kind: "checksum", found: `${property} ${read[property]}`, wanted };
  });
}

async function* textsOf(name: string, content: AsyncIterable<Buffer>): AsyncGenerator<readonly RecordText[]> {
  if (name.endsWith(".json")) yield await readJsonArray(content);
  else yield* readNdjson(content);
}

/** The records of one file, each with its line, as the checks of links need them. */
export class RecordTable<T> {
  /** Name of the file, for messages. */
  readonly file: string;
  /** In order of the file. */
  readonly records: T[] = [];
  readonly #lines: number[] = [];
  /** False once a record of the file was refused: then a reference may fail only because its target is not here. */
  isWhole = true;

  constructor(file: string) {
    this.file = file;
  }

  add(record: T, line: number): void {
    this.records.push(record);
    this.#lines.push(line);
  }

  /** Reports a fault of the record at `position`. */
  report(problems: ProblemList, position: number, fault: Fault): void {
    problems.add({ file: this.file, line: this.lineOf(position), ...fault });
  }

  /** The line on which the record at `position` begins, counted from 1. */
  lineOf(position: number): number {
    const line = this.#lines[position];
    if (line === undefined) throw new RangeError(`position is ${position}, expected 0 to ${this.#lines.length - 1}`);
    return line;
  }
}

/** The small tables of a directory. */
export type Tables = { readonly [Kind in TableKind]: RecordTable<Records[Kind]> };

/** Reports every broken link between the small tables. References into a table with refused records are not judged. */
export function checkLinks(tables: Tables, problems: ProblemList): void {
  checkUnique(tables.counties, "id", (county) => county.id, problems);
  checkUnique(tables.crops, "id", (crop) => crop.id, problems);
  checkUnique(tables.units, "category", (unitCategory) => unitCategory.category, problems);
  checkUnique(tables["market-types"], "type", (marketType) => marketType.type, problems);
  checkUnique(tables.products, "uuid", (product) => product.uuid, problems);
  checkUnique(tables.markets, "uuid", (market) => market.uuid, problems);
  checkCounties(tables.counties, problems);
  checkUnits(tables.units, problems);
  if (tables.units.isWhole) checkProducts(tables.products, unitNamesOf(tables), problems);
  if (tables.counties.isWhole) checkMarkets(tables.markets, tables.counties, problems);
}

/** The names of all units. */
export function unitNamesOf(tables: Tables): ReadonlySet<string> {
  return new Set(tables.units.records.flatMap((unitCategory) => unitCategory.units.map((unit) => unit.name)));
}

function checkUnique<T>(
  table: RecordTable<T>,
  field: string,
  keyOf: (record: T) => string | number,
  problems: ProblemList,
): void {
  const firsts = new Map<string | number, number>();
  table.records.forEach((record, position) => {
    const key = keyOf(record);
    const first = firsts.get(key);
    if (first === undefined) {
      firsts.set(key, position);
      return;
    }
    const found = `${foundText(key)}, as in line ${table.lineOf(first)}`;
    table.report(problems, position, { kind: "duplicate", field, found, wanted: "another one in every record" });
  });
}

function checkCounties(counties: RecordTable<CountyRecord>, problems: ProblemList): void {
  const subCountyIds = new Set<number>();
  counties.records.forEach((county, position) => {
    const code = String(county.id).padStart(3, "0");
    if (county.code !== code) {
      const wanted = `"${code}", the county's id as three digits`;
      counties.report(problems, position, { kind: "value", field: "code", found: foundText(county.code), wanted });
    }
    for (const { id, name } of county.subCounties) {
      if (subCountyIds.has(id)) {
        const found = `${id} a second time (${foundText(name)})`;
        const wanted = "another id for every sub-county of every county";
        counties.report(problems, position, { kind: "duplicate", field: "sub_counties.id", found, wanted });
      }
      subCountyIds.add(id);
    }
  });
}

function checkUnits(units: RecordTable<UnitCategoryRecord>, problems: ProblemList): void {
  const categories = new Map<string, string>();
  units.records.forEach(({ category, units: members }, position) => {
    const byName = new Map(members.map((unit) => [unit.name, unit]));
    for (const unit of members) {
      const taken = categories.get(unit.name);
      if (taken !== undefined) {
        const found = `${foundText(unit.name)}, as in category ${foundText(taken)}`;
        const wanted = "another name for every unit of every category";
        units.report(problems, position, { kind: "duplicate", field: "units.name", found, wanted });
      }
      categories.set(unit.name, category);
      if (!isBaseUnit(byName.get(unit.baseUnit))) {
        const found = `${foundText(unit.baseUnit)} for ${foundText(unit.name)}`;
        const wanted = "a unit of the same category that is its own base unit with factor 1";
        units.report(problems, position, { kind: "unit", field: "units.base_unit", found, wanted });
      }
    }
  });
}

function isBaseUnit(unit: UnitRecord | undefined): boolean {
  return unit !== undefined && unit.baseUnit === unit.name && unit.conversionFactor === 1;
}

function checkProducts(
  products: RecordTable<ProductRecord>,
  unitNames: ReadonlySet<string>,
  problems: ProblemList,
): void {
  products.records.forEach((product, position) => {
    for (const unit of product.commonUnits) {
      if (unitNames.has(unit)) continue;
      const found = `${foundText(unit)}, which names no unit`;
      const wanted = "names of units in units.json";
      products.report(problems, position, { kind: "reference", field: "common_units", found, wanted });
    }
  });
}

function checkMarkets(
  markets: RecordTable<MarketRecord>,
  counties: RecordTable<CountyRecord>,
  problems: ProblemList,
): void {
  const byId = new Map(counties.records.map((county) => [county.id, county]));
  markets.records.forEach((market, position) => {
    const county = byId.get(market.countyId);
    if (county === undefined) {
      const found = `${market.countyId}, which is no county here`;
      const wanted = "the id of a county in counties.json";
      markets.report(problems, position, { kind: "reference", field: "county_id", found, wanted });
    } else if (
      market.subCounty !== null &&
      !county.subCounties.some((subCounty) => subCounty.name === market.subCounty)
    ) {
      const found = `${foundText(market.subCounty)}, which is no sub-county of ${county.name}`;
      const wanted = "the name of a sub-county of the market's county, or null";
      markets.report(problems, position, { kind: "reference", field: "sub_county", found, wanted });
    }
  });
}
