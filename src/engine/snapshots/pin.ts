/** A pin: what services serve stays, whatever `CURRENT` says, until it is removed. */
import { unlink } from "node:fs/promises";
import { join } from "node:path";
import { orMissing, readRegularFile, systemErrorCode } from "../files/read-regular-file.ts";
import { replaceFile } from "../files/write-file-durably.ts";
import { type Instant, instantFromText, instantText } from "../model/calendar.ts";
import { parseObject } from "../model/json-object.ts";
import { readCurrent, SnapshotUnavailableError } from "./current-snapshot.ts";
import { type SnapshotId, toSnapshotId } from "./snapshot-layout.ts";
import { faultOfReading } from "./stored-file.ts";

export const pinName = "pin.json";
const pinBytesMax = 16_384;
const pinMode = 0o644;

export interface Pin {
  readonly id: SnapshotId;
  readonly reason: string | null;
  readonly pinnedAt: Instant;
}

/**
 * The pin of a dataset directory.
 *
 * @returns undefined where there is none.
 * @throws {SnapshotUnavailableError} when it cannot be read.
 */
export async function readPin(dataDirectory: string): Promise<Pin | undefined> {
  const path = join(dataDirectory, pinName);
  let [found, wanted] = ["no id and time", "a pin; unpin removes it"];
  try {
    const text = (await readRegularFile(path, pinBytesMax)).toString();
    const { id, reason, pinned_at: time } = parseObject(text) ?? {};
    const pinned = toSnapshotId(String(id));
    const pinnedAt = instantFromText(String(time));
    if (pinned !== undefined && pinnedAt !== undefined) {
      return { id: pinned, reason: typeof reason === "string" ? reason : null, pinnedAt };
    }
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    ({ found, wanted } = faultOfReading(error));
  }
  throw new SnapshotUnavailableError(`${path}: found ${found}, expected ${wanted}`);
}

/** Pins a dataset directory to a snapshot that it has. The caller flushes the directory. */
export async function writePin(dataDirectory: string, { id, reason, pinnedAt }: Pin): Promise<void> {
  const document = { id, reason, pinned_at: instantText(pinnedAt) };
  await replaceFile(join(dataDirectory, pinName), `${JSON.stringify(document, null, 2)}\n`, pinMode);
}

/** The caller flushes the directory. */
export async function removePin(dataDirectory: string): Promise<void> {
  await orMissing(unlink(join(dataDirectory, pinName)));
}

/**
 * The id of the snapshot to serve: the pinned one, or else that of `CURRENT`.
 *
 * @throws {SnapshotUnavailableError} when neither can be read.
 */
export async function readWanted(dataDirectory: string): Promise<SnapshotId> {
  return (await readPin(dataDirectory))?.id ?? (await readCurrent(dataDirectory));
}
