import { type CodeColumn, codeColumn, missingCode } from "./code-column.ts";
import type { CodedTexts } from "./coded-texts.ts";
import { copyRuns, type MergedRows } from "./merged-rows.ts";

/** What is asked of a list of texts, also of one in shared memory. */
export interface TextList {
  readonly length: number;
  at(code: number): string | undefined;
}

const noRow = 0xffff_ffff;

/**
 * The coded texts of a store with those of added prices, numbered by the first row that has them, as `numberByFirstRow`
 * numbers those of all prices together.
 *
 * @param old Numbered in this way.
 * @param missing Code that means "nothing" in the table of added prices; none when absent.
 * Cost: a look at the old codes until each text has been met, and a copy of the column.
 */
export function mergeTexts(
  old: CodeColumn,
  oldTexts: TextList,
  added: Uint16Array | Uint32Array,
  addedTexts: readonly string[],
  rows: MergedRows,
  missing = -1,
): CodedTexts {
  const oldMissing = missing === -1 ? -1 : missingCode(old);
  const codesOfAdded = codesBehind(oldTexts, addedTexts);
  const textCount = oldTexts.length + addedTexts.length;
  const firstOld = firstRowsOfOld(old, oldTexts.length, oldMissing, rows);
  const firstAdded = new Uint32Array(textCount).fill(noRow);
  for (let position = 0; position < rows.ofAdded.length; position++) {
    if (added[position] === missing) continue;
    const code = codesOfAdded[added[position]!]!;
    firstAdded[code] = Math.min(firstAdded[code]!, rows.ofAdded[position]!);
  }
  const used = codesByFirstRow(firstOld, firstAdded);
  const numbers = new Uint32Array(textCount);
  for (const [number, code] of used.entries()) numbers[code] = number;

  const column = codeColumn(rows.rowCount, used.length);
  const columnMissing = missingCode(column);
  const keepsNumbers = firstOld.codes.every((code) => numbers[code] === code);
  if (keepsNumbers && column.BYTES_PER_ELEMENT === old.BYTES_PER_ELEMENT) copyRuns(old, rows, column);
  else renumberRuns(old, rows, column, numbers, oldMissing);
  for (let position = 0; position < rows.ofAdded.length; position++) {
    const code = added[position]!;
    column[rows.ofAdded[position]!] = code === missing ? columnMissing : numbers[codesOfAdded[code]!]!;
  }
  const textAt = (code: number): string =>
    (code < oldTexts.length ? oldTexts.at(code) : addedTexts[code - oldTexts.length])!;
  return { column, texts: used.map(textAt) };
}

/** Codes for added texts: the old one of a text that was there, else one behind the old ones. */
function codesBehind(oldTexts: TextList, addedTexts: readonly string[]): Uint32Array {
  const codes = Uint32Array.from(addedTexts, (_, at) => oldTexts.length + at);
  const positions = new Map(addedTexts.map((text, at) => [text, at]));
  for (let code = 0; code < oldTexts.length; code++) {
    const position = positions.get(oldTexts.at(code)!);
    if (position !== undefined) codes[position] = code;
  }
  return codes;
}

/** Codes that old rows have which are kept, in the order of the first one, and where it comes to stand. */
interface FirstRows {
  readonly codes: readonly number[];
  readonly rows: readonly number[];
}

function firstRowsOfOld(old: CodeColumn, textCount: number, missing: number, { runs }: MergedRows): FirstRows {
  const isMet = new Uint8Array(textCount);
  const codes: number[] = [];
  const rows: number[] = [];
  for (const { place, from, end } of runs) {
    for (let row = from; row < end; row++) {
      const code = old[row]!;
      if (code === missing || isMet[code] === 1) continue;
      isMet[code] = 1;
      codes.push(code);
      rows.push(place + row - from);
    }
    if (codes.length === textCount) break;
  }
  return { codes, rows };
}

/** All codes in use, in the order of the first row that has them. @param firstAdded Row by code; `noRow` without one. */
function codesByFirstRow(firstOld: FirstRows, firstAdded: Uint32Array): number[] {
  const rowOf = firstAdded.slice();
  for (const [at, code] of firstOld.codes.entries()) rowOf[code] = Math.min(rowOf[code]!, firstOld.rows[at]!);
  // Those that an old row has first are in order, the few others are sorted, and the two lists merged.
  const olds = firstOld.codes.filter((code) => rowOf[code] !== firstAdded[code]);
  const news: number[] = [];
  for (let code = 0; code < firstAdded.length; code++) {
    if (firstAdded[code] !== noRow && rowOf[code] === firstAdded[code]) news.push(code);
  }
  news.sort((a, b) => rowOf[a]! - rowOf[b]!);
  const codes: number[] = [];
  let next = 0;
  for (const code of news) {
    while (next < olds.length && rowOf[olds[next]!]! < rowOf[code]!) codes.push(olds[next++]!);
    codes.push(code);
  }
  while (next < olds.length) codes.push(olds[next++]!);
  return codes;
}

/** Copies codes that have other numbers now, or a column of another width. */
function renumberRuns(
  old: CodeColumn,
  { runs }: MergedRows,
  column: CodeColumn,
  numbers: Uint32Array,
  oldMissing: number,
): void {
  const missing = missingCode(column);
  for (const { place, from, end } of runs) {
    for (let row = from; row < end; row++) {
      const code = old[row]!;
      column[place + row - from] = code === oldMissing ? missing : numbers[code]!;
    }
  }
}
