/** `manifest.json`: which files a snapshot consists of, and where it comes from. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { compareTexts } from "../domain/folded-text.ts";
import { type Instant, instantText } from "../domain/instant.ts";
import { fixedUtcOffset } from "../domain/time-zone.ts";
import { checkRecord } from "./check-records.ts";
import { parseRecord, type UncheckedRecord } from "./parse-record.ts";
import { foundText, ProblemList } from "./problem.ts";
import { faultOfReading, inspectStoredFile } from "./read-stored-file.ts";
import { formatVersion, type WireManifest, type WireManifestFile } from "./record-schemas.ts";
import {
  idHashDigits,
  isGzipName,
  manifestFileName,
  type RecordKind,
  recordKindOf,
  recordKinds,
  type SnapshotId,
  tableFileNames,
} from "./snapshot-layout.ts";
import { instantOf } from "./translate-records.ts";

/** One entry of `files`. */
export interface ManifestFile {
  /** Path inside the snapshot. */
  readonly name: string;
  readonly kind: RecordKind;
  /** Size as stored. */
  readonly bytes: number;
  /** Top-level array elements or lines. */
  readonly rows: number;
  /** Of the file as stored, lower-case hex. */
  readonly sha256: string;
  /** 0 for an ordinary file; 1, 2, … for an appended prices file, whose rows replace those of lower sequence. */
  readonly sequence: number;
  /** How many rows of lower sequence the rows of this file replace. */
  readonly replaces: number;
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
  readonly files: readonly ManifestFile[];
}

/** The shortest row is `{}` with a line end or a comma. */
const rowBytesMin = 3;

/** How far deflate can compress at best, source: zlib.net/zlib_tech.html. */
const deflateRatioMax = 1032;

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
 * Reads `manifest.json` as an object nobody has looked into yet.
 *
 * @returns Undefined when it cannot be read, which `problems` then tells.
 */
export async function readManifestJson(directory: string, problems: ProblemList): Promise<UncheckedRecord | undefined> {
  try {
    const size = await inspectStoredFile(directory, manifestFileName);
    if (typeof size !== "number") {
      problems.add({ file: manifestFileName, ...size });
      return undefined;
    }
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const parsed = parseRecord(text.decode(await readFile(join(directory, manifestFileName))));
    if (parsed.fault !== undefined) problems.add({ file: manifestFileName, ...parsed.fault, kind: "manifest" });
    return parsed.value;
  } catch (error) {
    const isNotUtf8 =
      error instanceof TypeError && "code" in error && error.code === "ERR_ENCODING_INVALID_ENCODED_DATA";
    const fault = isNotUtf8 ? { found: "bytes that are not UTF-8", wanted: "UTF-8 text" } : faultOfReading(error);
    problems.add({ file: manifestFileName, ...fault, kind: "manifest" });
    return undefined;
  }
}

/**
 * Checks a manifest by itself, without looking at the files it names.
 *
 * @returns Undefined when anything is wrong, which `problems` then tells.
 */
export function checkManifest(value: UncheckedRecord, problems: ProblemList): Manifest | undefined {
  if (value["format"] !== formatVersion) {
    report("format", foundText(value["format"]), `${formatVersion}, the only version known here`);
    return undefined;
  }
  const { record: wire, faults } = checkRecord("manifest", value);
  if (faults !== undefined) {
    for (const fault of faults) problems.add({ file: manifestFileName, ...fault, kind: "manifest" });
    return undefined;
  }
  const problemsBefore = problems.total;
  const utcOffset = fixedUtcOffset(wire.time_zone);
  if (utcOffset === undefined) report("time_zone", foundText(wire.time_zone), wantedTimeZone);
  const parent = wire.parent ?? null;
  if (parent !== null && parent >= wire.id) report("parent", foundText(parent), `an id below ${foundText(wire.id)}`);
  checkFiles(wire, report);
  const files = wire.files.map(fileFromWire);
  const hash = contentHash(files).slice(0, idHashDigits);
  if (!wire.id.endsWith(hash)) report("id", foundText(wire.id), `an id that ends in "${hash}", as the files hash`);
  if (problems.total > problemsBefore) return undefined;
  return {
    // The schema has let these pass as snapshot ids, and the zone has an offset, else there were a problem.
    id: wire.id as SnapshotId,
    createdAt: instantOf(wire.created_at),
    timeZone: wire.time_zone,
    utcOffset: utcOffset as number,
    parent: parent as SnapshotId | null,
    note: wire.note ?? null,
    attribution: wire.attribution ?? [],
    files,
  };

  function report(field: string, found: string, wanted: string): void {
    problems.add({ file: manifestFileName, kind: "manifest", field, found, wanted });
  }
}

