/** A clock that stands until a test sets it forward, so that no test waits for seconds. */
import type { Clock } from "../../src/publishing/transfer/pace.ts";

export class ManualClock implements Clock {
  #milliseconds = 0;
  readonly #timers = new Set<{ readonly at: number; readonly callback: () => void }>();

  readonly now = (): number => this.#milliseconds;

  readonly after = (milliseconds: number, callback: () => void): (() => void) => {
    const timer = { at: this.#milliseconds + milliseconds, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  /** How many callbacks are to come. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Calls back what is due by then, in no order. */
  advance(milliseconds: number): void {
    this.#milliseconds += milliseconds;
    for (const timer of [...this.#timers]) {
      if (timer.at > this.#milliseconds) continue;
      this.#timers.delete(timer);
      timer.callback();
    }
  }
}
