/** The short objects by which resources refer to one another. */
import type { CountyId } from "../../domain/ids.ts";
import { countyRecord, type MarketCode, type ProductCode, recordAt } from "../../store/catalogue.ts";
import type { Store } from "../../store/store.ts";

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
export function referToCounty({ catalogue }: Store, id: CountyId): CountyReference {
  return { id, name: countyRecord(catalogue, id).name };
}
