import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { readCurrent, withSnapshotOrParent } from "../../src/engine/snapshots/current-snapshot.ts";
import { loadManifestDataset } from "../../src/engine/snapshots/load-dataset.ts";
import { snapshotPath } from "../../src/engine/snapshots/snapshot-layout.ts";
import { pointTo } from "../../test/support/watch-swaps.ts";
import { readCount } from "../read-count.ts";
import { writeNamedSample } from "../swap/time-look-ups.ts";

/** The name of the snapshot that the project ships with, in place of a number of prices. */
export const bundledName = "bundled";

const seed = 1;

/**
 * The dataset directory of a size: the bundled one, or one of generated prices.
 *
 * @param folder Where generated prices are written.
 * @param prices `bundled`, or a number such as `1m`.
 */
export async function dataDirectoryOf(folder: string, prices: string): Promise<string> {
  if (prices === bundledName) return join(import.meta.dirname, "../../data");
  const directory = join(folder, `data-${readCount(prices)}-${seed}`);
  if (!existsSync(join(directory, "CURRENT"))) {
    await pointTo(directory, await writeNamedSample(directory, readCount(prices), seed));
  }
  return directory;
}

/** The records of the current snapshot of a folder. */
export async function loadServedDataset(dataDirectory: string): Promise<Dataset> {
  return await withSnapshotOrParent(
    dataDirectory,
    await readCurrent(dataDirectory),
    { onFallback: () => undefined },
    (manifest) => loadManifestDataset(snapshotPath(dataDirectory, manifest.id), manifest),
  );
}
