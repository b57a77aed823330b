/** `manifest.json`: which files a snapshot consists of, and where it comes from. */

import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import { join } from "node:path";
import { fixedUtcOffset } from "../domain/calendar-day.ts";
import type { SourceDetails, SourcePeriods } from "../domain/dataset.ts";
import { compareTexts } from "../domain/folded-text.ts";
import { snapshotIdPattern } from "../domain/ids.ts";
import { type Instant, instantText } from "../domain/instant.ts";
import {
  count,
  instant,
  list,
  mapOf,
  nullable,
  nullableText,
  nullableTexts,
  object,
  oneOf,
  ordinal,
  pattern,
  text,
  type ValueOf,
  webAddress,
} from "../domain/schema.ts";
import { samplePeriods } from "../domain/vocabulary.ts";
import { readRegularFile } from "../files/read-regular-file.ts";
import { checkRecord, writtenRecord } from "./check-record.ts";
import { hiddenCharacterFaults } from "./hidden-characters.ts";
import { loneOriginsWanted } from "./price-origins.ts";
import { type Fault, foundText, ProblemList, type ProblemSink } from "./problem.ts";
import { parseRecord, type UncheckedRecord } from "./record-texts.ts";
import {
  type FileKind,
  fileKinds,
  idHashDigits,
  isGzipName,
  isRulingKind,
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

/** One entry of `files`. */
export interface ManifestFile {
  /** Path inside the snapshot. */
  readonly name: string;
  readonly kind: FileKind;
  /** Size as stored. */
  readonly bytes: number;
  /** Top-level array elements or lines. */
  readonly rows: number;
  /** The hash of the file as stored, lower-case hex. */
  readonly sha256: string;
  /** 0 for an ordinary file; 1, 2, … for an appended prices file, whose rows replace those of lower sequence. */
  readonly sequence: number;
  /** How many rows of lower sequence the rows of this file replace. */
  readonly replaces: number;
  /** How many prices of the snapshot's files are left out, as this file of withdrawals says; undefined of any other. */
  readonly withheld?: number | undefined;
}

/** The content of `manifest.json`. */
export interface Manifest {
  readonly id: SnapshotId;
  readonly createdAt: Instant;
  /** A zone with a fixed offset. */
  readonly timeZone: string;
  /** Milliseconds that clocks in `timeZone` are ahead of UTC. */
  readonly utcOffset: number;
  /** The snapshot this one followed; always of a lower id. */
  readonly parent: SnapshotId | null;
  readonly note: string | null;
  readonly attribution: readonly string[];
  readonly sources: Readonly<Record<string, SourceDetails>>;
  readonly periods: SourcePeriods;
  readonly files: readonly ManifestFile[];
}

/** The only version of the format there is. */
const formatVersion = 1;

const snapshotId = pattern(snapshotIdPattern, `a snapshot id (YYYYMMDDThhmmssZ-, then ${idHashDigits} hex digits)`);

const sourceMap = mapOf(
  object({
    title: nullableText,
    url: nullable(webAddress),
    licence: nullable(object({ id: text, url: nullable(webAddress) })),
  }),
);

const periods = { ...mapOf(oneOf(samplePeriods)), description: "an object of month, week or day by source" };

/** What a snapshot says, and a directory that is to become one. */
const statements = {
  note: nullableText,
  attribution: nullableTexts,
  sources: nullable(sourceMap),
  periods: nullable(periods),
};

const fileFormat = object({
  name: text,
  kind: oneOf(fileKinds),
  bytes: count,
  rows: count,
  sha256: pattern("^[0-9a-f]{64}$", "64 hex digits in lower case"),
  sequence: nullable(ordinal),
  replaces: nullable(count),
  withheld: nullable(count),
});

const manifestFormat = object({
  format: { const: formatVersion, description: String(formatVersion) },
  id: snapshotId,
  createdAt: instant,
  timeZone: text,
  parent: nullable(snapshotId),
  ...statements,
  files: list(fileFormat),
});

const draftFormat = object({ timeZone: nullableText, ...statements });

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
    if (fault !== undefined) reportFaults([fault], problems);
    return value;
  } catch (error) {
    reportFaults([faultOfReading(error)], problems);
    return undefined;
  }
}

