/** Measures the stages of an append. */
import { ignoreSteps, type PublishStep, type StepObserver } from "./publish-steps.ts";

/**
 * The stages of appending, in this order:
 *
 * - reading: copies and reads the new files and the small tables, and leaves out prices that are there
 * - opening: reads the store of the current snapshot
 * - extending: adds the new prices to it
 * - checking: looks for what deserves a warning
 * - staging: shares the old prices, writes the manifest and flushes everything
 * - compiling: writes the store
 * - activating: renames the snapshot's folder and makes it current
 */
export type AppendStage = "reading" | "opening" | "extending" | "checking" | "staging" | "compiling" | "activating";

/** The stages that end with a step. */
const lastStages = { staged: "staging", compiled: "compiling", activated: "activating" } as const;

/** Measures the stages. */
export class StageClock {
  readonly seconds: Partial<Record<AppendStage, number>> = {};
  /** Follows the steps that end a stage, and passes them on. */
  readonly onStep: StepObserver;
  #last: number = performance.now();

  constructor(onStep: StepObserver = ignoreSteps) {
    this.onStep = async (step) => {
      this.#follow(step);
      await onStep(step);
    };
  }

  /** Ends a stage, or another part of it; the next one begins. */
  end(stage: AppendStage): void {
    const now = performance.now();
    this.seconds[stage] = Math.round((this.seconds[stage] ?? 0) * 1000 + now - this.#last) / 1000;
    this.#last = now;
  }

  #follow(step: PublishStep): void {
    // Waiting for the lock belongs to no stage.
    if (step === "locked") this.#last = performance.now();
    else if (step in lastStages) this.end(lastStages[step as keyof typeof lastStages]);
  }
}
