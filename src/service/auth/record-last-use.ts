/**
 * Writes down on which day each key was last used. Threads only raise a flag beside a key (`KeyRing.noteUse`); once a
 * minute the supervisor takes the flags, and writes when a key has its first use of a day. So a use near midnight may
 * count for the day after, and a process that is killed loses the uses of its last minute.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Instant } from "../../engine/model/calendar.ts";
import type { KeyRing } from "./key-ring.ts";
import { addLastUse, type LastUse, type UseDay, useDayOf } from "./last-use.ts";

const intervalMillisecondsDefault = 60_000;

export interface LastUseOptions {
  readonly keysFile: string;
  /** The clock that says which day it is. */
  readonly now: () => Instant;
  /**
   * The days cannot be written; they are kept and tried again. Called once for each problem until writing succeeds;
   * nearly always a KeysFileError.
   */
  readonly onProblem: (error: Error) => void;
  /** Between two writings; a minute when absent. */
  readonly intervalMilliseconds?: number | undefined;
}

export class LastUseRecorder {
  readonly #options: LastUseOptions;
  /** The ring in force is the last; threads may still use those before it for a moment. */
  readonly #rings: KeyRing[] = [];
  /** Number of rings that were replaced when the flags were read last. */
  #replacedCount = 0;
  /** The content of the file, as far as known. */
  #written: LastUse = new Map();
  readonly #unwritten = new Map<string, UseDay>();
  #problem: string | undefined;
  readonly #stopped = new AbortController();
  readonly #recording: Promise<void>;

  /** Begins; the timer alone does not keep the process alive. */
  constructor(options: LastUseOptions) {
    this.#options = options;
    this.#recording = this.#recordUntilStopped();
  }

  /** Records the uses of the keys of another ring from now on. */
  follow(ring: KeyRing): void {
    this.#rings.push(ring);
  }

  /** Ends, once what was used until now is written. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#recording;
    await this.#record();
  }

  async #recordUntilStopped(): Promise<void> {
    const { intervalMilliseconds = intervalMillisecondsDefault } = this.#options;
    const { signal } = this.#stopped;
    for (;;) {
      await delay(intervalMilliseconds, undefined, { ref: false, signal }).catch(() => undefined);
      if (signal.aborted) return;
      await this.#record();
    }
  }

  async #record(): Promise<void> {
    this.#takeUses();
    if (this.#unwritten.size === 0) return;
    try {
      this.#written = await addLastUse(this.#options.keysFile, this.#unwritten);
      this.#unwritten.clear();
      this.#problem = undefined;
    } catch (error) {
      const problem = error as Error;
      if (problem.message !== this.#problem) this.#options.onProblem(problem);
      this.#problem = problem.message;
    }
  }

  #takeUses(): void {
    const today = useDayOf(this.#options.now());
    for (const id of this.#rings.flatMap((ring) => ring.takeUsed())) {
      if (today > (this.#written.get(id) ?? "")) this.#unwritten.set(id, today);
    }
    this.#rings.splice(0, this.#replacedCount);
    this.#replacedCount = Math.max(0, this.#rings.length - 1);
  }
}