const notUtf8: Fault = { kind: "manifest", found: "bytes that are not UTF-8", wanted: "UTF-8 text" };

function reportFaults(faults: Iterable<Fault>, problems: ProblemList): void {
  for (const fault of faults) problems.add({ file: manifestFileName, ...fault, kind: "manifest" });
}

/** The shortest row is `{}` with a line end or a comma. */
const rowBytesMin = 3;

/** How far deflate can compress at best, source: zlib.net/zlib_tech.html. */
const deflateRatioMax = 1032;

/**
 * Checks a manifest by itself, without looking at the files it names.
 *
 * @returns Undefined when anything is wrong, as `problems` then says.
 */
export function checkManifest(value: UncheckedRecord, problems: ProblemList): Manifest | undefined {
  if (value["format"] !== formatVersion) {
    report("format", foundText(value["format"]), `${formatVersion}, the only version known here`);
    return undefined;
  }
  const { record: document, faults } = checkRecord(manifestFormat, value);
  if (faults !== undefined) {
    reportFaults(faults, problems);
    return undefined;
  }
  const problemsBefore = problems.total;
  const utcOffset = fixedUtcOffset(document.timeZone);
  if (utcOffset === undefined) report("time_zone", foundText(document.timeZone), wantedTimeZone);
  const parent = document.parent;
  if (parent !== null && parent >= document.id)
    report("parent", foundText(parent), `an id below ${foundText(document.id)}`);
  checkFiles(document.files, report);
  const files = document.files.map((file) => {
    const { withheld, ...others } = file;
    const numbers = { sequence: file.sequence ?? 0, replaces: file.replaces ?? 0 };
    return { ...others, ...numbers, ...(withheld === null ? {} : { withheld }) };
  });
  const sources = document.sources ?? {};
  const periods = document.periods ?? {};
  const digits = contentHash({ files, sources, periods }).slice(0, idHashDigits);
  if (!document.id.endsWith(digits))
    report("id", foundText(document.id), `an id that ends in "${digits}", as the files hash`);
  if (problems.total > problemsBefore) return undefined;
  const { createdAt, timeZone, note, attribution } = document;
  return {
    ...{ createdAt, timeZone, note, attribution: attribution ?? [] },
    // The schema has let these pass as snapshot ids, and the zone has an offset, else there were a problem.
    id: document.id as SnapshotId,
    utcOffset: utcOffset as number,
    parent: parent as SnapshotId | null,
    sources,
    periods,
    files,
  };

  function report(field: string, found: string, wanted: string): void {
    problems.add({ file: manifestFileName, kind: "manifest", field, found, wanted });
  }
}

/** What a time zone must be, for messages. */
const wantedTimeZone = "an IANA time zone whose clocks never change, such as Africa/Nairobi";

type Report = (field: string, found: string, wanted: string) => void;

function checkFiles(files: readonly ValueOf<typeof fileFormat>[], report: Report): void {
  const names = new Set<string>();
  files.forEach((file, position) => {
    const field = `files[${position}]`;
    const kind = recordKindOf(file.name);
    if (kind === undefined) report(`${field}.name`, foundText(file.name), "the name of a record file of the format");
    else if (kind !== file.kind) report(`${field}.kind`, foundText(file.kind), `"${kind}" for ${file.name}`);
    if (names.has(file.name)) report(`${field}.name`, `${foundText(file.name)} again`, "every file once");
    names.add(file.name);
    const contentBytesMax = file.bytes * (isGzipName(file.name) ? deflateRatioMax : 1);
    if (file.rows * rowBytesMin > contentBytesMax) {
      report(`${field}.rows`, String(file.rows), `no more than ${file.bytes} bytes can hold`);
    }
    checkSequence(file, field, report);
  });
  for (const { name } of files.filter(({ kind }) => kind === "origins")) {
    if (!names.has(pricesNameOf(name))) report("files", `${name} alone`, loneOriginsWanted(name));
  }
  for (const [kind, name] of Object.entries(tableFileNames)) {
    const isOptional = optionalTableKinds.includes(kind as TableKind);
    if (!isOptional && !names.has(name)) report("files", `without ${name}`, `an entry for ${name}`);
  }
}

