import { join } from "node:path";
import { withExclusiveLock } from "../files/exclusive-lock.ts";

const lockFileName = ".publish.lock";
const lockWaitMilliseconds = 10_000;

/**
 * Does what changes a dataset directory while nobody else changes it. Readers need no lock: what they read never changes,
 * and `CURRENT` does in one instant.
 *
 * @throws {LockHeldError} when another publisher is at work for longer than ten seconds.
 * @throws {LockUnusableError} when the dataset directory is not there or cannot be written.
 */
export async function withPublishLock<T>(dataDirectory: string, work: () => Promise<T>): Promise<T> {
  return await withExclusiveLock(join(dataDirectory, lockFileName), lockWaitMilliseconds, work);
}
