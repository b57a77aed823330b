/**
 * From rows that several readers have filled to a price table: repeated uuids are found, problems reported in order,
 * deleted rows removed, and the codes of each reader remapped to one dictionary for each column.
 */
import { firstNotBefore } from "../../model/binary-search.ts";
import { counted } from "../../model/counted.ts";
import type { PriceTable } from "../../model/dataset.ts";
import { Dictionary } from "../../model/dictionary.ts";
import { getOrInsert } from "../../model/get-or-insert.ts";
import { emptyUuidIndex, enterRow, readUuid } from "../../model/ids.ts";
import {
  type PriceRows,
  type PriceTexts,
  priceColumns,
  removeRows,
  rowBefore,
  textColumnNames,
} from "../../model/price-columns.ts";
import { missingCode } from "../../model/shared-columns.ts";
import { foundText, type Problem, type ProblemList } from "../problem.ts";
import { faultsAgainstManifest } from "../record-file.ts";
import { unfinishedFile } from "../record-texts.ts";
import type { BlockTable, ColumnTexts } from "./block-reader.ts";
import { type BlockRows, type FileProgress, locationOfRow } from "./file-progress.ts";

/** A finished table, and the rows that were removed from it, ascending. */
export interface FinishedTable {
  readonly table: PriceTable;
  readonly removed: readonly number[];
}

/**
 * Makes a table of the rows of all files, without those that have problems.
 *
 * @param files In the order of their rows: higher sequence first.
 * @param problems Receives what is wrong, by file and line.
 * @param keepsReplaced True if rows that others replace stay.
 */
export function finishTable(
  files: readonly FileProgress[],
  table: BlockTable,
  problems: ProblemList,
  keepsReplaced: boolean,
): FinishedTable | undefined {
  const read = { ...table, blocks: files.flatMap((file) => file.blocks) };
  const { isDeleted } = read;
  const { uuids } = read.rows;
  const { replaced, duplicates } = findRepeatedUuids(files, uuids, isDeleted);
  reportProblems(files, duplicates, uuids, problems);
  if (problems.total > 0) {
    for (const { row } of duplicates) isDeleted[row] = 1;
    return finishValid(read);
  }
  const kept = withoutDeleted(read, keepsReplaced);
  const { removed } = kept;
  const finished = remapTexts(kept);
  if ("reason" in finished) {
    const { fullAtRow, reason } = finished;
    const location = locationOfRow(files, rowBefore(removed, fullAtRow));
    problems.add({ ...location, kind: "value", found: reason, wanted: "fewer different texts" });
    return undefined;
  }
  for (const [at, { file }] of files.entries()) {
    const { name, replaces = 0 } = file;
    if (replaced[at] === replaces) continue;
    const found = counted(replaced[at] as number, "row that replaces another", "rows that replace others");
    const wanted = `${replaces}, as the manifest says`;
    problems.add({ file: name, kind: "checksum", found, wanted });
  }
  return problems.total > 0 ? undefined : { table: finished, removed };
}

/** The rows that readers have filled. */
export interface RowsRead extends BlockTable {
  readonly blocks: readonly BlockRows[];
}

/**
 * The table of the rows that have no problem.
 *
 * @returns Undefined where a column has more different texts than codes.
 */
export function finishValid(read: RowsRead): FinishedTable | undefined {
  const kept = withoutDeleted(read);
  const valid = remapTexts(kept);
  return "reason" in valid ? undefined : { table: valid, removed: kept.removed };
}

/** Rows that have the uuid of a row before them. */
interface RepeatedUuids {
  /** The number of rows of lower sequence that each file replaces. */
  readonly replaced: readonly number[];
  /** Rows that may not repeat a uuid, ascending. */
  readonly duplicates: readonly DuplicateUuid[];
}

/** A row whose uuid stands in a file of the same sequence already. */
interface DuplicateUuid {
  readonly row: number;
  /** The first row of the uuid, whatever its file. */
  readonly first: number;
  /** The file of the same sequence. */
  readonly file: number;
}

/**
 * Finds the rows that repeat the uuid of a row before them.
 *
 * @param isDeleted Rows with a 1 are left out, those with another value are not. Replaced rows get a 1.
 * Cost: as `buildUuidIndex`.
 */
function findRepeatedUuids(files: readonly FileProgress[], uuids: Uint32Array, isDeleted: Uint8Array): RepeatedUuids {
  const index = emptyUuidIndex(files.at(-1)?.rowEnd ?? 0);
  const replaced = files.map(() => 0);
  const duplicates: DuplicateUuid[] = [];
  // The file in which the uuid of a row was met last, where that is not the row's own.
  const latestFiles = new Map<number, number>();
  for (const [at, { file, rowFirst, rowEnd }] of files.entries()) {
    for (let row = rowFirst; row < rowEnd; row++) {
      if (isDeleted[row] === 1) continue;
      const first = enterRow(index, uuids, row);
      if (first === row) continue;
      const latest = latestFiles.get(first) ?? files.findLastIndex((read) => first >= read.rowFirst);
      if ((files[latest]?.file.sequence ?? 0) === (file.sequence ?? 0)) {
        duplicates.push({ row, first, file: latest });
        continue;
      }
      replaced[latest] = (replaced[latest] ?? 0) + 1;
      latestFiles.set(first, at);
      isDeleted[row] = 1;
    }
  }
  return { replaced, duplicates };
}

