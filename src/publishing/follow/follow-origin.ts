/**
 * Follows an origin: polls its announcement, takes over what it announces, and points `CURRENT` at it; the reloads do
 * the rest. Nothing that an origin sends is served before it is whole, its records are read and its store is compiled.
 */
import type { KeyObject } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { LockHeldError } from "../../engine/files/exclusive-lock.ts";
import { regularFileExists } from "../../engine/files/read-regular-file.ts";
import { flushDirectory } from "../../engine/files/write-file-durably.ts";
import { readCurrentIfAny } from "../../engine/snapshots/current-snapshot.ts";
import { BrokenRecordsError, LoadAbandonedError, LoadFailedError } from "../../engine/snapshots/load-failure.ts";
import { readPin } from "../../engine/snapshots/pin.ts";
import {
  announcementName,
  changesFileName,
  type SnapshotId,
  snapshotPath,
} from "../../engine/snapshots/snapshot-layout.ts";
import { RetryPause, type RetryTimes } from "../../engine/threads/retry-pause.ts";
import { Cleaning } from "../publish/cleaning.ts";
import { removeSnapshot } from "../publish/collect-garbage.ts";
import { snapshotIds } from "../publish/list-snapshots.ts";
import { takeLockOf } from "../publish/publish-lock.ts";
import { pointCurrentAt } from "../publish/stage-snapshot.ts";
import {
  type Announcement,
  AnnouncementError,
  announcementPath,
  hashManifest,
  readAnnouncement,
  writeAnnouncement,
} from "../transfer/announcement.ts";
import { fetchSnapshot, removeUnfinished, type TransferProgress } from "../transfer/fetch-snapshot.ts";
import { readFollowedOrigin, writeFollowedOrigin } from "../transfer/followed-origin.ts";
import { openAnnouncement } from "../transfer/open-announcement.ts";
import type { Origin } from "../transfer/origin.ts";
import { type RefusalReason, TransferError, transferFailures } from "../transfer/transfer-error.ts";
import { listChanges } from "./list-changes.ts";
import { type Known, knownAtStart, nextStep } from "./next-step.ts";

/** The share of the time between two polls that is left to chance, so that replicas do not poll in step. */
const jitter = 0.2;

const staleRemedy = "if the origin began again, snapshot forget-sequence takes it over";

export interface FollowOptions {
  readonly dataDirectory: string;
  readonly origin: Origin;
  /** Announcements must be signed with its private half; null where none need be. */
  readonly publicKey: KeyObject | null;
  /** Number of snapshots that are kept: the newest, and those that are served or pinned. */
  readonly keep: number;
  readonly pollMilliseconds: number;
  /** The pauses after failures; see retry-pause.ts when absent. */
  readonly retryTimes?: RetryTimes | undefined;
  /** The entry file of the thread that lists what a snapshot changes. */
  readonly changesThread: URL;
  readonly log: Logger;
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

/** What has become of the polls. */
interface PollFigures {
  /** The reason why the last announcement is not taken over; undefined when it is. */
  error: string | undefined;
  /** The time of the last reading of the announcement, or of the start before that, by `performance.now()`. */
  polledAt: number;
  /** The snapshot that is being fetched. */
  progress: TransferProgress | undefined;
  readonly refusals: Record<RefusalReason, number>;
  /** Number of times that an older announcement was seen than one before, as from a stale cache. */
  stale: number;
}

/** The state of following, as `/ready`, `/snapshot` and `/metrics` show it. */
type FollowFigures = Readonly<PollFigures> & Pick<Known, "announced" | "accepted"> & { readonly origin: string };

export class OriginFollower {
  readonly #options: FollowOptions;
  readonly #stopped = new AbortController();
  readonly #pause: RetryPause;
  readonly #figures: PollFigures;
  #known: Known = knownAtStart(undefined, false);
  #following: Promise<void> | undefined;

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#pause = new RetryPause(options.retryTimes);
    const refusals = Object.fromEntries(transferFailures.map((reason) => [reason, 0])) as PollFigures["refusals"];
    const counts = { refusals, stale: 0 };
    this.#figures = { error: undefined, progress: undefined, ...counts, polledAt: performance.now() };
  }

