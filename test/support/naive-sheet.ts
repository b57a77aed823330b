/** Twin of the import of tables: row by row, cell by cell, with a read of every record for every name. */
import { v5 } from "uuid";
import type { Mapping } from "../../src/publishing/importers/sheet/mapping.ts";
import { sheetNamespace } from "../../src/publishing/importers/sheet/price-identity.ts";

/** A record that names can stand for. */
export interface NaiveRecord {
  readonly uuid: string;
  readonly name: string;
  readonly alternative_names?: readonly string[];
  readonly county?: string;
  readonly type?: string;
}

export interface NaiveTables {
  readonly products: readonly NaiveRecord[];
  readonly markets: readonly NaiveRecord[];
  readonly units: readonly { readonly name: string; readonly abbreviation: string }[];
  readonly counties: readonly string[];
}

export interface NaiveReading {
  /** In order of the table. */
  readonly prices: readonly Readonly<Record<string, unknown>>[];
  /** Lines that are refused. */
  readonly refused: readonly number[];
  /** Kind and name, once each. */
  readonly unmatched: readonly string[];
}

/** Letters and digits alone, without case and accents. */
export function lettersOf(text: string): string {
  const decomposed = [...text.normalize("NFD")];
  return decomposed
    .filter((character) => /^[\p{L}\p{N}]$/u.test(character))
    .join("")
    .toLowerCase();
}

/** @param rows Below the headings, in order; the first is line 2. Cells by field. */
export function readNaively(
  rows: readonly Readonly<Record<string, string>>[],
  mapping: Pick<Mapping, "source" | "decimal" | "thousands" | "date_formats">,
  tables: NaiveTables,
): NaiveReading {
  const prices: Record<string, unknown>[] = [];
  const refused: number[] = [];
  const unmatched = new Set<string>();
  const keys: string[] = [];
  rows.forEach((row, index) => {
    // A product may have its variety in a column of its own.
    const cell = (field: string): string =>
      (field === "product" ? ["product", "variety"] : [field])
        .map((column) => (row[column] ?? "").trim())
        .filter((text) => text !== "")
        .join(", ");
    if (cell("price") === "") return;
    const county =
      cell("county") === "" ? "" : findOne(tables.counties, (name) => lettersOf(name) === lettersOf(cell("county")));
    if (county === undefined) unmatched.add(`county ${lettersOf(cell("county"))}`);
    const product = findNamed(tables.products, cell("product"));
    const market = findNamed(
      tables.markets.filter((known) => county === "" || known.county === county),
      cell("market"),
    );
    const unit = findOne(tables.units, ({ name, abbreviation }) =>
      [name, abbreviation].some((text) => sameUnit(text, cell("unit"))),
    );
    const day = readDay(cell("date"), mapping.date_formats);
    // Another currency than that of the mapping is no price.
    const amount = cell("price").replace("KSh ", "").replace("/=", "");
    const price = readPrice(amount, mapping.decimal, mapping.thousands);
    const isBlank = ["product", "market", "unit"].some((field) => cell(field) === "");
    if (cell("product") !== "" && product === undefined) unmatched.add(`product ${lettersOf(cell("product"))}`);
    if (county !== undefined && cell("market") !== "" && market === undefined) {
      unmatched.add(`market ${lettersOf(cell("market"))} ${county}`);
    }
    if (cell("unit") !== "" && unit === undefined) unmatched.add(`unit ${cell("unit")}`);
    if (isBlank || day === undefined || price === undefined) {
      refused.push(index + 2);
      return;
    }
    if (county === undefined || product === undefined || market === undefined || unit === undefined) return;
    const grade = cell("grade") === "" ? null : cell("grade");
    const key = JSON.stringify([mapping.source, market.uuid, product.uuid, unit.name, "KES", grade, day]);
    keys.push(key);
    const number = keys.filter((other) => other === key).length;
    const recorded = `${day}T06:00:00.000Z`;
    prices.push({
      uuid: v5(number === 1 ? key : `${key} ${number}`, sheetNamespace),
      product_uuid: product.uuid,
      market_uuid: market.uuid,
      price,
      unit: unit.name,
      currency: "KES",
      recorded_at: recorded,
      source: mapping.source,
      ...(grade === null ? {} : { quality_grade: grade }),
      created_at: recorded,
    });
  });
  return { prices, refused, unmatched: [...unmatched] };
}

function findOne<T>(items: readonly T[], fits: (item: T) => boolean): T | undefined {
  const found = items.filter(fits);
  return found.length === 1 ? found[0] : undefined;
}

/** By its own name, or else by another one, if a single record has it. */
function findNamed(records: readonly NaiveRecord[], text: string): NaiveRecord | undefined {
  const own = records.filter(({ name }) => lettersOf(name) === lettersOf(text));
  if (own.length > 0) return own.length === 1 ? own[0] : undefined;
  return findOne(records, ({ alternative_names = [] }) =>
    alternative_names.some((name) => lettersOf(name) === lettersOf(text)),
  );
}

function sameUnit(a: string, b: string): boolean {
  const spaced = (text: string): string => text.toLowerCase().replaceAll(" ", "");
  return spaced(a) === spaced(b);
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Knows four forms: `yyyy-MM-dd`, `dd/MM/yyyy`, `MM/dd/yyyy` and `d MMM yyyy`. Undefined for two possible days. */
function readDay(text: string, formats: readonly string[]): string | undefined {
  const days = formats.map((format) => readDayIn(text, format)).filter((day) => day !== undefined);
  return new Set(days).size === 1 ? days[0] : undefined;
}

function readDayIn(text: string, format: string): string | undefined {
  const separator = format.includes("-") ? "-" : format.includes("/") ? "/" : " ";
  const parts = text.split(separator);
  const tokens = format.split(separator);
  if (parts.length !== 3) return undefined;
  const partOf = (letter: string): string => parts[tokens.findIndex((token) => token.startsWith(letter))] ?? "";
  const [year, month, day] = [partOf("y"), partOf("M"), partOf("d")];
  const monthNumber = format === "d MMM yyyy" ? months.indexOf(month.toLowerCase()) + 1 : Number(month);
  const date = new Date(Date.UTC(Number(year), monthNumber - 1, Number(day)));
  if (date.getUTCMonth() !== monthNumber - 1 || date.getUTCDate() !== Number(day)) return undefined;
  return year.length === 4 ? date.toISOString().slice(0, 10) : undefined;
}

/** Goes through the characters. */
function readPrice(text: string, decimal: string, thousands: string): number | undefined {
  const [whole = "", fraction, ...rest] = text.split(decimal);
  if (rest.length > 0 || fraction === "") return undefined;
  if (fraction?.length === 3) return undefined;
  const groups = thousands === "" ? [whole] : whole.split(thousands);
  if (groups.length > 1 && groups[0]?.startsWith("0")) return undefined;
  const isGrouped =
    groups.length === 1 ||
    groups.every((group, at) => (at === 0 ? group.length > 0 && group.length < 4 : group.length === 3));
  const digits = groups.join("");
  const isNumber = [...digits, ...(fraction ?? "")].every((character) => "0123456789".includes(character));
  if (!isGrouped || !isNumber || digits === "") return undefined;
  const price = Number(fraction === undefined ? digits : `${digits}.${fraction}`);
  return price > 0 ? price : undefined;
}
