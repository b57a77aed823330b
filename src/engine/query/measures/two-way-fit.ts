/**
 * Least squares of values on an effect of each of two factors, here the market and the month.
 *
 * The normal equations are solved directly, because alternating means need thousands of rounds where few values join
 * two parts. The factor with more levels is eliminated: the effect of a level is the mean of its values without the
 * effects of the other factor. What is left (the Schur complement) has a row for each level of the other factor: on the
 * diagonal the sum of (n − 1) / n over its values, n the values of the eliminated level, elsewhere −1 / n for each
 * eliminated level that has both. It is the Laplacian of a connected graph, so with the effect of one level set to 0 it
 * is positive definite, and Cholesky decomposition needs no pivots (G. H. Golub and C. F. Van Loan, "Matrix
 * Computations", section 4.2).
 */

/** The level of each value, from 0, and how many levels there are. */
export interface Factor {
  readonly codes: Int32Array;
  readonly count: number;
}

/** Multiplications that take as long as a row of a search, which steps count. */
const multiplicationsPerRow = 24;

/**
 * The effects of the levels of two factors, up to a constant that moves from one to the other.
 *
 * @param values At most one for each pair of levels; all levels are connected by values.
 * @returns The effects by level. Cost: half the square of the values of each level of the larger factor, and a sixth of
 *   the cube of the levels of the smaller one.
 */
export function* fitTwoWay(
  values: Float64Array,
  a: Factor,
  b: Factor,
): Generator<number, [Float64Array, Float64Array]> {
  if (a.count < b.count) return (yield* fitTwoWay(values, b, a)).reverse() as [Float64Array, Float64Array];
  const groups = groupByLevel(a);
  const { matrix, right } = yield* eliminate(values, groups, b);
  const ofB = yield* solveGrounded(matrix, right);
  const ofA = new Float64Array(a.count);
  for (let level = 0; level < a.count; level++) {
    const [from, to] = [groups.offsets[level]!, groups.offsets[level + 1]!];
    let sum = 0;
    for (let at = from; at < to; at++) sum += values[groups.order[at]!]! - ofB[b.codes[groups.order[at]!]!]!;
    ofA[level] = sum / (to - from);
  }
  return [ofA, ofB];
}

/** Positions of values by level: those of a level are [`offsets[level]`, `offsets[level + 1]`) of `order`. */
interface Groups {
  readonly offsets: Uint32Array;
  readonly order: Uint32Array;
}

function groupByLevel({ codes, count }: Factor): Groups {
  const offsets = new Uint32Array(count + 1);
  for (let at = 0; at < codes.length; at++) offsets[codes[at]! + 1]!++;
  for (let level = 0; level < count; level++) offsets[level + 1]! += offsets[level]!;
  const next = offsets.slice();
  const order = new Uint32Array(codes.length);
  for (let at = 0; at < codes.length; at++) order[next[codes[at]!]!++] = at;
  return { offsets, order };
}

interface NormalEquations {
  /** The lower triangle, row by row. */
  readonly matrix: Float64Array;
  readonly right: Float64Array;
}

/** The equations of the kept factor. */
function* eliminate(
  values: Float64Array,
  { offsets, order }: Groups,
  { codes, count }: Factor,
): Generator<number, NormalEquations> {
  const matrix = new Float64Array(rowStart(count));
  const right = new Float64Array(count);
  for (let level = 0; level + 1 < offsets.length; level++) {
    const [from, to] = [offsets[level]!, offsets[level + 1]!];
    const length = to - from;
    let sum = 0;
    for (let at = from; at < to; at++) sum += values[order[at]!]!;
    const mean = sum / length;
    for (let at = from; at < to; at++) {
      const code = codes[order[at]!]!;
      right[code]! += values[order[at]!]! - mean;
      matrix[rowStart(code) + code]! += (length - 1) / length;
      for (let before = from; before < at; before++) {
        const other = codes[order[before]!]!;
        const cell = other < code ? rowStart(code) + other : rowStart(other) + code;
        matrix[cell]! -= 1 / length;
      }
    }
    yield length + (length * length) / multiplicationsPerRow;
  }
  return { matrix, right };
}

/** Where a row of a lower triangle begins. */
function rowStart(row: number): number {
  return (row * (row + 1)) / 2;
}

/** Solves the equations with the last unknown set to 0. @param matrix Overwritten, as is `right`. */
function* solveGrounded(matrix: Float64Array, right: Float64Array): Generator<number, Float64Array> {
  const count = right.length - 1;
  for (let row = 0; row < count; row++) {
    const start = rowStart(row);
    for (let column = 0; column <= row; column++) {
      const other = rowStart(column);
      let rest = matrix[start + column]!;
      for (let at = 0; at < column; at++) rest -= matrix[start + at]! * matrix[other + at]!;
      matrix[start + column] = column === row ? Math.sqrt(rest) : rest / matrix[other + column]!;
    }
    let rest = right[row]!;
    for (let at = 0; at < row; at++) rest -= matrix[start + at]! * right[at]!;
    right[row] = rest / matrix[start + row]!;
    yield 1 + (row * row) / 2 / multiplicationsPerRow;
  }
  const solution = new Float64Array(right.length);
  for (let row = count - 1; row >= 0; row--) {
    const start = rowStart(row);
    solution[row] = right[row]! / matrix[start + row]!;
    for (let at = 0; at < row; at++) right[at]! -= matrix[start + at]! * solution[row]!;
  }
  yield 1 + (count * count) / multiplicationsPerRow;
  return solution;
}
