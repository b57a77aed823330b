/** The mark of a dataset directory that follows an origin: nothing is published there. */
import { join } from "node:path";
import { readRegularFile, systemErrorCode } from "../../engine/files/read-regular-file.ts";
import { writeFileDurably } from "../../engine/files/write-file-durably.ts";
import { ForeseenError } from "../../engine/model/foreseen-error.ts";
import { parseObject } from "../../engine/model/json-object.ts";
import { faultOfReading } from "../../engine/snapshots/stored-file.ts";

export const followedName = "origin.json";
const markBytesMax = 16_384;
const markMode = 0o644;

/** A publication into a dataset directory that follows an origin. */
export class FollowsOriginError extends ForeseenError {
  constructor(dataDirectory: string, origin: string) {
    super(
      `${dataDirectory} follows ${origin}: found a command that changes what is published, expected it there; ` +
        "snapshot pin holds what is served here",
    );
  }
}

/** It cannot be read whether a dataset directory follows an origin. */
export class OriginMarkError extends ForeseenError {}

/**
 * The address that a dataset directory follows; undefined where it follows none.
 *
 * @throws {OriginMarkError} when its mark cannot be read.
 */
export async function readFollowedOrigin(dataDirectory: string): Promise<string | undefined> {
  const path = join(dataDirectory, followedName);
  try {
    const origin = parseObject((await readRegularFile(path, markBytesMax)).toString())?.["origin"];
    return typeof origin === "string" ? origin : `an origin that its ${followedName} does not name`;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    const { found, wanted } = faultOfReading(error);
    throw new OriginMarkError(`${path}: found ${found}, expected ${wanted}`, { cause: error });
  }
}

export async function writeFollowedOrigin(dataDirectory: string, origin: string): Promise<void> {
  await writeFileDurably(join(dataDirectory, followedName), `${JSON.stringify({ origin }, null, 2)}\n`, markMode);
}

/** @throws {FollowsOriginError} when a dataset directory follows an origin. */
export async function requireOwnDirectory(dataDirectory: string): Promise<void> {
  const origin = await readFollowedOrigin(dataDirectory);
  if (origin !== undefined) throw new FollowsOriginError(dataDirectory, origin);
}
