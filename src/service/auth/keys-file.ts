/**
 * The keys file on disk: read by a running service and by commands, changed by commands. Every change reads the file
 * again under a lock before it writes, so changes made at the same time follow one another and none is lost.
 */
import { realpath } from "node:fs/promises";
import { generateKey, type KeyKind, keyDigest } from "../../contract/credentials.ts";
import { LockHeldError, LockUnusableError, takeExclusiveLock } from "../../engine/files/exclusive-lock.ts";
import {
  FileTooLargeError,
  isSystemError,
  NotRegularFileError,
  readRegularFile,
  regularFileExists,
} from "../../engine/files/read-regular-file.ts";
import { writeFileDurably } from "../../engine/files/write-file-durably.ts";
import { type Instant, instantText } from "../../engine/model/calendar.ts";
import { ForeseenError } from "../../engine/model/foreseen-error.ts";
import {
  entryOf,
  generateKeyId,
  isExpired,
  isKeyLabel,
  isKeyRate,
  type KeyEntry,
  type KeyRecord,
  keyLabelWanted,
  keyRateWanted,
} from "./key-record.ts";
import { KeysFileError, keysDocumentText, parseKeysDocument } from "./keys-document.ts";
import { accessWhenWritten, giveLockToOwner, privateMode } from "./keys-file-access.ts";

/** Longer than many changes in a row take, shorter than a person's patience. */
const lockWaitMilliseconds = 10_000;

/** About 60,000 keys. */
const fileBytesMax = 16 * 1024 * 1024;

/** The properties of a new key. */
export interface NewKey extends Pick<KeyEntry, "kind" | "label"> {
  /** From its issue to its expiry; it does not expire when absent. */
  readonly lifetimeMilliseconds?: number | undefined;
  /** See `isKeyRate`; the limit of the service applies when absent. */
  readonly ratePerMinute?: number | undefined;
}

/** A new key. Its text exists only here; the file keeps a digest. */
export interface IssuedKey {
  readonly key: string;
  readonly entry: KeyEntry;
}

/** Options of a rotation. */
export interface RotationTerms {
  /** Time for which the old key stays good; not beyond its own expiry. */
  readonly overlapMilliseconds: number;
  /** As of a new key; when absent, that of the old key, counted from its issue to its expiry. */
  readonly lifetimeMilliseconds?: number | undefined;
}

/** The result of rotating a key. */
export interface Rotation {
  readonly issued: IssuedKey;
  /** The old key, which now expires. */
  readonly replaced: KeyEntry & { readonly expiresAt: Instant };
}

/** The key cannot be rotated; the message says why. */
export class KeyNotRotatableError extends ForeseenError {}

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
 * @throws {RangeError} when the label or the rate is not one (see `isKeyLabel`, `isKeyRate`).
 * @throws {KeysFileError} when the file cannot be read or written or has a fault; it is then as it was.
 */
export async function issueKey(path: string, newKey: NewKey, now: () => Instant): Promise<IssuedKey> {
  const { kind, label, lifetimeMilliseconds, ratePerMinute = null } = newKey;
  if (!isKeyLabel(label)) throw new RangeError(`a label of ${label.length} characters, expected ${keyLabelWanted}`);
  if (ratePerMinute !== null && !isKeyRate(ratePerMinute)) {
    throw new RangeError(`a rate of ${ratePerMinute}, expected ${keyRateWanted}`);
  }
  return changeKeysFile(path, (records = []) => {
    const createdAt = now();
    const expiresAt = after(createdAt, lifetimeMilliseconds);
    const fields = { kind, label, createdAt, expiresAt, ratePerMinute, rotatedFrom: null };
    const { record, issued } = createKey(fields, records);
    return { records: [...records, record], answer: issued };
  });
}

/**
 * Replaces a key by another of the same kind, label and rate. Both are good during the overlap, in which clients change
 * to the new one.
 *
 * @param now The clock that dates the new key and the expiry of the old one.
 * @returns undefined when the file has no key of this id.
 * @throws {KeyNotRotatableError} when the key is revoked, expired or rotated already; nothing is written.
 * @throws {KeysFileError} when the file is missing, cannot be read or written or has a fault; it is then as it was.
 */
