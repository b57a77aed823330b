/** Number formats of a workbook → the texts around its numbers, such as `UGX 4,100` and `90 kg bag`. */
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import { type Cell, foundInCell, isMerged, type MergedCell, significantDigits } from "./cells.ts";
import { foldHeading } from "./name-key.ts";
import { columnLetters, columnsMax, SerializedRows, type Table } from "./sheet-table.ts";

/** Rows of which an inspection sees all formats: those in which headings are looked for, and the sampled ones. */
const inspectedRows = 2100;

/** The last row that a workbook can have. */
export const excelRowsMax = 1_048_576;

/** What is shown of cells of one sheet, by row and column, counted from 0: texts, or what makes a cell unusable. */
export type ShownTexts = readonly (readonly [position: string, shown: Partial<FormatTexts>])[];

/** The headings of the columns whose number formats count, and those whose cells may be struck through. */
export interface ShownHeadings {
  readonly numbers: readonly string[];
  readonly marked: readonly string[];
}

/**
 * The ranges of a workbook whose number formats say something: columns with numbers, one in each range.
 *
 * @param headings The headings of the columns; all columns count if one is not found. Undefined for an inspection: all
 * columns of the first rows.
 */
export function rangesOfFormats(tables: readonly Table[], headings: ShownHeadings | undefined): readonly string[] {
  if (headings === undefined) return [`A1:${columnLetters(columnsMax - 1)}${inspectedRows}`];
  const columns = new Set(tables.flatMap((table) => columnsWithNumbers(table, headings)));
  return [...columns].map(columnLetters).map((letters) => `${letters}1:${letters}${excelRowsMax}`);
}

/**
 * The columns under headings that have a number, or where the workbook has marks any value; all of them where a heading
 * is not found.
 */
function columnsWithNumbers({ rows, hasMarks = false }: Table, { numbers, marked }: ShownHeadings): readonly number[] {
  const wanted = new Set((hasMarks ? marked : numbers).map(foldHeading));
  const [valued, headed, found] = [new Set<number>(), new Set<number>(), new Set<string>()];
  for (const { cells } of rows) {
    cells.forEach((cell, column) => {
      if (typeof cell === "number" || (hasMarks && cell !== null)) valued.add(column);
      if (typeof cell !== "string" || !wanted.has(foldHeading(cell))) return;
      headed.add(column);
      found.add(foldHeading(cell));
    });
  }
  return [...(found.size === wanted.size && wanted.size > 0 ? valued.intersection(headed) : valued)];
}

/** A table whose numbers have the texts that their formats show, and whose cells with marks are unusable. */
export function withShownTexts(table: Table, texts: ShownTexts): Table {
  if (texts.length === 0) return table;
  const shown = new Map(texts);
  const rows = new SerializedRows(table.file);
  for (const { line, cells } of table.rows) {
    const withText = cells.map((cell, column): Cell => {
      const around = shown.get(`${line - 1},${column}`);
      return cell === null || isMerged(cell) || around === undefined ? cell : shownCell(cell, around);
    });
    rows.add({ line, cells: withText });
  }
  return { ...table, rows };
}

function shownCell(cell: MergedCell["merged"], { before = "", after = "", mark }: Partial<FormatTexts>) {
  if (mark !== undefined) return { unusable: `${foundInCell(cell)} ${mark}` };
  return typeof cell === "number" ? { number: cell, before, after } : cell;
}

/** The texts that a cell shows before and behind its number. */
export interface FormatTexts {
  readonly before: string;
  readonly after: string;
  /** Given where it shows another number, ready to follow the number that it holds: `shown as "4,000"`. */
  readonly mark?: string | undefined;
}

interface Section {
  /** Null where the section holds for any number above 0. */
  readonly condition: { readonly sign: string; readonly bound: number } | null;
  /** What stands before and behind the digits, literally. */
  readonly before: string;
  readonly after: string;
  /** False where it shows no number at all. */
  readonly hasNumber: boolean;
  /** The number is shown times this. */
  readonly factor: number;
}

