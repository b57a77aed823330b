/**
 * Identifiers that never change for one and the same fact: UUID version 5 (RFC 9562) of the export's own ids. A second
 * import of the same facts, or an import of a newer export, gives each of them the identifier it had.
 */
import { v5 } from "uuid";
import type { Uuid } from "../../domain/ids.ts";

/** The namespace of all identifiers of this importer, drawn once at random. Changing it changes every identifier. */
export const wfpNamespace = "f1753677-173c-48d3-9c26-a654494a0338";

/** Of a commodity: its id in the export. */
export function productUuid(commodityId: number): Uuid {
  return v5(`product ${commodityId}`, wfpNamespace) as Uuid;
}

/** Of a market: the id of the place in the export and the price type, because a place has one record for each. */
export function marketUuid(marketId: number, priceType: string): Uuid {
  return v5(`market ${marketId} ${priceType}`, wfpNamespace) as Uuid;
}

/** Of a price: its key. */
export function priceUuid(key: string): Uuid {
  return v5(`price ${key}`, wfpNamespace) as Uuid;
}

/**
 * What makes a price of the export the same price again.
 *
 * @param day `YYYY-MM-DD`
 * @param wfpUnit The unit as the export writes it, not our name for it, so that a better name changes no identifier.
 */
export function priceKey(
  day: string,
  marketId: number,
  commodityId: number,
  wfpUnit: string,
  priceType: string,
): string {
  return `${day} ${marketId} ${commodityId} ${priceType} ${wfpUnit}`;
}
