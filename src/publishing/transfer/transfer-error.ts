/** The refusal of a transfer, and its reasons. */
import { ForeseenError } from "../../engine/model/foreseen-error.ts";

/** Reasons why nothing was taken over from an origin. Each is a label of a metric. */
export const transferFailures = [
  /** No answer, or a connection that was cut too often. */
  "unreachable",
  /** An answer that comes slower than it must. */
  "slow",
  /** An answer that is neither the file nor "not modified"; a redirect as well. */
  "status",
  /** Longer or shorter than stated. */
  "length",
  /** Other content than the announcement or the manifest states. */
  "hash",
  "announcement",
  "signature",
  /** The sequence number that is known, for another snapshot. */
  "sequence",
  "manifest",
  /** Records that readers refuse. */
  "records",
  /** No room, or no right to write. */
  "disk",
  /** A store that does not fit into the memory that the service may take. */
  "memory",
] as const;
export type RefusalReason = (typeof transferFailures)[number];

/** A transfer is refused or cannot be done. The message is one line: what was requested, found and expected. */
export class TransferError extends ForeseenError {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
