/**
 * Heartbeats of the server threads, in memory that all threads share: each thread has a timer that writes to its number
 * when it last fired. So the supervisor sees a thread whose event loop is stuck, which answers no message. A request
 * costs nothing.
 */
import { sharedFloat64 } from "../../engine/model/shared-columns.ts";

/** Ten beats a second, for a few microseconds of processor time each. */
const beatMilliseconds = 100;

/**
 * A thread without a heartbeat for so long answers no request. Work is done in slices of a few milliseconds, and the
 * longest collections of garbage take some hundred.
 */
export const heartbeatMillisecondsMax = 5000;

/** When each thread beat last; 0 before the first beat. */
export type Heartbeats = Float64Array<SharedArrayBuffer>;

/** Memory for so many threads; none has beaten. */
export function createHeartbeats(threadCount: number): Heartbeats {
  return sharedFloat64(threadCount);
}

/** Begins the heartbeats of the calling thread, which they do not keep from ending. @param thread Counted from 1. */
export function beginHeartbeats(memory: Heartbeats, thread: number): void {
  beat();
  setInterval(beat, beatMilliseconds).unref();

  function beat(): void {
    memory[thread - 1] = monotonicMilliseconds();
  }
}

/** Reads how old the last heartbeat of each thread is, by thread. */
export function readHeartbeats(memory: Heartbeats) {
  const now = monotonicMilliseconds();
  return Array.from(memory, (last, index) => ({
    /** Counted from 1. */
    thread: index + 1,
    /** Since the last beat; undefined before the first. */
    milliseconds: last === 0 ? undefined : Math.max(0, now - last),
  }));
}

/** Milliseconds of a monotonic clock that all threads share. `performance.now()` begins again in each thread. */
function monotonicMilliseconds(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1_000_000;
}