/** Reports what is wrong with each file: its lines in order, then the file. */
function reportProblems(
  files: readonly FileProgress[],
  duplicates: readonly DuplicateUuid[],
  uuids: Uint32Array,
  problems: ProblemList,
): void {
  for (const read of files) {
    const { name, entry } = read.file;
    const own = duplicates.filter(({ row }) => row >= read.rowFirst && row < read.rowEnd);
    const listed = own.slice(0, problems.perKindMax).map((duplicate) => duplicateProblem(duplicate, read));
    // Sorting keeps the order of problems of one line, and a repeated uuid is the last of them.
    const ofLines = [...read.problems.problems, ...listed].sort((a, b) => (a.line as number) - (b.line as number));
    problems.addAll(ofLines, new Map([...read.problems.counts, ["duplicate", own.length]]));
    if (read.isUnfinished) problems.add({ file: name, line: read.lineCount + 1, ...unfinishedFile });
    if (read.fault !== undefined) problems.add({ file: name, ...read.fault });
    else if (entry !== undefined && read.reading !== undefined) {
      for (const fault of faultsAgainstManifest(read.reading, entry)) problems.add({ file: name, ...fault });
    }
  }

  function duplicateProblem({ row, first, file }: DuplicateUuid, read: FileProgress): Problem {
    const location = locationOfRow(files, first);
    const latest = (files[file] as FileProgress).file.name;
    // Only the file is known where a uuid stands in one that is not its first.
    const where = location.file === latest ? `${latest}:${location.line}` : latest;
    const found = `${foundText(readUuid(uuids, row))}, as in ${where}`;
    const wanted = "another one in every price";
    return { file: read.file.name, line: read.lineOf(row), kind: "duplicate", field: "uuid", found, wanted };
  }
}

/** Rows that are left. */
interface KeptRows {
  readonly rowCount: number;
  readonly rows: PriceRows<SharedArrayBuffer>;
  readonly blocks: readonly BlockRows[];
  readonly removed: readonly number[];
}

/** A column has more different texts than its type has codes. */
interface DictionaryFull {
  /** The row of the text for which there is no code. */
  readonly fullAtRow: number;
  readonly reason: string;
}

/**
 * Moves the rows that stay to the front of their columns, in order.
 *
 * @param staysWhole True if all of them stay.
 */
function withoutDeleted({ rows, isDeleted, blocks }: RowsRead, staysWhole: boolean = false): KeptRows {
  const rowsRead = blocks.reduce((sum, block) => sum + block.rows, 0);
  const removed: number[] = [];
  for (let row = 0; row < rowsRead && !staysWhole; row++) if (isDeleted[row] !== 0) removed.push(row);
  const rowAfter = (row: number): number => {
    return row - firstNotBefore(0, removed.length, (at) => (removed[at] as number) < row);
  };
  const keptBlocks = blocks.map(({ rowFirst, rows: count, texts }) => {
    const keptFirst = rowAfter(rowFirst);
    return { rowFirst: keptFirst, rows: rowAfter(rowFirst + count) - keptFirst, texts };
  });
  return {
    rowCount: rowsRead - removed.length,
    rows: removeRows(rows, rowsRead, removed),
    blocks: keptBlocks,
    removed,
  };
}

/**
 * Replaces the codes of readers, in place, by those of one dictionary a column, which count from 0 in order of first
 * appearance.
 */
function remapTexts({ rowCount, rows, blocks }: KeptRows): PriceTable | DictionaryFull {
  const dictionaries: [string, readonly string[]][] = [];
  for (const name of textColumnNames) {
    const { label, texts: dictionaryName } = priceColumns[name];
    const column = rows[name];
    const dictionary = new Dictionary(`${label} of prices`, missingCode(column));
    const codes = new Map<ColumnTexts, Int32Array>();
    for (const { rowFirst, rows: count, texts } of blocks) {
      const known = getOrInsert(codes, texts, () => new Int32Array(texts[name].length).fill(-1));
      const full = remapBlock(column, rowFirst, rowFirst + count, known, texts[name], dictionary);
      if (full !== undefined) return full;
    }
    dictionaries.push([dictionaryName, dictionary.texts]);
  }
  return { rowCount, ...rows, ...(Object.fromEntries(dictionaries) as PriceTexts) };
}

/** @param codes By code of the reader; -1 where the dictionary has not been asked yet. */
function remapBlock(
  column: Uint16Array | Uint32Array,
  rowFirst: number,
  rowEnd: number,
  codes: Int32Array,
  texts: readonly string[],
  dictionary: Dictionary,
): DictionaryFull | undefined {
  const missing = missingCode(column);
  for (let row = rowFirst; row < rowEnd; row++) {
    const own = column[row] as number;
    if (own === missing) continue;
    if (codes[own] === -1) {
      try {
        codes[own] = dictionary.codeOf(texts[own] as string);
      } catch (error) {
        return { fullAtRow: row, reason: (error as RangeError).message };
      }
    }
    column[row] = codes[own] as number;
  }
  return undefined;
}
