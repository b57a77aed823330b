/** The steps of a change of a dataset directory, which an observer can follow. */

/** Tests stop a process after a step and examine what it leaves. */
export type PublishStep =
  // Publications report these in this order; files are copied and shared in any.
  /** The lock is held, nothing has changed. */
  | "locked"
  /** One more orphaned folder or file is removed. */
  | "orphan-removed"
  /** One more of the files to append lies in a folder of its own, to be checked there. */
  | "given-copied"
  /** The staging folder exists, empty. */
  | "folder-made"
  /** One more file of the snapshot lies in the staging folder, flushed. */
  | "file-copied"
  /** One more file is shared with the current snapshot. */
  | "file-shared"
  /** The list of what changes lies in the staging folder, flushed. */
  | "changes-written"
  /** The manifest lies in the staging folder, flushed. */
  | "manifest-written"
  /** The staging folder is complete and durable. */
  | "staged"
  /** The store of the snapshot is compiled, beside the snapshots. */
  | "compiled"
  /** The staging folder has the snapshot's id as its name; `CURRENT` still names another one. */
  | "named"
  /** The new `CURRENT` is written and flushed under a temporary name. */
  | "pointer-flushed"
  /** `CURRENT` names the snapshot. */
  | "activated"
  /** The log has a line on the change. */
  | "logged"
  /** The mark says that the next announcement waits to be pushed (only where there is a place to push to). */
  | "push-noted"
  /** The announcement names what `CURRENT` names. */
  | "announced"
  // Rolling back and approving a draft report this next, after the lock and the orphaned files.
  /** The snapshot to make current has been verified. */
  | "verified"
  // Collecting garbage reports these of each snapshot that it removes, in this order.
  /** The snapshot has a name that no reader opens. */
  | "unnamed"
  /** The compiled store of an unnamed snapshot is removed. */
  | "compiled-removed"
  /** The files of an unnamed snapshot are removed. */
  | "removed";

/** Called after every step; the work continues when it returns. */
export type StepObserver = (step: PublishStep) => void | Promise<void>;

/** The default observer, a no-op. */
export function ignoreSteps(): void {}
