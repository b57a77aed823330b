/** Rows of a table without a mapping → the rows of its headings. */
import { type Cell, cellText, isMerged } from "./cells.ts";
import { joinedHeadings } from "./header-rows.ts";
import { type Heading, isAmountHeading, recogniseHeading } from "./headings.ts";
import { isNumberLike, isTagRow } from "./row-kinds.ts";
import { columnLetters, isEmptyRow, type Table, type TableRow } from "./sheet-table.ts";

/** Headings stand in one of the first rows. */
const headerRowsMax = 30;

type Text = string | undefined;

/** The headings of a table. */
export interface Header {
  /** The row of the headings, the first where they take several; 0 for none. */
  readonly line: number;
  /** Rows that the headings take. */
  readonly rowCount: number;
  /** The last line of the headings; 0 for none. */
  readonly lineLast: number;
  /** By position; letters where the table has no headings. */
  readonly texts: readonly Text[];
  /** The headings that are recognised, by position. */
  readonly headings: readonly (Heading | undefined)[];
}

/**
 * Finds the headings: the row, or the two rows together, in which most is recognised. A row in which nothing is known
 * but types of market is one of prices; a table without any other has no headings.
 */
export function findHeader({ rows }: Table): Header {
  const first = Iterator.from(rows)
    .filter((row) => !isEmptyRow(row))
    .take(headerRowsMax)
    .toArray();
  const singles = first.map((row) => ({ rows: [row], ...joinedRecognised([row]) }));
  const best = singles.reduce<(typeof singles)[number] | undefined>(
    (best, next) => (next.score > (best?.score ?? 0) ? next : best),
    undefined,
  );
  if (best === undefined) {
    const width = Math.max(0, ...first.map(({ cells }) => cells.length));
    const texts = Array.from({ length: width }, (_, at) => columnLetters(at));
    return { line: 0, rowCount: 1, lineLast: 0, texts, headings: [] };
  }
  const at = singles.indexOf(best);
  const pairs = [first.slice(at - 1, at + 1), first.slice(at, at + 2)].filter((pair) => isHeadingPair(pair));
  const joined = pairs.map((pair) => ({ rows: pair, ...joinedRecognised(pair) }));
  const chosen = joined.reduce((best, next) => (next.score > best.score ? next : best), best);
  const line = chosen.rows[0]?.line as number;
  const { texts, headings } = chosen;
  return { line, rowCount: chosen.rows.length, lineLast: chosen.rows.at(-1)?.line ?? line, texts, headings };
}

/** The headings of rows, and how much is known of them; 0 where they are none. */
function joinedRecognised(rows: readonly TableRow[]): Pick<Header, "texts" | "headings"> & { readonly score: number } {
  const texts = joinedHeadings(rows);
  const [upper, lower] = rows.length === 1 ? [] : [joinedHeadings(rows.slice(0, 1)), joinedHeadings(rows.slice(1))];
  const headings = texts.map((text, at) => {
    if (text === undefined) return undefined;
    const whole = recogniseHeading(text);
    const below = lower?.[at] === undefined ? undefined : recogniseHeading(lower[at]);
    // As in `joinedHeadings`, a text counts for the empty cells to its right.
    const textAbove = upper?.slice(0, at + 1).findLast((left) => left !== undefined);
    const above = textAbove === undefined ? undefined : recogniseHeading(textAbove);
    // "Price (KSh)" above "Wholesale" belongs together; "Place" above "County" says less than "County".
    return above?.field === "price" || below === undefined || below.isType ? whole : below;
  });
  const known = headings.filter((heading) => heading !== undefined);
  const hasField = known.some(({ isType }) => !isType) && (known.length > 1 || texts.filter(Boolean).length > 1);
  // "Volume" below "Wholesale" tells that its column has no prices.
  const amounts = lower === undefined ? [] : lower.filter((text) => text !== undefined && isAmountHeading(text));
  const score = known.reduce((sum, { statements }) => sum + 1 + statements.length, amounts.length);
  return { texts, headings, score: hasField ? score : 0 };
}

/** Returns whether two rows can be headings together: the upper has several, and the lower no number or date. */
function isHeadingPair(pair: readonly TableRow[]): boolean {
  const [upper, lower] = pair;
  if (upper === undefined || lower === undefined || isTagRow(lower)) return false;
  const own = (cells: readonly Cell[]): Cell[] => cells.filter((cell) => cell !== null && !isMerged(cell));
  if (own(upper.cells).length < 2 || own(lower.cells).some((cell) => typeof cell !== "string" || isNumberLike(cell))) {
    return false;
  }
  const { headings } = joinedRecognised([upper, lower]);
  return lower.cells.every((cell, at) => {
    return cell === null || isMerged(cell) || headings[at] !== undefined || isAmountHeading(cellText(cell) ?? "");
  });
}
