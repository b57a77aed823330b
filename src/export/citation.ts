import type { SnapshotIdentity } from "../domain/dataset.ts";
import { instantText } from "../domain/instant.ts";

/** The line under which others cite a snapshot, with the lines of its sources. */
export function citationOf({ id, createdAt, attribution }: SnapshotIdentity): string {
  const published = instantText(createdAt).slice(0, 10);
  const title = `Kenyan farm produce prices, snapshot ${id}, published ${published}.`;
  return attribution.length === 0 ? title : `${title} Sources: ${attribution.join("; ")}.`;
}
