/** Why there is no store to serve. */
import { ForeseenError } from "../model/foreseen-error.ts";

/** No store could be loaded. The message is one line that says what was read and what was found there. */
export class LoadFailedError extends ForeseenError {}

/** The records of a snapshot are broken; no other snapshot was tried. */
export class BrokenRecordsError extends LoadFailedError {}

/** A load was ended because the service stops; nothing is wrong with what was loaded. */
export class LoadAbandonedError extends LoadFailedError {
  constructor() {
    super("the service is stopping");
  }
}

/**
 * Threads load the code that lies on the disk when they start. If that was exchanged under a running service, and
 * stores have another layout in it, what one thread has made means something else to another.
 *
 * @param own The layout of the code of this thread.
 * @param ofService The layout of the stores that the service holds.
 * @throws {LoadFailedError} when they differ.
 */
export function requireLayout(own: number, ofService: number): void {
  if (own === ofService) return;
  throw new LoadFailedError(
    `the code on the disk makes stores of layout ${own}, the running service holds layout ${ofService}: restart the ` +
      "service",
  );
}
