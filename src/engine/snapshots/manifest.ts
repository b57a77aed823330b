/** `manifest.json`: which files a snapshot consists of, and where it comes from. */

import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import { join } from "node:path";
import { readRegularFile } from "../files/read-regular-file.ts";
import { fixedUtcOffset, instantText } from "../model/calendar.ts";
import type { SnapshotIdentity } from "../model/dataset.ts";
import { compareTexts } from "../model/folded-text.ts";
import { snapshotIdPattern } from "../model/ids.ts";
import { type Schema, scalar, type ValueOf, wanted } from "../model/json-schema.ts";
import * as schema from "../model/record-schema.ts";
import { type SourcePeriods, samplePeriods } from "../model/vocabulary.ts";
import { checkRecord, writtenRecord } from "./check-record.ts";
import { inputFaults } from "./input-values.ts";
import { unpairedOriginsWanted } from "./price-origins.ts";
import { type Fault, foundText, ProblemList, type ProblemSink } from "./problem.ts";
import { parseRecord, type UncheckedRecord } from "./record-texts.ts";
import {
  fileKinds,
  idHashDigits,
  isDecisionKind,
  isGzipName,
  manifestBytesMax,
  manifestFileName,
  optionalTableKinds,
  pricesNameOf,
  type RecordKind,
  recordKindOf,
  recordKinds,
  type SnapshotId,
  type TableKind,
  tableFileNames,
} from "./snapshot-layout.ts";
import { faultOfReading, inspectStoredFile } from "./stored-file.ts";

const fileFormat = schema.object({
  /** Path inside the snapshot. */
  name: schema.text,
  kind: schema.oneOf(fileKinds),
  /** Size as stored. */
  bytes: schema.count,
  /** Top-level array elements or lines. */
  rows: schema.count,
  /** The hash of the file as stored. */
  sha256: schema.pattern("^[0-9a-f]{64}$", "64 hex digits in lower case"),
  sequence: schema.nullable(schema.ordinal),
  replaces: schema.nullable(schema.count),
  withheld: schema.nullable(schema.count),
});

/** An entry of `files` as it is written. */
type FileEntry = ValueOf<typeof fileFormat>;

/** One entry of `files`. */
export interface ManifestFile extends Omit<FileEntry, "sequence" | "replaces" | "withheld"> {
  /** 0 for an ordinary file; 1, 2, … for an appended prices file, whose rows replace those of lower sequence. */
  readonly sequence: number;
  /** The number of rows of lower sequence that the rows of this file replace. */
  readonly replaces: number;
  /** The prices of the snapshot's files that this file of withdrawals leaves out; undefined of any other. */
  readonly withheld?: number | undefined;
}

/** The content of `manifest.json`. */
export interface Manifest extends SnapshotIdentity {
  readonly id: SnapshotId;
  /** Always of a lower id. */
  readonly parent: SnapshotId | null;
  readonly files: readonly ManifestFile[];
}

/** The only version of the format there is. */
const formatVersion = 1;

const snapshotId = schema.pattern(
  snapshotIdPattern,
  `a snapshot id (YYYYMMDDThhmmssZ-, then ${idHashDigits} hex digits)`,
) as Schema<SnapshotId>;

const sourceMap = schema.mapOf(
  schema.object({
    title: schema.nullableName,
    url: schema.nullable(schema.webAddress),
    licence: schema.nullable(schema.object({ id: schema.name, url: schema.nullable(schema.webAddress) })),
    generated: schema.nullable(scalar("boolean")),
  }),
);

const periods = {
  ...schema.mapOf(schema.oneOf(samplePeriods)),
  [wanted]: "an object of month, week or day by source",
};

/** A snapshot says this, and so does a directory that is to become one. */
const statements = {
  note: schema.nullableText,
  attribution: schema.nullableTexts,
  sources: schema.nullable(sourceMap),
  periods: schema.nullable(periods),
};

const manifestFormat = schema.object({
  format: { const: formatVersion, [wanted]: String(formatVersion) },
  id: snapshotId,
  createdAt: schema.instant,
  timeZone: schema.text,
  parent: schema.nullable(snapshotId),
  ...statements,
  files: schema.list(fileFormat),
});

type ManifestDocument = ValueOf<typeof manifestFormat>;

const draftFormat = schema.object({ timeZone: schema.nullableName, ...statements });

/** `manifest.json` beside record files that are not published yet. */
export type ManifestDraft = ValueOf<typeof draftFormat>;

/**
 * Reads and checks the manifest of a snapshot.
 *
 * @throws {DatasetError} naming everything that is wrong with it, also when there is none.
 */
export async function readManifest(directory: string): Promise<Manifest> {
  const problems = new ProblemList();
  const value = await readManifestJson(directory, problems);
  const manifest = value === undefined ? undefined : checkManifest(value, problems);
  problems.throwIfAny(directory);
  return manifest as Manifest;
}

/**
 * Reads `manifest.json` as an object that is not checked yet.
 *
 * @returns Undefined when it cannot be read, as `problems` then says.
 */
