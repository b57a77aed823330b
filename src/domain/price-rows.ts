import { sharedFloat64, sharedUint16, sharedUint32 } from "./shared-columns.ts";
import { wordsPerUuid } from "./uuid-words.ts";

/** The columns of a price table while they are filled, without the texts that their codes stand for. */
export interface PriceRows<Memory extends ArrayBufferLike = ArrayBufferLike> {
  readonly uuids: Uint32Array<Memory>;
  readonly products: Uint32Array<Memory>;
  readonly markets: Uint32Array<Memory>;
  readonly prices: Float64Array<Memory>;
  readonly recordedAt: Float64Array<Memory>;
  readonly createdAt: Float64Array<Memory>;
  readonly updatedAt: Float64Array<Memory>;
  readonly units: Uint16Array<Memory>;
  readonly currencies: Uint16Array<Memory>;
  readonly sources: Uint16Array<Memory>;
  readonly grades: Uint16Array<Memory>;
  readonly notes: Uint32Array<Memory>;
}

/** @returns Columns of zeros for `rowCount` prices, in memory that all threads see: 68 bytes each. */
export function sharedPriceRows(rowCount: number): PriceRows<SharedArrayBuffer> {
  return {
    uuids: sharedUint32(rowCount * wordsPerUuid),
    products: sharedUint32(rowCount),
    markets: sharedUint32(rowCount),
    prices: sharedFloat64(rowCount),
    recordedAt: sharedFloat64(rowCount),
    createdAt: sharedFloat64(rowCount),
    updatedAt: sharedFloat64(rowCount),
    units: sharedUint16(rowCount),
    currencies: sharedUint16(rowCount),
    sources: sharedUint16(rowCount),
    grades: sharedUint16(rowCount),
    notes: sharedUint32(rowCount),
  };
}
