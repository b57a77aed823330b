/**
 * A directory that is not published yet: the record files alone, and perhaps a manifest.json that carries time_zone,
 * note, attribution and details of sources. A copy of a whole snapshot is accepted too and checked against its
 * manifest.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Instant } from "../model/calendar.ts";
import { compareTexts } from "../model/folded-text.ts";
import {
  type ReadingOptions,
  type RecordsReading,
  readManifestRecords,
  readRecords,
  recordedAtMax,
} from "./load-dataset.ts";
import {
  checkManifest,
  checkManifestDraft,
  checkPeriods,
  type ManifestDraft,
  type ManifestFile,
  readManifestJson,
} from "./manifest.ts";
import { reportUnpairedOrigins } from "./price-origins.ts";
import { ProblemList, problemsReadMax } from "./problem.ts";
import type { SnapshotFile } from "./record-file.ts";
import type { UncheckedRecord } from "./record-texts.ts";
import {
  announcementName,
  changesFileName,
  decisionFileNames,
  type FileKind,
  fileKinds,
  manifestFileName,
  pricesDirectoryName,
  recordKindOf,
  rejectedFileName,
  tableFileNames,
} from "./snapshot-layout.ts";
import { type FileReading, faultOfReading } from "./stored-file.ts";

/** Files that a copy of a published snapshot has beside its record files. */
const besideRecords: ReadonlySet<string> = new Set([rejectedFileName, announcementName, changesFileName]);

type NamedFile = Pick<ManifestFile, "name" | "kind">;

/** A directory whose records are all in order. */
export interface Candidate {
  readonly directory: string;
  readonly header: ManifestDraft;
  /** The files as they were read, in the order in which a manifest lists them. */
  readonly files: readonly ManifestFile[];
  readonly reading: RecordsReading;
}

/**
 * Reads and checks a directory of record files completely.
 *
 * @param publishedAt When it is or would be published; prices may be recorded up to a day later.
 * @param options Its problems are for a caller that wants more of them than the error keeps.
 * @throws {DatasetError} with every problem found.
 */
export async function readCandidate(
  directory: string,
  publishedAt: Instant,
  { problems = new ProblemList(problemsReadMax), onBytes }: ReadingOptions = {},
): Promise<Candidate> {
  const names = await listRecordFiles(directory, problems);
  const manifest = names.includes(manifestFileName) ? await readManifestJson(directory, problems) : {};
  const recordNames = names.filter((name) => name !== manifestFileName);
  if (manifest !== undefined && "files" in manifest) {
    return await readSnapshotCopy(directory, manifest, recordNames, { problems, onBytes });
  }
  const header = checkManifestDraft(manifest ?? {}, problems);
  reportUnpairedOrigins(recordNames, problems);
  const files = recordNames.map(toUnlistedFile).sort(compareFiles);
  const reading = await readRecords(directory, files, recordedAtMax(publishedAt), { problems, onBytes });
  checkPeriods(header.periods, reading.records.prices.sourceNames, problems);
  problems.throwIfAny(directory);
  const manifestFiles = files.map((file, position) => {
    // Every file has a reading, or there would have been a problem.
    const { bytes, rows, sha256 } = reading.files[position] as FileReading;
    const withheld = file.kind === "withdrawals" ? { withheld: reading.withheld } : {};
    return { name: file.name, kind: file.kind, bytes, rows, sha256, sequence: 0, replaces: 0, ...withheld };
  });
  return { directory, header, files: manifestFiles, reading };
}

async function readSnapshotCopy(
  directory: string,
  value: UncheckedRecord,
  names: readonly string[],
  { problems, onBytes }: ReadingOptions & { readonly problems: ProblemList },
): Promise<Candidate> {
  const manifest = checkManifest(value, problems);
  if (manifest === undefined) return problems.throwIfAny(directory) as never;
  const listed = new Set(manifest.files.map((file) => file.name));
  for (const name of names) {
    if (listed.has(name)) continue;
    problems.add({
      file: name,
      kind: "file",
      found: "a file that the manifest does not list",
      wanted: "its entry there",
    });
  }
  const reading = await readManifestRecords(directory, manifest, { problems, onBytes, readsOrigins: true });
  const { timeZone, note, attribution, sources, periods, files } = manifest;
  return { directory, header: { timeZone, note, attribution, sources, periods }, files, reading };
}

/**
 * The names of the files that belong to the layout, `manifest.json` among them. Anything else is a problem, since a
 * misspelt name would be left out silently; only names that begin with a dot are passed over, and the rows that an
 * earlier publication rejected.
 */
export async function listRecordFiles(directory: string, problems: ProblemList): Promise<string[]> {
  const names: string[] = [];
  try {
    for (const entry of await readdir(directory, { withFileTypes: true })) {
      if (entry.name === pricesDirectoryName && entry.isDirectory()) {
        const priceNames = await readdir(join(directory, pricesDirectoryName));
        names.push(...priceNames.map((name) => `${pricesDirectoryName}/${name}`));
      } else {
        names.push(entry.name);
      }
    }
  } catch (error) {
    problems.add({ file: directory, ...faultOfReading(error) });
  }
  return names.sort(compareTexts).filter((name) => {
    if (/^(?:prices\/)?\./.test(name) || besideRecords.has(name)) return false;
    if (name === manifestFileName || recordKindOf(name) !== undefined) return true;
    const known = [...Object.values(tableFileNames), ...Object.values(decisionFileNames)].join(", ");
    const wanted = `only ${known}, prices*.ndjson as the format names them`;
    problems.add({ file: name, kind: "file", found: "a name outside the layout", wanted });
    return false;
  });
}

/** A file that no manifest lists. @param name One that `recordKindOf` knows. */
export function toUnlistedFile(name: string): SnapshotFile {
  return { name, kind: recordKindOf(name) as FileKind };
}

/** Orders record files as a manifest lists them: by kind, then name. */
export function compareFiles(a: NamedFile, b: NamedFile): number {
  return fileKinds.indexOf(a.kind) - fileKinds.indexOf(b.kind) || compareTexts(a.name, b.name);
}
