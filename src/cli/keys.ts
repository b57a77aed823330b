/** The subcommands of `keys`: each returns its report, for a person or as one JSON object on one line. */
import type { KeyKind } from "../auth/key-format.ts";
import { isKeyLabel, type KeyEntry, keyLabelWanted } from "../auth/key-record.ts";
import { KeysFileError, wireKey } from "../auth/keys-document.ts";
import { issueKey, readKeysFile, revokeKey } from "../auth/keys-file.ts";
import { type Instant, instantText } from "../domain/instant.ts";
import { RefusedError, WrongUseError } from "./command.ts";
import { keyAdvice, keyTrialCommand } from "./key-use.ts";
import { textTable } from "./text-table.ts";

export interface KeysFileOptions {
  /** Path of the keys file. */
  readonly file: string;
  /** Report JSON instead of a text. */
  readonly json?: boolean | undefined;
}

/**
 * Issues a key and reports it with instructions.
 *
 * @param options `baseUrl` is the address of the service, for a command that tries the key; undefined where only the
 *   service knows it.
 * @throws {WrongUseError} when the label is not valid.
 * @throws {RefusedError} when the keys file cannot be used.
 */
export async function reportIssuedKey(
  options: KeysFileOptions & {
    readonly kind: KeyKind;
    readonly label: string;
    readonly baseUrl?: string | undefined;
  },
): Promise<string> {
  const { kind, label, json, baseUrl } = options;
  if (!isKeyLabel(label)) throw new WrongUseError(`--label is ${JSON.stringify(label)}, expected ${keyLabelWanted}`);
  const { key, entry } = await orRefuse(issueKey(checkedPath(options), { kind, label }, now));
  if (json) return JSON.stringify({ key, ...wireKey(entry) });
  const trial = baseUrl === undefined ? "" : ` Try it:\n\n  ${keyTrialCommand(kind, key, baseUrl)}`;
  return `Issued the ${kind} key ${entry.id} (${entry.label}):

  ${key}

It is shown only now: the keys file keeps a digest of it, and a running service accepts it within a second.
${keyAdvice(kind)}${trial}`;
}

/**
 * Lists the entries of all keys in the order of the file, without keys and digests.
 *
 * @throws {RefusedError} when the keys file cannot be used.
 */
export async function reportKeys(options: KeysFileOptions): Promise<string> {
  const path = checkedPath(options);
  const records = await orRefuse(readKeysFile(path));
  if (options.json) return JSON.stringify({ keys: records.map(wireKey) });
  return records.length === 0 ? `${path} holds no keys.` : keyTable(records);
}

/** A line for each key, in the order given, under a line of headings. */
export function keyTable(entries: readonly KeyEntry[]): string {
  return textTable(
    ["ID", "KIND", "LABEL", "CREATED", "REVOKED"],
    entries.map(({ id, kind, label, createdAt, revokedAt }) => {
      return [id, kind, label, instantText(createdAt), revokedAt === null ? "-" : instantText(revokedAt)];
    }),
  );
}

/**
 * Revokes a key, or reports since when it has been revoked.
 *
 * @throws {RefusedError} when there is no such key or the keys file cannot be used.
 */
export async function reportRevocation(id: string, options: KeysFileOptions): Promise<string> {
  const path = checkedPath(options);
  const revocation = await orRefuse(revokeKey(path, id, now));
  if (revocation === undefined) {
    throw new RefusedError(`${path}: no key has the id "${id}"; npm run keys -- list shows the ids`);
  }
  const { entry, isNew } = revocation;
  if (options.json) return JSON.stringify(wireKey(entry));
  const subject = `the ${entry.kind} key ${entry.id} (${entry.label})`;
  return isNew
    ? `Revoked ${subject}. A running service refuses it within a second.`
    : `Nothing to do: ${subject} has been revoked since ${instantText(entry.revokedAt)}.`;
}

function checkedPath({ file }: KeysFileOptions): string {
  if (file === "") throw new WrongUseError("--file is empty, expected the path of a keys file");
  return file;
}

async function orRefuse<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof KeysFileError) throw new RefusedError(error.message, { cause: error });
    throw error;
  }
}

function now(): Instant {
  return Date.now() as Instant;
}
