/**
 * Requests counted in memory that all threads share: one region a thread, written by that thread alone, so counting
 * needs no lock and no message. A region holds a series for each endpoint and outcome: a histogram of the time taken. A
 * reader may miss the request being counted.
 */

import { apiErrorCodes, apiErrors } from "../../contract/errors.ts";
import { sharedFloat64 } from "../../engine/model/shared-columns.ts";
import type { CountRequest } from "../http/request/request-dependencies.ts";

/** Adds to a number that no other thread writes. */
function addTo(numbers: Float64Array, at: number, amount: number): void {
  numbers[at] = (numbers[at] ?? 0) + amount;
}

/** Upper ends (inclusive) of the classes of time taken, in seconds; the last class has none. */
export const durationBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

/** The end of a request. */
interface Outcome {
  /** As sent, or one of the words below. */
  readonly status: string;
  /** The code of an error. */
  readonly code?: string;
}

/** The status of requests whose connection had closed before an answer had left. */
const abortedStatus = "aborted";
const otherStatus = "other";
const outcomes: readonly Outcome[] = [
  ...[200, 204, 206, 301, 302, 303, 304].map((status) => ({ status: String(status) })),
  ...apiErrorCodes.map((code) => ({ status: String(apiErrors[code].status), code })),
  { status: abortedStatus },
  { status: otherStatus },
];
const outcomeIndexes = new Map(outcomes.map(({ status, code }, index) => [code ?? status, index]));

/** The endpoint of requests that reached none: without a valid key, to an unknown path. */
export const noEndpoint = "none";

/** Requests, the sum of the seconds, then the requests by class. */
const seriesLength = 2 + durationBounds.length + 1;

/** One series that has requests. */
export interface RequestFigures extends Outcome {
  readonly endpoint: string;
  readonly count: number;
  /** The time taken, in seconds, by all of them. */
  readonly sum: number;
  /** Requests by class of the time taken. */
  readonly classes: readonly number[];
}

/**
 * Most endpoints that have series of their own. The size of a region must be known before the endpoints are: the
 * supervisor, which allocates the memory, does not load them, so that a start is short.
 */
const endpointsMax = 64;
const regionLength = (endpointsMax + 1) * outcomes.length * seriesLength;

/** Memory for the figures of so many threads, all zero. */
export function createCounters(threadCount: number): Float64Array<SharedArrayBuffer> {
  return sharedFloat64(regionLength * threadCount);
}

/**
 * Counts the requests of one thread.
 *
 * @param thread Counted from 1.
 */
export function requestCounter(
  counters: Float64Array<SharedArrayBuffer>,
  endpoints: readonly string[],
  thread: number,
): CountRequest {
  if (endpoints.length > endpointsMax) throw new RangeError(`${endpoints.length} endpoints, at most ${endpointsMax}`);
  const start = regionLength * (thread - 1);
  const endpointIndexes = new Map(endpoints.map((name, index) => [name, index]));
  return (endpoint, { status, code, duration_ms }) => {
    const endpointIndex = endpointIndexes.get(endpoint ?? noEndpoint) ?? endpointsMax;
    const outcome = code ?? (status === undefined ? abortedStatus : String(status));
    const outcomeIndex = outcomeIndexes.get(outcome) ?? outcomes.length - 1;
    const at = start + (endpointIndex * outcomes.length + outcomeIndex) * seriesLength;
    const seconds = duration_ms / 1000;
    const found = durationBounds.findIndex((bound) => seconds <= bound);
    addTo(counters, at, 1);
    addTo(counters, at + 1, seconds);
    addTo(counters, at + 2 + (found === -1 ? durationBounds.length : found), 1);
  };
}

/** The figures of all threads together, series without requests left out, in the order of the endpoints. */
export function readCounters(
  counters: Float64Array<SharedArrayBuffer>,
  endpoints: readonly string[],
): RequestFigures[] {
  const figures: RequestFigures[] = [];
  const regions = Array.from({ length: counters.length / regionLength }, (_, index) => index * regionLength);
  for (const [endpointIndex, endpoint] of [...endpoints.entries(), [endpointsMax, noEndpoint] as const]) {
    for (const [outcomeIndex, outcome] of outcomes.entries()) {
      const offset = (endpointIndex * outcomes.length + outcomeIndex) * seriesLength;
      const [count = 0, sum = 0, ...classes] = Array.from({ length: seriesLength }, (_, index) =>
        regions.reduce((total, start) => total + (counters[start + offset + index] ?? 0), 0),
      );
      if (count > 0) figures.push({ endpoint, ...outcome, count, sum, classes });
    }
  }
  return figures;
}
