/** Which entries of the log concern a price. */
import { join } from "node:path";
import { orUnavailable, readManifestOf, SnapshotUnavailableError } from "../dataset/current-snapshot.ts";
import type { ManifestFile } from "../dataset/manifest.ts";
import { type SnapshotId, snapshotPath } from "../dataset/snapshot-layout.ts";
import { readStoredFile } from "../dataset/stored-file.ts";
import type { Uuid } from "../domain/ids.ts";
import type { LogEntry } from "./publication-log.ts";

/** The entries of a price. */
export interface PriceEntries {
  readonly entries: readonly LogEntry[];
  /** How many others may be of it too: a snapshot that they name is removed or damaged. */
  readonly unknown: number;
}

/**
 * Finds the entries that rule on a price, and those whose snapshots differ by a prices file that has it.
 *
 * Cost: reads every prices file that an entry has brought or taken away.
 */
export async function findEntriesOfPrice(
  dataDirectory: string,
  entries: readonly LogEntry[],
  uuid: Uuid,
): Promise<PriceEntries> {
  const found: LogEntry[] = [];
  let unknown = 0;
  for (const entry of entries) {
    if (entry.prices !== undefined) {
      if (entry.prices.includes(uuid)) found.push(entry);
      continue;
    }
    const { from, to } = entry;
    if (from === to || to === null) continue;
    const [before, after] = [
      from === null ? [] : await pricesFilesOf(dataDirectory, from),
      await pricesFilesOf(dataDirectory, to),
    ];
    if (before === undefined || after === undefined) unknown++;
    else if (await differBy(uuid, before, after)) found.push(entry);
  }
  return { entries: found, unknown };
}

type PathFile = Pick<ManifestFile, "sha256"> & { readonly path: string };

/** Undefined where the snapshot has no manifest that can be read. */
async function pricesFilesOf(dataDirectory: string, id: SnapshotId): Promise<readonly PathFile[] | undefined> {
  const manifest = await orUnavailable(readManifestOf(dataDirectory, id));
  if (manifest instanceof SnapshotUnavailableError) return undefined;
  return manifest.files
    .filter(({ kind }) => kind === "prices")
    .map(({ name, sha256 }) => ({ path: join(snapshotPath(dataDirectory, id), name), sha256 }));
}

/** Whether one of the files that only one of two snapshots has names a price. */
async function differBy(uuid: Uuid, before: readonly PathFile[], after: readonly PathFile[]): Promise<boolean> {
  const shared = new Set(before.map(({ sha256 }) => sha256)).intersection(new Set(after.map(({ sha256 }) => sha256)));
  for (const { path, sha256 } of [...before, ...after]) {
    if (!shared.has(sha256) && (await holdsText(path, uuid))) return true;
  }
  return false;
}

/** Whether a file has a text in ASCII, whatever its case. */
async function holdsText(path: string, wanted: string): Promise<boolean> {
  let rest = "";
  for await (const chunk of readStoredFile(path).content) {
    const text = rest + chunk.toString("latin1").toLowerCase();
    if (text.includes(wanted)) return true;
    rest = text.slice(-wanted.length);
  }
  return false;
}
