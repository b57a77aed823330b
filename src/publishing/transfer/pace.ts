/** The pace at which an origin must send: an answer that is slower ends, so that it cannot hold a replica. */

/** The passing of time; that of the process, unless a test passes it. */
export interface Clock {
  /** Milliseconds from any beginning; never less than before. */
  readonly now: () => number;
  /** Calls back after some milliseconds. @returns A function that cancels that. */
  readonly after: (milliseconds: number, callback: () => void) => () => void;
}

export const processClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** The bytes that must come of an answer in a stretch of time; then the next stretch begins. */
export interface Pace {
  readonly milliseconds: number;
  /** Infinite where all must come in one stretch. */
  readonly bytes: number;
}

/** A small object, such as an announcement, with the way there and its headers. */
export const smallObjectPace: Pace = { milliseconds: 15_000, bytes: Number.POSITIVE_INFINITY };

/** 64 kbit/s. The first stretch has the way there and the headers as well. */
export const filePace: Pace = { milliseconds: 30_000, bytes: 30 * 8192 };

/** Describes a pace, for messages. */
export function paceText({ milliseconds, bytes }: Pace): string {
  const seconds = milliseconds / 1000;
  if (bytes === Number.POSITIVE_INFINITY) return `all of it within ${seconds} s`;
  return `at least ${Math.round(bytes / seconds)} bytes a second over ${seconds} s`;
}

/** Measures the time for which an origin is waited for; what is done with its bytes takes none of it. */
export class PaceWatch {
  readonly #pace: Pace;
  readonly #clock: Clock;
  readonly #onSlow: () => void;
  #milliseconds: number;
  #bytes: number;
  #beganAt = 0;
  #cancel: (() => void) | undefined;
  #isSlow = false;

  constructor(pace: Pace, clock: Clock, onSlow: () => void) {
    this.#pace = pace;
    this.#clock = clock;
    this.#onSlow = onSlow;
    this.#milliseconds = pace.milliseconds;
    this.#bytes = pace.bytes;
  }

  /** Returns whether the origin was too slow. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  /** Waiting begins. */
  begin(): void {
    this.#beganAt = this.#clock.now();
    this.#cancel = this.#clock.after(this.#milliseconds, () => {
      this.#isSlow = true;
      this.#onSlow();
    });
  }

  /** Waiting ends. @param bytes Number of bytes that have come. */
  end(bytes: number): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#milliseconds -= this.#clock.now() - this.#beganAt;
    this.#bytes -= bytes;
    if (this.#bytes > 0) return;
    this.#milliseconds = this.#pace.milliseconds;
    this.#bytes = this.#pace.bytes;
  }
}