export async function readManifestJson(directory: string, problems: ProblemList): Promise<UncheckedRecord | undefined> {
  try {
    const size = await inspectStoredFile(directory, manifestFileName);
    if (typeof size !== "number") {
      problems.add({ file: manifestFileName, ...size });
      return undefined;
    }
    const bytes = await readRegularFile(join(directory, manifestFileName), manifestBytesMax);
    const { value, fault } = isUtf8(bytes) ? parseRecord(bytes.toString()) : { fault: notUtf8 };
    if (fault !== undefined) report([fault], problems);
    return value;
  } catch (error) {
    report([faultOfReading(error)], problems);
    return undefined;
  }
}

const notUtf8: Fault = { kind: "manifest", found: "bytes that are not UTF-8", wanted: "UTF-8 text" };

function report(faults: Iterable<Fault>, problems: ProblemSink): void {
  for (const fault of faults) problems.add({ file: manifestFileName, ...fault, kind: "manifest" });
}

function faultAt(field: string, found: string, wanted: string): Fault {
  return { kind: "manifest", field, found, wanted };
}

/** The shortest row is `{}` with a line end or a comma. */
const rowBytesMin = 3;

/** The best ratio of deflate, source: zlib.net/zlib_tech.html. */
const deflateRatioMax = 1032;

/**
 * Checks a manifest by itself, without looking at the files it names.
 *
 * @returns Undefined when anything is wrong, as `problems` then says.
 */
export function checkManifest(value: UncheckedRecord, problems: ProblemList): Manifest | undefined {
  const { record: document, faults: fieldFaults = [] } =
    value["format"] === formatVersion
      ? checkRecord(manifestFormat, value)
      : {
          faults: [faultAt("format", foundText(value["format"]), `${formatVersion}, the only version known here`)],
        };
  if (document === undefined) {
    report(fieldFaults, problems);
    return undefined;
  }
  const { format: _, ...stated } = document;
  const files = stated.files.map(({ withheld, sequence, replaces, ...file }): ManifestFile => {
    const numbers = { sequence: sequence ?? 0, replaces: replaces ?? 0 };
    return { ...file, ...numbers, ...(withheld === null ? {} : { withheld }) };
  });
  const manifest = {
    ...stated,
    utcOffset: fixedUtcOffset(stated.timeZone),
    attribution: stated.attribution ?? [],
    sources: stated.sources ?? {},
    periods: stated.periods ?? {},
    files,
  };
  const faults = [...zoneFaults(stated.timeZone), ...identityFaults(document, contentHash(manifest))];
  report(faults, problems);
  // The zone has an offset, else there were a fault.
  return faults.length === 0 ? (manifest as Manifest) : undefined;
}

/** Yields the faults of a time zone. */
function* zoneFaults(timeZone: string): Generator<Fault, void> {
  if (fixedUtcOffset(timeZone) !== undefined) return;
  const wanted = "an IANA time zone whose clocks never change, such as Africa/Nairobi";
  yield faultAt("time_zone", foundText(timeZone), wanted);
}

function* identityFaults(document: ManifestDocument, contentHash: string): Generator<Fault, void> {
  const { id, parent, files } = document;
  if (parent !== null && parent >= id) yield faultAt("parent", foundText(parent), `an id below ${foundText(id)}`);
  const names = new Set<string>();
  for (const [position, file] of files.entries()) yield* fileFaults(file, `files[${position}]`, names);
  for (const { name } of files.filter(({ kind }) => kind === "origins")) {
    if (!names.has(pricesNameOf(name))) yield faultAt("files", `${name} alone`, unpairedOriginsWanted(name));
  }
  for (const [kind, name] of Object.entries(tableFileNames)) {
    const isOptional = optionalTableKinds.includes(kind as TableKind);
    if (!isOptional && !names.has(name)) yield faultAt("files", `without ${name}`, `an entry for ${name}`);
  }
  const digits = contentHash.slice(0, idHashDigits);
  if (!id.endsWith(digits)) yield faultAt("id", foundText(id), `an id that ends in "${digits}", as the files hash`);
}

/** @param names Names of the files before; receives the name of this one. */
function* fileFaults(
  { name, kind, bytes, rows, sequence, replaces, withheld }: FileEntry,
  field: string,
  names: Set<string>,
): Generator<Fault, void> {
  const known = recordKindOf(name);
  if (known === undefined) yield faultAt(`${field}.name`, foundText(name), "the name of a record file of the format");
  else if (known !== kind) yield faultAt(`${field}.kind`, foundText(kind), `"${known}" for ${name}`);
  if (names.has(name)) yield faultAt(`${field}.name`, `${foundText(name)} again`, "every file once");
  names.add(name);
  if (rows * rowBytesMin > bytes * (isGzipName(name) ? deflateRatioMax : 1)) {
    yield faultAt(`${field}.rows`, String(rows), `no more than ${bytes} bytes can hold`);
  }
  if ((sequence !== null) !== (replaces !== null)) {
    yield faultAt(field, `with one of "sequence" and "replaces"`, "both of them or neither");
  } else if (sequence !== null && kind !== "prices") {
    yield faultAt(`${field}.sequence`, String(sequence), "none, for only prices are appended");
  } else if ((replaces ?? 0) > rows) {
    yield faultAt(`${field}.replaces`, String(replaces), `at most the file's ${rows} rows`);
  }
  if ((withheld !== null) !== (kind === "withdrawals")) {
    const wanted = "how many prices are withheld, of a file of withdrawals alone";
    yield faultAt(`${field}.withheld`, foundText(withheld), wanted);
  } else if ((withheld ?? 0) > rows) {
    yield faultAt(`${field}.withheld`, String(withheld), `at most the file's ${rows} rows`);
  }
}

