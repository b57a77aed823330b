/**
 * The content of a keys file, both ways:
 *
 *     { "format": 2, "keys": [{ "id", "kind", "label", "digest", "created_at", "expires_at", "revoked_at",
 *                               "rate_per_minute", "rotated_from" }] }
 *
 * Format 1, of version 0.1.0, had no expiry, rate and rotation. It is read as well; the next change of the file writes
 * format 2. An unknown field may be one that restricts a key, so it is refused by name rather than ignored or lost at
 * the next write.
 */
import { findDuplicateKey } from "../domain/duplicate-key.ts";
import { type Instant, instantFromText, instantText } from "../domain/instant.ts";
import { type KeyKind, keyKinds } from "./key-format.ts";
import {
  isKeyId,
  isKeyLabel,
  isKeyRate,
  type KeyEntry,
  type KeyRecord,
  keyIdWanted,
  keyLabelWanted,
  keyRateWanted,
} from "./key-record.ts";

const formatWritten = 2;
const documentFields = ["format", "keys"];

const fieldsSince1 = ["id", "kind", "label", "digest", "created_at", "revoked_at"];
const fieldsSince2 = ["expires_at", "rate_per_minute", "rotated_from"];

/** The fields of a key, by the format of the file. */
const recordFields = { 1: fieldsSince1, 2: [...fieldsSince1, ...fieldsSince2] } as const;
type Format = keyof typeof recordFields;

const digestExpression = /^[0-9a-f]{64}$/;

/** Longer texts are reported by their length only: keys and digests are longer, instants and kinds are not. */
const quotedLengthMax = 32;

/** The text of a keys file that holds these keys, in this order. */
export function keysDocumentText(records: readonly KeyRecord[]): string {
  const keys = records.map((record) => {
    const { id, kind, label, ...others } = wireKey(record);
    return { id, kind, label, digest: record.digest, ...others };
  });
  return `${JSON.stringify({ format: formatWritten, keys }, null, 2)}\n`;
}

/** What may be shown of a key, as JSON writes it: never the digest. */
export function wireKey(entry: KeyEntry): Readonly<Record<string, string | number | null>> {
  return {
    id: entry.id,
    kind: entry.kind,
    label: entry.label,
    created_at: instantText(entry.createdAt),
    expires_at: optionalInstantText(entry.expiresAt),
    revoked_at: optionalInstantText(entry.revokedAt),
    rate_per_minute: entry.ratePerMinute,
    rotated_from: entry.rotatedFrom,
  };
}

function optionalInstantText(instant: Instant | null): string | null {
  return instant === null ? null : instantText(instant);
}

/**
 * Reads and checks the content of a keys file.
 *
 * @param path Whose content it is, for the message.
 * @returns The keys in the order of the file; ids and digests are unique, and no key replaces itself or one after it.
 * @throws {KeysFileError} KEYS_FILE_INVALID, naming the first fault by key (counted from 1) and field.
 */
export function parseKeysDocument(path: string, content: Uint8Array): readonly KeyRecord[] {
  const document = new CheckedObject(path, "", parseJson(path, content), documentFields);
  const format = document.read("format", "1 or 2", (value) => (value === 1 || value === 2 ? value : undefined));
  const keys = document.read("keys", "an array", (value) => (Array.isArray(value) ? (value as unknown[]) : undefined));
  /** Ids and digests so far; they share the set because no text is both. */
  const seen = new Set<string>();
  /** Ids that a key so far says it replaces. */
  const replaced = new Set<string>();
  return keys.map((key, index) => {
    const checked = new CheckedObject(path, `key ${index + 1}: `, key, recordFields[format]);
    const record = readKey(checked, format, seen);
    // So the keys of one client are a chain with a first one, however the file was edited.
    if (record.rotatedFrom !== null) replaced.add(record.rotatedFrom);
    if (!replaced.has(record.id)) return record;
    throw checked.fault(`"id" is ${found(record.id)}`, "one that neither this key nor one before it was rotated from");
  });
}

