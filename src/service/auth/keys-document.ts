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

import { keyKinds } from "../../contract/credentials.ts";
import { type Instant, instantFromText, instantText } from "../../engine/model/calendar.ts";
import { ForeseenError } from "../../engine/model/foreseen-error.ts";
import { findDuplicateKey, isObject } from "../../engine/model/json-object.ts";
import { snakeCase } from "../../engine/model/snake-case.ts";
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

/** The fields of a key that may be shown, as JSON writes them: never the digest. */
export function wireKey(entry: KeyEntry): Readonly<Record<string, string | number | null>> {
  return {
    id: entry.id,
    kind: entry.kind,
    label: entry.label,
    created_at: instantText(entry.createdAt),
    expires_at: entry.expiresAt === null ? null : instantText(entry.expiresAt),
    revoked_at: entry.revokedAt === null ? null : instantText(entry.revokedAt),
    rate_per_minute: entry.ratePerMinute,
    rotated_from: entry.rotatedFrom,
  };
}

/**
 * Reads and checks the content of a keys file.
 *
 * @param path Whose content it is, for the message.
 * @returns The keys in the order of the file; ids and digests are unique, and no key replaces itself or one after it.
 * @throws {KeysFileError} KEYS_FILE_INVALID, naming the first fault by key (counted from 1) and field.
 */
export function parseKeysDocument(path: string, content: Uint8Array): readonly KeyRecord[] {
  const invalid = (problem: string): KeysFileError => new KeysFileError("KEYS_FILE_INVALID", path, problem);
  const { format, keys } = readObject<KeysDocument>(parseJson(path, content), documentFields, invalid);
  const fields = keyFields(format);
  /** Ids that a key so far says it replaces. */
  const replaced = new Set<string>();
  return keys.map((key, index) => {
    const fault = (problem: string): KeysFileError => invalid(`key ${index + 1}: ${problem}`);
    const record = { ...sinceFormat2, ...readObject<KeyRecord>(key, fields, fault) };
    // So the keys of one client are a chain with a first one, however the file was edited.
    if (record.rotatedFrom !== null) replaced.add(record.rotatedFrom);
    if (!replaced.has(record.id)) return record;
    throw fault(`"id" is ${found(record.id)}, expected one that neither this key nor one before it was rotated from`);
  });
}

interface KeysDocument {
  readonly format: 1 | 2;
  readonly keys: readonly unknown[];
}

/** The form that a field must have, and its value; undefined when it does not have it. */
type Field<T> = readonly [wanted: string, check: (value: unknown) => T | undefined];

/** By names in camelCase; the document has them in snake_case. */
type Fields<T> = { readonly [Name in keyof T]: Field<T[Name]> };

const documentFields: Fields<KeysDocument> = {
  format: ["1 or 2", (value) => (value === 1 || value === 2 ? value : undefined)],
  keys: ["an array", (value) => (Array.isArray(value) ? value : undefined)],
};

/** A key of format 1. */
const sinceFormat2 = { expiresAt: null, ratePerMinute: null, rotatedFrom: null };

/** The fields of the keys of one file. */
function keyFields(format: KeysDocument["format"]): Partial<Fields<KeyRecord>> {
  /** Ids and digests so far; they share the set because no text is both. */
  const seen = new Set<string>();
  const isNew = (text: string): boolean => seen.size < seen.add(text).size;
  const optionalInstant: Field<Instant | null> = ["null or an RFC 3339 time", orNull(asInstant)];
  const fields = {
    id: [`${keyIdWanted}, unlike all before it`, asText((text) => isKeyId(text) && isNew(text))],
    kind: [keyKinds.map((kind) => `"${kind}"`).join(" or "), (value) => keyKinds.find((kind) => kind === value)],
    label: [keyLabelWanted, asText(isKeyLabel)],
    digest: [
      "64 lower-case hexadecimal digits, unlike all before them",
      asText((text) => digestExpression.test(text) && isNew(text)),
    ],
    createdAt: ["an RFC 3339 time", asInstant],
    revokedAt: optionalInstant,
  } as const satisfies Partial<Fields<KeyRecord>>;
  if (format === 1) return fields;
  return {
    ...fields,
    expiresAt: optionalInstant,
    ratePerMinute: [`null or ${keyRateWanted}`, orNull(asRate)],
    rotatedFrom: [`null or ${keyIdWanted}`, orNull(asText(isKeyId))],
  };
}

/**
 * Reads an object with exactly these fields.
 *
 * @param fault The error for a problem; the first is thrown.
 */
function readObject<T>(value: unknown, fields: Partial<Fields<T>>, fault: (problem: string) => KeysFileError): T {
  const names = Object.keys(fields).map(snakeCase);
  if (!isObject(value)) throw fault(`${found(value)}, expected an object with ${names.join(", ")}`);
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) throw fault(`field ${found(unknown)}, expected only ${names.join(", ")}`);
  const checked = Object.entries<Field<unknown>>(fields as Fields<Record<string, unknown>>).map(
    ([key, [wanted, check]]) => {
      const name = snakeCase(key);
      if (!Object.hasOwn(value, name)) throw fault(`"${name}" is missing, expected ${wanted}`);
      const read = check(value[name]);
      if (read === undefined) throw fault(`"${name}" is ${found(value[name])}, expected ${wanted}`);
      return [key, read];
    },
  );
  return Object.fromEntries(checked) as T;
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
export class KeysFileError extends ForeseenError {
  readonly code: KeysFileErrorCode;
  readonly path: string;

  /** @param problem What was found and what was wanted; the path is put before it. */
  constructor(code: KeysFileErrorCode, path: string, problem: string, options?: ErrorOptions) {
    super(`${path}: ${problem}`, options);
    this.code = code;
    this.path = path;
  }
}
