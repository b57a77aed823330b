/**
 * A table and its mapping → what the table states outside its cells, and where that contradicts the mapping or the
 * prices that were read.
 */
import { type Day, dayText } from "../../../engine/model/calendar.ts";
import type { Fault } from "../../../engine/snapshots/problem.ts";
import { ImportRefusedError } from "../import-refused.ts";
import { type Cell, cellText } from "./cells.ts";
import { columnTexts } from "./header-rows.ts";
import { nameOfPath } from "./headings.ts";
import { unitWords } from "./known-names.ts";
import type { Mapping, MappingFile } from "./mapping.ts";
import { foldHeading, nameKey } from "./name-key.ts";
import type { Table, TableRow } from "./sheet-table.ts";
import type { CurrencyStatement } from "./stated-currency.ts";
import { isWithin } from "./stated-times.ts";
import { isAboutPrices, readHeading, readTitle, type Statement } from "./statements.ts";
import { type WideColumn, widePrices } from "./wide-columns.ts";

/** A statement and where it stands. */
export type PlacedStatement = Statement & {
  readonly line: number;
  /** Ready to follow "in". */
  readonly place: string;
  readonly isHeading: boolean;
};

type StatedMapping = Pick<Mapping, "header_row" | "columns" | "currencies" | "ignored">;

/** Texts of rows of few cells are titles. */
const titleCellsMax = 6;

/** Fields whose headings state something of prices. */
const statingFields = ["price", "unit", "currency"] as const;

/** Makes the test for what a mapping says to ignore: a word or words, a whole text, or the heading of a column. */
export function ignoreTest(ignored: readonly string[]): (text: string) => boolean {
  const keys = new Set(ignored.map((text) => nameKey(text)));
  return (text) => keys.has(nameKey(text));
}

/**
 * What a table states of all its prices: in the name of its sheet, in titles above the headings, and in the headings of
 * price, unit and currency.
 */
export function statementsOfTable(
  table: Table,
  mapping: StatedMapping,
  wide: readonly WideColumn[] = [],
): readonly PlacedStatement[] {
  const { header_row } = mapping;
  const placed: PlacedStatement[] = [];
  if (table.sheet !== null) {
    const ofSheet = statementsOfTitle(table.sheet, header_row, mapping, "the sheet");
    // Sheets are numbered by weeks in several ways.
    placed.push(...ofSheet.filter((said) => said.kind !== "date" || said.value.some(({ week }) => week === undefined)));
  }
  for (const { line, cells } of table.rows) {
    if (line >= header_row) {
      if (line === header_row) placed.push(...scalesOfOthers(cells, mapping));
      break;
    }
    const texts = new Set(cells.flatMap(titleText));
    if (texts.size === 0 || texts.size > titleCellsMax) continue;
    placed.push(...statementsOfTitle([...texts].join(" "), line, mapping, `row ${line}`));
  }
  const isIgnored = ignoreTest(mapping.ignored);
  for (const { field, heading, statements } of statingHeadings(mapping, wide)) {
    const counted = statements.filter(
      ({ kind, said }) =>
        !isIgnored(said) &&
        (field === "price" || kind === "scale" || kind === "currency" || (kind === "unit" && /\d/.test(said))),
    );
    const placing = { line: header_row, place: `the heading ${JSON.stringify(heading)}`, isHeading: true };
    placed.push(...counted.map((statement) => ({ ...statement, ...placing })));
  }
  return placed;
}

/** What headings of price, unit and currency state, of a wide table beside its dates or names, unless ignored. */
function statingHeadings({ header_row, columns, currencies, ignored }: StatedMapping, wide: readonly WideColumn[]) {
  const ofFields = (header_row === 0 ? [] : statingFields).flatMap((field) =>
    columnTexts(columns[field]).map((heading) => ({ field, heading, text: nameOfPath(heading) ?? heading })),
  );
  const ofWide = wide.map(({ heading, beside }) => ({ field: "price" as const, heading, text: beside }));
  const isIgnored = ignoreTest(ignored);
  return [...ofFields, ...ofWide]
    .filter(({ heading }) => !isIgnored(heading))
    .map(({ field, heading, text }) => ({ field, heading, ...readHeading(text, currencies) }));
}

/** The scale that a text beside the headings states of prices. */
function scalesOfOthers(cells: TableRow["cells"], mapping: StatedMapping): readonly PlacedStatement[] {
  const mapped = new Set(Object.values(mapping.columns).flatMap(columnTexts).map(foldHeading));
  const texts = cells.flatMap(titleText).filter((text) => !mapped.has(foldHeading(text)) && isAboutPrices(text));
  return texts.flatMap((text) =>
    statementsOfTitle(text, mapping.header_row, mapping, "the heading").filter(({ kind }) => kind === "scale"),
  );
}

