/** The JSON at the end of a compiled store: what the file was made from, what its columns are, and all that is no column. */
import { contentHash, type Manifest } from "../dataset/manifest.ts";
import type { SmallTables } from "../store/catalogue.ts";
import type { ColumnDescription } from "./serialize-store.ts";

/** The content and the calendar that a store follows from. Whatever else a manifest says does not change a store. */
export interface StoreSource {
  /** Id of the snapshot. */
  readonly snapshot: string;
  readonly contentHash: string;
  readonly timeZone: string;
  /** Milliseconds that clocks are ahead of UTC. */
  readonly utcOffset: number;
}

export interface StoreDescription {
  readonly source: StoreSource;
  /** In the order in which they lie in the file. */
  readonly columns: readonly ColumnDescription[];
  /** CRC-32 of each block of the columns. */
  readonly checksums: readonly number[];
  readonly tables: SmallTables;
  readonly rest: object;
}

/** What a store of this snapshot is made from. */
export function storeSource(manifest: Manifest): StoreSource {
  const { id, timeZone, utcOffset, files } = manifest;
  return { snapshot: id, contentHash: contentHash(files), timeZone, utcOffset };
}

/**
 * Reads a description whose bytes have been checked.
 *
 * @returns Undefined when it is not what a writer of ours could have written.
 */
export function parseDescription(bytes: Uint8Array): StoreDescription | undefined {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { source, columns, checksums, tables, rest } = value;
  const isWhole =
    isObject(source) &&
    Array.isArray(columns) &&
    columns.every(isColumnDescription) &&
    Array.isArray(checksums) &&
    checksums.every(isCount) &&
    isObject(tables) &&
    isObject(rest);
  return isWhole ? (value as unknown as StoreDescription) : undefined;
}

/** The first way in which two sources differ, for messages; undefined when they are one. */
export function sourceDifference(
  found: StoreSource,
  wanted: StoreSource,
): { found: string; wanted: string } | undefined {
  for (const name of Object.keys(wanted) as (keyof StoreSource)[]) {
    if (found[name] === wanted[name]) continue;
    return { found: `${sourceWords[name]} ${found[name]}`, wanted: String(wanted[name]) };
  }
  return undefined;
}

const sourceWords: Readonly<Record<keyof StoreSource, string>> = {
  snapshot: "the store of snapshot",
  contentHash: "the content hash",
  timeZone: "the calendar of",
  utcOffset: "a UTC offset of",
};

function isColumnDescription(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { path, type, length } = value;
  return typeof path === "string" && typeof type === "string" && type.endsWith("Array") && isCount(length);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
