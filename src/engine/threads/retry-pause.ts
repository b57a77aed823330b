/** The pause after a failure, longer after each one: whatever the cause, it may have gone by then. */
export interface RetryTimes {
  /** Milliseconds after the first failure; doubled after each further one. */
  readonly first: number;
  /** The longest pause, in milliseconds. */
  readonly max: number;
}

const defaultTimes: RetryTimes = { first: 10_000, max: 60_000 };

export class RetryPause {
  readonly #times: RetryTimes;
  #milliseconds = 0;
  /** By the clock of `performance.now()`; infinite while there is nothing to try again. */
  #endsAt = Number.POSITIVE_INFINITY;

  constructor(times: RetryTimes = defaultTimes) {
    this.#times = times;
  }

  /** Returns whether there is something to try again, and it is time to. */
  get isOver(): boolean {
    return performance.now() >= this.#endsAt;
  }

  /** Returns whether something failed and its pause has not ended. */
  get isUnderWay(): boolean {
    return performance.now() < this.#endsAt && this.#endsAt !== Number.POSITIVE_INFINITY;
  }

  /** After a failure. */
  begin(): void {
    const { first, max } = this.#times;
    this.#milliseconds = this.#milliseconds === 0 ? first : Math.min(max, 2 * this.#milliseconds);
    this.#endsAt = performance.now() + this.#milliseconds;
  }

  /** After a success, and where there is something else to try. */
  end(): void {
    this.#milliseconds = 0;
    this.#endsAt = Number.POSITIVE_INFINITY;
  }
}
