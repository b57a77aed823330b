/** The published snapshots that a dataset directory keeps, for the page that shows them. */
import { join } from "node:path";
import type { Publication } from "../../contract/publications.ts";
import { instantText } from "../../engine/model/calendar.ts";
import { ifAvailable, readManifestOf } from "../../engine/snapshots/current-snapshot.ts";
import { tableRows } from "../../engine/snapshots/manifest.ts";
import { manifestFileName, type SnapshotId, snapshotPath } from "../../engine/snapshots/snapshot-layout.ts";
import { CachedDescriptions } from "./cached-descriptions.ts";
import { SnapshotList } from "./snapshot-list.ts";

/**
 * Returns what lists the newest ones, newest first, and the served one, whose id it takes. A snapshot whose manifest
 * cannot be read is left out; without a readable directory the list is null. Cost: a `stat` for each; each manifest is
 * read once.
 */
export function publicationList(dataDirectory: string): (served: string) => Promise<readonly Publication[] | null> {
  const descriptions = new CachedDescriptions<Publication>({
    pathOf: (id) => join(snapshotPath(dataDirectory, id), manifestFileName),
    read: (id) => describe(dataDirectory, id),
  });
  const list = new SnapshotList(dataDirectory, (id) => descriptions.of(id));
  return async (served) => await list.read(served).catch(() => null);
}

async function describe(dataDirectory: string, snapshot: SnapshotId): Promise<Publication | undefined> {
  const manifest = await ifAvailable(readManifestOf(dataDirectory, snapshot));
  if (manifest === undefined) return undefined;
  const { id, createdAt, note, parent, files } = manifest;
  const replacedPrices = files.reduce((sum, { replaces }) => sum + replaces, 0);
  return { id, publishedAt: instantText(createdAt), note, parent, rows: tableRows(files), replacedPrices };
}
