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
import { keysDocumentText, parseKeysDocument } from "./keys-document.ts";
import { KeysFileError } from "./keys-file-error.ts";

/** Nobody but the owner may read or write the file. */
const fileMode = 0o600;

/** Longer than many changes in a row take, shorter than a person's patience. */
const lockWaitMilliseconds = 10_000;

/** About 60,000 keys. */
const fileBytesMax = 16 * 1024 * 1024;

/** A key that was just made. Only here does its text exist; the file keeps a digest. */
export interface IssuedKey {
  readonly key: string;
  readonly entry: KeyEntry;
}

/** Tells what happened to the key that was to be revoked. */
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
  return parseKeysDocument(path, await readContent(path));
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
    const key = generateKey(kind);
    const record = newRecord(key, kind, label, now(), records);
    return { records: [...records, record], answer: { key, entry: entryOf(record) } };
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
  // Asked without the lock first, so that a service may start on a file and folder that it cannot write.
  if (await exists(path)) return undefined;
  return changeKeysFile<FirstKeys | undefined>(path, (records) => {
    if (records !== undefined) return { records, answer: undefined };
    const [publicKey, secretKey] = [generateKey("public"), generateKey("secret")];
    const createdAt = now();
    const publicRecord = newRecord(publicKey, "public", "first public key", createdAt, []);
    const secretRecord = newRecord(secretKey, "secret", "first secret key", createdAt, [publicRecord]);
    return {
      records: [publicRecord, secretRecord],
      answer: {
        public: { key: publicKey, entry: entryOf(publicRecord) },
        secret: { key: secretKey, entry: entryOf(secretRecord) },
      },
    };
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
    const target = (await exists(path)) ? await realpath(path) : path;
    return await withExclusiveLock(`${target}.lock`, lockWaitMilliseconds, async () => {
      const before = (await exists(target)) ? await readKeysFile(target) : undefined;
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

function newRecord(
  key: string,
  kind: KeyKind,
  label: string,
  createdAt: Instant,
  others: readonly KeyRecord[],
): KeyRecord {
  const id = generateKeyId(new Set(others.map((other) => other.id)));
  return { id, kind, label, digest: keyDigest(key), createdAt, revokedAt: null };
}

async function readContent(path: string): Promise<Uint8Array> {
  try {
    return await readRegularFile(path, fileBytesMax);
  } catch (error) {
    throw readingError(path, error);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    return await regularFileExists(path);
  } catch (error) {
    throw readingError(path, error);
  }
}

function readingError(path: string, error: unknown): unknown {
  if (error instanceof NotRegularFileError) {
    return unreadableError(path, `found ${error.found}, expected a regular file`, error);
  }
  if (error instanceof FileTooLargeError) {
    return unreadableError(path, `found more than ${error.bytesMax} bytes, expected a keys file`, error);
  }
  if (!isSystemError(error)) return error;
  if (error.code === "ENOENT") return missingFileError(path, error);
  return unreadableError(path, `cannot be read: ${error.message}`, error);
}

function unreadableError(path: string, problem: string, cause: Error): KeysFileError {
  return new KeysFileError("KEYS_FILE_UNREADABLE", path, problem, { cause });
}

function missingFileError(path: string, cause?: Error): KeysFileError {
  return new KeysFileError("KEYS_FILE_MISSING", path, "does not exist, expected a keys file (issuing a key makes it)", {
    cause,
  });
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}
