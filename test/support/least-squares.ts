/** Least squares in the plainest form, for twins: any design, no use of its structure. */

/** What least squares leave of `values`. */
export function leastSquaresResiduals(design: readonly (readonly number[])[], values: readonly number[]): number[] {
  const coefficients = leastSquares(design, values);
  return values.map((value, at) => value - dot(design[at] as readonly number[], coefficients));
}

/** The coefficients of the columns of a design: the normal equations, solved by elimination with partial pivoting. */
export function leastSquares(design: readonly (readonly number[])[], values: readonly number[]): number[] {
  const columns = (design[0] as readonly number[]).map((_, column) => design.map((row) => row[column] as number));
  return solve(
    columns.map((column) => columns.map((other) => dot(column, other))),
    columns.map((column) => dot(column, values)),
  );
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] as number), 0);
}

function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at] as number]);
  for (let column = 0; column < rows.length; column++) {
    const sizes = rows.map((row, at) => (at < column ? -1 : Math.abs(row[column] as number)));
    const pivot = sizes.indexOf(Math.max(...sizes));
    [rows[column], rows[pivot]] = [rows[pivot] as number[], rows[column] as number[]];
    const pivotRow = rows[column] as number[];
    for (const row of rows) {
      if (row === pivotRow) continue;
      const factor = (row[column] as number) / (pivotRow[column] as number);
      for (let at = column; at < row.length; at++) row[at] = (row[at] as number) - factor * (pivotRow[at] as number);
    }
  }
  return rows.map((row, at) => (row.at(-1) as number) / (row[at] as number));
}
