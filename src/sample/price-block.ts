import type { PriceTable } from "../domain/dataset.ts";
import { sharedFloat64, sharedUint16, sharedUint32 } from "../domain/shared-columns.ts";
import { wordsPerUuid } from "../domain/uuid-words.ts";

/** The texts that codes in price columns stand for. */
export type PriceTexts = Pick<PriceTable, "unitNames" | "currencyCodes" | "sourceNames" | "gradeNames" | "noteTexts">;

/** Columns for a run of prices, to be written to: all columns of a whole table, or a batch that is filled again and again. */
export type PriceBlock = Omit<PriceTable, keyof PriceTexts>;

/** @returns Columns of zeros for `rowCount` prices: 68 bytes each. */
export function createPriceBlock(rowCount: number): PriceBlock {
  return {
    rowCount,
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
