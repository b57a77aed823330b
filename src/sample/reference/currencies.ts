/** The money of Kenya and of the traders from over its borders. Kenya's comes first. */
export const currencies = ["KES", "UGX", "TZS", "USD"] as const;
export type Currency = (typeof currencies)[number];

/** How much of each a Kenya shilling buys; fixed, for rates are not what a sample is about. */
const ratesOfShilling: readonly number[] = [1, 28.6, 19.8, 0.0077];

/**
 * So much money for an amount of Kenya's.
 *
 * @param currency Position in `currencies`.
 */
export function inCurrency(amount: number, currency: number): number {
  return amount * (ratesOfShilling[currency] as number);
}
