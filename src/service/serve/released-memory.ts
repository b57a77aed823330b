/**
 * Memory of released stores. Shared memory does not count towards the size at which V8 collects garbage, so it is
 * counted here, and a collection follows when it is worth one.
 */

/**
 * A collection of garbage takes a thread some milliseconds, however little is collected; so small released stores wait
 * for each other.
 */
export const collectedBytesMin = 64 * 1024 * 1024;

/** Enough for V8 to begin marking; far more would make it stop the thread for all of it at once. */
const ballastBytesMax = 2 * collectedBytesMin;

/** Calls what makes V8 mark garbage, now or later. */
export type MarkingSchedule = (begin: () => void) => void;

/** Counts the bytes of the stores that a thread has released, and makes V8 collect them. */
export class ReleasedMemory {
  readonly #schedule: MarkingSchedule;
  /** Since marking was scheduled last. */
  #bytes = 0;
  /**
   * A released store would keep its memory until a thread had made enough other garbage: on a quiet service, for ever.
   * So when enough was released, a large buffer is allocated. It is never written, so it takes no memory, but V8 counts
   * it, and marks in small steps beside the work of the thread; a collection on demand would stop the thread for 30 ms.
   * An idle thread that released 40 stores of 100 MiB stayed at 364 MiB with it, and grew to 4,067 MiB without.
   */
  #ballast: ArrayBuffer | undefined;

  constructor(schedule: MarkingSchedule = (begin) => begin()) {
    this.#schedule = schedule;
  }

  /** Adds the bytes of one more store. */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < collectedBytesMin) return;
    const ballastBytes = Math.min(this.#bytes, ballastBytesMax);
    this.#bytes = 0;
    this.#schedule(() => {
      this.#ballast = new ArrayBuffer(ballastBytes);
    });
  }

  /** Bytes that V8 counts for released stores. */
  get countedBytes(): number {
    return this.#ballast?.byteLength ?? 0;
  }
}

/**
 * The threads of a process release a store at the same instant. Each marks for 30 to 70 ms; one after another they
 * leave processors to those that answer.
 */
const markingSpacingMilliseconds = 300;

/** More threads than these share turns: the memory is free only when the last thread has marked. */
const markingTurns = 8;

/**
 * Marks after the threads before this one. The timer does not keep the process alive.
 *
 * @param index The thread's position among those of the process, from 0.
 */
export function markInTurn(index: number): MarkingSchedule {
  const delayMilliseconds = (index % markingTurns) * markingSpacingMilliseconds;
  return (begin) => setTimeout(begin, delayMilliseconds).unref();
}
