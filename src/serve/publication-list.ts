/** The published snapshots that a dataset directory keeps, for the page that shows them. */
import { orUnavailable, readManifestOf, SnapshotUnavailableError } from "../dataset/current-snapshot.ts";
import { tableRows } from "../dataset/manifest.ts";
import { snapshotsPath, toSnapshotId } from "../dataset/snapshot-layout.ts";
import { instantText } from "../domain/instant.ts";
import type { Publication } from "../explore/publications.ts";
import { namesIn } from "../files/list-folder.ts";

/** Snapshots that are listed, the newest. */
const listedMax = 50;

/**
 * Lists them, newest first; those whose manifest cannot be read are left out.
 *
 * @returns Null where the directory cannot be read. Cost: reads each manifest.
 */
export async function listPublications(dataDirectory: string): Promise<readonly Publication[] | null> {
  const names = await namesIn(snapshotsPath(dataDirectory)).catch(() => null);
  if (names === null) return null;
  const ids = names.map(toSnapshotId).filter((id) => id !== undefined);
  const newest = ids.sort().reverse().slice(0, listedMax);
  const manifests = await Promise.all(newest.map((id) => orUnavailable(readManifestOf(dataDirectory, id))));
  return manifests.flatMap((manifest): Publication[] => {
    if (manifest instanceof SnapshotUnavailableError) return [];
    const { id, createdAt, note, parent, files } = manifest;
    const replacedPrices = files.reduce((sum, { replaces }) => sum + replaces, 0);
    return [{ id, publishedAt: instantText(createdAt), note, parent, rows: tableRows(files), replacedPrices }];
  });
}
