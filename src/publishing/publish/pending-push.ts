/** The mark of an announcement that waits to be pushed, as publishers write it. */
import {
  type PendingPush,
  PendingPushError,
  readPendingPush,
  writePendingPush,
} from "../../engine/snapshots/push-pending.ts";
import { wholeSecond } from "./snapshot-id.ts";

/** A store may answer anything, and the mark is to be read by people. */
const causeCharactersMax = 1000;

/**
 * Marks an announcement as one that waits to be pushed. It is written before the announcement, so that a command that
 * is killed after it is noticed. The caller holds the lock of the dataset directory.
 */
export async function notePendingPush(
  dataDirectory: string,
  { destination, sequence, since, cause }: PendingPush,
): Promise<void> {
  const before = await readMark(dataDirectory);
  const begun = before?.destination === destination ? before.since : wholeSecond(since);
  const cut = cause?.slice(0, causeCharactersMax) ?? null;
  await writePendingPush(dataDirectory, { destination, sequence, since: begun, cause: cut });
}

/** A mark that cannot be read counts as none: it is replaced. */
export async function readMark(dataDirectory: string): Promise<PendingPush | undefined> {
  return await readPendingPush(dataDirectory).catch((error: unknown) => {
    if (error instanceof PendingPushError) return undefined;
    throw error;
  });
}
