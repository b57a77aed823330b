/** The steps of a change of a dataset directory, which an observer can follow. */

/**
 * What publishing, appending, rolling back and collecting garbage do, in this order. Tests stop a process after a step
 * and examine what it leaves.
 */
export type PublishStep =
  /** The lock is held, nothing has changed. */
  | "locked"
  /** The accepted rows lie in a folder of their own (only with rejected rows). */
  | "quarantined"
  /** One more of the files to append lies in a folder of its own, to be checked there. */
  | "given-copied"
  /** The staging folder exists, empty. */
  | "folder-made"
  /** One more file of the snapshot lies in the staging folder, flushed. */
  | "file-copied"
  /** One more file is shared with the current snapshot. */
  | "file-shared"
  /** The manifest lies in the staging folder, flushed. */
  | "manifest-written"
  /** The staging folder is complete and durable. */
  | "staged"
  /** The store of the snapshot is compiled, beside the snapshots. */
  | "compiled"
  /** The staging folder has the snapshot's id as its name; `CURRENT` still names another one. */
  | "named"
  /** The snapshot to roll back to has been verified. */
  | "verified"
  /** The new `CURRENT` is written and flushed under a temporary name. */
  | "pointer-flushed"
  /** `CURRENT` names the snapshot. */
  | "activated"
  /** The announcement names what `CURRENT` names. */
  | "announced"
  /** The log has a line on the change. */
  | "logged"
  /** One more orphaned folder or file is removed. */
  | "orphan-removed"
  /** One more snapshot to be removed has a name that no reader opens. */
  | "unnamed"
  /** The compiled store of an unnamed snapshot is removed. */
  | "compiled-removed"
  /** The files of an unnamed snapshot are removed. */
  | "removed";

/** Called after every step; the work continues when it returns. */
export type StepObserver = (step: PublishStep) => void | Promise<void>;

/** The default observer, a no-op. */
export function ignoreSteps(): void {}
