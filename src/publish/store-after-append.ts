/** The store of a snapshot that appends prices to its parent. */
import type { ManifestFile } from "../dataset/manifest.ts";
import { ProblemList } from "../dataset/problem.ts";
import { type Dataset, type SnapshotIdentity, shortDictionarySizeMax } from "../domain/dataset.ts";
import type { Uuid } from "../domain/ids.ts";
import { sharedUint32 } from "../domain/shared-columns.ts";
import { buildCatalogue } from "../store/catalogue.ts";
import { extendStoreOnThreads } from "../store/extend-store.ts";
import type { Store } from "../store/store.ts";

/**
 * The store of a snapshot that adds a day's prices to its parent. It equals a store built from all records, without
 * reading those of the parent again.
 *
 * @param day The small tables and accepted prices of the new snapshot, and the prices to add; a uuid that the parent
 *   has replaces its row.
 * @param hasNewTables Whether the small tables differ from those of the parent.
 */
export async function storeAfterAppend(
  parent: Store,
  day: Omit<Dataset, "snapshot">,
  snapshot: SnapshotIdentity,
  hasNewTables: boolean,
): Promise<Store> {
  const catalogue = hasNewTables ? buildCatalogue(day) : parent.catalogue;
  const prices = {
    ...day.prices,
    products: codesOf(day.prices.products, day.products, catalogue.productCodes),
    markets: codesOf(day.prices.markets, day.markets, catalogue.marketCodes),
  };
  return await extendStoreOnThreads(parent, { snapshot, catalogue, prices, accepted: day.accepted });
}

/** Remaps positions in the list of records to codes of the catalogue. */
function codesOf(
  positions: Uint32Array,
  records: readonly { readonly uuid: Uuid }[],
  codes: ReadonlyMap<Uuid, number>,
): Uint32Array<SharedArrayBuffer> {
  // The catalogue was made from these records, so each has a code.
  const codeOf = Uint32Array.from(records, ({ uuid }) => codes.get(uuid) as number);
  const column = sharedUint32(positions.length);
  positions.forEach((position, row) => {
    column[row] = codeOf[position] as number;
  });
  return column;
}

/**
 * Applies to old and new prices together what reading them all from their files would refuse.
 *
 * @throws {DatasetError} when a field has more different texts than a snapshot may have.
 */
export function refuseTooManyTexts({ prices }: Store, added: readonly ManifestFile[]): void {
  const problems = new ProblemList();
  const file = added.flatMap(({ kind, name }) => (kind === "prices" ? name : [])).join(", ");
  const { unitNames, currencyCodes, sourceNames, gradeNames } = prices;
  const texts = { unit: unitNames, currency: currencyCodes, source: sourceNames, quality_grade: gradeNames };
  for (const [field, { length }] of Object.entries(texts)) {
    if (length <= shortDictionarySizeMax) continue;
    const found = `${length} different ones, with those of the current snapshot`;
    problems.add({ file, kind: "value", field, found, wanted: `at most ${shortDictionarySizeMax}` });
  }
  problems.throwIfAny("the files to append");
}