  get figures(): FollowFigures {
    const { announced, accepted } = this.#known;
    return { origin: this.#options.origin.name, announced, accepted, ...this.#figures };
  }

  /**
   * Marks the dataset directory as one that follows an origin and, where it has no snapshot yet, waits for the first.
   *
   * @throws {LoadAbandonedError} when the service is stopped meanwhile.
   */
  async start(): Promise<void> {
    const { dataDirectory } = this.#options;
    await this.#markDirectory();
    const isEmpty = (await readCurrentIfAny(dataDirectory)) === null;
    this.#known = knownAtStart(await this.#readAccepted(), isEmpty);
    while ((await readCurrentIfAny(dataDirectory)) === null) {
      await this.poll();
      if ((await readCurrentIfAny(dataDirectory)) === null) await this.#wait();
      if (this.#stopped.signal.aborted) throw new LoadAbandonedError();
    }
  }

  /** Instances over one directory may start at once; only one of them writes. */
  async #markDirectory(): Promise<void> {
    const { dataDirectory, origin } = this.#options;
    while ((await readFollowedOrigin(dataDirectory)) !== origin.name) {
      try {
        using _lock = await takeLockOf(dataDirectory, 0);
        await writeFollowedOrigin(dataDirectory, origin.name);
      } catch (error) {
        if (!(error instanceof LockHeldError)) throw error;
        await this.#wait();
        if (this.#stopped.signal.aborted) throw new LoadAbandonedError();
      }
    }
  }

  /** Polls until stopped. Polling alone does not keep the process alive. */
  follow(): void {
    this.#following = (async () => {
      await this.#completeChanges();
      while (!this.#stopped.signal.aborted) {
        await this.poll();
        await this.#wait();
      }
    })();
  }