function readKey(checked: CheckedObject, format: Format, seen: Set<string>): KeyRecord {
  const asDigest = asText((text) => digestExpression.test(text) && isNew(seen, text));
  const record = {
    id: checked.read(
      "id",
      `${keyIdWanted}, unlike all before it`,
      asText((text) => isKeyId(text) && isNew(seen, text)),
    ),
    kind: checked.read("kind", keyKinds.map((kind) => `"${kind}"`).join(" or "), asKind),
    label: checked.read("label", keyLabelWanted, asText(isKeyLabel)),
    digest: checked.read("digest", "64 lower-case hexadecimal digits, unlike all before them", asDigest),
    createdAt: checked.read("created_at", "an RFC 3339 time", asInstant),
    revokedAt: checked.read("revoked_at", "null or an RFC 3339 time", orNull(asInstant)),
  };
  if (format === 1) return { ...record, expiresAt: null, ratePerMinute: null, rotatedFrom: null };
  return {
    ...record,
    expiresAt: checked.read("expires_at", "null or an RFC 3339 time", orNull(asInstant)),
    ratePerMinute: checked.read("rate_per_minute", `null or ${keyRateWanted}`, orNull(asRate)),
    rotatedFrom: checked.read("rotated_from", `null or ${keyIdWanted}`, orNull(asText(isKeyId))),
  };
}

function parseJson(path: string, content: Uint8Array): unknown {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(content);
    value = JSON.parse(text);
  } catch {
    // The parser's own messages quote the text around the fault, which may be a digest or a key put there by mistake.
    throw new KeysFileError("KEYS_FILE_INVALID", path, `its ${content.length} bytes are not JSON in UTF-8`);
  }
  const duplicate = findDuplicateKey(text);
  if (duplicate === undefined) return value;
  throw new KeysFileError("KEYS_FILE_INVALID", path, `${found(duplicate)} stands twice in one object, expected once`);
}

/** An object of the file with exactly the fields it should have, read one by one. */
class CheckedObject {
  readonly #path: string;
  readonly #position: string;
  readonly #fields: ReadonlyMap<string, unknown>;

  /** @param position Where the object stands, to begin the message with; empty for the outermost. */
  constructor(path: string, position: string, value: unknown, fieldNames: readonly string[]) {
    this.#path = path;
    this.#position = position;
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw this.fault(found(value), `an object with ${fieldNames.join(", ")}`);
    }
    this.#fields = new Map(Object.entries(value));
    for (const name of this.#fields.keys()) {
      if (!fieldNames.includes(name)) throw this.fault(`field ${found(name)}`, `only ${fieldNames.join(", ")}`);
    }
  }

  /** @param check Gives the checked value, or undefined when it is not as wanted. */
  read<T>(name: string, wanted: string, check: (value: unknown) => T | undefined): T {
    if (!this.#fields.has(name)) throw this.fault(`"${name}" is missing`, wanted);
    const value = this.#fields.get(name);
    const checked = check(value);
    if (checked === undefined) throw this.fault(`"${name}" is ${found(value)}`, wanted);
    return checked;
  }

  fault(problem: string, wanted: string): KeysFileError {
    return new KeysFileError("KEYS_FILE_INVALID", this.#path, `${this.#position}${problem}, expected ${wanted}`);
  }
}

function isNew(seen: Set<string>, value: string): boolean {
  return seen.size < seen.add(value).size;
}

function asKind(value: unknown): KeyKind | undefined {
  return keyKinds.find((kind) => kind === value);
}

function asInstant(value: unknown): Instant | undefined {
  return typeof value === "string" ? instantFromText(value) : undefined;
}

function asRate(value: unknown): number | undefined {
  return typeof value === "number" && isKeyRate(value) ? value : undefined;
}

/** A check that lets texts of a form pass. */
function asText(isRight: (text: string) => boolean): (value: unknown) => string | undefined {
  return (value) => (typeof value === "string" && isRight(value) ? value : undefined);
}

/** A check that lets null pass. */
function orNull<T>(check: (value: unknown) => T | undefined): (value: unknown) => T | null | undefined {
  return (value) => (value === null ? null : check(value));
}

function found(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string") return String(value);
  return value.length > quotedLengthMax ? `a text of ${value.length} characters` : JSON.stringify(value);
}

export type KeysFileErrorCode =
  | "KEYS_FILE_MISSING"
  | "KEYS_FILE_UNREADABLE"
  | "KEYS_FILE_INVALID"
  | "KEYS_FILE_UNWRITABLE";

/** Why a keys file cannot be used. The message is one line for a person and never holds a key or a digest. */
export class KeysFileError extends Error {
  readonly code: KeysFileErrorCode;
  readonly path: string;

  /** @param problem What was found and what was wanted; the path is put before it. */
  constructor(code: KeysFileErrorCode, path: string, problem: string, options?: ErrorOptions) {
    super(`${path}: ${problem}`, options);
    this.name = "KeysFileError";
    this.code = code;
    this.path = path;
  }
}
