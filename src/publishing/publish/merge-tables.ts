/** The small tables of the current snapshot, with new and changed records: input wins by key, none is removed. */
import { isDeepStrictEqual } from "node:util";
import { type Records, recordFormats, type UnitRecord } from "../../engine/model/records.ts";
import { snakeCase } from "../../engine/model/snake-case.ts";
import { writtenRecord } from "../../engine/snapshots/check-record.ts";
import { toListedFile } from "../../engine/snapshots/load-dataset.ts";
import type { Manifest } from "../../engine/snapshots/manifest.ts";
import { ProblemList } from "../../engine/snapshots/problem.ts";
import { RecordTable, readTable, readTables, type Tables } from "../../engine/snapshots/read-tables.ts";
import type { RecordFile } from "../../engine/snapshots/record-file.ts";
import type { UncheckedRecord } from "../../engine/snapshots/record-texts.ts";
import { snapshotPath, type TableKind } from "../../engine/snapshots/snapshot-layout.ts";
import { ReadingCounter } from "../../engine/snapshots/stored-file.ts";
import type { PublishedSnapshot } from "./open-published.ts";
import { identities, tableKinds } from "./record-files.ts";

/** A record of a small table. */
interface NamedRecord {
  readonly kind: TableKind;
  /** Its key; of a unit its name. */
  readonly id: string;
  readonly name: string;
}

/** A record that is new, or has other fields than in the current snapshot. */
export interface TableChange extends NamedRecord {
  readonly change: "added" | "changed";
  /** The names of fields that differ, as they stand in files; none of a new record. */
  readonly fields: readonly string[];
}

/** A record of the current snapshot that stays although an input table does not have it, or not all of it. */
export interface KeptRecord extends NamedRecord {
  /** Lists with entries that the input record does not have, as they stand in files; none of a whole record. */
  readonly fields: readonly string[];
}

/** The result of a merge of tables. */
interface MergeReport {
  /** By kind, current records first. */
  readonly changes: TableChange[];
  /** By kind, in the order of the current snapshot. */
  readonly kept: KeptRecord[];
}

export interface MergedTables extends Readonly<MergeReport> {
  /** Current records in their order, changed records at their positions, and after them the new records. */
  readonly tables: Tables;
}

/**
 * Reads the small tables of a snapshot and the input ones, and merges them by the key of their records; the units of a
 * category by name, and `unitedFields` entry by entry. Nothing is removed. A record that differs in nothing but its
 * times of entry stays as it is. Links are not checked.
 *
 * @param input At most one of each kind, below `inputDirectory`; other files are passed over.
 * @param problems Receives what is wrong with the input. A second record of one identifier is kept, for the check of
 *   links to report.
 * @throws {DatasetError} when the current snapshot is damaged.
 */
export async function mergeTables(
  { manifest, directory, folderName }: PublishedSnapshot,
  inputDirectory: string,
  input: readonly RecordFile[],
  problems: ProblemList,
): Promise<MergedTables> {
  const counter = new ReadingCounter();
  const damage = new ProblemList();
  const tables = await readTables({ directory, problems: damage, counter }, manifest.files.map(toListedFile));
  damage.within(folderName).throwIfAny("the current snapshot");
  const report: MergeReport = { changes: [], kept: [] };
  const merged: { [Kind in TableKind]?: RecordTable<Records[Kind]> } = {};
  for (const kind of tableKinds) await merge(kind);
  return { tables: merged as Tables, ...report };

  async function merge<Kind extends TableKind>(kind: Kind): Promise<void> {
    const file = input.find((candidate) => candidate.kind === kind);
    const read = file && (await readTable({ directory: inputDirectory, problems, counter }, { ...file, kind }));
    Object.assign(merged, { [kind]: mergeTable<Kind>(kind, tables[kind], read, `${folderName}/`, report) });
  }
}

/**
 * Merges two tables of a kind.
 *
 * @param folder Precedes the names of the current files in messages.
 */
