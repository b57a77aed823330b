/** How answers name a product, market or county of which they are not about. */
import type { CountyId } from "../../../domain/ids.ts";
import { type Catalogue, countyRecord, recordAt } from "../../../store/catalogue.ts";

/** A product as other answers name it. */
export function productReference({ products }: Catalogue, code: number): object {
  const { uuid, name } = recordAt(products, code);
  return { uuid, name };
}

/** A market as other answers name it. */
export function marketReference({ markets }: Catalogue, code: number): object {
  const { uuid, name } = recordAt(markets, code);
  return { uuid, name };
}

/** A county as other answers name it. */
export function countyReference(catalogue: Catalogue, id: CountyId): object {
  return { id, name: countyRecord(catalogue, id).name };
}
