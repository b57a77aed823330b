import { fixedUtcOffset } from "../domain/time-zone.ts";
import { checkRecord } from "./check-records.ts";
import { contentHash, type Manifest, type ManifestFile } from "./manifest.ts";
import { formatVersion, type WireManifest, type WireManifestFile } from "./manifest-schemas.ts";
import { foundText, type ProblemList } from "./problem.ts";
import type { UncheckedRecord } from "./record-texts.ts";
import {
  idHashDigits,
  isGzipName,
  manifestFileName,
  recordKindOf,
  type SnapshotId,
  tableFileNames,
} from "./snapshot-layout.ts";
import { instantOf } from "./translate-records.ts";

/** The shortest row is `{}` with a line end or a comma. */
const rowBytesMin = 3;

/** How far deflate can compress at best, source: zlib.net/zlib_tech.html. */
const deflateRatioMax = 1032;

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