export function rotateKey(
  path: string,
  id: string,
  { overlapMilliseconds, lifetimeMilliseconds }: RotationTerms,
  now: () => Instant,
): Promise<Rotation | undefined> {
  return changeKey<Rotation>(path, id, (old, records) => {
    const createdAt = now();
    requireRotatable(old, records, createdAt);
    const { kind, label, ratePerMinute } = old;
    const oldLifetime = old.expiresAt === null ? undefined : old.expiresAt - old.createdAt;
    const expiresAt = after(createdAt, lifetimeMilliseconds ?? oldLifetime);
    const fields = { kind, label, createdAt, expiresAt, ratePerMinute, rotatedFrom: id };
    const { record, issued } = createKey(fields, records);
    // A rotation never prolongs the life of the old key.
    const oldEnd = Math.min(createdAt + overlapMilliseconds, old.expiresAt ?? Number.POSITIVE_INFINITY) as Instant;
    const replaced = { ...old, expiresAt: oldEnd };
    return {
      records: [...records.map((candidate) => (candidate === old ? replaced : candidate)), record],
      answer: { issued, replaced: { ...entryOf(replaced), expiresAt: oldEnd } },
    };
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
  return changeKey<Revocation>(path, id, (record, records) => {
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
export type FirstKeys = Readonly<Record<KeyKind, IssuedKey>>;

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
    const common = { createdAt, expiresAt: null, ratePerMinute: null, rotatedFrom: null };
    const first = createKey({ ...common, kind: "public", label: "first public key" }, []);
    const second = createKey({ ...common, kind: "secret", label: "first secret key" }, [first.record]);
    return { records: [first.record, second.record], answer: { public: first.issued, secret: second.issued } };
  });
}

interface Change<T> {
  /** The keys the file shall hold; the very array that was given means that nothing is written. */
  readonly records: readonly KeyRecord[];
  readonly answer: T;
}

/** @returns Undefined when the file has no key of this id. @throws {KeysFileError} also when there is no file. */
function changeKey<T>(
  path: string,
  id: string,
  change: (record: KeyRecord, records: readonly KeyRecord[]) => Change<T>,
): Promise<T | undefined> {
  return changeKeysFile<T | undefined>(path, (records) => {
    if (records === undefined) throw missingFileError(path);
    const record = records.find((candidate) => candidate.id === id);
    return record === undefined ? { records, answer: undefined } : change(record, records);
  });
}

/** @param change Gets the keys of the file, or undefined when there is none. */
async function changeKeysFile<T>(
  path: string,
  change: (records: readonly KeyRecord[] | undefined) => Change<T>,
): Promise<T> {
  return withKeysFileLock(path, lockWaitMilliseconds, async (target) => {
    const before = (await isThere(target)) ? await readKeysFile(target) : undefined;
    const { records, answer } = change(before);
    if (records !== before) {
      // Root writes for the user of the service. Who can keep neither owner nor mode would lock the service out, and
      // fails.
      const owner = await accessWhenWritten(target);
      await writeFileDurably(target, keysDocumentText(records), owner?.mode ?? privateMode, { owner });
    }
    return answer;
  });
}

/**
 * Does some work while no other process changes the keys file or what is beside it.
 *
 * @param work Gets the path of the file itself, where `path` is a link to it.
 * @throws {KeysFileError} KEYS_FILE_UNWRITABLE when the lock is held for longer than this, or the system refuses
 *   something.
 */
export async function withKeysFileLock<T>(
  path: string,
  waitMilliseconds: number,
  work: (target: string) => Promise<T>,
): Promise<T> {
  try {
    const target = await keysFileTarget(path);
    const lock = `${target}.lock`;
    using _held = await takeExclusiveLock(lock, waitMilliseconds);
    const owner = await accessWhenWritten(target);
    // A lock that root has made would keep the user of the service from every later change.
    if (owner !== undefined) await giveLockToOwner(lock, owner);
    return await work(target);
  } catch (error) {
    if (error instanceof LockHeldError || error instanceof LockUnusableError || isSystemError(error)) {
      throw new KeysFileError("KEYS_FILE_UNWRITABLE", path, `cannot be changed: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

/** The file that a path leads to. A rename would replace a link by a file; and all names of one file share one lock. */
export async function keysFileTarget(path: string): Promise<string> {
  return (await isThere(path)) ? realpath(path) : path;
}

/** @throws {KeyNotRotatableError} */
function requireRotatable(record: KeyRecord, records: readonly KeyRecord[], now: Instant): void {
  const { id, revokedAt, expiresAt } = record;
  const refuse = (found: string): never => {
    throw new KeyNotRotatableError(`the key ${id} ${found}, expected a key in force that has not been rotated`);
  };
  const successor = records.find(({ rotatedFrom }) => rotatedFrom === id);
  if (revokedAt !== null) refuse(`was revoked at ${instantText(revokedAt)}`);
  if (successor !== undefined) refuse(`was rotated to ${successor.id} at ${instantText(successor.createdAt)}`);
  if (expiresAt !== null && isExpired(record, now)) refuse(`expired at ${instantText(expiresAt)}`);
}

function after(start: Instant, milliseconds: number | undefined): Instant | null {
  return milliseconds === undefined ? null : ((start + milliseconds) as Instant);
}

/** @param others The keys that are in the file already; the new one gets another id. */
function createKey(
  fields: Omit<KeyEntry, "id" | "revokedAt">,
  others: readonly KeyRecord[],
): { readonly record: KeyRecord; readonly issued: IssuedKey } {
  const key = generateKey(fields.kind);
  const id = generateKeyId(new Set(others.map((other) => other.id)));
  const record = { ...fields, id, revokedAt: null, digest: keyDigest(key) };
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
