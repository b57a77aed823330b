/** The follower of an origin, as the service sees it: a value that the entry file gives to it. */
import type { Logger } from "pino";
import type { Instant } from "../../engine/model/calendar.ts";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import type { RetryTimes } from "../../engine/threads/retry-pause.ts";

/** The service does this for a follower. */
export interface FollowerHost {
  readonly dataDirectory: string;
  readonly log: Logger;
  /** The pauses after failures; see retry-pause.ts when absent. */
  readonly retryTimes?: RetryTimes | undefined;
  readonly servedId: () => string | undefined;
  /**
   * Reads the records of a snapshot and compiles its store.
   *
   * @throws {BrokenRecordsError} when they are broken.
   */
  readonly compile: (id: SnapshotId) => Promise<void>;
  /** @throws {LoadFailedError} when the store of a snapshot does not fit into memory. */
  readonly requireMemory: (id: SnapshotId) => Promise<void>;
}

/** An announcement of the origin. */
export interface FollowedAnnouncement {
  readonly sequence: number;
  readonly snapshot: string;
  readonly announcedAt: Instant;
}

/** The state that `/ready`, `/snapshot` and `/metrics` show. */
export interface FollowerFigures {
  readonly origin: string;
  /** The last announcement that was seen; undefined before the first. */
  readonly announced: FollowedAnnouncement | undefined;
  /** The last announcement that was taken over. */
  readonly accepted: FollowedAnnouncement | undefined;
  /** Why the last announcement is not taken over; undefined when it is. */
  readonly error: string | undefined;
  /** The snapshot that is being fetched. */
  readonly progress: { readonly snapshot: string; readonly bytes: number; readonly bytesTotal: number } | undefined;
  /** Transfers that were refused or failed, by reason. */
  readonly refusals: Readonly<Record<string, number>>;
  /** When a poll was last completed, by `performance.now()`. */
  readonly polledAt: number;
  /** Counts announcements older than one before, as from a stale cache. */
  readonly stale: number;
}

export interface Follower {
  readonly figures: FollowerFigures;
  /** Waits for a first snapshot where the dataset directory has none. @throws {LoadFailedError} on a stop meanwhile. */
  start(): Promise<void>;
  /** Polls until stopped. */
  follow(): void;
  stop(): Promise<void>;
}

export type CreateFollower = (host: FollowerHost) => Follower;
