/**
 * The days on which keys were last used, in a file beside the keys file:
 *
 *     { "format": 1, "last_used": { "key_5Tq0Zr8a": "2026-11-22" } }
 *
 * Services write it, commands show it. It is a file of its own so that a service need not write the keys file, and so
 * that whatever is wrong with it costs no key.
 */

import { readRegularFile, systemErrorCode } from "../../engine/files/read-regular-file.ts";
import { writeFileDurably } from "../../engine/files/write-file-durably.ts";
import { type Instant, instantFromText, instantText } from "../../engine/model/calendar.ts";
import { isObject, parseObject } from "../../engine/model/json-object.ts";
import { isKeyId } from "./key-record.ts";
import { KeysFileError } from "./keys-document.ts";
import { keysFileTarget, withKeysFileLock } from "./keys-file.ts";
import { privateMode } from "./keys-file-access.ts";

/** A day in UTC, `2026-11-22`; a later day is the greater text. */
export type UseDay = string;

/** By key id. */
export type LastUse = ReadonlyMap<string, UseDay>;

const format = 1;

/** About 300,000 keys. */
const fileBytesMax = 16 * 1024 * 1024;

/**
 * The supervisor waits for the lock without doing anything else; whatever is not written now is written a minute later.
 */
const lockWaitMilliseconds = 100;

/** The day of an instant in UTC. */
export function useDayOf(instant: Instant): UseDay {
  return instantText(instant).slice(0, "2026-11-22".length);
}

/**
 * The days of last use of the keys of a keys file.
 *
 * @returns Nothing when no service has written any.
 * @throws {KeysFileError} with the path of the file of days, when that cannot be read or has a fault.
 */
export async function readLastUse(keysFile: string): Promise<LastUse> {
  return readFile(lastUsePath(await keysFileTarget(keysFile)));
}

/**
 * Adds days of last use to the file, which other services may write too: of two days the later one stays.
 *
 * @returns The days that the file now has.
 * @throws {KeysFileError} when the file cannot be read or written or has a fault; it is then as it was.
 */
export async function addLastUse(keysFile: string, days: LastUse): Promise<LastUse> {
  return withKeysFileLock(keysFile, lockWaitMilliseconds, async (target) => {
    const path = lastUsePath(target);
    const before = await readFile(path);
    const later = [...days].filter(([id, day]) => day > (before.get(id) ?? ""));
    if (later.length === 0) return before;
    const merged = new Map([...before, ...later]);
    const document = { format, last_used: Object.fromEntries([...merged].sort(([a], [b]) => (a < b ? -1 : 1))) };
    await writeFileDurably(path, `${JSON.stringify(document, null, 2)}\n`, privateMode);
    return merged;
  });
}

/** @param target The keys file itself, no link to it. */
function lastUsePath(target: string): string {
  return `${target}.use.json`;
}

async function readFile(path: string): Promise<LastUse> {
  try {
    return parseLastUse(path, await readRegularFile(path, fileBytesMax));
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return new Map();
    if (error instanceof KeysFileError || !(error instanceof Error)) throw error;
    throw new KeysFileError("KEYS_FILE_UNREADABLE", path, `cannot be read: ${error.message}`, { cause: error });
  }
}

function parseLastUse(path: string, content: Buffer): LastUse {
  const wanted = `{ "format": ${format}, "last_used": { key id: day } }; it may be deleted`;
  const fault = (): KeysFileError =>
    new KeysFileError("KEYS_FILE_INVALID", path, `found ${content.length} bytes of another form, expected ${wanted}`);
  const document = parseObject(content.toString("utf8"));
  if (document?.["format"] !== format || !isObject(document["last_used"])) throw fault();
  const entries = Object.entries(document["last_used"]);
  if (!entries.every((entry): entry is [string, UseDay] => isKeyId(entry[0]) && isUseDay(entry[1]))) throw fault();
  return new Map(entries);
}

function isUseDay(value: unknown): value is UseDay {
  return typeof value === "string" && instantFromText(`${value}T00:00:00Z`) !== undefined;
}
