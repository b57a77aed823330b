/**
 * From the codes of each reader to codes of the table. Readers number texts as they meet them; in the table the codes are
 * those of one reader that had read everything in order: 0, 1, 2 … in order of first appearance.
 */
/** The code that a text has in a table, given to it now if it is new. */
export type CodeOf = (text: string) => number;

/** Rows that one reader has read. */
export interface RowsOfReader {
  readonly rowFirst: number;
  readonly rows: number;
  readonly reader: number;
}

/**
 * Replaces the codes of a column.
 *
 * @param runs All rows, in order.
 * @param texts The texts of each reader, in order of its codes.
 * @param codeOf Asked for each text once a reader, in order of first appearance.
 * @param nothing Code of rows without a text, which stays.
 * @throws Whatever `codeOf` throws.
 */
export function settleCodes(
  column: Uint16Array | Uint32Array,
  runs: readonly RowsOfReader[],
  texts: readonly (readonly string[])[],
  codeOf: CodeOf,
  nothing: number = noCode,
): void {
  const codes = texts.map((own) => new Int32Array(own.length).fill(noCode));
  for (const { rowFirst, rows, reader } of runs) {
    settleRun(column.subarray(rowFirst, rowFirst + rows), codes[reader] ?? none, texts[reader] ?? [], codeOf, nothing);
  }
}

const noCode = -1;
const none = new Int32Array();

function settleRun(
  column: Uint16Array | Uint32Array,
  codes: Int32Array,
  texts: readonly string[],
  codeOf: CodeOf,
  nothing: number,
): void {
  for (let row = 0; row < column.length; row++) {
    const own = column[row] as number;
    if (own === nothing) continue;
    const code = codes[own] as number;
    if (code === noCode) {
      codes[own] = codeOf(texts[own] as string);
      column[row] = codes[own] as number;
    } else {
      column[row] = code;
    }
  }
}
