/** The subcommands of `keys`: each returns its report, for a person or as one JSON object on one line. */

import { commandLine } from "../contract/command-line.ts";
import type { KeyKind } from "../contract/credentials.ts";
import { type Instant, instantText } from "../engine/model/calendar.ts";
import { isExpired, isKeyLabel, type KeyEntry, keyLabelWanted } from "../service/auth/key-record.ts";
import { KeysFileError, wireKey } from "../service/auth/keys-document.ts";
import {
  type IssuedKey,
  issueKey,
  KeyNotRotatableError,
  type RotationTerms,
  readKeysFile,
  revokeKey,
  rotateKey,
} from "../service/auth/keys-file.ts";
import { keysFileExposure, readAccess, readersText } from "../service/auth/keys-file-access.ts";
import { type LastUse, readLastUse } from "../service/auth/last-use.ts";
import { RefusedError, WrongUseError } from "./command.ts";
import { keyAdvice, keyTrialCommand } from "./key-use.ts";
import { textTable } from "./text-table.ts";

export interface KeysFileOptions {
  /** Path of the keys file. */
  readonly file: string;
  /** Report JSON instead of a text. */
  readonly json?: boolean | undefined;
  /** Takes what is wrong but keeps nothing from being done, a line each. */
  readonly warn?: ((message: string) => void) | undefined;
  /** The clock; that of the system when absent. */
  readonly now?: (() => Instant) | undefined;
}

export interface NewKeyOptions extends KeysFileOptions {
  /** From now to the expiry of the new key, in milliseconds. */
  readonly expires?: number | undefined;
  /** The address of the service, for a command that tries the key; undefined where only the service knows it. */
  readonly baseUrl?: string | undefined;
}

/**
 * Issues a key and reports it with instructions.
 *
 * @throws {WrongUseError} when the label is not valid.
 * @throws {RefusedError} when the keys file cannot be used.
 */
export async function reportIssuedKey(
  options: NewKeyOptions & {
    readonly kind: KeyKind;
    readonly label: string;
    /** Requests a minute. */
    readonly rate?: number | undefined;
  },
): Promise<string> {
  const { kind, label, expires, rate } = options;
  if (!isKeyLabel(label)) throw new WrongUseError(`--label is ${JSON.stringify(label)}, expected ${keyLabelWanted}`);
  const newKey = { kind, label, lifetimeMilliseconds: expires, ratePerMinute: rate };
  const issued = await withKeysFile(options, (path, clock) => issueKey(path, newKey, clock));
  if (options.json) return JSON.stringify({ key: issued.key, ...wireKey(issued.entry) });
  return newKeyText(`Issued ${subjectOf(issued.entry)}:`, issued, options, "");
}

/**
 * Issues a key in place of another and reports it with instructions.
 *
 * @throws {RefusedError} when there is no such key, it cannot be rotated, or the keys file cannot be used.
 */
export async function reportRotatedKey(
  id: string,
  options: NewKeyOptions & {
    /** Time for which both keys are good, in milliseconds. */
    readonly overlap: number;
  },
): Promise<string> {
  const terms: RotationTerms = { overlapMilliseconds: options.overlap, lifetimeMilliseconds: options.expires };
  const { issued, replaced } = await withKeysFile(
    options,
    async (path, clock) => (await rotateKey(path, id, terms, clock)) ?? refuseUnknown(path, id),
  );
  if (options.json) {
    return JSON.stringify({ key: issued.key, ...wireKey(issued.entry), replaced: wireKey(replaced) });
  }
  const end = instantText(replaced.expiresAt);
  const oldKey = options.overlap === 0 ? "The old key is refused from now on" : `The old key is good until ${end}`;
  return newKeyText(`Rotated ${subjectOf(replaced)} to ${issued.entry.id}:`, issued, options, `${oldKey}.\n`);
}

/**
 * Lists the entries of all keys in the order of the file, with the day of last use, without keys and digests.
 *
 * @throws {RefusedError} when the keys file cannot be used.
 */
export async function reportKeys(options: KeysFileOptions): Promise<string> {
  const { records, lastUse, now } = await withKeysFile(options, async (path, clock) => ({
    records: await readKeysFile(path),
    lastUse: await readLastUse(path).catch((error: unknown): LastUse => {
      if (!(error instanceof KeysFileError)) throw error;
      options.warn?.(error.message);
      return new Map();
    }),
    now: clock(),
  }));
  if (options.json) {
    const keys = records.map((record) => ({ ...wireKey(record), last_used_on: lastUse.get(record.id) ?? null }));
    return JSON.stringify({ keys });
  }
  return records.length === 0 ? `${options.file} holds no keys.` : keyTable(records, lastUse, now);
}