/** A date that is the first of a month may be the month. */
function titleText(cell: Cell): string | readonly never[] {
  const isDate = typeof cell === "object" && cell !== null && "clock" in cell;
  return typeof cell === "string" || isDate ? (cellText(cell) as string).replace(/^(\d{4}-\d\d)-01$/, "$1") : [];
}

/** What a title, the name of a sheet or a note states. @param where Its place without the text. */
export function statementsOfTitle(
  text: string,
  line: number,
  { columns, currencies, ignored }: StatedMapping,
  where: string,
): readonly PlacedStatement[] {
  const isIgnored = ignoreTest(ignored);
  if (isIgnored(text)) return [];
  const place = `${where} ${JSON.stringify(text)}`;
  return readTitle(text, currencies, columns.unit !== undefined)
    .filter(({ said }) => !isIgnored(said))
    .map((statement) => ({ ...statement, line, place, isHeading: false }));
}

/** The currencies among statements. */
export function currenciesOf(statements: readonly PlacedStatement[]): readonly CurrencyStatement[] {
  return statements.flatMap(({ kind, said, value, place }) =>
    kind === "currency" ? { sign: said, codes: value, place } : [],
  );
}

/** Words of headings of prices that nobody has explained. A heading of which no word is known is a name. */
export function unexplainedWords(mapping: StatedMapping, wide: readonly WideColumn[] = []): readonly string[] {
  const words = statingHeadings(mapping, wide)
    .filter(({ field }) => field === "price")
    .flatMap(({ heading, statements, unexplained }) => {
      const isName = statements.length === 0 && nameKey(heading) === nameKey(unexplained[0] ?? "");
      return isName && !heading.includes("(") ? [] : unexplained;
    });
  const isIgnored = ignoreTest(mapping.ignored);
  return [...new Set(words)].filter((text) => !isIgnored(text));
}

/** @throws {ImportRefusedError} when words of the heading of the price are not explained. */
export function refuseUnexplained(file: string, mapping: StatedMapping, wide: readonly WideColumn[]): void {
  const words = unexplainedWords(mapping, wide)
    .map((text) => JSON.stringify(text))
    .join(", ");
  if (words === "") return;
  const heading = wide.length > 0 ? "headings" : `heading ${JSON.stringify(mapping.columns.price)}`;
  const place = `${file}:${mapping.header_row}: found ${words} in the ${heading}`;
  const wanted = `expected words that are known, or "ignored": [${words}] in the mapping`;
  throw new ImportRefusedError(`${place}, ${wanted} where they change no price`);
}

/** What prices have in common that a statement can contradict. */
export interface PriceKind {
  /** The first row. */
  readonly line: number;
  readonly marketType: string | undefined;
  readonly unit: string;
  readonly currency: string;
  readonly day: Day;
}

/** All that statements are compared with. */
export interface Comparison {
  readonly mapping: Mapping;
  readonly kinds: readonly PriceKind[];
  /** The unit of the snapshot or the mapping that a text names. */
  readonly unitOf: (text: string) => string | undefined;
}

/** The faults of statements that contradict the mapping or a price, each with the field that settles it. */
export function contradictions(statements: readonly PlacedStatement[], comparison: Comparison) {
  return statements.flatMap((statement): (Fault & { readonly line: number })[] => {
    const found = contradictionOf(statement, comparison);
    if (found === undefined) return [];
    const { said, line, place } = statement;
    const orIgnored = `, or ${JSON.stringify(said)} in "ignored" where it says nothing of these prices`;
    const fault = {
      found: `${JSON.stringify(said)} in ${place}, but ${found.mapped}`,
      wanted: found.settled + orIgnored,
    };
    return [{ kind: "value", line, ...fault }];
  });
}

function contradictionOf(
  statement: PlacedStatement,
  { mapping, kinds, unitOf }: Comparison,
): { readonly mapped: string; readonly settled: string } | undefined {
  const first = (isOther: (kind: PriceKind) => boolean): PriceKind | undefined => kinds.find(isOther);
  switch (statement.kind) {
    case "scale":
      if (statement.value === mapping.scale) return undefined;
      return { mapped: `"scale" is ${mapping.scale}`, settled: `"scale": ${statement.value} in the mapping` };
    case "currency": {
      const other = first(({ currency }) => !statement.value.includes(currency));
      return other && { mapped: `${other.currency} for line ${other.line}`, settled: "the same currency everywhere" };
    }
    case "market_type": {
      const other = first(({ marketType }) => marketType !== undefined && marketType !== statement.value);
      return other && contradictedValue("market_type", statement.value, other.marketType, other, mapping);
    }
    case "unit": {
      const other = first(({ unit }) => !isSameUnit(statement.value, unit, unitOf));
      return other && contradictedValue("unit", statement.value, other.unit, other, mapping);
    }
    case "date":
      return contradictedDate(statement, mapping, kinds);
  }
}

