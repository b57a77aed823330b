/** Checks a directory of record files by itself, and warns of what looks wrong and may be true. */
import { type PlacedRecords, type ReadingOptions, UnfitRecordsError } from "../dataset/load-dataset.ts";
import { type Candidate, readCandidate } from "../dataset/read-candidate.ts";
import { fixedUtcOffset } from "../domain/calendar-day.ts";
import type { Instant } from "../domain/instant.ts";
import { buildStoreOnThreads } from "../store/build-store.ts";
import type { Store } from "../store/store.ts";
import { PublicationRefusedError } from "./publish-problem.ts";
import { findWarnings } from "./warnings/find-warnings.ts";
import type { WarningList } from "./warnings/warning.ts";

export interface CheckedCandidate {
  readonly candidate: Candidate;
  /** Non-blocking: the directory may be published all the same. */
  readonly warnings: WarningList;
}

/** The zone of the first snapshot, if its directory names none. */
export const timeZoneDefault = "Africa/Nairobi";

/**
 * Checks a directory of record files by itself, as publishing does before it compares it with the current snapshot.
 *
 * @param now The clock; prices may be recorded up to a day later.
 * @param options As in `readCandidate`.
 * @throws {DatasetError} with every problem found, and the warnings of what could be read.
 */
export async function checkCandidate(
  directory: string,
  now: Instant,
  options?: ReadingOptions,
): Promise<CheckedCandidate> {
  const candidate = await readWarned(directory, now, options);
  const { reading, header } = candidate;
  return { candidate, warnings: await findRecordWarnings(reading, now, header.timeZone ?? timeZoneDefault) };
}

/**
 * Reads a directory of record files.
 *
 * @param options As in `readCandidate`.
 * @param openCurrent Opens the snapshot that warnings compare with, if there is one; called only when prices have
 *   problems.
 * @throws {DatasetError} with every problem found. If only prices have problems, it has the warnings of the others too.
 */
export async function readWarned(
  directory: string,
  now: Instant,
  options?: ReadingOptions,
  openCurrent?: () => Promise<Store | undefined>,
): Promise<Candidate> {
  try {
    return await readCandidate(directory, now, options);
  } catch (error) {
    if (!(error instanceof UnfitRecordsError)) throw error;
    // The manifest that names another zone is not at hand; a few hours move few prices to another day.
    throw await withRecordWarnings(error, directory, now, timeZoneDefault, await openCurrent?.());
  }
}

/** Adds the warnings of the prices that have no problems. */
export async function withRecordWarnings(
  { list, rows, fit }: UnfitRecordsError,
  directory: string,
  now: Instant,
  timeZone: string,
  before: Store | undefined,
): Promise<PublicationRefusedError> {
  const warnings = await findRecordWarnings(fit, now, timeZone, before, true);
  return new PublicationRefusedError(directory, list, warnings, rows);
}

/**
 * The warnings of whole tables of records that have no snapshot yet.
 *
 * @param before The snapshot to compare with. Without one, all prices are judged.
 */
async function findRecordWarnings(
  reading: PlacedRecords,
  now: Instant,
  timeZone: string,
  before?: Store,
  isPartial: boolean = false,
): Promise<WarningList> {
  const snapshot = {
    id: "unpublished",
    createdAt: now,
    timeZone,
    // Reading has checked the zone.
    utcOffset: fixedUtcOffset(timeZone) as number,
    parent: null,
    note: null,
    attribution: [],
    periods: {},
    sources: {},
  };
  const after = await buildStoreOnThreads({ snapshot, ...reading.records });
  return findWarnings({ after, before, reading, isPartial });
}