function mergeTable<Kind extends TableKind>(
  kind: Kind,
  current: RecordTable<Records[Kind]>,
  read: RecordTable<Records[Kind]> | undefined,
  folder: string,
  report: MergeReport,
): RecordTable<Records[Kind]> {
  const merged = new RecordTable<Records[Kind]>(current.file);
  const input = read ?? new RecordTable<Records[Kind]>(current.file);
  merged.isWhole = input.isWhole && current.isWhole;
  const keyOf = (record: Records[Kind]): string => identities[kind](record)[0];
  const known = new Set(current.records.map(keyOf));
  const inputFirst = new Map<string, number>();
  input.records.forEach((record, position) => {
    if (!inputFirst.has(keyOf(record))) inputFirst.set(keyOf(record), position);
  });
  current.records.forEach((before, position) => {
    const at = inputFirst.get(keyOf(before));
    const record = at === undefined ? undefined : (input.records[at] as Records[Kind]);
    const after = record === undefined ? before : mergeRecord(before, record);
    const changes = changesOf(kind, before, after);
    report.changes.push(...changes);
    if (read !== undefined) report.kept.push(...keptOf(kind, before, record));
    if (changes.length > 0) take(merged, after, input, at as number);
    else take(merged, before, current, position, folder);
  });
  input.records.forEach((record, position) => {
    if (known.has(keyOf(record)) && inputFirst.get(keyOf(record)) === position) return;
    if (!known.has(keyOf(record))) report.changes.push(...changesOf(kind, undefined, record));
    take(merged, record, input, position);
  });
  return merged;
}

/** Adds a record with the place of one of another table. @param folder Precedes the name of its file. */
function take<T>(table: RecordTable<T>, record: T, from: RecordTable<unknown>, position: number, folder = ""): void {
  const { file, line } = from.locationOf(position);
  table.add(record, line, `${folder}${file}`);
}

/**
 * Lists of products and markets of which the current entries stay in their order, before new ones. The order of
 * `commonUnits` decides the unit of all statistics of a product, so that a day's table must not change it. All other
 * lists are those of the input record.
 */
const unitedFields = ["commonUnits", "alternativeNames"] as const;
type UnitedLists = Readonly<Partial<Record<(typeof unitedFields)[number], readonly string[] | null>>>;

/**
 * The input record; a category of units has those of both, and so have `unitedFields`. A market that is renamed keeps
 * its old name as an alternative one, so that searches and imports still find it. A name given twice stays twice, for
 * the check of links to report.
 */
function mergeRecord<T extends Records[TableKind]>(before: T, input: T): T {
  if (!("units" in before && "units" in input)) {
    const merged = { ...input, ...uniteLists(before, input) };
    if (!("countyId" in before && "countyId" in merged) || before.name === merged.name) return merged;
    const names = uniteTexts(merged.alternativeNames, [before.name]) ?? [];
    return { ...merged, alternativeNames: names.filter((name) => name !== merged.name) };
  }
  const replaced = before.units.flatMap((unit) => {
    const namesakes = input.units.filter(({ name }) => name === unit.name);
    return namesakes.length === 0 ? [unit] : namesakes;
  });
  const added = input.units.filter(({ name }) => !before.units.some((unit) => unit.name === name));
  return { ...input, units: [...replaced, ...added] };
}

/** The lists of a record that are united. */
function listsOf(record: object): [field: (typeof unitedFields)[number], texts: readonly string[] | null][] {
  return unitedFields.flatMap((field) => (field in record ? [[field, (record as UnitedLists)[field] ?? null]] : []));
}

function uniteLists(before: object, input: object): UnitedLists {
  const ofInput = Object.fromEntries(listsOf(input)) as UnitedLists;
  return Object.fromEntries(
    listsOf(before).map(([field, texts]) => [field, uniteTexts(texts, ofInput[field] ?? null)]),
  );
}

function uniteTexts(before: readonly string[] | null, input: readonly string[] | null): readonly string[] | null {
  if (before === null || input === null) return before ?? input;
  return [...before, ...input.filter((text) => !before.includes(text))];
}

