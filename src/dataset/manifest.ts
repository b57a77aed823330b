/** `manifest.json`: which files a snapshot consists of, and where it comes from. */
import { createHash } from "node:crypto";
import { compareTexts } from "../domain/folded-text.ts";
import { type Instant, instantText } from "../domain/instant.ts";
import { formatVersion, type WireManifest, type WireManifestFile } from "./manifest-schemas.ts";
import { type RecordKind, recordKinds, type SnapshotId } from "./snapshot-layout.ts";

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

function fileToWire({ sequence, replaces, ...file }: ManifestFile): WireManifestFile {
  return sequence === 0 ? file : { ...file, sequence, replaces };
}
