import type { Store } from "./store.ts";

/** Bytes of all columns and indexes of prices, dictionaries and small tables apart. For the log and the benchmarks. */
export function storeBytes({ snapshot, catalogue, measures, ...columnsAndIndexes }: Store): number {
  return bytesWithin(columnsAndIndexes);
}

/** Bytes of all typed arrays in a value, however deep. */
function bytesWithin(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  // Labels and dictionaries are lists of texts: nothing to find there.
  if (typeof value !== "object" || value === null || Array.isArray(value)) return 0;
  return Object.values(value).reduce((sum, part) => sum + bytesWithin(part), 0);
}
