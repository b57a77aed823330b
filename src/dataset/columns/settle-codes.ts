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
  nothing?: number,
): void {
  const unknown = -1;
  const codes = texts.map((own) => new Float64Array(own.length).fill(unknown));
  for (const { rowFirst, rows, reader } of runs) {
    const codesOfReader = codes[reader] as Float64Array;
    const textsOfReader = texts[reader] as readonly string[];
    for (let row = rowFirst; row < rowFirst + rows; row++) {
      const own = column[row] as number;
      if (own === nothing) continue;
      let code = codesOfReader[own] as number;
      if (code === unknown) {
        code = codeOf(textsOfReader[own] as string);
        codesOfReader[own] = code;
      }
      column[row] = code;
    }
  }
}
