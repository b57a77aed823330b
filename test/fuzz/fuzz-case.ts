/** One numbered case: what is sent on a connection of its own, how the client ends it, and what must come back. */
import type { Operation } from "./api-operations.ts";

/** An answer that a request of the case must get. */
export interface ExpectedAnswer {
  readonly method: string;
  /** Statuses that are right; any documented one when absent. */
  readonly statuses?: readonly number[];
  /** A document or a page for people, which also answers errors as pages. */
  readonly isPage?: boolean;
  /** The endpoint that answers 200, where only one may. */
  readonly operation?: Operation;
}

/**
 * How the client behaves once the bytes are sent. `answers`: reads one answer for each request, then closes.
 * `half-close`: ends its side at once and reads to the end. `reset`: resets the connection at once. `unread`: reads
 * nothing for a while, then reads all answers. `absent`: reads nothing for a while, then resets.
 */
export type CaseEnding = "answers" | "half-close" | "reset" | "unread" | "absent";

export interface FuzzCase {
  readonly kind: string;
  /** Written one after another, each in a turn of the event loop of its own. */
  readonly pieces: readonly Buffer[];
  readonly ending: CaseEnding;
  /**
   * The requests on the connection, as far as they are known: for `answers` and `unread` each must be answered, in
   * order; otherwise the first says how answers are read.
   */
  readonly requests: readonly ExpectedAnswer[];
  /** The id of a request that lies inside the body of another; no answer may have it. */
  readonly hiddenId?: string;
}
