import type { PriceTable } from "../domain/dataset.ts";
import { sharedPriceRows } from "../domain/price-columns.ts";

/** The texts that codes in price columns stand for. */
export type PriceTexts = Pick<PriceTable, "unitNames" | "currencyCodes" | "sourceNames" | "gradeNames" | "noteTexts">;

/** Columns for a run of prices, to be written to: all columns of a whole table, or a batch that is filled again and again. */
export type PriceBlock = Omit<PriceTable, keyof PriceTexts>;

/** @returns Columns of zeros for `rowCount` prices. */
export function createPriceBlock(rowCount: number): PriceBlock {
  return { rowCount, ...sharedPriceRows(rowCount) };
}