function checkSequence(file: ValueOf<typeof fileFormat>, field: string, report: Report): void {
  const hasSequence = file.sequence !== null;
  const hasReplaces = file.replaces !== null;
  if (hasSequence !== hasReplaces) {
    report(field, `with one of "sequence" and "replaces"`, "both of them or neither");
  } else if (hasSequence && file.kind !== "prices") {
    report(`${field}.sequence`, String(file.sequence), "none, for only prices are appended");
  } else if ((file.replaces ?? 0) > file.rows) {
    report(`${field}.replaces`, String(file.replaces), `at most the file's ${file.rows} rows`);
  }
  if ((file.withheld !== null) !== (file.kind === "withdrawals")) {
    const wanted = "how many prices are withheld, of a file of withdrawals alone";
    report(`${field}.withheld`, foundText(file.withheld), wanted);
  } else if ((file.withheld ?? 0) > file.rows) {
    report(`${field}.withheld`, String(file.withheld), `at most the file's ${file.rows} rows`);
  }
}

/** Checks what a directory that is not published yet says of itself; null where it says nothing, or nothing fit. */
export function checkManifestDraft(value: UncheckedRecord, problems: ProblemList): ManifestDraft {
  const { record: draft, faults } = checkRecord(draftFormat, value);
  if (faults !== undefined) {
    reportFaults(faults, problems);
    return { timeZone: null, note: null, attribution: null, sources: null, periods: null };
  }
  reportFaults(hiddenCharacterFaults(value), problems);
  if (draft.timeZone !== null && fixedUtcOffset(draft.timeZone) === undefined) {
    const found = foundText(draft.timeZone);
    problems.add({ file: manifestFileName, kind: "manifest", field: "time_zone", found, wanted: wantedTimeZone });
  }
  return draft;
}

/**
 * Adds a problem for each period that is stated for a source without prices: its name is misspelt.
 *
 * @param sources Names of all sources that have a price.
 */
export function checkPeriods(stated: SourcePeriods | null, sources: readonly string[], problems: ProblemSink): void {
  for (const source of Object.keys(stated ?? {})) {
    if (sources.includes(source)) continue;
    const wanted = `a source that has prices: ${sources.map(foundText).join(", ")}`;
    problems.add({ file: manifestFileName, kind: "manifest", field: "periods", found: foundText(source), wanted });
  }
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

/** The optional parts of a manifest as files have them, names and fields in a fixed order; only those that are used. */
export function optionalParts({ sources, periods }: Pick<Manifest, "sources" | "periods">): {
  readonly sources?: UncheckedRecord;
  readonly periods?: SourcePeriods;
} {
  const inOrder = Object.entries(periods).sort(([a], [b]) => compareTexts(a, b));
  return {
    ...(Object.keys(sources).length === 0 ? {} : { sources: writtenRecord(sourceMap, sources) }),
    ...(inOrder.length === 0 ? {} : { periods: Object.fromEntries(inOrder) }),
  };
}

/** What the content hash covers. */
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

/** How many records each table of a snapshot holds, replaced prices counted once, withheld ones not. */
export function tableRows(files: readonly ManifestFile[]): Readonly<Record<RecordKind, number>> {
  const rows = Object.fromEntries(recordKinds.map((kind) => [kind, 0])) as Record<RecordKind, number>;
  for (const { kind, rows: count, replaces, withheld = 0 } of files) {
    if (isRulingKind(kind)) rows.prices -= withheld;
    else if (kind !== "origins") rows[kind] += count - replaces;
  }
  return rows;
}
