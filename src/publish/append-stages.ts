/** What appending spends its time on, in the order in which it does it. */
export const appendStages = [
  "reading",
  "opening",
  "extending",
  "checking",
  "staging",
  "compiling",
  "activating",
] as const;

/**
 * - reading: the new files are copied and read, the old ones shared
 * - opening: the store of the current snapshot is read
 * - extending: the new prices are added to it
 * - checking: what looks odd in them is found
 * - staging: the manifest is written and everything flushed
 * - compiling: the store is written
 * - activating: the snapshot gets its name and becomes the current one
 */
export type AppendStage = (typeof appendStages)[number];

/** Seconds by stage; of a dry run without the last three. */
export type AppendSeconds = Readonly<Partial<Record<AppendStage, number>>>;

/** Tells what each stage took. */
export class StageClock {
  readonly #seconds: Partial<Record<AppendStage, number>> = {};
  #last: number = performance.now();

  get seconds(): AppendSeconds {
    return this.#seconds;
  }

  /** A stage has ended, and what comes next begins. */
  end(stage: AppendStage): void {
    const now = performance.now();
    this.#seconds[stage] = Math.round(now - this.#last) / 1000;
    this.#last = now;
  }
}
