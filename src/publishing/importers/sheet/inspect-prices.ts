/** Prices of a table without a mapping → the style of their numbers, and the currency of all rows. */
import type { Cell } from "./cells.ts";
import type { CurrencyMark } from "./currency.ts";
import type { Proposal } from "./mapping.ts";
import { isShortText, type NumberStyle, readPriceCell, splitUnitCell, type thousands } from "./price-cell.ts";
import { agreedCurrency, type CurrencyStatement } from "./stated-currency.ts";

/** A number whose one separator may be either, prefix and suffix aside. */
const ambiguousNumber = /^\D*\d{1,3}[.,]\d{3}\D*$/;

/**
 * Proposes the style that fits most prices; of equal ones the first. Numbers whose separator may be either do not
 * count: they would prove any style.
 *
 * @param decimals In order of preference. Spreadsheet programs separate cells by semicolons where their decimal sign is
 * a comma.
 */
export function proposeNumberStyle(
  cells: readonly Cell[],
  decimals: readonly NumberStyle["decimal"][],
): Proposal<NumberStyle> {
  const texts = cells.filter(isShortText).filter((text) => /\d/.test(text));
  const styles: NumberStyle[] = decimals.flatMap((decimal) =>
    [",", ".", " ", "'"]
      .filter((group) => group !== decimal)
      .map((group) => ({ decimal, thousands: group as (typeof thousands)[number] })),
  );
  const deciding = texts.filter((text) => !ambiguousNumber.test(text));
  const fitting = styles.map((style) => ({
    style,
    count: deciding.filter((text) => "price" in readPriceCell(text, style)).length,
  }));
  const { style } = fitting.reduce((best, next) => (next.count > best.count ? next : best));
  return { value: style, notes: ambiguousNotes(texts, style) };
}

/** Shows how the first number is read whose separator may be either. */
function ambiguousNotes(texts: readonly string[], style: NumberStyle): string[] {
  for (const text of texts.filter((text) => ambiguousNumber.test(text))) {
    const read = readPriceCell(text, style);
    if ("price" in read) return [`the price ${JSON.stringify(text)} is read as ${read.price}`];
  }
  return [];
}

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
  const stated = prices.filter((marks) => marks.length > 0);
  const [first] = ofTable;
  if (first === undefined && stated.length === 0)
    return proposal("KES", "no column has the currency: all prices count as KES");
  const ofPrices = stated.flat().map((mark) => ({ ...mark, place: "prices" }));
  const agreed = agreedCurrency(first === undefined ? ofPrices : ofTable);
  if (typeof agreed !== "string") {
    const subject = first === undefined ? "prices say their currency themselves: " : "";
    return proposal(undefined, `${subject}found ${agreed.found}, expected ${agreed.wanted}`, first !== undefined);
  }
  if (first === undefined && agreed !== "KES" && stated.length < prices.length) {
    const found = `${stated.length} of ${prices.length} prices say that they are in ${agreed}`;
    return proposal(undefined, `${found}: "values.currency" says what the others are in`);
  }
  // Headings are listed with their columns.
  const { sign, place } =
    (first === undefined ? ofPrices : ofTable).find(({ isHeading }: CurrencyStatement) => !isHeading) ?? {};
  return proposal(agreed, place && `all prices count as ${agreed}: ${JSON.stringify(sign)} in ${place}`);
}

function proposal(code: string | undefined, note: string | undefined, isMissing = false): Proposal<ProposedCurrency> {
  return { value: { code, isMissing }, notes: note === undefined ? [] : [note] };
}
