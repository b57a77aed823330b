/** The command `export`: tables of a snapshot as files for other programs. */
import { type Command, Option } from "commander";
import { filtersOfTables, type TableFilter, type TableName, tableNames } from "../../engine/export/select-table.ts";
import { type FormulaForm, formulaForms, textFormats } from "../../engine/export/table-text.ts";
import { dayFromText } from "../../engine/model/calendar.ts";
import { searchWords } from "../../engine/model/folded-text.ts";
import { countyIdMax, countyIdMin, toUuid, type Uuid } from "../../engine/model/ids.ts";
import { groupings, marketTypes, panelGroupings, populations, priceFlags } from "../../engine/model/vocabulary.ts";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { exportRecords, exportTable } from "../../publishing/publish/export-snapshot.ts";
import { checkedArgument, wholeNumber } from "../argument.ts";
import { bytesText } from "../bytes-text.ts";
import { WrongUseError } from "../command.ts";
import type { Report } from "../render-report-lines.ts";
import { addDirectoryCommand, type DirectoryOptions, onDirectory, snapshotIdArgument } from "./snapshot-command.ts";

const exportFormats = [...textFormats, "parquet", "records"] as const;

interface ExportOptions extends DirectoryOptions {
  readonly format: (typeof exportFormats)[number];
  readonly out: string;
  readonly table: TableName;
  readonly formulas: FormulaForm;
  /** The conditions, by the names that commander gives them. */
  readonly [condition: string]: unknown;
}

const uuidArgument = checkedArgument(toUuid, "a UUID of 36 characters");
const uuidsArgument = (text: string): Uuid[] => text.split(",").map(uuidArgument);
const dayArgument = checkedArgument(dayFromText, "an existing day as YYYY-MM-DD");
const priceArgument = checkedArgument(
  (text) => (/^\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : undefined),
  "a number",
);
/** A text without words would match everything. */
const matchTextArgument = checkedArgument(
  (text) => (searchWords(text).length === 0 ? undefined : text),
  "a text with more than blanks, accents, apostrophes or invisible characters",
);
const countyArgument = wholeNumber({ min: countyIdMin, max: countyIdMax });
const countMax = Number.MAX_SAFE_INTEGER;

/** The option of each condition, in the order of the help. */
const conditions: Readonly<Record<keyof TableFilter, Option>> = {
  productUuids: read("--product-uuids <uuids>", "these products, separated by commas", uuidsArgument),
  marketUuid: read("--market-uuid <uuid>", "this market", uuidArgument),
  marketUuids: read("--market-uuids <uuids>", "these markets, separated by commas", uuidsArgument),
  countyId: read("--county-id <id>", "markets of this county", countyArgument),
  countyIds: read("--county-ids <ids>", "markets of these counties", (text) => text.split(",").map(countyArgument)),
  marketType: choice("--market-type <type>", "markets of this type", marketTypes),
  refugeeCamps: choice(
    "--refugee-camps <which>",
    "markets in refugee camps too, not these, or only these",
    populations,
  ),
  dayFirst: read("--start-date <day>", "first day, YYYY-MM-DD", dayArgument),
  dayLast: read("--end-date <day>", "last day", dayArgument),
  priceMin: read("--min-price <price>", "least price as recorded", priceArgument),
  priceMax: read("--max-price <price>", "greatest price as recorded", priceArgument),
  priceFlag: choice("--price-flag <flag>", "prices that the source says this of", priceFlags),
  isSuspicious: choice("--suspicious <whether>", "false leaves out prices that look wrong", [
    "true",
    "false",
  ]).argParser((text) => text === "true"),
  grouping: choice("--group-by <grouping>", "how statistics are grouped; month when absent", [
    ...groupings,
    ...panelGroupings,
  ]),
  unit: new Option("--unit <name>", "unit of the statistics, or of the series"),
  currency: new Option(
    "--currency <code>",
    "USD: prices of statistics or series converted by the rates of their months",
  ),
  recordedSince: read("--recorded-since <day>", "series with a price of this day or a later one", dayArgument),
  monthsMin: read(
    "--months-with-prices-min <months>",
    "series with prices in so many months",
    wholeNumber({ min: 1, max: countMax }),
  ),
  gapMonthsMax: read(
    "--longest-gap-months-max <months>",
    "series without a longer gap",
    wholeNumber({ min: 0, max: countMax }),
  ),
  category: read("--category <category>", "products of this category", matchTextArgument),
  text: read("--search <words>", "products or markets with these words", matchTextArgument),
};