function contradictedValue(
  field: "market_type" | "unit",
  stated: string,
  read: string | undefined,
  { line }: PriceKind,
  { columns, values }: Mapping,
) {
  const ofMapping = `"values.${field}": ${JSON.stringify(stated)} in the mapping`;
  const settled = columns[field] === undefined ? ofMapping : "the same in every row";
  return { mapped: `${JSON.stringify(values[field] ?? read)} for line ${line}`, settled };
}

/**
 * The date of a table without a column of dates lies in what its titles say; of a report the months count alone. In a
 * column of dates at least one row is of the time, and no other more than a month away.
 */
function contradictedDate(
  { value: times, isOfReport }: PlacedStatement & { kind: "date" },
  { columns, values }: Mapping,
  kinds: readonly PriceKind[],
) {
  const [first] = kinds;
  const { date = "" } = values;
  const counted = isOfReport
    ? times.filter(({ dayFirst, week }) => dayFirst === undefined && week === undefined)
    : times;
  if (first === undefined || counted.length === 0) return undefined;
  if (columns.date === undefined && widePrices(columns)?.headings !== "date") {
    if (isWithin(counted, first.day, monthDate.test(date))) return undefined;
    return { mapped: `all rows are of ${date}`, settled: "the --date of this table" };
  }
  if (isOfReport) return undefined;
  // Some rows may be of days around the time.
  const isNear = ({ day }: PriceKind): boolean =>
    [-31, 0, 31].some((shift) => isWithin(counted, (day + shift) as Day, true));
  const isAny = kinds.some(({ day }) => isWithin(counted, day, true));
  const other = isAny ? kinds.find((kind) => !isNear(kind)) : first;
  if (other === undefined) return undefined;
  const mapped = `${isAny ? "" : "no row is of that time: "}line ${other.line} is of ${dayText(other.day)}`;
  return { mapped, settled: "dates of that time" };
}

/** A date of a month alone, as --date takes it. */
const monthDate = /^\d{4}-\d{2}$/;

/** Returns whether a text names a unit: by its record, or by a container whose weight it leaves open. */
function isSameUnit(text: string, unit: string, unitOf: Comparison["unitOf"]): boolean {
  const [stated, own] = [unitWords(text), unitWords(unit)].map((list) => new Set(list)) as [Set<string>, Set<string>];
  // "1 bag = 50 kg" says nothing of prices per kilogram.
  const [defined = "", weight] = text.split("=");
  if (weight !== undefined && !unitWords(defined).every((word) => own.has(word))) return true;
  const known = unitOf(text);
  if (known !== undefined) return known === unit;
  const isContainer = !["kg", "g", "tonne", "litre", "ml"].some((word) => stated.has(word));
  return stated.isSubsetOf(own) && (isContainer || /\d/.test(text));
}

/** The part of a mapping that statements give where they agree, and notes on those that do not. */
export function proposeStated(statements: readonly PlacedStatement[], columns: Partial<MappingFile["columns"]>) {
  const notes: string[] = [];
  const propose = (kind: Statement["kind"]): string | undefined => {
    const own = statements.filter((statement) => statement.kind === kind);
    const [value, ...others] = new Set(own.map(({ value }) => String(value)));
    const places = own.map(({ said, place }) => `${JSON.stringify(said)} in ${place}`).join(", ");
    if (others.length > 0) notes.push(`${places}: an import refuses what contradicts the mapping`);
    else if (own.some(({ isHeading }) => !isHeading)) notes.push(`${places}: all prices count as such`);
    return others.length > 0 ? undefined : value;
  };
  const type = columns.market_type === undefined && propose("market_type");
  const unit = columns.unit === undefined && propose("unit");
  const scale = propose("scale");
  const values = { ...(type ? { market_type: type } : {}), ...(unit ? { unit } : {}) };
  return { values, scale: Number(scale ?? 1), notes };
}

/** The statements of a row below the headings that is a note on prices. */
export function statementsOfNote(note: string, line: number, mapping: StatedMapping): readonly PlacedStatement[] {
  const isAbout = isAboutPrices(note);
  return statementsOfTitle(note, line, mapping, `row ${line}`).filter(({ kind }) => isAbout || kind === "scale");
}
