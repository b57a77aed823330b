/** Statements of a table without a mapping about the currency of its prices → the currency for all rows. */
import type { CurrencyMark } from "./currency.ts";
import type { Proposal } from "./mapping.ts";
import { type NumberStyle, readPriceCell, splitUnitCell } from "./price-cell.ts";
import type { Cell } from "./sheet-table.ts";
import { agreedCurrency, type CurrencyStatement } from "./stated-currency.ts";

/** For "values"; undefined where the table leaves it open, or prices state it themselves. */
export interface ProposedCurrency {
  readonly code: string | undefined;
  /** True if the mapping must be completed. */
  readonly isMissing: boolean;
}

/** The currencies that the cells of each readable price name. @param units The units of the same rows. */
export function currenciesOfRows(
  amounts: readonly Cell[],
  units: readonly Cell[],
  style: NumberStyle,
): readonly (readonly CurrencyMark[])[] {
  return amounts.flatMap((amount, at) => {
    const read = readPriceCell(amount, style);
    if ("found" in read) return [];
    const { mark } = splitUnitCell(units[at] ?? null);
    return [mark === null ? read.currencies : [...read.currencies, mark]];
  });
}

/**
 * Proposes the currency of a table without a column for it.
 *
 * @param ofTable See `statementsOfTable`.
 * @param prices The marks of each price.
 */
export function proposeCurrency(
  ofTable: readonly CurrencyStatement[],
  prices: readonly (readonly CurrencyMark[])[],
): Proposal<ProposedCurrency> {
  if (ofTable.length > 0) return currencyOfTable(ofTable);
  const stated = prices.filter((marks) => marks.length > 0);
  const isEach = stated.length === prices.length;
  if (stated.length === 0) return proposal("KES", "no column has the currency: all prices count as KES");
  const signs = [...new Set(stated.flatMap((marks) => marks.map(({ sign }) => JSON.stringify(sign))))].join(", ");
  const agreed = agreedCurrency(stated.flat().map((mark) => ({ ...mark, place: "prices" })));
  if (typeof agreed === "string" && (agreed === "KES" || isEach)) {
    return proposal(agreed, `all prices count as ${agreed}: ${signs} in prices`);
  }
  const rest = isEach ? "" : `, ${prices.length - stated.length} of them do not`;
  const remedy = '"currencies" says what a sign means, "values.currency" what prices without one are in';
  return proposal(undefined, `prices say their currency themselves (${signs})${rest}: ${remedy}`);
}

function currencyOfTable(ofTable: readonly CurrencyStatement[]): Proposal<ProposedCurrency> {
  const agreed = agreedCurrency(ofTable);
  if (typeof agreed !== "string") return proposal(undefined, `found ${agreed.found}, expected ${agreed.wanted}`, true);
  // Headings are listed with their columns.
  const { sign, place } = ofTable.find((statement) => !statement.isHeading) ?? {};
  return proposal(agreed, place && `all prices count as ${agreed}: ${JSON.stringify(sign)} in ${place}`);
}

function proposal(code: string | undefined, note: string | undefined, isMissing = false): Proposal<ProposedCurrency> {
  return { value: { code, isMissing }, notes: note === undefined ? [] : [note] };
}
