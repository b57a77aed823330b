import { type Problem, ProblemList } from "../dataset/problem.ts";
import { recordKindOf } from "../dataset/snapshot-layout.ts";

/** More problems than this are not kept: of 0.1 % of the rows, that many would be too many for any directory. */
export const problemsKeptMax = 1_000_000;

/** Every problem of every price row, and whether there are problems of anything else. */
export class RowProblems extends ProblemList {
  readonly #byPlace = new Map<string, Map<number, Problem[]>>();
  readonly #rowsMax: number;
  #rowCount = 0;
  #isOfRowsOnly = true;

  /**
   * @param max As of any list of problems.
   * @param rowsMax How many rows with problems are taken; one more ends the reading.
   */
  constructor(max: number, rowsMax: number = Number.POSITIVE_INFINITY) {
    super(max);
    this.#rowsMax = rowsMax;
  }

  /** How many rows have a problem. */
  get rowCount(): number {
    return this.#rowCount;
  }

  /** Problems by file and line. */
  get byPlace(): ReadonlyMap<string, ReadonlyMap<number, readonly Problem[]>> {
    return this.#byPlace;
  }

  /** False when anything is wrong beside price rows. */
  get isOfRowsOnly(): boolean {
    return this.#isOfRowsOnly;
  }

  override add(problem: Problem): void {
    super.add(problem);
    const { file, line } = problem;
    if (line === undefined || recordKindOf(file) !== "prices") {
      this.#isOfRowsOnly = false;
      return;
    }
    const lines = this.#byPlace.get(file) ?? new Map<number, Problem[]>();
    this.#byPlace.set(file, lines);
    const problems = lines.get(line);
    if (problems !== undefined) {
      problems.push(problem);
      return;
    }
    lines.set(line, [problem]);
    this.#rowCount++;
    if (this.#rowCount > this.#rowsMax) this.cut();
  }
}
