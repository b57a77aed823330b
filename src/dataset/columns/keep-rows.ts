import { elementsPerRow, firstRows, type PriceRows, priceColumnNames } from "../../domain/price-columns.ts";
import type { RowsOfReader } from "./settle-codes.ts";

/** A table without the rows that others replace. */
export interface KeptRows {
  readonly rowCount: number;
  /** Views of the columns they came from, shorter where rows are gone. */
  readonly rows: PriceRows<SharedArrayBuffer>;
  /** Who read which of the rows that are left. */
  readonly runs: readonly RowsOfReader[];
  /** Which row each of them was before; undefined where all are left. */
  readonly rowsBefore: Uint32Array | undefined;
}

/**
 * Moves the rows that stay to the front of their columns, in order.
 *
 * @param isReplaced A byte for each row, 1 where it is to go.
 * @param replacedCount How many are to go.
 */
export function keepRows(
  table: PriceRows<SharedArrayBuffer>,
  runs: readonly RowsOfReader[],
  isReplaced: Uint8Array,
  replacedCount: number,
): KeptRows {
  const rowCount = isReplaced.length - replacedCount;
  if (replacedCount === 0) return { rowCount, rows: table, runs, rowsBefore: undefined };
  const rowsBefore = new Uint32Array(rowCount);
  let kept = 0;
  const keptRuns = runs.map(({ rowFirst, rows, reader }) => {
    const keptFirst = kept;
    for (let row = rowFirst; row < rowFirst + rows; row++) {
      if (isReplaced[row] === 0) rowsBefore[kept++] = row;
    }
    return { rowFirst: keptFirst, rows: kept - keptFirst, reader };
  });
  for (const name of priceColumnNames) {
    const width = elementsPerRow(name);
    const column = table[name];
    for (let row = 0; row < rowCount; row++) {
      const from = (rowsBefore[row] as number) * width;
      column.copyWithin(row * width, from, from + width);
    }
  }
  return {
    rowCount,
    rows: firstRows(table, rowCount),
    runs: keptRuns,
    rowsBefore,
  };
}
