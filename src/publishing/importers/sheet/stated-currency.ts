/** The currency of a price, from all that a table and its mapping say of it, which must agree. */
import type { Fault } from "../../../engine/snapshots/problem.ts";
import { type CurrencyMark, readCurrency } from "./currency.ts";
import { fieldName } from "./header-rows.ts";
import type { Mapping } from "./mapping.ts";

/** A mark, and where it stands, ready to follow "in". */
export interface CurrencyStatement extends CurrencyMark {
  readonly place: string;
}

/**
 * The one currency on which all statements agree. A sign of several currencies agrees with each of them; shillings
 * alone are Kenyan ones.
 *
 * @returns The fault otherwise.
 */
export function agreedCurrency(statements: readonly CurrencyStatement[]): string | Omit<Fault, "field"> {
  const [first, ...others] = statements;
  if (first === undefined) {
    const wanted = 'a currency in the price, in its heading, or for all rows in "values.currency" of the mapping';
    return { kind: "value", found: "no currency", wanted };
  }
  let codes = first.codes;
  for (const other of others) {
    const common = codes.filter((code) => other.codes.includes(code));
    if (common.length === 0) {
      const found = new Set(statements.toReversed().map(({ sign, place }) => `${JSON.stringify(sign)} in ${place}`));
      return { kind: "value", found: [...found].join(", but "), wanted: "the same currency everywhere" };
    }
    codes = common;
  }
  const [code] = codes as readonly [string, ...string[]];
  if (codes.length === 1 || (code === "KES" && codes.includes("UGX"))) return code;
  const { sign, place } = first;
  const quoted = JSON.stringify(sign);
  const wanted = `"values.currency" or "currencies": { ${quoted}: … } in the mapping to say which currency it is`;
  return { kind: "value", found: `${quoted} in ${place}, which can be ${codes.join(", ")}`, wanted };
}

/** What the own cell of the currency, or "values.currency", states. @returns The fault otherwise. */
export function statedCurrency(
  cell: string,
  mapping: Pick<Mapping, "columns" | "currencies">,
): CurrencyStatement[] | Omit<Fault, "field"> {
  const own = readCurrency(cell, mapping.currencies);
  if (own !== undefined) return [{ ...own, place: JSON.stringify(fieldName(mapping, "currency")) }];
  const wanted = 'a code of ISO 4217, such as KES, a usual sign, or one declared in "currencies" of the mapping';
  return { kind: "value", found: JSON.stringify(cell), wanted };
}
