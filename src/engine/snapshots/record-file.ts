/** One record file: what its manifest says of it, its records, and in what it differs from the manifest. */

import { join } from "node:path";
import { type Records, recordFormats } from "../model/records.ts";
import { readRecord } from "./check-record.ts";
import { inputFaults } from "./input-values.ts";
import type { Fault, ProblemList } from "./problem.ts";
import { type RecordText, readJsonArray, readNdjson } from "./record-texts.ts";
import type { FileKind } from "./snapshot-layout.ts";
import {
  type FileReading,
  faultOfReading,
  inspectStoredFile,
  type ReadingCounter,
  readStoredFile,
} from "./stored-file.ts";

/** A record file to be read. */
export interface RecordFile<Kind extends FileKind = FileKind> {
  /** Its name in messages. */
  readonly name: string;
  /** Its path inside the directory, as `recordKindOf` knows it; `name` when absent. */
  readonly path?: string | undefined;
  readonly kind: Kind;
  /** Undefined where no manifest lists the file: then its content is not compared. */
  readonly entry?: ManifestEntry | undefined;
  /** As in the manifest; 0 when absent. */
  readonly sequence?: number | undefined;
  readonly replaces?: number | undefined;
  /** Number of prices that are withheld, as the manifest says; only of withdrawals. */
  readonly withheld?: number | undefined;
}

/** A record file of any kind, which its kind tells from those of others. */
export type SnapshotFile = { readonly [Kind in FileKind]: RecordFile<Kind> }[FileKind];

/** The entry of a manifest about the content of a file. */
export type ManifestEntry = Omit<FileReading, "isWhole">;

/** A directory whose record files are being read. */
export interface DirectoryReading {
  readonly directory: string;
  /** Receives whatever is wrong with the files or their records. */
  readonly problems: ProblemList;
  /** Counts bytes and rows, and keeps what each file was when it was read. */
  readonly counter: ReadingCounter;
}

/**
 * Reads one record file in one pass: every line is parsed and checked by itself, the file is hashed on the way and
 * compared with what the manifest says of it.
 *
 * @param visit Called with each valid record and its line, in order of the file.
 * @returns Undefined when the file could not be read to its end, as `problems` then says.
 */
export async function readRecordFile<Kind extends FileKind>(
  { directory, problems, counter }: DirectoryReading,
  file: RecordFile<Kind>,
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
        const isHandedIn = entry === undefined && record !== undefined;
        const refused = isHandedIn ? inputFaults(recordFormats[kind], written) : [];
        for (const fault of [...faults, ...refused]) problems.add({ file: name, line: text.line, ...fault });
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
 * @returns The fault of it; undefined when it may be read.
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

/** Returns the difference of a file from what its manifest says. @param read Facts that are known of its content. */
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
