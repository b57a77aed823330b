/**
 * The facts and judgements of data/reference that an import joins with an export. Every row is checked against the
 * columns of its file when it is read; data/reference/README.md has their meaning and sources. Rows keep the names of
 * their columns, which are those of the snapshot format; an empty cell is null.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CsvError, parse } from "csv-parse/sync";
import { searchKey } from "../../../engine/model/folded-text.ts";
import { countyIdMax, countyIdMin } from "../../../engine/model/ids.ts";
import { type Keywords, type Schema, wanted } from "../../../engine/model/json-schema.ts";
import * as schema from "../../../engine/model/record-schema.ts";
import { month, recordFormats } from "../../../engine/model/records.ts";
import { continuities, marketSettings, marketTypes } from "../../../engine/model/vocabulary.ts";
import { checkValue } from "../../../engine/snapshots/check-record.ts";
import { ProblemList } from "../../../engine/snapshots/problem.ts";
import { parseJson } from "../../../engine/snapshots/record-texts.ts";
import type { WireRecords } from "../wire-records.ts";

const id = schema.ordinal;
const countyId: Schema<number> = schema.integer(countyIdMin, countyIdMax);
const flag: Schema<boolean> = { type: "boolean", [wanted]: "true" };
const { list, nullable: optional, positive, text } = schema;
const county = recordFormats.counties.properties as Readonly<Record<string, Schema<string>>>;

/** The columns of each CSV file, also those that are there for the reader alone. */
const csvColumns = {
  "attribution.csv": { subject: text, source: text },
  "counties.csv": {
    id: countyId,
    name: text,
    capital: text,
    population: id,
    area_sq_km: positive,
    latitude: schema.range(-90, 90),
    longitude: schema.range(-180, 180),
    pcode: county["pcode"] as Schema<string>,
    iso_3166_2: county["iso_3166_2"] as Schema<string>,
    capital_note: optional(text),
  },
  "continuations.csv": {
    commodity_id: id,
    commodity: text,
    continues_id: id,
    continues: text,
    market_type: schema.oneOf(marketTypes),
    last_month: month,
    first_month: month,
    overlap_months: schema.count,
    ratio: optional(positive),
    judgement: schema.oneOf(continuities),
    evidence: text,
  },
  "market-continuations.csv": {
    market_id: id,
    market: text,
    continues_id: id,
    continues: text,
    market_type: schema.oneOf(marketTypes),
    last_month: month,
    first_month: month,
    overlap_months: schema.count,
    evidence: text,
  },
  "sub-counties.csv": { id, county_id: countyId, name: text, wards: list(text) },
  "units.csv": {
    category: text,
    name: text,
    abbreviation: text,
    base_unit: text,
    conversion_factor: positive,
    goods: optional(text),
    source: optional(text),
  },
  "price-sources.csv": {
    source: text,
    title: text,
    url: optional(schema.webAddress),
    licence: optional(text),
    licence_url: optional(schema.webAddress),
  },
  "wfp-categories.csv": { category: text, name: text },
  "wfp-commodities.csv": {
    commodity_id: id,
    commodity: text,
    sub_category: text,
    scientific_name: optional(text),
    alternative_names: optional(list(text)),
    description: text,
  },
  "wfp-districts.csv": { district: text, county_id: countyId, note: optional(text) },
  "wfp-markets.csv": {
    market_id: id,
    market: text,
    county_id: optional(countyId),
    sub_county: optional(text),
    name: optional(text),
    is_misplaced: optional(flag),
    setting: optional(schema.oneOf(marketSettings)),
    reason: optional(text),
  },
  "wfp-units.csv": { unit: text, commodity_ids: optional(list(id)), name: text },
} as const;

type CsvFile = keyof typeof csvColumns;
type CsvRow<File extends CsvFile> = schema.ValuesOf<(typeof csvColumns)[File]>;

export type CountyRow = CsvRow<"counties.csv">;
export type CommodityRow = CsvRow<"wfp-commodities.csv">;
export type UnitRow = CsvRow<"units.csv">;
/** The judgement that overrules or completes the rows of a market of the export. */
export type MarketRow = CsvRow<"wfp-markets.csv">;
/** A crop record, and the addresses of its facts by field. */
type CropEntry = WireRecords["crops"] & {
  readonly sources?: Readonly<Record<string, readonly string[]>> | null;
};

const sources = { type: "object", additionalProperties: schema.list(text), [wanted]: "lists of addresses by field" };
const cropFields = recordFormats.crops.properties as object;
const jsonSchemas = {
  "crops.json": schema.list({
    ...recordFormats.crops,
    properties: { ...cropFields, sources: schema.nullable(sources) },
  }),
  "market-types.json": schema.list(recordFormats["market-types"]),
};

export type ReferenceData = Awaited<ReturnType<typeof readReferenceData>>;

/**
 * Reads all reference files.
 *
 * @param directory The project's own, or another for tests.
 * @throws {DatasetError} naming what does not fit by file and line; in JSON files by entry, counted from 0.
 */
