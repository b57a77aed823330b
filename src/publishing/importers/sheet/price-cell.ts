/** A cell → a price. */

import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import { priceMax } from "../../../engine/model/records.ts";
import type { Fault } from "../../../engine/snapshots/problem.ts";
import { type Cell, foundInCell, isMerged, type ShownNumber } from "./cells.ts";
import { type CurrencyMark, type DeclaredCurrencies, readCurrency } from "./currency.ts";

export const decimals = [".", ","] as const;
export const thousands = ["", ",", ".", " ", "'"] as const;

/** All pairs of signs; a mapping takes those of two different ones. */
const styles = thousands.flatMap((thousands) => decimals.map((decimal) => ({ decimal, thousands })));

/** A style of numbers. A space as `thousands` stands for any kind of space, no-break ones too. */
export interface NumberStyle {
  readonly decimal: (typeof decimals)[number];
  /** Between groups of three digits; a number may also be written without. */
  readonly thousands: (typeof thousands)[number];
  /** True if three digits behind the decimal sign are meant. Otherwise they may be thousands in another style. */
  readonly three_decimals?: boolean;
}

/** `60/kg`, `1,200 per 90 kg bag`; but not `1,200/=`, and not two prices (`100/120`). */
const priceWithUnit = /^(.*\d.*?)\s*(?:\/|\bper\b)\s*((?=.*\p{L})[\p{L}\d].*)$/iu;

/** Longest text that can be a price. Expressions for prices take time with the square of the length. */
const priceCharactersMax = 200;

/** Returns whether a cell has a text that can be a price by its length. */
function isShortText(cell: Cell): cell is string {
  return typeof cell === "string" && cell.length <= priceCharactersMax;
}

/** The unit in what a number format shows behind a price. */
const unitBehind = /^(.*?)(?:\/(?![=-])|\bper\b)\s*((?=.*\p{L})[\p{L}\d].*)$/iu;

/** Separates a price from a unit in the same cell. `unit` is null where there is none. */
export function splitPriceCell(cell: Cell): { readonly amount: Cell; readonly unit: string | null } {
  if (isShownNumber(cell)) {
    const [, after = cell.after, unit = null] = unitBehind.exec(cell.after) ?? [];
    return { amount: { ...cell, after: after.trim() }, unit };
  }
  const [, amount, unit] = (isShortText(cell) ? priceWithUnit.exec(cell) : null) ?? [];
  return amount === undefined || unit === undefined ? { amount: cell, unit: null } : { amount, unit };
}

/** A unit with the currency of its prices before it: `KES/kg`, `Ksh per 90 kg bag`. */
const unitWithCurrency = /^([^\d/]{1,40}?)\s*(?:\/|\bper\b)\s*((?=.*\p{L})[\p{L}\d].*)$/iu;

/** Separates a unit from the currency before it in the same cell. `mark` is null where there is none. */
export function splitUnitCell(
  cell: Cell,
  declared: DeclaredCurrencies = {},
): { readonly unit: Cell; readonly mark: CurrencyMark | null } {
  const [, before, unit] = (isShortText(cell) ? unitWithCurrency.exec(cell) : null) ?? [];
  const mark = before === undefined ? undefined : readCurrency(before, declared);
  return unit === undefined || mark === undefined ? { unit: cell, mark: null } : { unit, mark };
}

function isShownNumber(cell: Cell): cell is ShownNumber {
  return typeof cell === "object" && cell !== null && "number" in cell;
}

/** A price, and what its cell says of the currency (`KSh 1,200`, `1,200 UGX`, `1,200/=`). */
export interface PriceInCell {
  readonly price: number;
  readonly currencies: readonly CurrencyMark[];
}

/**
 * Reads the price in a cell.
 *
 * @param declared Signs of currencies that the mapping declares.
 * @returns The fault otherwise. A price in merged cells is refused: its rows are not known.
 */
