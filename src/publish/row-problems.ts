import { type Problem, type ProblemKind, ProblemList } from "../dataset/problem.ts";
import { recordKindOf } from "../dataset/snapshot-layout.ts";

/** More problems than this are not kept: of 0.1 % of the rows, that many would be too many for any directory. */
const problemsKeptMax = 1_000_000;

/** Every problem of every price row, and whether there are problems of anything else. */
export class RowProblems extends ProblemList {
  readonly #byPlace = new Map<string, Map<number, Problem[]>>();
  #kept = 0;
  #isOfRowsOnly = true;

  /** Problems by file and line. */
  get byPlace(): ReadonlyMap<string, ReadonlyMap<number, readonly Problem[]>> {
    return this.#byPlace;
  }

  /** False when anything is wrong beside price rows, or more rows than can be kept. */
  get isOfRowsOnly(): boolean {
    return this.#isOfRowsOnly;
  }

  override get detailsMax(): number {
    return problemsKeptMax;
  }

  protected override addCount(kind: ProblemKind, count: number): void {
    super.addCount(kind, count);
    this.#isOfRowsOnly = false;
  }

  override add(problem: Problem): void {
    super.add(problem);
    const { file, line } = problem;
    if (line === undefined || recordKindOf(file) !== "prices" || this.#kept >= problemsKeptMax) {
      this.#isOfRowsOnly = false;
      return;
    }
    this.#kept++;
    const lines = this.#byPlace.get(file) ?? new Map<number, Problem[]>();
    this.#byPlace.set(file, lines);
    const problems = lines.get(line);
    if (problems === undefined) lines.set(line, [problem]);
    else problems.push(problem);
  }
}
