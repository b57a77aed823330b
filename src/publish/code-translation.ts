/** The same product, market or text has another code in another store. This turns codes of one into codes of the other. */
import { missingCode } from "../domain/shared-columns.ts";
import type { CodeColumn } from "../store/price-columns.ts";
import type { Store } from "../store/store.ts";

/** Stands for what the other store does not have. Equal to no code and to no `missingCode`. */
export const absent = -1;

/** Code in the second store by code in the first; `absent` where it has none. */
export type CodeTranslation = Int32Array;

/** From the products and markets of one store to those of another, by uuid. */
export function translatePlaces(
  { catalogue: from }: Store,
  { catalogue: to }: Store,
): { readonly products: CodeTranslation; readonly markets: CodeTranslation } {
  return {
    products: Int32Array.from(from.products, ({ record }) => to.productCodes.get(record.uuid) ?? absent),
    markets: Int32Array.from(from.markets, ({ record }) => to.marketCodes.get(record.uuid) ?? absent),
  };
}

/** From one dictionary to another, by text. */
export function translateTexts(from: readonly string[], to: readonly string[]): CodeTranslation {
  const codes = new Map(to.map((text, code) => [text, code]));
  return Int32Array.from(from, (text) => codes.get(text) ?? absent);
}

/** From one column of texts that may be missing to another: `missingCode` becomes `missingCode`. */
export function translateColumn(
  column: CodeColumn,
  texts: readonly string[],
  otherColumn: CodeColumn,
  otherTexts: readonly string[],
): (code: number) => number {
  const translation = translateTexts(texts, otherTexts);
  const missing = missingCode(column);
  const otherMissing = missingCode(otherColumn);
  return (code) => (code === missing ? otherMissing : (translation[code] as number));
}
