import type { Store } from "./store.ts";

/** Bytes of all columns and indexes of prices, dictionaries and small tables apart. For the log and the benchmarks. */
export function storeBytes(store: Store): number {
  const columns = Object.values(store.prices).filter((column) => ArrayBuffer.isView(column));
  const indexes = [
    store.rowByUuid.slots,
    store.rowsByTime,
    store.rowsByMarket.offsets,
    store.rowsByMarket.rows,
    store.rowsByCounty.offsets,
    store.rowsByCounty.rows,
  ];
  return [...columns, ...indexes].reduce((sum, { byteLength }) => sum + byteLength, 0);
}
