/** How answers name a product, market or county of which they are not about. */
import type { CountyId, Uuid } from "../../../engine/model/ids.ts";
import { type Catalogue, countyRecord, recordAt } from "../../../engine/store/catalogue.ts";

interface NamedRecord {
  readonly uuid: Uuid;
  readonly name: string;
}

/** A product as other answers name it. */
export function productReference({ products }: Catalogue, code: number): NamedRecord {
  const { uuid, name } = recordAt(products, code);
  return { uuid, name };
}

/** A market as other answers name it. */
export function marketReference({ markets }: Catalogue, code: number): NamedRecord {
  const { uuid, name } = recordAt(markets, code);
  return { uuid, name };
}

/** A county as other answers name it. */
export function countyReference(catalogue: Catalogue, id: CountyId): { readonly id: CountyId; readonly name: string } {
  return { id, name: countyRecord(catalogue, id).name };
}
