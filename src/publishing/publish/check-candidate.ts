/** Checks a directory of record files by itself, and warns of what looks wrong and may be true. */

import type { WarningList } from "../../contract/publication-report.ts";
import { fixedUtcOffset, type Instant } from "../../engine/model/calendar.ts";
import { unpublished } from "../../engine/model/dataset.ts";
import { InvalidPricesError, type ReadingOptions } from "../../engine/snapshots/load-dataset.ts";
import { type Candidate, readCandidate } from "../../engine/snapshots/read-candidate.ts";
import type { PlacedRecords } from "../../engine/snapshots/read-tables.ts";
import { buildStoreOnThreads } from "../../engine/store/build-store.ts";
import { PublicationRefusedError } from "./publish-problem.ts";
import { findWarnings, type WarningsQuestion } from "./warnings/find-warnings.ts";
import { withOrigins } from "./warnings/warning.ts";

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
  const read = (): Promise<Candidate> => readCandidate(directory, now, options);
  const candidate = await readWarned(directory, read, (valid) =>
    findRecordWarnings(valid, now, timeZoneDefault, { isPartial: true }),
  );
  const { reading, header } = candidate;
  return { candidate, warnings: await findRecordWarnings(reading, now, header.timeZone ?? timeZoneDefault) };
}

/**
 * Reads records that are to be published.
 *
 * @param subject Names what is read, in the message.
 * @param warningsOf Finds the warnings of prices without problems; called only when other prices have some.
 * @throws {DatasetError} with every problem found. If only prices have problems, it has the warnings of the others too.
 */
export async function readWarned<T>(
  subject: string,
  read: () => Promise<T>,
  warningsOf: (valid: PlacedRecords) => Promise<WarningList>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof InvalidPricesError)) throw error;
    throw new PublicationRefusedError(subject, error.list, await warningsOf(error.valid), error.rows);
  }
}

/**
 * The warnings of whole tables of records that have no snapshot yet.
 *
 * @param timeZone The default where the manifest is not at hand; a few hours move few prices to another day.
 * @param options `before`: the snapshot to compare with; without one, all prices are judged. `isPartial`: prices with
 *   problems were left out.
 */
export async function findRecordWarnings(
  reading: PlacedRecords,
  now: Instant,
  timeZone: string,
  options: Pick<WarningsQuestion, "before" | "isPartial"> = {},
): Promise<WarningList> {
  // Reading has checked the zone.
  const utcOffset = fixedUtcOffset(timeZone) as number;
  const snapshot = { ...unpublished, createdAt: now, timeZone, utcOffset };
  const after = await buildStoreOnThreads({ snapshot, ...reading.records });
  return await withOrigins(findWarnings({ after, reading, ...options }), reading.originsPaths);
}
