/** What a person should look at in the rows of a table, before it is imported. */
import type { Header } from "./find-header.ts";
import { otherHeadings } from "./header-rows.ts";
import { type Field, recogniseHeading } from "./headings.ts";
import { mappingDefaults } from "./mapping.ts";
import { isNumberLike, isTagRow, skipTest, summaryText, titleOf } from "./row-kinds.ts";
import { type Cell, cellText, isMerged, type TableRow, unmerged } from "./sheet-table.ts";

/** Names that a note lists. */
const namedMax = 10;

/** Longest text of a sum that is proposed for `skip_rows`. */
const sumTextMax = 40;

/** Fields whose cells are often written once for several rows. */
const filledFields = ["date", "market", "county", "market_type", "product"] as const satisfies Field[];

function listed(texts: readonly string[]): string {
  const more = texts.length > namedMax ? ` and ${texts.length - namedMax} more` : "";
  return `${texts
    .slice(0, namedMax)
    .map((text) => JSON.stringify(text))
    .join(", ")}${more}`;
}

/** The entries for `skip_rows`: the usual ones, tags, and the texts of sums. @param rows Below the headings. */
export function findSkippedRows(
  rows: readonly TableRow[],
  positions: ReadonlyMap<Field, readonly number[]>,
): readonly string[] {
  const isUsual = skipTest(mappingDefaults.skip_rows);
  const texts = rows.flatMap((row) => summaryText(row, positions) ?? []);
  const sums = new Set(texts.filter((text) => !isUsual(text) && text.length <= sumTextMax));
  const isFew = sums.size <= namedMax;
  return [...mappingDefaults.skip_rows, ...(rows.some(isTagRow) ? ["#"] : []), ...(isFew ? sums : [])];
}

/** Notes on the rows, and on columns that no field has. @param rows Below the headings. */
export function noteRows(
  { texts, lineLast }: Header,
  rows: readonly TableRow[],
  positions: ReadonlyMap<Field, readonly number[]>,
): readonly string[] {
  const notes: string[] = [];
  const unused = unusedColumns(texts, positions);
  if (lineLast > 0 && unused.length > 0) notes.push(`not read: columns ${listed(unused.map(({ text }) => text))}`);
  const [priceAt] = positions.get("price") ?? [];
  if (priceAt === undefined && lineLast > 0) notes.push(...noteWideTable(columnsOfNumbers(unused, rows)));
  const title = rows.findLast((row, at) => titleOf(row)?.hasType && rows.slice(at + 1).some((next) => !titleOf(next)));
  if (title !== undefined) {
    notes.push(`row ${title.line} is a title, ${JSON.stringify(titleOf(title)?.text)}: save what it is over by itself`);
  }
  if (priceAt === undefined) return notes;
  const priced = rows.filter((row) => {
    return isNumberLike(row.cells[priceAt] ?? null) && summaryText(row, positions) === undefined;
  });
  const withGaps = filledFields.filter((field) => {
    const places = positions.get(field) ?? [];
    const isGiven = priced.map(({ cells }) => places.some((at) => (cells[at] ?? null) !== null));
    return places.length > 0 && isGiven[0] === true && isGiven.includes(false);
  });
  if (withGaps.length > 0) {
    const entries = withGaps.map((field) => JSON.stringify(field)).join(", ");
    notes.push(`cells are empty below others: "fill_down": [${entries}] takes the value above, where that is meant`);
  }
  const wordsOfPrices = rows.flatMap(({ cells }) => {
    const cell = cells[priceAt] ?? null;
    return typeof cell === "string" && !/\p{N}/u.test(cell) && recogniseHeading(cell) === undefined ? cell : [];
  });
  const words = [...new Set(wordsOfPrices)].filter((word) => !isEmptyText(word) && !word.startsWith("#"));
  if (words.length > 0) {
    notes.push(`${listed(words)} in place of a price: in "empty_texts" where that means no price`);
  }
  return notes;
}

function isEmptyText(cell: Cell): boolean {
  return typeof cell === "string" && (mappingDefaults.empty_texts as readonly string[]).includes(cell.toLowerCase());
}

/** The first row with other headings than those of the table, below which the columns are others. */
export function findOtherTable({ texts }: Header, rows: readonly TableRow[]): TableRow | undefined {
  return rows.find((row) => otherHeadings(row).length > 0 && !hasTexts(row, texts));
}

function hasTexts({ cells }: TableRow, texts: readonly (string | undefined)[]): boolean {
  return texts.every((text, at) => text === undefined || isMerged(cells[at] ?? null) || cellText(cells[at]) === text);
}

interface Column {
  readonly text: string;
  readonly at: number;
}

/** The columns with a heading that no field has. */
function unusedColumns(texts: Header["texts"], positions: ReadonlyMap<Field, readonly number[]>): readonly Column[] {
  const used = new Set([...positions.values()].flat());
  return texts.flatMap((text, at) => (text === undefined || used.has(at) ? [] : { text, at }));
}

/** Columns with numbers, where a table has no column of prices: one for each market, month or product. */
function columnsOfNumbers(columns: readonly Column[], rows: readonly TableRow[]): readonly Column[] {
  return columns.filter(({ at }) => {
    const values = rows.map(({ cells }) => unmerged(cells[at] ?? null)).filter((cell) => cell !== null);
    const given = values.filter((cell) => !isEmptyText(cell));
    return given.length > 0 && given.filter(isNumberLike).length * 2 > given.length;
  });
}

/**
 * Returns whether prices stand in columns that only their headings distinguish: `Trader A`, `Trader B` beside a date, a
 * market and a product in each row.
 */
export function hasColumnsOfPrices(
  { texts, lineLast }: Header,
  rows: readonly TableRow[],
  positions: ReadonlyMap<Field, readonly number[]>,
): boolean {
  if (lineLast === 0 || positions.has("price")) return false;
  const unused = unusedColumns(texts, positions);
  const isWhole = (["date", "market", "product"] as const).every((field) => positions.has(field));
  return isWhole && columnsOfNumbers(unused, rows).length > 1;
}

function noteWideTable(columns: readonly Column[]): string[] {
  const [first] = columns;
  if (columns.length < 2) return [];
  const named = listed(columns.map(({ text }) => text));
  const price = `"price": ${JSON.stringify(first?.text)}`;
  const once = `or import it once for each, with ${price} in "columns" and the rest in "values"`;
  return [
    `a wide table: prices stand in the columns ${named}. Make a row of each price (unpivot the columns), ${once}`,
  ];
}