/** Finds what a snapshot states that a directory which is not published yet may not. */
export function refusedStatements({ note, attribution, sources }: SnapshotIdentity): Generator<Fault, void> {
  return inputFaults(draftFormat, { note, attribution, sources });
}

/** Checks what a directory that is not published yet says of itself; null where it says nothing, or nothing valid. */
export function checkManifestDraft(value: UncheckedRecord, problems: ProblemList): ManifestDraft {
  const { record: draft, faults } = checkRecord(draftFormat, value);
  if (faults !== undefined) {
    report(faults, problems);
    return { timeZone: null, note: null, attribution: null, sources: null, periods: null };
  }
  report(inputFaults(draftFormat, value), problems);
  if (draft.timeZone !== null) report(zoneFaults(draft.timeZone), problems);
  return draft;
}

/**
 * Adds a problem for each period that is stated for a source without prices: its name is misspelt.
 *
 * @param sources Names of all sources that have a price.
 */
export function checkPeriods(stated: SourcePeriods | null, sources: readonly string[], problems: ProblemSink): void {
  const wanted = `a source that has prices: ${sources.map(foundText).join(", ")}`;
  const unknown = Object.keys(stated ?? {}).filter((source) => !sources.includes(source));
  report(
    unknown.map((source) => faultAt("periods", foundText(source), wanted)),
    problems,
  );
}

/** The periods of those sources that have a price. */
export function periodsOfSources(periods: SourcePeriods, sources: readonly string[]): SourcePeriods {
  return Object.fromEntries(Object.entries(periods).filter(([source]) => sources.includes(source)));
}

/** The text of `manifest.json`. */
export function manifestText(manifest: Manifest): string {
  const document = {
    format: formatVersion,
    id: manifest.id,
    created_at: instantText(manifest.createdAt).replace(".000Z", "Z"),
    time_zone: manifest.timeZone,
    parent: manifest.parent,
    note: manifest.note,
    attribution: manifest.attribution,
    ...optionalParts(manifest),
    files: manifest.files.map(({ sequence, replaces, ...file }) => {
      return sequence === 0 ? file : { ...file, sequence, replaces };
    }),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

const optionalFormat = schema.object({ sources: schema.nullable(sourceMap), periods: schema.nullable(periods) });

/** The optional parts of a manifest as files have them, names and fields in a fixed order; only those that are used. */
export function optionalParts({ sources, periods }: Pick<Manifest, "sources" | "periods">): UncheckedRecord {
  const ifUsed = <T extends object>(part: T): T | null => (Object.keys(part).length === 0 ? null : part);
  return writtenRecord(optionalFormat, { sources: ifUsed(sources), periods: ifUsed(periods) });
}

/** The content that the hash covers. */
interface HashedContent extends Pick<Manifest, "sources" | "periods"> {
  readonly files: readonly Pick<ManifestFile, "name" | "sha256" | "sequence" | "replaces" | "withheld">[];
}

/**
 * The identity of a snapshot's content: SHA-256 over one line `name sha256` a file, sorted by code unit. An appended
 * file's line also says its sequence and how many rows it replaces, that of withdrawals how many prices are withheld.
 * Optional parts of the manifest that are used have a line `name JSON` each, as the manifest writes them but without
 * spaces. Lower-case hex.
 */
export function contentHash({ files, ...content }: HashedContent): string {
  const optional = Object.entries(optionalParts(content));
  const parts = optional.map(([name, value]) => `${name} ${JSON.stringify(value)}\n`);
  const lines = files.map(({ name, sha256, sequence, replaces, withheld }) => {
    const appended = sequence > 0 || replaces > 0 ? ` sequence=${sequence} replaces=${replaces}` : "";
    return `${name} ${sha256}${appended}${withheld === undefined ? "" : ` withheld=${withheld}`}\n`;
  });
  return hash("sha256", [...lines, ...parts].sort(compareTexts).join(""));
}

/** Number of records that each table of a snapshot holds, replaced prices counted once, withheld ones not. */
export type TableRows = Readonly<Record<RecordKind, number>>;

/** Counts the records of each table. */
export function tableRows(files: readonly ManifestFile[]): TableRows {
  const rows = Object.fromEntries(recordKinds.map((kind) => [kind, 0])) as Record<RecordKind, number>;
  for (const { kind, rows: count, replaces, withheld = 0 } of files) {
    if (isDecisionKind(kind)) rows.prices -= withheld;
    else if (kind !== "origins") rows[kind] += count - replaces;
  }
  return rows;
}
