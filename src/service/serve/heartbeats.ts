/**
 * Heartbeats of the server threads, in memory that all threads share: each thread has a timer that writes to its region
 * when it last fired, how much later than planned, and the size of the thread's heap. So the supervisor sees a thread
 * whose event loop is stuck, which answers no message. A request costs nothing.
 */
import { getHeapStatistics } from "node:v8";
import { sharedFloat64 } from "../../engine/model/shared-columns.ts";
import { addToHistogram, histogramLength, readHistogram } from "./shared-counters.ts";

/** Upper ends (inclusive) of the classes of delay, in seconds; the last class has none. */
export const delayBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** Ten samples of the delay a second, for a few microseconds of processor time each. */
const beatMilliseconds = 100;

/**
 * A thread without a heartbeat for so long answers no request. Work is done in slices of a few milliseconds, and the
 * longest collections of garbage take some hundred.
 */
export const heartbeatMillisecondsMax = 5000;

/** Region: time of the last beat, bytes of the heap, then the histogram of delays. */
const delaysStart = 2;
const regionLength = delaysStart + histogramLength(delayBounds);

export type Heartbeats = Float64Array<SharedArrayBuffer>;

/** The figures that the heartbeats of one thread give. */
export type HeartbeatFigures = ReturnType<typeof readHeartbeats>[number];

/** Memory for so many threads; none has beaten. */
export function createHeartbeats(threadCount: number): Heartbeats {
  return sharedFloat64(regionLength * threadCount);
}

/** Begins the heartbeats of the calling thread, which they do not keep from ending. @param thread Counted from 1. */
export function beginHeartbeats(memory: Heartbeats, thread: number): void {
  const start = regionLength * (thread - 1);
  let planned = monotonicMilliseconds();
  beat();
  setInterval(beat, beatMilliseconds).unref();

  function beat(): void {
    const now = monotonicMilliseconds();
    // A timer counts whole milliseconds, so it may fire a fraction early.
    addToHistogram(memory, start + delaysStart, delayBounds, Math.max(0, now - planned) / 1000);
    planned = now + beatMilliseconds;
    memory[start + 1] = getHeapStatistics().used_heap_size;
    memory[start] = now;
  }
}

/** Reads the figures of the heartbeats of all threads, by thread. */
export function readHeartbeats(memory: Heartbeats) {
  const now = monotonicMilliseconds();
  return Array.from({ length: memory.length / regionLength }, (_, index) => {
    const start = index * regionLength;
    const last = memory[start] ?? 0;
    return {
      /** Counted from 1. */
      thread: index + 1,
      /** Since the last beat; undefined before the first. */
      milliseconds: last === 0 ? undefined : Math.max(0, now - last),
      /** Used bytes of the heap at the last beat. */
      heapBytes: memory[start + 1] ?? 0,
      /** The delays of the beats, over all threads that had this number. */
      delays: readHistogram(memory, [start + delaysStart], delayBounds),
    };
  });
}

/** Milliseconds of a monotonic clock that all threads share. `performance.now()` begins again in each thread. */
function monotonicMilliseconds(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1_000_000;
}
