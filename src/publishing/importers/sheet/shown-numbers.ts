/** Number formats of a workbook → the texts around its numbers, such as `UGX 4,100` and `90 kg bag`. */
import { type Cell, isMerged, type ShownNumber } from "./cells.ts";
import { foldHeading } from "./name-key.ts";
import { columnLetters, columnsMax, SerializedRows, type Table } from "./sheet-table.ts";

/** Rows of which an inspection sees all formats: those in which headings are looked for, and the sampled ones. */
const inspectedRows = 2100;

/** The last row that a workbook can have. */
export const excelRowsMax = 1_048_576;

/** Cells whose number formats show text, of one sheet: row and column, counted from 0, and the texts. */
export type ShownTexts = readonly (readonly [position: string, before: string, after: string])[];

/**
 * The ranges of a workbook whose number formats say something: columns with numbers, one in each range.
 *
 * @param headings The headings of the columns; all columns count if one is not found. Undefined for an inspection: all
 * columns of the first rows.
 */
export function rangesOfFormats(tables: readonly Table[], headings: readonly string[] | undefined): readonly string[] {
  if (headings === undefined) return [`A1:${columnLetters(columnsMax - 1)}${inspectedRows}`];
  const columns = new Set(tables.flatMap((table) => columnsWithNumbers(table, headings)));
  return [...columns].map(columnLetters).map((letters) => `${letters}1:${letters}${excelRowsMax}`);
}

/** The columns under these headings that have a number; all that have one where a heading is not found. */
function columnsWithNumbers({ rows }: Table, headings: readonly string[]): readonly number[] {
  const wanted = new Set(headings.map(foldHeading));
  const [numbers, headed, found] = [new Set<number>(), new Set<number>(), new Set<string>()];
  for (const { cells } of rows) {
    cells.forEach((cell, column) => {
      if (typeof cell === "number") numbers.add(column);
      if (typeof cell !== "string" || !wanted.has(foldHeading(cell))) return;
      headed.add(column);
      found.add(foldHeading(cell));
    });
  }
  return [...(found.size === wanted.size && wanted.size > 0 ? numbers.intersection(headed) : numbers)];
}

/** A table whose numbers have the texts that their formats show. */
export function withShownTexts(table: Table, texts: ShownTexts): Table {
  if (texts.length === 0) return table;
  const shown = new Map(texts.map(([position, before, after]) => [position, { before, after }]));
  const rows = new SerializedRows(table.file);
  const above = new Map<number, ShownNumber>();
  for (const { line, cells } of table.rows) {
    const withText = cells.map((cell, column): Cell => {
      const around = shown.get(`${line - 1},${column}`);
      if (typeof cell === "number" && around !== undefined) {
        const first = { number: cell, ...around };
        above.set(column, first);
        return first;
      }
      const first = above.get(column);
      return first !== undefined && isMerged(cell) && cell.merged === first.number ? { merged: first } : cell;
    });
    rows.add({ line, cells: withText });
  }
  return { ...table, rows };
}

/** The texts that a cell shows before and behind its number. */
export interface FormatTexts {
  readonly before: string;
  readonly after: string;
}

interface Section extends FormatTexts {
  /** Null where the section holds for any number above 0. */
  readonly condition: { readonly sign: string; readonly bound: number } | null;
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
    "(?<other>.)",
  ].join("|"),
  "gsu",
);

/** A text that says something: a sign of a currency, a word, or the mark of shillings. */
const statesSomething = /[\p{L}\p{Sc}]|\/[=-]/u;

const sectionsOf = new Map<string, readonly Section[]>();

/**
 * The texts that a format shows around a number above 0, trimmed; empty where they say nothing. `"KSh" #,##0" per bag"`
 * has `KSh` and `per bag`, `[$$-409]#,##0.00` has `$`. Source: ECMA-376 part 1, 18.8.31.
 */
export function textsOfFormat(format: string, value: number): FormatTexts {
  const sections = sectionsOf.getOrInsertComputed(format, () => readSections(format));
  return sections.find(({ condition }) => condition === null || holds(condition, value)) ?? { before: "", after: "" };
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
  let side = 0;
  const end = (): void => {
    const [before = "", after = ""] = texts.map((text) => (statesSomething.test(text) ? text : ""));
    sections.push({ before: before.trim(), after: after.replace(/^[,.%\s]+/, "").trim(), condition });
    texts = ["", ""];
    condition = null;
    side = 0;
  };
  for (const { groups = {} } of format.matchAll(tokenExpression)) {
    if (groups["end"] !== undefined) end();
    else if (groups["number"] !== undefined) {
      side = 1;
      // Between digits stand the signs of the number itself.
      if (!statesSomething.test(texts[1])) texts[1] = "";
    } else if (groups["sign"] !== undefined) condition = { sign: groups["sign"], bound: Number(groups["bound"]) };
    else texts[side as 0 | 1] += groups["quoted"] ?? groups["escaped"] ?? groups["currency"] ?? groups["other"] ?? "";
  }
  end();
  return sections;
}