/** Lists what the input record lacks of a current one; without it the record itself, or the units of a category. */
function keptOf<Kind extends TableKind>(
  kind: Kind,
  before: Records[Kind],
  input: Records[Kind] | undefined,
): KeptRecord[] {
  if ("units" in before) {
    const units = input !== undefined && "units" in input ? input.units : [];
    const missing = before.units.filter(({ name }) => !units.some((unit) => unit.name === name));
    return missing.map(({ name }) => ({ kind, id: name, name, fields: [] }));
  }
  const [id, name] = identities[kind](before);
  if (input === undefined) return [{ kind, id, name, fields: [] }];
  const ofInput = Object.fromEntries(listsOf(input)) as UnitedLists;
  const cut = listsOf(before).filter(([field, texts]) => texts?.some((text) => !ofInput[field]?.includes(text)));
  const fields = cut.map(([field]) => field);
  return fields.length === 0 ? [] : [{ kind, id, name, fields: fields.map(snakeCase) }];
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
    return after.units.flatMap((unit) => {
      const { name } = unit;
      const same = known.get(name);
      if (same === undefined) return { kind, change: "added", id: name, name, fields: [] };
      const fields = (Object.keys(unit) as (keyof UnitRecord)[]).filter((field) => unit[field] !== same[field]);
      return fields.length === 0 ? [] : { kind, change: "changed", id: name, name, fields: fields.map(snakeCase) };
    });
  }
  const [id, name] = identities[kind](after);
  if (before === undefined) return [{ kind, change: "added", id, name, fields: [] }];
  const fields = differentFields(kind, before, after);
  return fields.length === 0 ? [] : [{ kind, change: "changed", id, name, fields }];
}

const timestampFields = ["created_at", "updated_at"];

/** The fields, as they stand in files, in which two records differ, except times of entry. */
function differentFields<Kind extends TableKind>(kind: Kind, a: Records[Kind], b: Records[Kind]): string[] {
  const [before, after] = [a, b].map((record) => writtenRecord<Records[Kind]>(recordFormats[kind], record));
  const names = Object.keys(recordFormats[kind].properties as object);
  return names.filter((name) => !timestampFields.includes(name) && !isDeepStrictEqual(before?.[name], after?.[name]));
}

/** A change of a record, with the values of its fields; null for what is not there. */
export interface RecordChange extends Omit<TableChange, "fields"> {
  readonly fields: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
}

/**
 * Compares the small tables of two snapshots, times of entry aside. Records that the second lacks are left out.
 *
 * @throws {DatasetError} when one is damaged.
 */
export async function compareTables(
  dataDirectory: string,
  before: Manifest,
  after: Manifest,
): Promise<readonly RecordChange[]> {
  const problems = new ProblemList();
  const read = async ({ id, files }: Manifest): Promise<Tables> => {
    const reading = { directory: snapshotPath(dataDirectory, id), problems, counter: new ReadingCounter() };
    return await readTables(reading, files.map(toListedFile));
  };
  const [was, is] = [await read(before), await read(after)];
  problems.throwIfAny("the snapshots to compare");
  return tableKinds.flatMap(<Kind extends TableKind>(kind: Kind) => {
    const idOf = (record: Records[Kind]): string => identities[kind](record)[0];
    const known = new Map(was[kind].records.map((record) => [idOf(record), record]));
    return is[kind].records.flatMap((record) => {
      const other = known.get(idOf(record));
      return changesOf<Kind>(kind, other, record).map((change) => {
        const [from, to] = [other, record].map((one) => one && writtenPart<Kind>(kind, one, change.id));
        const names = change.change === "added" ? Object.keys(to ?? {}) : change.fields;
        const fields = names.map((name) => [name, [from?.[name] ?? null, to?.[name] ?? null]] as const);
        return { ...change, fields: Object.fromEntries(fields) };
      });
    });
  });
}

/** A record as files have it; of a category of units, the unit of a name. */
function writtenPart<Kind extends TableKind>(kind: Kind, record: Records[Kind], id: string): UncheckedRecord {
  const written = writtenRecord<Records[Kind]>(recordFormats[kind], record);
  const { units } = written as { readonly units?: readonly UncheckedRecord[] };
  return units?.find(({ name }) => name === id) ?? (units === undefined ? written : {});
}