  /** Ends what is under way; what was fetched stays for the next start. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#following;
  }

  /** Looks once for an announcement and takes it over. Never rejects: what fails is shown, counted and tried again. */
  async poll(): Promise<void> {
    const { log, origin } = this.#options;
    try {
      const next = await this.#readNext();
      this.#figures.polledAt = performance.now();
      if (next !== undefined) {
        if (this.#pause.isUnderWay) return;
        await this.#takeOver(next);
      }
      this.#figures.error = undefined;
      this.#pause.end();
    } catch (error) {
      if (this.#stopped.signal.aborted) return;
      if (error instanceof LockHeldError) {
        // Another instance over the same directory takes it over, or a command is at work: the next poll sees.
        this.#figures.error = error.message;
        return;
      }
      const reason = refusalOf(error);
      const { message } = error as Error;
      if (reason === undefined) {
        log.error({ err: error }, `following ${origin.name} failed: ${message}`);
      } else {
        this.#figures.refusals[reason]++;
        // The same fault is logged once, and counted each time.
        if (message !== this.#figures.error) log.error({ origin: origin.name, reason }, message);
      }
      this.#figures.error = message;
      this.#pause.begin();
    } finally {
      this.#figures.progress = undefined;
    }
  }

  async #wait(): Promise<void> {
    const { pollMilliseconds } = this.#options;
    const milliseconds = pollMilliseconds * (1 - jitter / 2 + jitter * Math.random());
    await delay(milliseconds, undefined, { ref: false, signal: this.#stopped.signal }).catch(() => undefined);
  }

  /** The announcement to take over; undefined where there is nothing new. */
  async #readNext(): Promise<Announcement | undefined> {
    const { origin, publicKey } = this.#options;
    const { signal } = this.#stopped;
    await this.#noticeForgotten();
    const found = await openAnnouncement(origin, announcementName, publicKey, { etag: this.#known.etag, signal });
    const what = `${origin.name}/${announcementName}`;
    if (found === "at-end" || typeof found === "number") {
      throw new TransferError("status", `${what}: found status ${found}, expected the announcement`);
    }
    const { known, step, isNew } = nextStep(this.#known, found);
    const { accepted } = known;
    this.#known = known;
    if (isNew) this.#pause.end();
    if (found !== "not-modified") {
      if (step === "older") this.#countStale(found.announcement, accepted, what);
      if (step === "contradicts") throw contradiction(found.announcement, accepted, what);
    }
    return step === "take over" ? known.announced : undefined;
  }

  /** After a command has removed the one taken over last, every announcement is new. */
  async #noticeForgotten(): Promise<void> {
    const { dataDirectory } = this.#options;
    const { accepted, isEmpty } = this.#known;
    if (accepted === undefined || (await regularFileExists(announcementPath(dataDirectory)))) return;
    this.#known = knownAtStart(undefined, isEmpty);
  }

  /** Returns the announcement taken over last, also by another instance over the same directory. */
  async #readAccepted(): Promise<Announcement | undefined> {
    const { dataDirectory, log } = this.#options;
    return await readAnnouncement(dataDirectory).catch((error: unknown) => {
      // Another is written with the next announcement that is taken over.
      if (!(error instanceof AnnouncementError)) throw error;
      log.warn({ err: error }, "what was taken over last cannot be read");
      return undefined;
    });
  }

  #countStale({ sequence }: Announcement, accepted: Announcement | undefined, what: string): void {
    this.#figures.stale++;
    const { log } = this.#options;
    log.warn({ sequence, accepted: accepted?.sequence }, `${what}: an older announcement; ${staleRemedy}`);
  }

  async #takeOver(announcement: Announcement): Promise<void> {
    const { dataDirectory, requireMemory, log } = this.#options;
    const { snapshot, sequence } = announcement;
    using _lock = await takeLockOf(dataDirectory, 0);
    const there = await this.#readAccepted();
    if (there !== undefined && there.sequence >= sequence && (await readCurrentIfAny(dataDirectory)) !== null) {
      this.#known = { ...this.#known, accepted: there };
      return;
    }
    await removeUnfinished(dataDirectory, snapshot);
    await this.#provide(announcement);
    await requireMemory(snapshot);
    await pointCurrentAt(dataDirectory, snapshot);
    await writeAnnouncement(dataDirectory, announcement);
    await flushDirectory(dataDirectory);
    this.#known = { ...this.#known, accepted: announcement, isEmpty: false };
    log.info({ snapshot, sequence }, "snapshot taken over from the origin");
    await this.#listChanges(snapshot);
    await this.#removeOld(snapshot);
  }

  /** Lists what the last snapshot changes where a process that took it over has been killed before. */
  async #completeChanges(): Promise<void> {
    const { dataDirectory, log } = this.#options;
    try {
      using _lock = await takeLockOf(dataDirectory, 0);
      const current = await readCurrentIfAny(dataDirectory);
      if (current !== null) await this.#listChanges(current);
    } catch (error) {
      if (error instanceof LockHeldError || this.#stopped.signal.aborted) return;
      log.warn({ err: error }, "what the current snapshot changes could not be listed");
    }
  }

  /** Lists what the snapshot changes, where its parent is there. It is served without that as well. */
  async #listChanges(id: SnapshotId): Promise<void> {
    const { dataDirectory, changesThread, log } = this.#options;
    if (await regularFileExists(join(snapshotPath(dataDirectory, id), changesFileName))) return;
    try {
      await listChanges(changesThread, { dataDirectory, id }, this.#stopped.signal);
    } catch (error) {
      if (this.#stopped.signal.aborted) throw error;
      log.warn({ err: error, snapshot: id }, "what the snapshot changes could not be listed");
    }
  }

  /** Sees to it that a snapshot is there, whole, with its compiled store. */
  async #provide(announcement: Announcement): Promise<void> {
    const { dataDirectory, origin, compile } = this.#options;
    const { snapshot, manifestSha256 } = announcement;
    const path = snapshotPath(dataDirectory, snapshot);
    const isThere = (await stat(path).catch(() => undefined)) !== undefined;
    if (isThere && (await hashManifest(dataDirectory, snapshot).catch(() => "")) === manifestSha256) {
      if ((await brokenBy(compile(snapshot))) === undefined) return;
    }
    await rm(path, { recursive: true, force: true });
    // A local file may be damaged; then all of them are fetched.
    for (const sharesFiles of [true, false]) {
      await fetchSnapshot(announcement, {
        dataDirectory,
        origin,
        sharesFiles,
        signal: this.#stopped.signal,
        onProgress: (progress) => {
          this.#figures.progress = progress;
        },
      });
      const broken = await brokenBy(compile(snapshot));
      if (broken === undefined) return;
      await rm(path, { recursive: true, force: true });
      if (!sharesFiles) throw new TransferError("records", broken.message, { cause: broken });
    }
  }

  async #removeOld(current: SnapshotId): Promise<void> {
    const { dataDirectory, keep, servedId, log } = this.#options;
    const pin = await readPin(dataDirectory);
    const ids = (await snapshotIds(dataDirectory)).toReversed();
    const used: ReadonlySet<string | undefined> = new Set([current, servedId(), pin?.id]);
    const cleaning = new Cleaning();
    for (const id of ids.slice(keep)) {
      if (used.has(id)) continue;
      await cleaning.attempt(() => removeSnapshot(dataDirectory, id, cleaning));
    }
    await cleaning.finish().catch((error: unknown) => {
      log.warn({ err: error }, "old snapshots could not be removed whole; gc removes them");
    });
  }
}

/** The error of an announcement that is another than the one with its number that was taken over. */
function contradiction({ snapshot }: Announcement, accepted: Announcement | undefined, what: string): TransferError {
  const { sequence, snapshot: before } = accepted ?? {};
  return new TransferError(
    "sequence",
    `${what}: found ${snapshot} as announcement ${sequence}, expected ${before}, which it was before`,
  );
}

/** Returns the error of compiling a snapshot whose records are broken. */
async function brokenBy(compiling: Promise<void>): Promise<BrokenRecordsError | undefined> {
  try {
    await compiling;
    return undefined;
  } catch (error) {
    if (error instanceof BrokenRecordsError) return error;
    throw error;
  }
}

/** The reason of a failure that was foreseen. */
function refusalOf(error: unknown): RefusalReason | undefined {
  if (error instanceof TransferError) return error.reason;
  if (error instanceof LoadFailedError) return "memory";
  return undefined;
}
