/** A table as its file holds it, before anything is known of its columns: rows of cells. */
import { deserialize, serialize } from "node:v8";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { ImportRefusedError } from "../import-refused.ts";
import { type Cell, isMerged, textLengthOf } from "./cells.ts";

/** Most bytes of a file on the disk. */
export const fileBytesMax: number = 64 * 1024 * 1024;

/** Most rows of a table, empty ones included. */
export const rowsMax = 500_000;

/** Most characters of a cell: Excel allows 32,767. */
export const cellCharactersMax = 131_072;

/** Most characters of the texts of a row. */
export const rowCharactersMax: number = 1024 * 1024;

/** Most bytes of all rows of a file, serialized. */
export const tableBytesMax: number = 96 * 1024 * 1024;

/** Columns of a sheet that are read; cells to the right of them are passed over. */
export const columnsMax = 64;

export interface TableRow {
  /** Counted from 1: of a sheet the number of the row, of a CSV file the line on which the row begins. */
  readonly line: number;
  readonly cells: readonly Cell[];
}

/** A batch is serialized when its rows have so many characters, of which each row counts for one more. */
const batchCharacters = 256 * 1024;

/**
 * Rows in order, serialized and compressed: cells are made only while rows are iterated. As cells the rows of a large
 * file would take twenty times the memory.
 */
export class SerializedRows implements Iterable<TableRow> {
  readonly #file: string;
  readonly #batches: Buffer[] = [];
  #batch: TableRow[] = [];
  #batchCharacters = 0;
  #count = 0;
  #serializedBytes = 0;

  /** @param file The name of the table in messages. */
  constructor(file: string) {
    this.#file = file;
  }

  /** @throws {ImportRefusedError} when the row is one too many, or has more than a row may. */
  add(row: TableRow): void {
    const lengths = row.cells.map(textLengthOf);
    // Delimiters count as characters do, so that a row cannot be millions of empty cells.
    const length = lengths.reduce((sum, length) => sum + length, lengths.length - 1);
    if (++this.#count > rowsMax) this.#refuse(`more than ${rowsMax} rows`);
    if (length > rowCharactersMax) this.#refuse(`a row of more than ${rowCharactersMax} characters`);
    if (lengths.some((length) => length > cellCharactersMax)) {
      this.#refuse(`a cell of more than ${cellCharactersMax} characters`);
    }
    this.#batch.push(row);
    this.#batchCharacters += length + 1;
    if (this.#batchCharacters >= batchCharacters) this.#endBatch();
  }

  /** Adds rows that `batches` of other rows gave. */
  addBatch(batch: Buffer): void {
    this.#batches.push(batch);
  }

  /** Bytes of the rows that were added one by one, serialized and not compressed. */
  get serializedBytes(): number {
    this.#endBatch();
    return this.#serializedBytes;
  }

  /** All rows, for `addBatch`. */
  batches(): readonly Buffer[] {
    this.#endBatch();
    return this.#batches;
  }

  *[Symbol.iterator](): Generator<TableRow> {
    for (const batch of this.batches()) yield* deserialize(zstdDecompressSync(batch)) as TableRow[];
  }

  #endBatch(): void {
    if (this.#batch.length > 0) {
      const batch = serialize(this.#batch);
      this.#serializedBytes += batch.length;
      this.#batches.push(zstdCompressSync(batch));
    }
    this.#batch = [];
    this.#batchCharacters = 0;
  }

  #refuse(found: string): never {
    throw new ImportRefusedError(`${this.#file}: found ${found}, expected at most that; import it in parts`);
  }
}

export interface Table<Rows extends Iterable<TableRow> = Iterable<TableRow>> {
  /** Its name in messages: that of the file, and of the sheet where it has several. */
  readonly file: string;
  readonly rows: Rows;
  /** Day 0 of dates that are plain numbers. */
  readonly epoch: SerialEpoch;
  /** The name of the sheet; null for a CSV file. */
  readonly sheet: string | null;
  /** Parts of the file that the rows do not have, such as `hidden sheet "Lists"`. */
  readonly unread: readonly string[];
  /** True for a workbook in which a cell may be struck through, raised or lowered. */
  readonly hasMarks?: boolean;
  /** The form of a CSV file; null for a workbook. */
  readonly text: { readonly encoding: string; readonly delimiter: string } | null;
}

/** A table as a parser makes it, whose rows can be sent to another process. */
export type ParsedTable = Table<SerializedRows>;

/** The two ways in which spreadsheets count days. Source: ECMA-376 part 1, 18.17.4.1. */
export type SerialEpoch = 1900 | 1904;

/** Returns whether a row has nothing in it, merged cells from above aside. */
export function isEmptyRow({ cells }: TableRow): boolean {
  return cells.every((cell) => cell === null || isMerged(cell));
}

/** The name of a column by its position: A, B, … Z, AA, … */
export function columnLetters(position: number): string {
  const last = String.fromCharCode(65 + (position % 26));
  return position < 26 ? last : `${columnLetters(Math.floor(position / 26) - 1)}${last}`;
}
