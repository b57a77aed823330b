import { join } from "node:path";
import { type CheckedTypes, checkRecord } from "./check-records.ts";
import { parseRecord } from "./parse-record.ts";
import type { ProblemList } from "./problem.ts";
import { readJsonArray } from "./read-json-array.ts";
import { type RecordText, readNdjson } from "./read-ndjson.ts";
import { type FileDigest, faultOfReading, inspectStoredFile, readStoredFile } from "./read-stored-file.ts";
import type { ReadingTally } from "./reading-tally.ts";
import type { RecordKind } from "./snapshot-layout.ts";

/** What a manifest says of a file. */
export interface FileClaim extends FileDigest {
  readonly rows: number;
}

/** A record file to be read. */
export interface RecordFile {
  /** Path inside the directory, as `recordKindOf` knows it. */
  readonly name: string;
  readonly kind: RecordKind;
  /** Undefined where no manifest speaks of the file: then it may hold whatever it holds. */
  readonly claim?: FileClaim | undefined;
}

/** What was read: the file's digest, its number of rows, and whether each of them is a fit record. */
export interface FileReading extends FileClaim {
  readonly isWhole: boolean;
}

/**
 * Reads one record file in one pass: every line is parsed and checked by itself, the file is hashed on the way and
 * compared with what the manifest says of it.
 *
 * @param visit Called with each fit record and its line, in order of the file.
 * @param problems Receives whatever is wrong with the file or a record.
 * @param tally Counts bytes and rows.
 * @returns Undefined when the file could not be read to its end, which `problems` then tells.
 */
export async function readRecordFile<Kind extends RecordKind>(
  directory: string,
  file: RecordFile & { readonly kind: Kind },
  problems: ProblemList,
  tally: ReadingTally,
  visit: (record: CheckedTypes[Kind], line: number) => void,
): Promise<FileReading | undefined> {
  const { name, kind, claim } = file;
  const size = await inspectStoredFile(directory, name);
  if (typeof size !== "number") {
    problems.add({ file: name, ...size });
    return undefined;
  }
  if (claim !== undefined && size !== claim.bytes) {
    problems.add({
      file: name,
      kind: "checksum",
      found: `${size} bytes`,
      wanted: `${claim.bytes}, as the manifest says`,
    });
    return undefined;
  }
  const stored = readStoredFile(join(directory, name), tally);
  const problemsBefore = problems.total;
  let rows = 0;
  try {
    for await (const texts of textsOf(name, stored.content)) {
      tally.addRows(kind, texts.length);
      for (const text of texts) {
        rows++;
        readRecord(kind, text);
      }
    }
  } catch (error) {
    problems.add({ file: name, ...faultOfReading(error) });
    return undefined;
  }
  const digest = stored.digest();
  if (claim !== undefined) compareWithClaim(claim, { ...digest, rows });
  return { ...digest, rows, isWhole: problems.total === problemsBefore };

  function readRecord(kind: Kind, { line, text, fault }: RecordText): void {
    const parsed = fault === undefined ? parseRecord(text) : { fault };
    if (parsed.fault !== undefined) {
      problems.add({ file: name, line, ...parsed.fault });
      return;
    }
    const checked = checkRecord(kind, parsed.value);
    if (checked.faults === undefined) visit(checked.record, line);
    else for (const fault of checked.faults) problems.add({ file: name, line, ...fault });
  }

  function compareWithClaim(claim: FileClaim, read: FileClaim): void {
    for (const property of ["bytes", "sha256", "rows"] as const) {
      if (read[property] === claim[property]) continue;
      const wanted = `${claim[property]}, as the manifest says`;
      problems.add({ file: name, kind: "checksum", found: `${property} ${read[property]}`, wanted });
    }
  }
}

async function* textsOf(name: string, content: AsyncIterable<Buffer>): AsyncGenerator<readonly RecordText[]> {
  if (name.endsWith(".json")) yield await readJsonArray(content);
  else yield* readNdjson(content);
}
