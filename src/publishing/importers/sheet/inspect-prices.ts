/** Prices of a table without a mapping → the style of their numbers, and the currency of all rows. */
import type { Cell } from "./cells.ts";
import type { Proposal } from "./mapping.ts";
import { type NumberStyle, readPriceCell, splitUnitCell } from "./price-cell.ts";
import { agreedCurrency, type CurrencyStatement } from "./stated-currency.ts";

/**
 * Proposes the currency of a table without a column for it. Prices of another one must say it themselves.
 *
 * @param ofTable See `statementsOfTable`.
 * @param amounts The cells of prices, beside those of their units.
 */
export function proposeCurrency(
  ofTable: readonly CurrencyStatement[],
  amounts: readonly Cell[],
  units: readonly Cell[],
  style: NumberStyle,
): Proposal<string | undefined> {
  const ofPrices = amounts.flatMap((amount, at) => {
    const read = readPriceCell(amount, style);
    const { mark } = splitUnitCell(units[at] ?? null);
    return "found" in read ? [] : [...read.currencies, ...(mark === null ? [] : [mark])];
  });
  const stated = ofTable.length > 0 ? ofTable : ofPrices.map((mark) => ({ ...mark, place: "prices" }));
  const [first] = stated;
  if (first === undefined) return { value: "KES", notes: ["no column has the currency: all prices count as KES"] };
  const agreed = agreedCurrency(stated);
  if (typeof agreed !== "string")
    return { value: undefined, notes: [`found ${agreed.found}, expected ${agreed.wanted}`] };
  if (ofTable.length === 0 && agreed !== "KES") return { value: undefined, notes: [] };
  return { value: agreed, notes: [`all prices count as ${agreed}: ${JSON.stringify(first.sign)} in ${first.place}`] };
}
