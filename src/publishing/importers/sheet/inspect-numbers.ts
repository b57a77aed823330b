/** Prices of a table without a mapping → the style of their numbers. */
import type { Proposal } from "./mapping.ts";
import { hasThreeDecimals, isShortText, type NumberStyle, readPriceCell, type thousands } from "./price-cell.ts";
import type { Cell } from "./sheet-table.ts";

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
  return { value: style, notes: [...ambiguousNotes(texts, style), ...refusedNotes(texts, style)] };
}

/** Shows how the first number is read whose separator may be either. */
function ambiguousNotes(texts: readonly string[], style: NumberStyle): string[] {
  for (const text of texts.filter((text) => ambiguousNumber.test(text))) {
    const read = readPriceCell(text, style);
    if ("price" in read) return [`the price ${JSON.stringify(text)} is read as ${read.price}`];
  }
  return [];
}

function refusedNotes(texts: readonly string[], style: NumberStyle): string[] {
  const refused = texts.find((text) => hasThreeDecimals(text.replace(/^\D+|\D+$/g, ""), style));
  if (refused === undefined) return [];
  const found = `the price ${JSON.stringify(refused)} may have thousands or three decimals`;
  const thousands = 'with another "decimal" and "thousands" it has thousands';
  return [`${found}, and an import refuses it: ${thousands}, with "three_decimals": true decimals`];
}
