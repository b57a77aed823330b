/**
 * The moments between which a publisher can die. Each is told after what it names has been done, so that a test can stop
 * a process exactly there and look at what it leaves behind.
 */

/** What publishing, appending, rolling back and collecting garbage do, in the order in which they do it. */
export type PublishStep =
  /** The lock is held, nothing has been changed. */
  | "locked"
  /** The rows that are fit stand in a folder of their own (only with a quarantine). */
  | "quarantined"
  /** The staging folder is there, empty. */
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
  /** The staging folder bears the snapshot's id; `CURRENT` names another one still. */
  | "named"
  /** The snapshot to roll back to has been verified. */
  | "verified"
  /** The new `CURRENT` is written and flushed under a temporary name. */
  | "pointer-flushed"
  /** `CURRENT` names the snapshot. */
  | "activated"
  /** One more folder or file of a dead publisher is gone. */
  | "stray-removed"
  /** One more snapshot has lost its name and is on its way out. */
  | "set-aside"
  /** The compiled store of a snapshot that is set aside is gone. */
  | "compiled-removed"
  /** The files of a snapshot that was set aside are gone. */
  | "removed";

/** Told of every step; the work goes on when it returns. */
export type StepObserver = (step: PublishStep) => void | Promise<void>;

/** For those who do not want to be told. */
export function ignoreSteps(): void {}
