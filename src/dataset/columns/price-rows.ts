import { noNotes, noQualityGrade, notesDictionarySizeMax, shortDictionarySizeMax } from "../../domain/dataset.ts";
import { sharedFloat64, sharedUint16, sharedUint32 } from "../../domain/shared-columns.ts";
import { wordsPerUuid } from "../../domain/uuid-words.ts";

/** The fields whose texts become codes. */
export type CodedField = "products" | "markets" | "units" | "currencies" | "sources" | "grades" | "notes";

/** How many texts the column of each can tell apart. */
export const codesMax: Readonly<Record<CodedField, number>> = {
  products: notesDictionarySizeMax,
  markets: notesDictionarySizeMax,
  units: shortDictionarySizeMax,
  currencies: shortDictionarySizeMax,
  sources: shortDictionarySizeMax,
  grades: shortDictionarySizeMax,
  notes: notesDictionarySizeMax,
};

export const codedFields: readonly CodedField[] = Object.keys(codesMax) as CodedField[];

/** Code of a field that is not there. */
export const codeOfNothing: { readonly grades: number; readonly notes: number } = {
  grades: noQualityGrade,
  notes: noNotes,
};

/** The price columns while they are filled: as those of `PriceTable`, but of products and markets codes of their uuids. */
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

/** Columns of a whole table, in memory that all threads see. */
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
