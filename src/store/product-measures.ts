/**
 * In which unit and currency a product's statistics are answered: the same for every question about a snapshot, so it is
 * decided once, from all prices of the product.
 *
 * Unit: the first common unit of the product that any of its prices can be converted to (same base unit); otherwise the
 * unit most of its prices use (ties: first by code unit); without prices the first common unit.
 * Currency: the most frequent one (ties: first by code unit); null without prices.
 */
import { compareTexts } from "../domain/folded-text.ts";
import type { Catalogue } from "./catalogue.ts";
import type { CodeColumn } from "./code-column.ts";
import type { PriceColumns } from "./price-columns.ts";

export interface ProductMeasure {
  /** Name of a unit. */
  readonly unit: string;
  readonly currency: string | null;
}

/** @returns One measure per product code. Cost: one pass over all prices. */
export function buildProductMeasures(catalogue: Catalogue, prices: PriceColumns): ProductMeasure[] {
  return catalogue.products.map(({ record }, product) => {
    const from = prices.productOffsets[product]!;
    const to = prices.productOffsets[product + 1]!;
    const unitsUsed = countTexts(prices.units, from, to, prices.unitNames);
    const currenciesUsed = countTexts(prices.currencies, from, to, prices.currencyCodes);
    const basesUsed = new Set([...unitsUsed.keys()].map((name) => catalogue.units.get(name)?.baseUnit));
    const commonUnit = record.commonUnits.find((name) => basesUsed.has(catalogue.units.get(name)?.baseUnit));
    return {
      unit: commonUnit ?? mostFrequent(unitsUsed) ?? record.commonUnits[0]!,
      currency: mostFrequent(currenciesUsed) ?? null,
    };
  });
}

function countTexts(codes: CodeColumn, from: number, to: number, texts: readonly string[]): Map<string, number> {
  const counts = new Uint32Array(texts.length);
  for (let row = from; row < to; row++) counts[codes[row]!]!++;
  const used = new Map<string, number>();
  for (const [code, count] of counts.entries()) if (count > 0) used.set(texts[code]!, count);
  return used;
}

function mostFrequent(counts: ReadonlyMap<string, number>): string | undefined {
  return [...counts].sort(([textA, a], [textB, b]) => b - a || compareTexts(textA, textB))[0]?.[0];
}
