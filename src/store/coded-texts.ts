import { type CodeColumn, codeColumn, missingCode } from "./code-column.ts";

/** A column of codes and the texts they stand for. */
export interface CodedTexts {
  /** `missingCode` of the column where there is nothing. */
  readonly column: CodeColumn;
  /** By code. Each is used, and all are different. */
  readonly texts: readonly string[];
}

/**
 * Numbers texts by the first row that has them. Equal rows so give equal codes, whatever codes they had before, and texts
 * that no row has are left out.
 *
 * @param codes By row; below `textCount`, or `missing`.
 * @param textAt The text of a code, different for each; asked once for every text in use.
 * @param missing Code that stands for nothing.
 * Cost: two passes over the rows.
 */
export function numberByFirstRow(
  codes: Uint16Array | Uint32Array,
  textCount: number,
  textAt: (code: number) => string,
  missing: number,
): CodedTexts {
  const unnumbered = 0xffff_ffff;
  const numbers = new Uint32Array(textCount).fill(unnumbered);
  const used: string[] = [];
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row]!;
    if (code === missing || numbers[code] !== unnumbered) continue;
    numbers[code] = used.length;
    used.push(textAt(code));
  }
  const column = codeColumn(codes.length, used.length);
  const missingOut = missingCode(column);
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row]!;
    column[row] = code === missing ? missingOut : numbers[code]!;
  }
  return { column, texts: used };
}
