/** The folder or bucket that a text names as the place to push to. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { readS3Access, remoteFolder } from "./origin.ts";
import { bucketTarget, folderTarget, type PushTarget } from "./push-target.ts";

/** The texts that name a place to push to; ready to follow "expected". */
export const destinationWanted = "a folder, or s3://bucket/prefix with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";

/** Returns the form in which a destination is recorded and compared: that of a folder is its absolute path. */
export function destinationOf(address: string): string {
  return isAddress(address) ? address : resolve(address);
}

/**
 * Returns what writes to a folder or bucket.
 *
 * @param address A path, or `s3://bucket/prefix`; it names the target in messages.
 * @param environment Has the credentials of buckets.
 * @returns undefined for another address, and for a bucket without credentials.
 */
export function pushTargetAt(
  address: string,
  environment: Readonly<Record<string, string | undefined>>,
): PushTarget | undefined {
  if (!isAddress(address)) return folderTarget(address);
  const folder = remoteFolder(address, readS3Access(environment));
  return folder?.bucket && bucketTarget(folder, folder.bucket, address);
}

/**
 * Returns whether a destination is a folder itself, by whichever path. A push to the dataset directory would count what
 * others do not need any more, and remove it.
 */
export async function isFolderItself(address: string, folder: string): Promise<boolean> {
  if (isAddress(address)) return false;
  const [there, own] = await Promise.all([address, folder].map((path) => stat(path).catch(() => undefined)));
  return there !== undefined && there.dev === own?.dev && there.ino === own.ino;
}

function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(text);
}
