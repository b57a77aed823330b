/**
 * The keys file on disk: read by a running service and by commands, changed by commands. Every change reads the file
 * again under a lock before it writes, so changes made at the same time follow one another and none is lost.
 */
import { realpath } from "node:fs/promises";
import type { Instant } from "../domain/instant.ts";
import { LockHeldError, LockUnusableError, withExclusiveLock } from "../files/exclusive-lock.ts";
import {
  FileTooLargeError,
  NotRegularFileError,
  readRegularFile,
  regularFileExists,
} from "../files/read-regular-file.ts";
import { writeFileDurably } from "../files/write-file-durably.ts";
import { generateKey, type KeyKind, keyDigest } from "./key-format.ts";
import { entryOf, generateKeyId, isKeyLabel, type KeyEntry, type KeyRecord, keyLabelWanted } from "./key-record.ts";
import { KeysFileError, keysDocumentText, parseKeysDocument } from "./keys-document.ts";

/** Only the owner may read or write the file. */
const fileMode = 0o600;

/** Longer than many changes in a row take, shorter than a person's patience. */
const lockWaitMilliseconds = 10_000;

/** About 60,000 keys. */
const fileBytesMax = 16 * 1024 * 1024;

/** A new key. Its text exists only here; the file keeps a digest. */
export interface IssuedKey {
  readonly key: string;
  readonly entry: KeyEntry;
}

/** The result of revoking a key. */
export interface Revocation {
  readonly entry: KeyEntry & { readonly revokedAt: Instant };
  /** False when the key was revoked already; `entry.revokedAt` is then the earlier instant. */
  readonly isNew: boolean;
}

/**
 * The keys of a file, in the order in which they were issued.
 *
 * @throws {KeysFileError} when the file is missing, cannot be read or has a fault.
 */
export async function readKeysFile(path: string): Promise<readonly KeyRecord[]> {
  const content = await readRegularFile(path, fileBytesMax).catch((error: unknown) => {
    throw readingError(path, error);
  });
  return parseKeysDocument(path, content);
}

/**
 * Makes a key and adds it to the file; the file is made when it does not exist.
 *
 * @param now The clock that dates the key.
 * @throws {RangeError} when the label is not one (see `isKeyLabel`).
 * @throws {KeysFileError} when the file cannot be read or written or has a fault; it is then as it was.
 */
export async function issueKey(
  path: string,
  { kind, label }: Pick<KeyEntry, "kind" | "label">,
  now: () => Instant,
): Promise<IssuedKey> {
  if (!isKeyLabel(label)) throw new RangeError(`a label of ${label.length} characters, expected ${keyLabelWanted}`);
  return changeKeysFile(path, (records = []) => {
    const { record, issued } = createKey(kind, label, now(), records);
    return { records: [...records, record], answer: issued };
  });
}

/**
 * Marks a key as revoked. It stays in the file, so that its id keeps its meaning in old logs.
 *
 * @param now The clock that dates the revocation.
 * @returns undefined when the file has no key of this id.
 * @throws {KeysFileError} when the file is missing, cannot be read or written or has a fault; it is then as it was.
 */
export function revokeKey(path: string, id: string, now: () => Instant): Promise<Revocation | undefined> {
  return changeKeysFile<Revocation | undefined>(path, (records) => {
    if (records === undefined) throw missingFileError(path);
    const record = records.find((candidate) => candidate.id === id);
    if (record === undefined) return { records, answer: undefined };
    const { revokedAt } = record;
    if (revokedAt !== null) return { records, answer: { entry: { ...entryOf(record), revokedAt }, isNew: false } };
    const revoked = { ...record, revokedAt: now() };
    return {
      records: records.map((candidate) => (candidate === record ? revoked : candidate)),
      answer: { entry: { ...entryOf(record), revokedAt: revoked.revokedAt }, isNew: true },
    };
  });
}

/** The two keys of a new file. */
export interface FirstKeys {
  readonly public: IssuedKey;
  readonly secret: IssuedKey;
}

/**
 * Makes the keys file with one public and one secret key, unless it exists. Of several processes that try at once, one
 * makes it.
 *
 * @returns The keys, or undefined when the file existed; its content is then not read.
 * @throws {KeysFileError} when the file cannot be made, or something that is no regular file has its name.
 */
export async function createKeysFileIfMissing(path: string, now: () => Instant): Promise<FirstKeys | undefined> {
  // Checked without the lock first, so that a service may start on a file and folder that it cannot write.
  if (await isThere(path)) return undefined;
  return changeKeysFile<FirstKeys | undefined>(path, (records) => {
    if (records !== undefined) return { records, answer: undefined };
    const createdAt = now();
    const first = createKey("public", "first public key", createdAt, []);
    const second = createKey("secret", "first secret key", createdAt, [first.record]);
    return { records: [first.record, second.record], answer: { public: first.issued, secret: second.issued } };
  });
}

interface Change<T> {
  /** The keys the file shall hold; the very array that was given means that nothing is written. */
  readonly records: readonly KeyRecord[];
  readonly answer: T;
}

/** @param change Gets the keys of the file, or undefined when there is none. */
async function changeKeysFile<T>(
  path: string,
  change: (records: readonly KeyRecord[] | undefined) => Change<T>,
): Promise<T> {
  try {
    // A rename would replace a link by a file; and all names of one file must share one lock.
    const target = (await isThere(path)) ? await realpath(path) : path;
    return await withExclusiveLock(`${target}.lock`, lockWaitMilliseconds, async () => {
      const before = (await isThere(target)) ? await readKeysFile(target) : undefined;
      const { records, answer } = change(before);
      if (records !== before) await writeFileDurably(target, keysDocumentText(records), fileMode);
      return answer;
    });
  } catch (error) {
    if (error instanceof LockHeldError || error instanceof LockUnusableError || isSystemError(error)) {
      throw new KeysFileError("KEYS_FILE_UNWRITABLE", path, `cannot be changed: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

/** @param others The keys that are in the file already; the new one gets another id. */
function createKey(
  kind: KeyKind,
  label: string,
  createdAt: Instant,
  others: readonly KeyRecord[],
): { readonly record: KeyRecord; readonly issued: IssuedKey } {
  const key = generateKey(kind);
  const id = generateKeyId(new Set(others.map((other) => other.id)));
  const record = { id, kind, label, digest: keyDigest(key), createdAt, revokedAt: null };
  return { record, issued: { key, entry: entryOf(record) } };
}

function isThere(path: string): Promise<boolean> {
  return regularFileExists(path).catch((error: unknown) => {
    throw readingError(path, error);
  });
}

/** A KeysFileError for what is foreseen; everything else stays as it is. */
function readingError(path: string, error: unknown): unknown {
  const unreadable = (problem: string): KeysFileError =>
    new KeysFileError("KEYS_FILE_UNREADABLE", path, problem, { cause: error });
  if (error instanceof NotRegularFileError) return unreadable(`found ${error.found}, expected a regular file`);
  if (error instanceof FileTooLargeError) {
    return unreadable(`found more than ${error.bytesMax} bytes, expected a keys file`);
  }
  if (!isSystemError(error)) return error;
  return error.code === "ENOENT" ? missingFileError(path, error) : unreadable(`cannot be read: ${error.message}`);
}

function missingFileError(path: string, cause?: Error): KeysFileError {
  const problem = "does not exist, expected a keys file (issuing a key makes it)";
  return new KeysFileError("KEYS_FILE_MISSING", path, problem, { cause });
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}
