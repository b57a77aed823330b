/** The mark of an announcement that waits to be pushed: to where, which, since when, and why. */
import { unlink } from "node:fs/promises";
import { join } from "node:path";
import { orMissing, readRegularFile, systemErrorCode } from "../files/read-regular-file.ts";
import { flushDirectory, writeFileDurably } from "../files/write-file-durably.ts";
import { type Instant, instantFromText, instantText } from "../model/calendar.ts";
import { ForeseenError } from "../model/foreseen-error.ts";
import { parseObject } from "../model/json-object.ts";
import { faultOfReading } from "./stored-file.ts";

export const pendingName = "push-pending.json";
const pendingBytesMax = 65_536;
const pendingMode = 0o644;

/** An announcement that waits to be pushed. */
export interface PendingPush {
  /** The absolute path of a folder, or the address of a bucket. */
  readonly destination: string;
  /** The sequence number of the newest announcement that the destination does not have. */
  readonly sequence: number;
  /** The time since when the destination has not had the newest announcement. */
  readonly since: Instant;
  /** The reason why the last push failed; null while none has. */
  readonly cause: string | null;
}

/** The mark of what waits to be pushed cannot be read. */
export class PendingPushError extends ForeseenError {}

/**
 * Reads which announcement of a dataset directory waits to be pushed.
 *
 * @returns undefined where none waits.
 * @throws {PendingPushError} when the mark cannot be read.
 */
export async function readPendingPush(dataDirectory: string): Promise<PendingPush | undefined> {
  const path = pendingPath(dataDirectory);
  let [found, wanted] = ["no destination, sequence and since", "what waits to be pushed; snapshot push replaces it"];
  try {
    const pending = parsePending((await readRegularFile(path, pendingBytesMax)).toString());
    if (pending !== undefined) return pending;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    ({ found, wanted } = faultOfReading(error));
  }
  throw new PendingPushError(`${path}: found ${found}, expected ${wanted}`);
}

function parsePending(text: string): PendingPush | undefined {
  const { destination, sequence, since: time, cause = null } = parseObject(text) ?? {};
  const since = typeof time === "string" ? instantFromText(time) : undefined;
  const isPending = typeof destination === "string" && Number.isSafeInteger(sequence) && since !== undefined;
  if (!isPending || !(cause === null || typeof cause === "string")) return undefined;
  return { destination, sequence: sequence as number, since, cause };
}

/** Writes the mark. The caller holds the lock of the dataset directory. */
export async function writePendingPush(dataDirectory: string, { since, ...pending }: PendingPush): Promise<void> {
  const { destination, sequence, cause } = pending;
  const document = { destination, sequence, since: instantText(since), cause };
  await writeFileDurably(pendingPath(dataDirectory), `${JSON.stringify(document, null, 2)}\n`, pendingMode);
}

/** Removes the mark, if there is one. The caller holds the lock of the dataset directory. */
export async function removePendingPush(dataDirectory: string): Promise<void> {
  await orMissing(unlink(pendingPath(dataDirectory)));
  await flushDirectory(dataDirectory);
}

function pendingPath(dataDirectory: string): string {
  return join(dataDirectory, pendingName);
}