/** A line for each key, in the order given, under a line of headings. */
export function keyTable(entries: readonly KeyEntry[], lastUse: LastUse, now: Instant): string {
  return textTable(
    ["ID", "KIND", "LABEL", "CREATED", "STATE", "LAST USED", "RATE", "ROTATED FROM"],
    entries.map((entry) => [
      entry.id,
      entry.kind,
      entry.label,
      instantText(entry.createdAt),
      stateText(entry, now),
      lastUse.get(entry.id) ?? "-",
      entry.ratePerMinute === null ? "-" : `${entry.ratePerMinute}/min`,
      entry.rotatedFrom ?? "-",
    ]),
  );
}

function stateText(entry: KeyEntry, now: Instant): string {
  const { expiresAt, revokedAt } = entry;
  if (revokedAt !== null) return `revoked ${instantText(revokedAt)}`;
  if (expiresAt === null) return "good";
  return `${isExpired(entry, now) ? "expired" : "good until"} ${instantText(expiresAt)}`;
}

/**
 * Revokes a key, or reports since when it has been revoked.
 *
 * @throws {RefusedError} when there is no such key or the keys file cannot be used.
 */
export async function reportRevocation(id: string, options: KeysFileOptions): Promise<string> {
  const { entry, isNew } = await withKeysFile(
    options,
    async (path, clock) => (await revokeKey(path, id, clock)) ?? refuseUnknown(path, id),
  );
  if (options.json) return JSON.stringify(wireKey(entry));
  const subject = subjectOf(entry);
  return isNew
    ? `Revoked ${subject}. A running service refuses it within a second${await conditionOf(options.file)}.`
    : `Nothing to do: ${subject} has been revoked since ${instantText(entry.revokedAt)}.`;
}

/** The lines about a new key, shown once. @param oldKey A line on the key that it replaces, if any. */
async function newKeyText(
  title: string,
  { key, entry }: IssuedKey,
  { file, baseUrl }: NewKeyOptions,
  oldKey: string,
): Promise<string> {
  const trial = baseUrl === undefined ? "" : ` Try it:\n\n  ${keyTrialCommand(entry.kind, key, baseUrl)}`;
  const expiry = entry.expiresAt === null ? "" : `The new key expires at ${instantText(entry.expiresAt)}.\n`;
  const rate =
    entry.ratePerMinute === null
      ? ""
      : `It may make ${entry.ratePerMinute} requests a ` +
        `minute${entry.kind === "public" ? " from each address, and ten times that from all" : ""}.\n`;
  const acceptance = `and a running service accepts it within a second${await conditionOf(file)}`;
  return `${title}

  ${key}

${oldKey}${expiry}${rate}It is shown only now: the keys file keeps a digest of it, ${acceptance}.
${keyAdvice(entry.kind)}${trial}`;
}

/**
 * Under which condition a service follows a change: it must be able to read the file. Empty where it can be taken to.
 */
async function conditionOf(path: string): Promise<string> {
  const access = await readAccess(path);
  const readers = access && readersText(access);
  return readers === undefined ? "" : `,\nif it can read the file (readable by ${readers})`;
}

function subjectOf({ kind, id, label }: KeyEntry): string {
  return `the ${kind} key ${id} (${label})`;
}

/**
 * Works on the keys file, and then warns where others can read it.
 *
 * @throws {WrongUseError} when no file is named.
 * @throws {RefusedError} when the file cannot be used, or a key cannot be rotated.
 */
async function withKeysFile<T>(
  { file: path, warn, now = () => Date.now() as Instant }: KeysFileOptions,
  work: (path: string, clock: () => Instant) => Promise<T>,
): Promise<T> {
  if (path === "") throw new WrongUseError("--file is empty, expected the path of a keys file");
  const result = await work(path, now).catch((error: unknown) => {
    if (error instanceof KeysFileError) throw new RefusedError(error.message, { cause: error });
    if (error instanceof KeyNotRotatableError) throw new RefusedError(`${path}: ${error.message}`, { cause: error });
    throw error;
  });
  const exposure = await keysFileExposure(path);
  if (exposure !== undefined) warn?.(exposure);
  return result;
}

function refuseUnknown(path: string, id: string): never {
  throw new RefusedError(`${path}: no key has the id "${id}"; ${commandLine("keys")} list shows the ids`);
}