/** Quoted texts, escaped characters, widths, repeated characters, currencies, conditions and colours, and the rest. */
const tokenExpression = new RegExp(
  [
    '"(?<quoted>[^"]*)"',
    String.raw`\\(?<escaped>.)`,
    "[_*].",
    String.raw`\[\$(?<currency>[^\]-]*)(?:-[^\]]*)?\]`,
    String.raw`\[(?<sign>[<>=]{1,2})(?<bound>[\d.]+)\]`,
    String.raw`\[[^\]]*\]`,
    "(?<number>General|[0#?@]|E[+-])",
    "(?<end>;)",
    "(?<thousand>,(?=,*(?:[^0#?,]|$)))",
    "(?<other>.)",
  ].join("|"),
  "gsu",
);

/** A text that says something: all but blanks, brackets, signs of numbers and quotation marks. */
const statesSomething = /[^\p{Z}\s()+\-–−.,:'"_*]/u;

/** Signs before the last one or two digits, `0"."00`, show another number; before three they separate thousands. */
const dividedDigits = /[0#?](?:"[^"\p{L}\d]"|\\[^\p{L}\d]|-)[0#?]{1,2}(?![0#?]|[^;"]*[0#?])/u;

const sectionsOf = new Map<string, readonly Section[]>();

/**
 * What a format shows of a number above 0: the texts around it, trimmed; empty where they say nothing. `"KSh" #,##0"
 * per bag"` has `KSh` and `per bag`, `[$$-409]#,##0.00` has `$`. Source: ECMA-376 part 1, 18.8.31.
 */
export function textsOfFormat(format: string, value: number): FormatTexts {
  const sections = getOrInsert(sectionsOf, format, () => readSections(format));
  const section = sections.find(({ condition }) => condition === null || holds(condition, value));
  if (section === undefined) return { before: "", after: "" };
  if (dividedDigits.test(format)) return { before: "", after: "", mark: `shown in the form ${JSON.stringify(format)}` };
  const { before, after, hasNumber, factor } = section;
  // Digits and signs beside those of the number look like its own; behind a word or "per" they are of a unit.
  const isOther = factor !== 1 || !hasNumber || /[\d(-][\s,.']*$/.test(before) || /^[\s,.']*\d/.test(after);
  if (isOther) {
    const digits = hasNumber ? String(Number((value * factor).toPrecision(significantDigits))) : "";
    return { before: "", after: "", mark: `shown as ${JSON.stringify(`${before}${digits}${after}`)}` };
  }
  const [left = "", right = ""] = [before, after].map((text) => (statesSomething.test(text) ? text.trim() : ""));
  return { before: left, after: right };
}

function holds({ sign, bound }: NonNullable<Section["condition"]>, value: number): boolean {
  if (sign === "=") return value === bound;
  if (sign === "<>") return value !== bound;
  if (sign.startsWith(">")) return value > bound || (sign === ">=" && value === bound);
  return value < bound || (sign === "<=" && value === bound);
}

function readSections(format: string): readonly Section[] {
  const sections: Section[] = [];
  let texts: [before: string, after: string] = ["", ""];
  let condition: Section["condition"] = null;
  let factor = 1;
  let side: 0 | 1 = 0;
  const end = (): void => {
    const [before, after] = texts;
    sections.push({ before, after, condition, hasNumber: side === 1, factor });
    [texts, condition, factor, side] = [["", ""], null, 1, 0];
  };
  for (const { groups = {} } of format.matchAll(tokenExpression)) {
    const { quoted, escaped, currency, other } = groups;
    if (groups["end"] !== undefined) end();
    else if (groups["number"] !== undefined) {
      side = 1;
      // Between digits stand the signs of the number itself.
      if (!/[\p{L}\p{Sc}\p{N}]/u.test(texts[1])) texts[1] = "";
    } else if (groups["sign"] !== undefined) condition = { sign: groups["sign"], bound: Number(groups["bound"]) };
    else if (groups["thousand"] !== undefined && side === 1) factor /= 1000;
    else if (other === "%") {
      factor *= 100;
      texts[side] += "%";
    } else texts[side] += quoted ?? escaped ?? currency ?? groups["thousand"] ?? other ?? "";
  }
  end();
  return sections;
}