/** What a time zone must be, for messages. */
export const wantedTimeZone = "an IANA time zone whose clocks never change, such as Africa/Nairobi";

/** The text of `manifest.json`. */
export function manifestText(manifest: Manifest): string {
  const wire: WireManifest = {
    format: formatVersion,
    id: manifest.id,
    created_at: instantText(manifest.createdAt).replace(".000Z", "Z"),
    time_zone: manifest.timeZone,
    parent: manifest.parent,
    note: manifest.note,
    attribution: manifest.attribution,
    files: manifest.files.map(fileToWire),
  };
  return `${JSON.stringify(wire, null, 2)}\n`;
}

/**
 * The identity of a snapshot's content: SHA-256 over one line `name sha256` a file, sorted by code unit. An appended
 * file's line also says its sequence and how many rows it replaces. Lower-case hex.
 */
export function contentHash(files: readonly Pick<ManifestFile, "name" | "sha256" | "sequence" | "replaces">[]): string {
  const lines = files.map(({ name, sha256, sequence, replaces }) => {
    const appended = sequence > 0 || replaces > 0 ? ` sequence=${sequence} replaces=${replaces}` : "";
    return `${name} ${sha256}${appended}\n`;
  });
  return createHash("sha256").update(lines.sort(compareTexts).join("")).digest("hex");
}

/** How many records each table of a snapshot holds, replaced prices counted once. */
export function tableRows(files: readonly ManifestFile[]): Readonly<Record<RecordKind, number>> {
  const rows = Object.fromEntries(recordKinds.map((kind) => [kind, 0])) as Record<RecordKind, number>;
  for (const file of files) rows[file.kind] += file.rows - file.replaces;
  return rows;
}

function checkFiles(wire: WireManifest, report: (field: string, found: string, wanted: string) => void): void {
  const names = new Set<string>();
  wire.files.forEach((file, position) => {
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
  for (const name of Object.values(tableFileNames)) {
    if (!names.has(name)) report("files", `without ${name}`, `an entry for ${name}`);
  }
}

function checkSequence(
  file: WireManifestFile,
  field: string,
  report: (field: string, found: string, wanted: string) => void,
): void {
  const hasSequence = (file.sequence ?? null) !== null;
  const hasReplaces = (file.replaces ?? null) !== null;
  if (hasSequence !== hasReplaces) {
    report(field, `with one of "sequence" and "replaces"`, "both of them or neither");
  } else if (hasSequence && file.kind !== "prices") {
    report(`${field}.sequence`, String(file.sequence), "none, for only prices are appended");
  } else if ((file.replaces ?? 0) > file.rows) {
    report(`${field}.replaces`, String(file.replaces), `at most the file's ${file.rows} rows`);
  }
}

function fileFromWire(wire: WireManifestFile): ManifestFile {
  const { name, kind, bytes, rows, sha256 } = wire;
  return { name, kind, bytes, rows, sha256, sequence: wire.sequence ?? 0, replaces: wire.replaces ?? 0 };
}

function fileToWire({ sequence, replaces, ...file }: ManifestFile): WireManifestFile {
  return sequence === 0 ? file : { ...file, sequence, replaces };
}
