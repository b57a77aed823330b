/** The short objects by which resources refer to one another. */
import type { CountyId } from "../domain/ids.ts";
import type { CountyRecord } from "../domain/records.ts";
import type { MarketCode, ProductCode } from "../store/codes.ts";
import type { Store } from "../store/store.ts";

export interface UuidReference {
  readonly uuid: string;
  readonly name: string;
}

export interface CountyReference {
  readonly id: number;
  readonly name: string;
}

/** `{ uuid, name }` of a product. */
export function referToProduct({ catalogue }: Store, code: ProductCode): UuidReference {
  const { uuid, name } = recordAt(catalogue.products, code);
  return { uuid, name };
}

/** `{ uuid, name }` of a market. */
export function referToMarket({ catalogue }: Store, code: MarketCode): UuidReference {
  const { uuid, name } = recordAt(catalogue.markets, code);
  return { uuid, name };
}

/** `{ id, name }` of a county. */
export function referToCounty(store: Store, id: CountyId): CountyReference {
  return { id, name: countyRecord(store, id).name };
}

/** The county that a market of this store lies in. */
export function countyRecord({ catalogue }: Store, id: CountyId): CountyRecord {
  const county = catalogue.counties.get(id);
  if (county === undefined) throw new RangeError(`county ${id} is not in the catalogue`);
  return county;
}

/** The record a code stands for. */
export function recordAt<Entry>(entries: readonly { readonly record: Entry }[], code: number): Entry {
  const entry = entries[code];
  if (entry === undefined)
    throw new RangeError(`code ${code} is outside the table, expected 0 to ${entries.length - 1}`);
  return entry.record;
}