export async function readReferenceData(directory: string = join(import.meta.dirname, "../../../../data/reference")) {
  const problems = new ProblemList();
  const contentOf = (file: string): Promise<string> => readFile(join(directory, file), "utf8");
  const csv = async <File extends CsvFile>(file: File): Promise<readonly CsvRow<File>[]> =>
    readCsv(file, await contentOf(file), problems);
  const json = async <T>(file: keyof typeof jsonSchemas): Promise<readonly T[]> =>
    readJson(file, await contentOf(file), problems);

  const attribution = await csv("attribution.csv");
  const counties = await csv("counties.csv");
  const subCounties = await csv("sub-counties.csv");
  const crops = await json<CropEntry>("crops.json");
  const continuations = await csv("continuations.csv");
  const marketContinuations = await csv("market-continuations.csv");
  const units = await csv("units.csv");
  const marketTypes = await json<WireRecords["market-types"]>("market-types.json");
  const priceSources = await csv("price-sources.csv");
  const categories = await csv("wfp-categories.csv");
  const commodities = await csv("wfp-commodities.csv");
  const districts = await csv("wfp-districts.csv");
  const markets = await csv("wfp-markets.csv");
  const wfpUnits = await csv("wfp-units.csv");
  problems.throwIfAny(directory);
  return {
    /** The sources of the data, one text each. */
    attribution: attribution.map(({ subject, source }) => `${subject}: ${source}`),
    /** The place of publication of each source of prices, as a manifest has it. */
    priceSources: Object.fromEntries(
      priceSources.map(({ source, title, url, licence, licence_url }) => [
        source,
        { title, url, licence: licence === null ? null : { id: licence, url: licence_url } },
      ]),
    ),
    /** By id, in order of id. */
    counties: new Map(counties.map((county) => [county.id, county])),
    /** County ids by name (`lettersOf`): of the counties, of other names for them, of former districts inside one. */
    countyIds: new Map([
      ...counties.map(({ id, name }) => [lettersOf(name), id] as const),
      ...districts.map(({ district, county_id }) => [lettersOf(district), county_id] as const),
    ]),
    /** By county id; of one county in order of id. */
    subCounties: Map.groupBy(subCounties, ({ county_id }) => county_id),
    crops,
    /** Judgements that a commodity has the prices of another one from some month on. */
    continuations,
    /** Judgements that a location is the place of another one from some month on. */
    marketContinuations,
    /** In the order in which they are shown; rows of one category follow one another. */
    units,
    marketTypes,
    /** Readable names by the export's category in lower case. */
    categories: new Map(categories.map(({ category, name }) => [category, name])),
    /** By commodity id of the export. */
    commodities: new Map(commodities.map((commodity) => [commodity.commodity_id, commodity])),
    /** By market id of the export. */
    markets: new Map(markets.map((market) => [market.market_id, market])),
    /** Names of the export's units, for some commodities or for all. */
    wfpUnits,
  };
}

/** A name without case, accents and everything that is not a letter: "Elgeyo/Marakwet" is "Elgeyo-Marakwet". */
export function lettersOf(name: string): string {
  return searchKey(name).replace(/[^a-z]/g, "");
}

const rowSchemas = new Map(Object.entries(csvColumns).map(([file, columns]) => [file, schema.object(columns)]));

function readCsv<File extends CsvFile>(file: File, content: string, problems: ProblemList): CsvRow<File>[] {
  const columns: Readonly<Record<string, Schema>> = csvColumns[file];
  const rows: unknown[] = [];
  try {
    for (const { record, info } of parse(content, { columns: true, info: true }) as unknown as ParsedRow[]) {
      const cells = Object.entries(record);
      const row = Object.fromEntries(cells.map(([name, cell]) => [name, cellValue(cell, columns[name])]));
      const faults = checkValue(rowSchemas.get(file) as Schema, row);
      for (const fault of faults) problems.add({ file, line: info.lines, ...fault });
      rows.push(row);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    problems.add({ file, kind: "line", found: error.message, wanted: "a CSV file with a header" });
  }
  return rows as CsvRow<File>[];
}

interface ParsedRow {
  readonly record: Readonly<Record<string, string>>;
  /** The line on which the row ends; the header is line 1. */
  readonly info: { readonly lines: number };
}

/** A cell that does not fit its column stays text, so that the check of the row reports it. */
function cellValue(cell: string, column: Keywords | undefined): unknown {
  if (cell === "") return null;
  // The type of a column that may be null is a list, in which that of the other values comes first.
  switch ([column?.type].flat()[0]) {
    case "array":
      return cell.split("; ").map((item) => cellValue(item, column?.items));
    case "boolean":
      return cell === "true" ? true : cell;
    case "integer":
    case "number":
      return /^-?\d+(?:\.\d+)?$/.test(cell) ? Number(cell) : cell;
    default:
      return cell;
  }
}

/** The entries of a JSON file; none when anything is wrong with it. */
function readJson<T>(file: keyof typeof jsonSchemas, content: string, problems: ProblemList): readonly T[] {
  const parsed = parseJson(content, "a JSON array");
  const faults = parsed.fault === undefined ? checkValue(jsonSchemas[file], parsed.value) : [parsed.fault];
  for (const fault of faults) problems.add({ file, ...fault });
  return faults.length === 0 ? ((parsed as { value: unknown }).value as readonly T[]) : [];
}
