/** A product at a type of market as one number, by which both are counted and sorted: by product, then by type. */
import { type MarketType, marketTypes } from "../model/vocabulary.ts";

/** @param marketTypeCode The position of the type among `marketTypes`. */
export function productAtType(product: number, marketTypeCode: number): number {
  return product * marketTypes.length + marketTypeCode;
}

/** The product and the type of market that such a number is of. */
export function splitProductAtType(number: number): { readonly product: number; readonly marketType: MarketType } {
  const marketTypeCode = number % marketTypes.length;
  return { product: (number - marketTypeCode) / marketTypes.length, marketType: marketTypes[marketTypeCode]! };
}
