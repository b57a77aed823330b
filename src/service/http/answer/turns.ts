/**
 * Turns of the event loop for long answers: all those of a thread share one slice of time per turn, so that however
 * many are being made, other requests wait for one slice only.
 */

import { overloadTurnMilliseconds } from "../../../contract/limits.ts";
import type { Admission } from "../admission/admission.ts";
import type { Overload } from "../admission/overload.ts";

let lastTurn: Promise<void> = Promise.resolve();

/** Until when further slices of long answers may be made in this turn of the event loop. */
let turnEnd = 0;

/**
 * Waits for a turn of the event loop that no other long answer of this thread has. Where too many wait, all long
 * answers together have as much of a turn as other requests, because what has been accepted must end.
 */
export function nextTurn({ overload }: Admission): Promise<void> {
  lastTurn = lastTurn.then(() => (performance.now() < turnEnd ? undefined : startTurn(overload)));
  return lastTurn;
}

function startTurn(overload: Overload | undefined): Promise<void> {
  return new Promise((resolve) => {
    const askedAt = performance.now();
    setImmediate(() => {
      const now = performance.now();
      if (overload?.isCrowded === true) turnEnd = now + Math.min(now - askedAt, overloadTurnMilliseconds);
      resolve();
    });
  });
}
