/** What clients of a kind have seen. */
import { quantile } from "simple-statistics";

/** Times of so many answers are kept; of more, each replaces another. */
const timesMax = 20_000;

const examplesMax = 5;

export class SoakFigures {
  readonly title: string;
  answers = 0;
  /** Refused for overload at first, and right when asked again. */
  retried = 0;
  failed = 0;
  /** The first few that failed. */
  readonly examples: string[] = [];
  readonly #times: number[] = [];

  constructor(title: string) {
    this.title = title;
  }

  /** @param milliseconds From the request to the end of its answer. */
  count(milliseconds: number): void {
    this.#times[this.answers % timesMax] = milliseconds;
    this.answers++;
  }

  fail(example: string): void {
    this.failed++;
    if (this.examples.length < examplesMax) this.examples.push(`${this.title}: ${example.slice(0, 1500)}`);
  }

  /** Title, answers, failed, asked again, and times in milliseconds. */
  row(): string[] {
    const at = (part: number): string => (this.#times.length === 0 ? "" : quantile(this.#times, part).toFixed(1));
    return [this.title, ...[this.answers, this.failed, this.retried].map(String), at(0.5), at(0.99), at(1)];
  }
}

export const figuresHeader: readonly string[] = [
  ...["what", " done", " failed", " after a refusal", " p50 ms", " p99 ms", " longest ms"],
];
