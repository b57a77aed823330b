/** Single lines of a file of records, by the uuid of the record. */
import type { Uuid } from "../model/ids.ts";
import { splitLines, type UncheckedRecord } from "./record-texts.ts";
import { readStoredFile } from "./stored-file.ts";

/** A line of a file whose records have a uuid. */
export interface FoundLine {
  /** Counted from 1. */
  readonly line: number;
  readonly record: UncheckedRecord;
}

const uuidOfLine = /"uuid"\s*:\s*"([0-9A-Fa-f-]{36})"/;

/** A line as it stands in a file, and the uuid in it. */
export interface UuidLine {
  readonly uuid: string;
  readonly line: number;
  readonly bytes: Buffer;
}

/** The lines of a file that have a uuid, in order and in blocks. */
export async function* uuidLines(path: string): AsyncGenerator<readonly UuidLine[]> {
  for await (const lines of splitLines(readStoredFile(path).content)) {
    yield [...lines].flatMap(({ line, bytes }): UuidLine | readonly never[] => {
      // Bytes as latin-1: a uuid is ASCII, and no other text is read.
      const uuid = uuidOfLine.exec(bytes.toString("latin1"))?.[1]?.toLowerCase();
      return uuid === undefined ? [] : { uuid, line, bytes };
    });
  }
}

/**
 * Finds the lines of some records in a file.
 *
 * Cost: a read of each line until all are found; only the lines that are found are parsed.
 *
 * @returns By uuid the first line of it; uuids without a line are missing.
 */
export async function findLines(path: string, uuids: Iterable<Uuid>): Promise<ReadonlyMap<Uuid, FoundLine>> {
  const wanted = new Set<string>(uuids);
  const found = new Map<Uuid, FoundLine>();
  for await (const lines of uuidLines(path)) {
    for (const { uuid, line, bytes } of lines) {
      if (!wanted.delete(uuid)) continue;
      found.set(uuid as Uuid, { line, record: JSON.parse(bytes.toString()) as UncheckedRecord });
    }
    if (wanted.size === 0) break;
  }
  return found;
}