const description =
  "Write a table of a snapshot to a file, or all of it as record files that can be edited and published again.";

const examples = [
  "--format csv --table prices --market-type Wholesale --start-date 2020-01-01 --out prices.csv",
  "--format ndjson --table statistics --start-date 2020-01-01 --end-date 2025-12-31 --out statistics.ndjson",
  "20261129T014906Z-d29501def8a2 --format records --out records",
];

/** Adds `export [ID]`: writes a snapshot for other programs, or for people to edit. */
export function addCommands(program: Command): void {
  const command = addDirectoryCommand(program, "export", description, examples)
    .argument("[id]", "id of a snapshot; the current one when absent", snapshotIdArgument)
    .addOption(choice("--format <format>", "form of the output", exportFormats).makeOptionMandatory())
    .requiredOption("--out <path>", "file to make; with records the folder")
    .addOption(choice("--table <table>", "table to write; records have them all", tableNames).default("prices"))
    .addOption(choice("--formulas <form>", "text like a formula in CSV", formulaForms).default("escaped"));
  for (const option of Object.values(conditions)) command.addOption(option);
  command.action(onDirectory(exportSnapshot));
}

async function exportSnapshot(id: SnapshotId | undefined, options: ExportOptions): Promise<Report> {
  const { dataDir, format, table, formulas, out, onBytes } = options;
  const filter = filterOf(options);
  const { dayFirst, dayLast, priceMin, priceMax } = filter;
  if (dayFirst !== undefined && dayLast !== undefined && dayFirst > dayLast) {
    throw new WrongUseError("--start-date is after --end-date, expected a day up to it");
  }
  if (priceMin !== undefined && priceMax !== undefined && priceMin > priceMax) {
    throw new WrongUseError("--min-price is above --max-price, expected a price up to it");
  }
  const request = { dataDirectory: dataDir, id, outputPath: out, onBytes };
  const { id: exported, bytes } =
    format === "records"
      ? await exportRecords(request)
      : await exportTable({ ...request, table, filter, format, formulas });
  const seconds = options.seconds();
  const what = format === "records" ? "records" : table;
  return {
    json: { id: exported, format, ...(format === "records" ? {} : { table }), out, bytes, seconds },
    lines: [`wrote the ${what} of ${exported} to ${out} in ${seconds} s: ${bytesText(bytes)}`],
  };
}

/** @throws {WrongUseError} for a condition that the table does not take. */
function filterOf(options: ExportOptions): TableFilter {
  const { format, table } = options;
  const taken: readonly string[] = format === "records" ? [] : filtersOfTables[table];
  const filter: Partial<Record<keyof TableFilter, unknown>> = {};
  for (const [condition, option] of Object.entries(conditions) as [keyof TableFilter, Option][]) {
    const value = options[option.attributeName()];
    if (value === undefined) continue;
    if (!taken.includes(condition)) {
      const subject = format === "records" ? "--format records, which is all of the snapshot" : `--table ${table}`;
      const known = Object.entries(conditions).filter(([name]) => taken.includes(name));
      const wanted = known.length === 0 ? "no condition" : `only ${known.map(([, { long }]) => long).join(", ")}`;
      throw new WrongUseError(`${option.long} is given with ${subject}, expected ${wanted}`);
    }
    filter[condition] = value;
  }
  return filter as TableFilter;
}

function read(flags: string, text: string, parse: (text: string) => unknown): Option {
  return new Option(flags, text).argParser(parse);
}

function choice(flags: string, text: string, values: readonly string[]): Option {
  return new Option(flags, text).choices(values);
}
