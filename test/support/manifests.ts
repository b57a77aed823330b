/** Manifests that speak of files no one has written, for tests that look at the manifest alone. */

import type { Instant } from "../../src/engine/model/calendar.ts";
import { contentHash, type Manifest, type ManifestFile } from "../../src/engine/snapshots/manifest.ts";
import type { RecordKind, SnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";

const kinds: readonly [string, RecordKind][] = [
  ["counties.json", "counties"],
  ["crops.json", "crops"],
  ["units.json", "units"],
  ["market-types.json", "market-types"],
  ["products.ndjson", "products"],
  ["markets.ndjson", "markets"],
  ["prices.ndjson", "prices"],
];

/** An entry of three rows in 300 bytes, unless overridden. */
export function manifestFile(name: string, kind: RecordKind, fields: Partial<ManifestFile> = {}): ManifestFile {
  return { name, kind, bytes: 300, rows: 3, sha256: "ab".repeat(32), sequence: 0, replaces: 0, ...fields };
}

/** One entry of every kind. */
export const manifestFiles: readonly ManifestFile[] = kinds.map(([name, kind]) => manifestFile(name, kind));

/** A manifest with these files, which its id hashes. */
export function manifestWith(files: readonly ManifestFile[], fields: Partial<Manifest> = {}): Manifest {
  return {
    id: `20260201T083000Z-${contentHash({ files, sources: {}, periods: {}, ...fields }).slice(0, 12)}` as SnapshotId,
    createdAt: Date.UTC(2026, 1, 1, 8, 30) as Instant,
    timeZone: "Africa/Nairobi",
    utcOffset: 3 * 3_600_000,
    parent: null,
    note: null,
    attribution: [],
    periods: {},
    sources: {},
    files,
    ...fields,
  };
}
