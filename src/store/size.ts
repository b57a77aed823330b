import type { Store } from "./store.ts";

/** Bytes of all columns and indexes, dictionaries and records of small tables apart. For the log and the benchmarks. */
export function storeBytes(store: Store): number {
  return bytesWithin(store);
}

/** Bytes of all typed arrays in a value, however deep. */
function bytesWithin(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  // Lists are of texts and records: nothing to find there.
  if (typeof value !== "object" || value === null || Array.isArray(value)) return 0;
  return Object.values(value).reduce((sum, part) => sum + bytesWithin(part), 0);
}
