/** Finds whether the next store fits into memory beside the one that is served, known before it is read. */
import { stat } from "node:fs/promises";
import { readManifestOf } from "../../engine/snapshots/current-snapshot.ts";
import { LoadFailedError } from "../../engine/snapshots/load-failure.ts";
import { tableRows } from "../../engine/snapshots/manifest.ts";
import { compiledPath, type SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { type Store, storeBytes } from "../../engine/store/store.ts";

/** Records in memory take about as much as the store that is built from them. */
const buildFactor = 2;

/** A store of which nothing is known: bytes of a row of a sample of a million prices. */
const rowBytesUnknown = 110;

export type ProcessMemory = ReturnType<typeof processMemory>;

/**
 * The memory of this process, and the limit of its cgroup.
 *
 * @param storeBytesMax Bytes of both stores during a swap; no limit of its own when undefined.
 */
export function processMemory(storeBytesMax: number | undefined) {
  const limit = process.constrainedMemory();
  return {
    storeBytesMax,
    /** Bytes that the system allows; 0 without a limit, for which it reports more than any machine has. */
    processBytesMax: limit < Number.MAX_SAFE_INTEGER ? limit : 0,
    processBytes: () => process.memoryUsage.rss(),
  };
}

/**
 * Refuses a snapshot whose store does not fit.
 *
 * @param served The store that stays until the next one is served; undefined at a start.
 * @throws {LoadFailedError} that says how much there is and how much is needed.
 */
export async function requireMemory(
  dataDirectory: string,
  id: SnapshotId,
  served: Store | undefined,
  { storeBytesMax, processBytesMax, processBytes }: ProcessMemory,
): Promise<void> {
  const next = await bytesToLoad(dataDirectory, id, served);
  const present = served === undefined ? 0 : storeBytes(served);
  if (storeBytesMax !== undefined && present + next > storeBytesMax) {
    const taken = `of which ${mebibytes(present)} are served`;
    throw tooLarge(id, next, `MAX_STORE_MB allows ${mebibytes(storeBytesMax)}, ${taken}`);
  }
  if (processBytesMax > 0 && processBytes() + next > processBytesMax) {
    const taken = `of which the process takes ${mebibytes(processBytes())}`;
    throw tooLarge(id, next, `the system allows ${mebibytes(processBytesMax)}, ${taken}`);
  }
}

function tooLarge(id: SnapshotId, bytes: number, room: string): LoadFailedError {
  return new LoadFailedError(`snapshot ${id} needs about ${mebibytes(bytes)} of memory, ${room}`);
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MiB`;
}

/** Loading takes this memory: the bytes of the compiled store; without one, those of the records and of the store. */
async function bytesToLoad(dataDirectory: string, id: SnapshotId, served: Store | undefined): Promise<number> {
  const compiled = await stat(compiledPath(dataDirectory, id)).catch(() => undefined);
  if (compiled !== undefined) return compiled.size;
  const { files } = await readManifestOf(dataDirectory, id);
  const rowBytes =
    served === undefined || served.prices.rowCount === 0
      ? rowBytesUnknown
      : storeBytes(served) / served.prices.rowCount;
  return buildFactor * rowBytes * tableRows(files).prices;
}
