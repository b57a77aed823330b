import type { Dataset, SnapshotIdentity } from "../domain/dataset.ts";
import type { Uuid } from "../domain/ids.ts";
import { sharedUint32 } from "../domain/shared-columns.ts";
import { extendStoreOnThreads } from "../store/extend-store.ts";
import type { Store } from "../store/store.ts";

/**
 * The store of a snapshot that adds a day's prices to its parent. It equals a store built from all records, without reading
 * those of the parent again.
 *
 * @param day The small tables of the parent, and the prices to add; a uuid that the parent has replaces its row.
 */
export async function storeAfterAppend(
  parent: Store,
  day: Omit<Dataset, "snapshot">,
  snapshot: SnapshotIdentity,
): Promise<Store> {
  const { catalogue } = parent;
  const prices = {
    ...day.prices,
    products: codesOf(day.prices.products, day.products, catalogue.productCodes),
    markets: codesOf(day.prices.markets, day.markets, catalogue.marketCodes),
  };
  return await extendStoreOnThreads(parent, { snapshot, prices });
}

/** Remaps positions in the file of the records to codes of the store. */
function codesOf(
  positions: Uint32Array,
  records: readonly { readonly uuid: Uuid }[],
  codes: ReadonlyMap<Uuid, number>,
): Uint32Array<SharedArrayBuffer> {
  // The store was built from these records, so each has a code.
  const codeOf = Uint32Array.from(records, ({ uuid }) => codes.get(uuid) as number);
  const column = sharedUint32(positions.length);
  positions.forEach((position, row) => {
    column[row] = codeOf[position] as number;
  });
  return column;
}
