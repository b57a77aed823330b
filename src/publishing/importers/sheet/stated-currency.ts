/** The currency of a price, from all that a table and its mapping say of it, which must agree. */
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
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
  const examples = codes.slice(0, 3).join(", ");
  const wanted = `"values.currency" or "currencies": { ${quoted}: … } in the mapping to say which currency it is`;
  return {
    kind: "value",
    found: `${quoted} in ${place}, which can be ${examples}${codes.length > 3 ? ", …" : ""}`,
    wanted,
  };
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

  /** @param ofTable Those of the table, see `currenciesOf`. */
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
    const read = getOrInsert(this.#known, key, () => this.#agreed(cell, marks));
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
