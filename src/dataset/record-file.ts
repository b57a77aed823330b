/** One record file: what its manifest says of it, its records, and in what it differs from the manifest. */

import { join } from "node:path";
import { type Records, recordFormats } from "../domain/records.ts";
import { readRecord } from "./check-record.ts";
import { hiddenCharacterFaults } from "./hidden-characters.ts";
import type { Fault, ProblemList } from "./problem.ts";
import { type RecordText, readJsonArray, readNdjson } from "./record-texts.ts";
import type { FileKind, RulingKind, TableKind } from "./snapshot-layout.ts";
import {
  type FileDigest,
  faultOfReading,
  inspectStoredFile,
  type ReadingCounter,
  readStoredFile,
} from "./stored-file.ts";

/** What a manifest says of a file. */
export interface ManifestEntry extends FileDigest {
  readonly rows: number;
}

/** A record file to be read. */
export interface RecordFile {
  /** What messages call it. */
  readonly name: string;
  /** Its path inside the directory, as `recordKindOf` knows it; `name` when absent. */
  readonly path?: string | undefined;
  readonly kind: FileKind;
  /** Undefined where no manifest lists the file: then its content is not compared. */
  readonly entry?: ManifestEntry | undefined;
}

export interface TableFile extends RecordFile {
  readonly kind: TableKind;
}

export interface PriceFile extends RecordFile {
  readonly kind: "prices";
  /** Rows replace rows of the same uuid in files of lower sequence. */
  readonly sequence: number;
  /** How many rows do so. */
  readonly replaces: number;
}

export interface RulingFile extends RecordFile {
  readonly kind: RulingKind;
  /** How many prices are withheld, as the manifest says; only of withdrawals. */
  readonly withheld?: number | undefined;
}

export interface OriginsFile extends RecordFile {
  readonly kind: "origins";
}

/** Any file of a snapshot. */
export type SnapshotFile = TableFile | PriceFile | RulingFile | OriginsFile;

/** What was read: the file's digest, its number of rows, and whether each of them is a valid record. */
export interface FileReading extends ManifestEntry {
  readonly isWhole: boolean;
}

/**
 * Reads one record file in one pass: every line is parsed and checked by itself, the file is hashed on the way and
 * compared with what the manifest says of it.
 *
 * @param visit Called with each valid record and its line, in order of the file.
 * @param problems Receives whatever is wrong with the file or a record.
 * @param counter Counts bytes and rows, and keeps what is returned.
 * @returns Undefined when the file could not be read to its end, as `problems` then says.
 */
export async function readRecordFile<Kind extends FileKind>(
  directory: string,
  file: RecordFile & { readonly kind: Kind },
  problems: ProblemList,
  counter: ReadingCounter,
  visit: (record: Records[Kind], line: number) => void,
): Promise<FileReading | undefined> {
  const { name, path = name, kind, entry } = file;
  const fault = await inspectRecordFile(directory, path, entry);
  if (fault !== undefined) {
    problems.add({ file: name, ...fault });
    return undefined;
  }
  const stored = readStoredFile(join(directory, path), counter);
  const problemsBefore = problems.total;
  let rows = 0;
  try {
    for await (const texts of textsOf(name, stored.content)) {
      counter.addRows(kind, texts.length);
      rows += texts.length;
      for (const text of texts) {
        const { record, written, faults = [] } = readRecord(recordFormats[kind], text);
        if (record !== undefined) visit(record, text.line);
        const hidden = entry === undefined && record !== undefined ? [...hiddenCharacterFaults(written)] : [];
        for (const fault of [...faults, ...hidden]) problems.add({ file: name, line: text.line, ...fault });
      }
    }
  } catch (error) {
    problems.add({ file: name, ...faultOfReading(error) });
    return undefined;
  }
  const digest = stored.digest();
  if (entry !== undefined) {
    for (const fault of faultsAgainstManifest({ ...digest, rows }, entry)) problems.add({ file: name, ...fault });
  }
  const reading = { ...digest, rows, isWhole: problems.total === problemsBefore };
  counter.readings.set(name, reading);
  return reading;
}

/**
 * Looks at a record file without opening it: it must be an ordinary file, of the size that its manifest says.
 *
 * @returns What is wrong with it; undefined when it may be read.
 */
export async function inspectRecordFile(
  directory: string,
  name: string,
  entry: Pick<ManifestEntry, "bytes"> | undefined,
): Promise<Fault | undefined> {
  const size = await inspectStoredFile(directory, name);
  if (typeof size !== "number") return size;
  if (entry === undefined || size === entry.bytes) return undefined;
  return { kind: "checksum", found: `${size} bytes`, wanted: `${entry.bytes}, as the manifest says` };
}

/** In what a file differs from what its manifest says. @param read What is known of its content. */
export function faultsAgainstManifest(read: Partial<ManifestEntry>, entry: ManifestEntry): Fault[] {
  const known = (["bytes", "sha256", "rows"] as const).filter((property) => read[property] !== undefined);
  const different = known.filter((property) => read[property] !== entry[property]);
  return different.map((property) => {
    const wanted = `${entry[property]}, as the manifest says`;
    return { kind: "checksum", found: `${property} ${read[property]}`, wanted };
  });
}

async function* textsOf(name: string, content: AsyncIterable<Buffer>): AsyncGenerator<readonly RecordText[]> {
  if (name.endsWith(".json")) yield await readJsonArray(content);
  else yield* readNdjson(content);
}
