/** How answers name a product, market or county of which they are not about. */
import type { CountyId } from "../../../domain/ids.ts";
import { countyRecord, recordAt } from "../../../store/catalogue.ts";
import type { Store } from "../../../store/store.ts";

/** A product as other answers name it. */
export function productReference({ catalogue }: Store, code: number): object {
  const { uuid, name } = recordAt(catalogue.products, code);
  return { uuid, name };
}

/** A market as other answers name it. */
export function marketReference({ catalogue }: Store, code: number): object {
  const { uuid, name } = recordAt(catalogue.markets, code);
  return { uuid, name };
}

/** A county as other answers name it. */
export function countyReference({ catalogue }: Store, id: CountyId): object {
  return { id, name: countyRecord(catalogue, id).name };
}