export function readPriceCell(cell: Cell, style: NumberStyle, declared: DeclaredCurrencies = {}): PriceInCell | Fault {
  if (isMerged(cell)) {
    return { kind: "value", found: "merged with the cell above it", wanted: "a cell of its own with a price" };
  }
  const { number, before, after } = partsOf(cell);
  const price = typeof number === "string" ? readNumber(number, style) : number;
  const isReadIn = (other: NumberStyle): boolean =>
    typeof number === "string" && price === undefined && readNumber(number, other) !== undefined;
  if (isReadIn({ ...style, three_decimals: true })) {
    const reason = `three digits behind the decimal sign ${JSON.stringify(style.decimal)} may be thousands`;
    const wanted = `another form: ${reason}, unless "three_decimals" in the mapping is true`;
    return { kind: "value", found: foundInCell(cell), wanted };
  }
  const currencies = [...marksIn(before, declared), ...marksIn(after, declared)];
  const isRead = currencies.every((mark) => mark !== undefined);
  if (!isRead || price === undefined || !(price > 0 && price <= priceMax)) {
    const other = styles.find((style) => style.decimal !== style.thousands && isReadIn(style));
    const advice = other === undefined ? "" : `; for numbers such as this ${styleText(other)}`;
    const wanted = `a number above 0, at most ${priceMax.toLocaleString("en-US")} ${styleText(style)}`;
    return { kind: "value", found: foundInCell(cell), wanted: `${wanted}, perhaps with a currency${advice}` };
  }
  return { price, currencies };
}

/** The number of a cell, as it is written, and the texts around it. */
function partsOf(cell: Cell): { readonly number: string | number | undefined; before: string; after: string } {
  if (isShownNumber(cell)) return cell;
  if (typeof cell === "number") return { number: cell, before: "", after: "" };
  const [, before = "", number, after = ""] = (isShortText(cell) ? aroundNumber.exec(cell) : null) ?? [];
  return { number, before, after };
}

/** A number from its first digit, or the sign before it, to its last digit, and what stands before and behind it. */
const aroundNumber = /^([^\d]*?)\s*((?:(?<!\S)[-+])?\d(?:.*\d)?)\s*([^\d]*)$/s;

/** The currencies that a text beside a number names; undefined for any other part. Shillings have `/=` as well. */
function marksIn(text: string, declared: DeclaredCurrencies): (CurrencyMark | undefined)[] {
  const parts = text.split(/(?<=^\s*\/[=-])|(?=\/[=-]\s*$)/);
  return parts.filter((part) => part.trim() !== "").map((part) => readCurrency(part, declared));
}

/**
 * Reads a number with digits in this style and no sign but a minus.
 *
 * @returns Undefined for any other text: groups of another size, a first group with a 0 in front (`0,125`), and three
 * digits behind the decimal sign where the style does not mean them.
 */
export function readNumber(text: string, style: NumberStyle): number | undefined {
  const match = expressionOf(style).exec(text.replace(/\p{Zs}/gu, " ").replaceAll("’", "'"));
  if (match === null) return undefined;
  const [, sign = "", whole = "", fraction = "0"] = match;
  return Number(`${sign}${whole.replace(/\D/g, "")}.${fraction}`);
}

const expressions = new Map<string, RegExp>();

function expressionOf({ decimal, thousands, three_decimals: mayHaveThree = false }: NumberStyle): RegExp {
  return getOrInsert(expressions, `${decimal}${thousands}${mayHaveThree}`, () => {
    const grouped = thousands === "" ? "" : `[1-9]\\d{0,2}(?:[${thousands}]\\d{3})+|`;
    const fraction = mayHaveThree ? "\\d+" : "(?!\\d{3}$)\\d+";
    return new RegExp(`^(-?)(${grouped}\\d+)(?:[${decimal}](${fraction}))?$`);
  });
}

/** `("decimal": ".", "thousands": "," in the mapping)` */
function styleText({ decimal, thousands }: NumberStyle): string {
  return `("decimal": ${JSON.stringify(decimal)}, "thousands": ${JSON.stringify(thousands)} in the mapping)`;
}
