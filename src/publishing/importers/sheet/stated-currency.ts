/** The currency of a price, from all that a table and its mapping say of it, which must agree. */
import type { Fault } from "../../../engine/snapshots/problem.ts";
import {
  type CurrencyMark,
  currenciesInHeading,
  currenciesInTitle,
  type DeclaredCurrencies,
  readCurrency,
} from "./currency.ts";
import { fieldName } from "./header-rows.ts";
import type { Mapping } from "./mapping.ts";
import type { Table } from "./sheet-table.ts";

/** A mark, and where it stands, ready to follow "in". */
export interface CurrencyStatement extends CurrencyMark {
  readonly place: string;
  readonly isHeading?: true;
}

type MappedCurrency = Pick<Mapping, "header_row" | "currencies">;

/** Texts of rows of few cells are titles. */
const titleCellsMax = 6;

/**
 * The statements of a table about all its prices: in the name of its sheet, in titles above the headings and in the
 * heading of the prices. A title that names several currencies states none of them.
 *
 * @param priceHeading Undefined where the prices have none.
 */
export function statementsOfTable(
  table: Table,
  { header_row, currencies }: MappedCurrency,
  priceHeading: string | undefined,
): readonly CurrencyStatement[] {
  const statements: CurrencyStatement[] = [];
  const addTitle = (text: string, place: string): void => {
    const [mark, ...others] = currenciesInTitle(text, currencies);
    if (mark !== undefined && others.every(({ codes }) => String(codes) === String(mark.codes))) {
      statements.push({ ...mark, place: `${place} ${JSON.stringify(text)}` });
    }
  };
  if (table.sheet !== null) addTitle(table.sheet, "the sheet");
  for (const { line, cells } of table.rows) {
    if (line >= header_row) break;
    const texts = cells.filter((cell) => typeof cell === "string");
    if (texts.length > 0 && texts.length <= titleCellsMax) addTitle(texts.join(" "), `row ${line}`);
  }
  if (priceHeading !== undefined) {
    const place = `the heading ${JSON.stringify(priceHeading)}`;
    statements.push(
      ...currenciesInHeading(priceHeading, currencies).map((mark) => ({ ...mark, place, isHeading: true as const })),
    );
  }
  return statements;
}

/** A text below the headings that is about prices. */
const aboutPrices = /\b(?:prices?|bei|currency|figures|values|amounts)\b/i;

/** The one currency that a text below the headings states of prices: `All prices in UGX`. Undefined for any other. */
export function currencyOfNote(text: string, currencies: DeclaredCurrencies): CurrencyMark | undefined {
  const marks = aboutPrices.test(text) ? currenciesInTitle(text, currencies) : [];
  return marks.length === 1 ? marks[0] : undefined;
}

/**
 * The one currency on which all statements agree. A sign of several currencies agrees with each of them; shillings
 * alone are Kenyan ones.
 *
 * @param statements At least one.
 * @returns The fault otherwise.
 */
export function agreedCurrency(statements: readonly CurrencyStatement[]): string | Omit<Fault, "field"> {
  const [first, ...others] = statements as readonly [CurrencyStatement, ...CurrencyStatement[]];
  let codes = first.codes;
  for (const other of others) {
    const common = codes.filter((code) => other.codes.includes(code));
    if (common.length === 0) return contradiction(statements, other);
    codes = common;
  }
  const [code] = codes as readonly [string, ...string[]];
  if (codes.length === 1 || (code === "KES" && codes.includes("UGX"))) return code;
  const { sign, place } = first;
  const quoted = JSON.stringify(sign);
  const examples = codes.toSorted(byCustom).slice(0, 3).join(", ");
  const wanted = `"values.currency" or "currencies": { ${quoted}: … } in the mapping to say which currency it is`;
  return {
    kind: "value",
    found: `${quoted} in ${place}, which can be ${examples}${codes.length > 3 ? ", …" : ""}`,
    wanted,
  };
}

/** The currencies that a sign means most often, first. */
const customOrder = ["USD", "GBP", "JPY", "CNY", "INR", "ETB", "RWF", "BIF", "CDF"];

function byCustom(a: string, b: string): number {
  const [left, right] = [a, b].map((code) => customOrder.indexOf(code) >>> 0);
  return (left ?? 0) - (right ?? 0);
}

function contradiction(statements: readonly CurrencyStatement[], other: CurrencyStatement): Omit<Fault, "field"> {
  const against = statements.find(({ codes }) => !codes.some((code) => other.codes.includes(code))) ?? statements[0];
  const textOf = ({ sign, place }: CurrencyStatement): string => `${JSON.stringify(sign)} in ${place}`;
  const found = [other, ...(against === undefined ? [] : [against])].map(textOf).join(", but ");
  return { kind: "value", found, wanted: "the same currency everywhere" };
}

/** A mark in a cell of a row; that of the price where no place is given. */
type RowMark = CurrencyMark & { readonly place?: string };

/** Reads the currency of each row of one table. */
export class CurrencyReader {
  readonly #ofTable: readonly CurrencyStatement[];
  readonly #mapping: Pick<Mapping, "columns" | "currencies">;
  /** Results by the texts of statements: tables have few kinds of them and many rows. */
  readonly #known = new Map<string, ReturnType<typeof agreedCurrency>>();

  /** @param ofTable See `statementsOfTable`. */
  constructor(ofTable: readonly CurrencyStatement[], mapping: Pick<Mapping, "columns" | "currencies">) {
    this.#ofTable = ofTable;
    this.#mapping = mapping;
  }

  /**
   * @param cell The text of the currency's own cell, or of "values.currency"; undefined where there is neither.
   * @param marks The currencies that the cell of the price names, and with a place those of other cells of the row.
   * @returns The code, or the fault.
   */
  read(cell: string | undefined, marks: readonly RowMark[]): string | Fault {
    const key = JSON.stringify([cell, ...marks.map(({ sign, place }) => [sign, place])]);
    const read = this.#known.getOrInsertComputed(key, () => this.#agreed(cell, marks));
    if (typeof read === "string") return read;
    return { ...read, field: fieldName(this.#mapping, marks.length === 0 ? "currency" : "price") };
  }

  #agreed(cell: string | undefined, marks: readonly RowMark[]): ReturnType<typeof agreedCurrency> {
    const own = cell === undefined ? undefined : readCurrency(cell, this.#mapping.currencies);
    if (cell !== undefined && own === undefined) {
      const wanted = 'a code of ISO 4217, such as KES, a usual sign, or one declared in "currencies" of the mapping';
      return { kind: "value", found: JSON.stringify(cell), wanted };
    }
    const place = JSON.stringify(fieldName(this.#mapping, "currency"));
    const statements = [
      ...marks.map((mark) => ({ ...mark, place: mark.place ?? "the cell" })),
      ...this.#ofTable,
      ...(own === undefined ? [] : [{ ...own, place }]),
    ];
    if (statements.length > 0) return agreedCurrency(statements);
    const wanted = 'a currency in the price, in its heading, or for all rows in "values.currency" of the mapping';
    return { kind: "value", found: "no currency", wanted };
  }
}
