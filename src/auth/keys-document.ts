/**
 * The content of a keys file, both ways:
 *
 *     { "format": 1, "keys": [{ "id", "kind", "label", "digest", "created_at", "revoked_at" }] }
 *
 * An unknown field may be one that restricts a key, so it is refused by name rather than ignored or lost at the next write.
 */
import { findDuplicateKey } from "../domain/duplicate-key.ts";
import { type Instant, instantFromText, instantText } from "../domain/instant.ts";
import { type KeyKind, keyKinds } from "./key-format.ts";
import { isKeyId, isKeyLabel, type KeyEntry, type KeyRecord, keyIdWanted, keyLabelWanted } from "./key-record.ts";

const format = 1;
const documentFields = ["format", "keys"];
const recordFields = ["id", "kind", "label", "digest", "created_at", "revoked_at"];

const digestExpression = /^[0-9a-f]{64}$/;

/** Longer texts are reported by their length only: keys and digests are longer, instants and kinds are not. */
const quotedLengthMax = 32;

export interface WireKey {
  readonly id: string;
  readonly kind: KeyKind;
  readonly label: string;
  readonly created_at: string;
  readonly revoked_at: string | null;
}

/** The text of a keys file that holds these keys, in this order. */
export function keysDocumentText(records: readonly KeyRecord[]): string {
  const keys = records.map((record) => {
    const { id, kind, label, ...instants } = wireKey(record);
    return { id, kind, label, digest: record.digest, ...instants };
  });
  return `${JSON.stringify({ format, keys }, null, 2)}\n`;
}

/** What may be shown of a key, as JSON writes it: never the digest. */
export function wireKey({ id, kind, label, createdAt, revokedAt }: KeyEntry): WireKey {
  return {
    id,
    kind,
    label,
    created_at: instantText(createdAt),
    revoked_at: revokedAt === null ? null : instantText(revokedAt),
  };
}

/**
 * Reads and checks the content of a keys file.
 *
 * @param path Whose content it is, for the message.
 * @returns The keys in the order of the file; ids and digests are unique.
 * @throws {KeysFileError} KEYS_FILE_INVALID, naming the first fault by key (counted from 1) and field.
 */
export function parseKeysDocument(path: string, content: Uint8Array): readonly KeyRecord[] {
  const document = new CheckedObject(path, "", parseJson(path, content), documentFields);
  document.read("format", String(format), (value) => (value === format ? format : undefined));
  const keys = document.read("keys", "an array", (value) => (Array.isArray(value) ? (value as unknown[]) : undefined));
  /** Ids and digests so far; they share the set because no text is both. */
  const seen = new Set<string>();
  return keys.map((key, index) => {
    const checked = new CheckedObject(path, `key ${index + 1}: `, key, recordFields);
    return {
      id: checked.read("id", `${keyIdWanted}, unlike all before it`, (value) =>
        typeof value === "string" && isKeyId(value) && isNew(seen, value) ? value : undefined,
      ),
      kind: checked.read("kind", keyKinds.map((kind) => `"${kind}"`).join(" or "), asKind),
      label: checked.read("label", keyLabelWanted, (value) =>
        typeof value === "string" && isKeyLabel(value) ? value : undefined,
      ),
      digest: checked.read("digest", "64 lower-case hexadecimal digits, unlike all before them", (value) =>
        typeof value === "string" && digestExpression.test(value) && isNew(seen, value) ? value : undefined,
      ),
      createdAt: checked.read("created_at", "an RFC 3339 time", asInstant),
      revokedAt: checked.read("revoked_at", "null or an RFC 3339 time", (value) =>
        value === null ? null : asInstant(value),
      ),
    };
  });
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
      throw this.#fault(found(value), `an object with ${fieldNames.join(", ")}`);
    }
    this.#fields = new Map(Object.entries(value));
    for (const name of this.#fields.keys()) {
      if (!fieldNames.includes(name)) throw this.#fault(`field ${found(name)}`, `only ${fieldNames.join(", ")}`);
    }
  }

  /** @param check Gives the checked value, or undefined when it is not as wanted. */
  read<T>(name: string, wanted: string, check: (value: unknown) => T | undefined): T {
    if (!this.#fields.has(name)) throw this.#fault(`"${name}" is missing`, wanted);
    const value = this.#fields.get(name);
    const checked = check(value);
    if (checked === undefined) throw this.#fault(`"${name}" is ${found(value)}`, wanted);
    return checked;
  }

  #fault(problem: string, wanted: string): KeysFileError {
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
