/** The small tables of the current snapshot, with new and changed records: given ones win by identifier. */
import { isDeepStrictEqual } from "node:util";
import { writtenRecord } from "../dataset/check-record.ts";
import { toListedFile } from "../dataset/load-dataset.ts";
import { ProblemList } from "../dataset/problem.ts";
import { RecordTable, readTable, readTables, type Tables } from "../dataset/read-tables.ts";
import type { RecordFile } from "../dataset/record-file.ts";
import { optionalTableKinds, type TableKind } from "../dataset/snapshot-layout.ts";
import { ReadingCounter } from "../dataset/stored-file.ts";
import { type Records, recordFormats } from "../domain/records.ts";
import type { PublishedSnapshot } from "./open-published.ts";
import { identities, tableKinds } from "./record-files.ts";

/** A record that is new, has other fields than in the current snapshot, or is in the current snapshot alone. */
export interface TableChange {
  readonly kind: TableKind;
  readonly change: "added" | "changed" | "removed";
  /** Its identifier; of a unit its name. */
  readonly id: string;
  readonly name: string;
  /** Those that differ, as they stand in files; none of a new record. */
  readonly fields: readonly string[];
}

export interface MergedTables {
  /** Current records in their order, changed records at their positions, and after them the new records. */
  readonly tables: Tables;
  /** By kind, then in the order of the files given. */
  readonly changes: readonly TableChange[];
}

/**
 * Reads the small tables of a snapshot and the given ones, and merges them by identifier; the units of a category by
 * name. No record is removed, but an optional table that is given takes the place of the current one. A record that
 * differs in nothing but its times of entry stays as it is. Links are not checked.
 *
 * @param given At most one of each kind, below `givenDirectory`; other files are passed over.
 * @param problems Receives what is wrong with the given ones. A second record of one identifier is kept, for the check
 *   of links to report.
 * @throws {DatasetError} when the current snapshot is damaged.
 */
export async function mergeTables(
  { manifest, directory, folderName }: PublishedSnapshot,
  givenDirectory: string,
  given: readonly RecordFile[],
  problems: ProblemList,
): Promise<MergedTables> {
  const counter = new ReadingCounter();
  const damage = new ProblemList();
  const tables = await readTables({ directory, problems: damage, counter }, manifest.files.map(toListedFile));
  damage.within(folderName).throwIfAny("the current snapshot");
  const changes: TableChange[] = [];
  const merged: { [Kind in TableKind]?: RecordTable<Records[Kind]> } = {};
  for (const kind of tableKinds) await merge(kind);
  return { tables: merged as Tables, changes };

  async function merge<Kind extends TableKind>(kind: Kind): Promise<void> {
    const file = given.find((candidate) => candidate.kind === kind);
    const read = file && (await readTable({ directory: givenDirectory, problems, counter }, { ...file, kind }));
    Object.assign(merged, { [kind]: mergeTable<Kind>(kind, tables[kind], read, `${folderName}/`, changes) });
  }
}

/**
 * Merges two tables of a kind; an optional one that is given takes the place of the current one.
 *
 * @param folder Precedes the names of the current files in messages.
 */
function mergeTable<Kind extends TableKind>(
  kind: Kind,
  current: RecordTable<Records[Kind]>,
  read: RecordTable<Records[Kind]> | undefined,
  folder: string,
  changes: TableChange[],
): RecordTable<Records[Kind]> {
  const merged = new RecordTable<Records[Kind]>(current.file);
  const given = read ?? new RecordTable<Records[Kind]>(current.file);
  const isReplaced = read !== undefined && optionalTableKinds.includes(kind);
  merged.isWhole = given.isWhole && (isReplaced || current.isWhole);
  const idOf = (record: Records[Kind]): string => identities[kind](record)[0];
  const known = new Map(current.records.map((record) => [idOf(record), record]));
  const givenFirst = new Map<string, number>();
  given.records.forEach((record, position) => {
    if (!givenFirst.has(idOf(record))) givenFirst.set(idOf(record), position);
  });
  const kept = isReplaced ? [] : current.records;
  kept.forEach((before, position) => {
    const at = givenFirst.get(idOf(before));
    const after = at === undefined ? before : mergeRecord(before, given.records[at] as Records[Kind]);
    const different = at === undefined ? [] : changesOf(kind, before, after);
    changes.push(...different);
    if (different.length > 0) take(merged, after, given, at as number);
    else take(merged, before, current, position, folder);
  });
  given.records.forEach((record, position) => {
    const before = known.get(idOf(record));
    if (before !== undefined && !isReplaced && givenFirst.get(idOf(record)) === position) return;
    if (before === undefined || isReplaced) changes.push(...changesOf(kind, before, record));
    take(merged, record, given, position);
  });
  for (const record of isReplaced ? current.records : []) {
    const [id, name] = identities[kind](record);
    if (!givenFirst.has(id)) changes.push({ kind, change: "removed", id, name, fields: [] });
  }
  return merged;
}

/** Adds a record with the place of one of another table. @param folder Precedes the name of its file. */
function take<T>(table: RecordTable<T>, record: T, from: RecordTable<unknown>, position: number, folder = ""): void {
  const { file, line } = from.locationOf(position);
  table.add(record, line, `${folder}${file}`);
}

/**
 * The record given; a category of units has those of both. A name given twice stays twice, for the check of links to
 * report.
 */
function mergeRecord<T extends Records[TableKind]>(before: T, given: T): T {
  if (!("units" in before && "units" in given)) return given;
  const replaced = before.units.flatMap((unit) => {
    const namesakes = given.units.filter(({ name }) => name === unit.name);
    return namesakes.length === 0 ? [unit] : namesakes;
  });
  const added = given.units.filter(({ name }) => !before.units.some((unit) => unit.name === name));
  return { ...given, units: [...replaced, ...added] };
}

/** In what a record differs from the one before, if at all; of a category of units, which units do. */
function changesOf<Kind extends TableKind>(
  kind: Kind,
  before: Records[Kind] | undefined,
  after: Records[Kind],
): TableChange[] {
  if ("units" in after) {
    const units = before !== undefined && "units" in before ? before.units : [];
    const known = new Map(units.map((unit) => [unit.name, unit]));
    const different = after.units.filter((unit) => !isDeepStrictEqual(unit, known.get(unit.name)));
    return different.map(({ name }) => {
      return { kind, change: known.has(name) ? "changed" : "added", id: name, name, fields: [] };
    });
  }
  const [id, name] = identities[kind](after);
  if (before === undefined) return [{ kind, change: "added", id, name, fields: [] }];
  const fields = differentFields(kind, before, after);
  return fields.length === 0 ? [] : [{ kind, change: "changed", id, name, fields }];
}

const timestampFields = ["created_at", "updated_at"];

/** The fields, as they stand in files, in which two records differ, times of entry apart. */
function differentFields<Kind extends TableKind>(kind: Kind, a: Records[Kind], b: Records[Kind]): string[] {
  const [before, after] = [a, b].map((record) => writtenRecord<Records[Kind]>(recordFormats[kind], record));
  const names = Object.keys(recordFormats[kind]["properties"] as object);
  return names.filter((name) => !timestampFields.includes(name) && !isDeepStrictEqual(before?.[name], after?.[name]));
}
