/** A column of codes, as narrow as the number of codes allows. */
export type CodeColumn =
  | Uint8Array<SharedArrayBuffer>
  | Uint16Array<SharedArrayBuffer>
  | Uint32Array<SharedArrayBuffer>;

/**
 * A zeroed column for `length` codes.
 *
 * @param codeCount Codes are 0 to `codeCount - 1`. The greatest value of the column's type is left free for "missing",
 * see `missingCode`.
 */
export function codeColumn(length: number, codeCount: number): CodeColumn {
  if (codeCount <= 0xff) return new Uint8Array(new SharedArrayBuffer(length));
  if (codeCount <= 0xffff) return new Uint16Array(new SharedArrayBuffer(length * Uint16Array.BYTES_PER_ELEMENT));
  return new Uint32Array(new SharedArrayBuffer(length * Uint32Array.BYTES_PER_ELEMENT));
}

/** What stands in a column where there is nothing: the greatest value of its type. */
export function missingCode(column: CodeColumn): number {
  return 2 ** (8 * column.BYTES_PER_ELEMENT) - 1;
}
