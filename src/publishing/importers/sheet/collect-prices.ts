/** Rows → prices with their identifiers, rows left out by reason, and what is wrong with rows and with the whole. */
import { priceColumns, type TextColumnName, textsMax } from "../../../engine/model/price-columns.ts";
import { type Fault, foundText, type ProblemList } from "../../../engine/snapshots/problem.ts";
import { type LeftOutRows, leaveOut } from "../left-out-rows.ts";
import type { CurrencyMark } from "./currency.ts";
import type { LeftOutReason, PricelessRow } from "./field-rows.ts";
import { fieldName } from "./header-rows.ts";
import type { Field } from "./headings.ts";
import type { Mapping } from "./mapping.ts";
import { type PriceFact, PriceIdentifier } from "./price-identity.ts";
import { type Title, titleFault } from "./row-kinds.ts";
import { currencyOfNote } from "./stated-currency.ts";
import type { PriceRow } from "./value-rows.ts";

export interface CollectedPrices {
  /** Rows below the headings that are not empty. */
  readonly rowCount: number;
  /** In order of the table. */
  readonly facts: readonly PriceFact[];
  readonly leftOut: ReadonlyMap<LeftOutReason, LeftOutRows>;
}

/** All that prices are collected with. */
export interface PricesCollection {
  /** The name of the table in messages. */
  readonly file: string;
  readonly mapping: Mapping;
  /** The heading that is part of the identity of the prices; null for none. */
  readonly keyHeading: string | null;
  /** Receives what is wrong with rows. */
  readonly problems: ProblemList;
  /** Receives rows that have the key of an earlier one, and texts that count for nothing. */
  readonly warnings: ProblemList;
}

/**
 * Goes through all rows once. A title above prices is a problem, as is a note that contradicts the currency of one.
 *
 * @throws {DatasetError} when there are more problems than `problems` takes.
 */
export function collectPrices(
  rows: Iterable<PriceRow | PricelessRow>,
  { file, mapping, keyHeading, problems, warnings }: PricesCollection,
): CollectedPrices {
  const facts: PriceFact[] = [];
  const leftOut = new Map<LeftOutReason, LeftOutRows>();
  const identifier = new PriceIdentifier(mapping.source);
  let rowCount = 0;
  /** Titles that no row of prices has followed yet. */
  let titlesAbove: { readonly line: number; readonly title: Title }[] = [];
  const notes: { readonly line: number; readonly text: string; readonly mark: CurrencyMark }[] = [];
  for (const row of rows) {
    const { line } = row;
    rowCount++;
    if ("leftOut" in row) {
      leaveOut(leftOut, row.leftOut, line);
      const { title, isAboutPrices = false } = row;
      if (title !== undefined && isAboutPrices) titlesAbove.push({ line, title });
      const mark = title && currencyOfNote(title.text, mapping.currencies);
      if (title !== undefined && mark !== undefined) notes.push({ line, text: title.text, mark });
      continue;
    }
    if (!("isEnd" in row)) {
      for (const { line, title } of titlesAbove) problems.add({ file, line, ...titleFault(title) });
      titlesAbove = [];
    }
    if ("faults" in row) {
      for (const fault of row.faults) problems.add({ file, line, ...fault });
      continue;
    }
    if (row.warning !== undefined) warnings.add({ file, line, ...row.warning });
    const { fact, first } = identifier.identify(row.price, keyHeading);
    facts.push(fact);
    if (first !== undefined) warnings.add({ file, line, ...repeatedPrice(fact, first) });
  }
  for (const { line, text, mark } of notes) {
    const fact = facts.find(({ currency }) => !mark.codes.includes(currency));
    if (fact !== undefined) problems.add({ file, line, ...contradictedNote(text, mark, fact) });
  }
  const beyond = findTextBeyond(facts);
  if (beyond !== undefined) {
    const { line, field, ...fault } = beyond;
    problems.add({ file, line, kind: "value", field: fieldName(mapping, field), ...fault });
  }
  return { rowCount, facts, leftOut };
}

function repeatedPrice(fact: PriceFact, first: PriceFact): Fault {
  const same = first.price === fact.price ? "and price " : "";
  const found = `the market, product, unit, currency, grade, day ${same}of line ${first.line} again`;
  return { kind: "duplicate", found, wanted: "one row; it is a price of its own" };
}

function contradictedNote(text: string, mark: CurrencyMark, fact: PriceFact): Fault {
  const found = `${JSON.stringify(mark.sign)} in ${foundText(text)}, but ${fact.currency} for line ${fact.line}`;
  return { kind: "line", found, wanted: "the same currency everywhere" };
}

/** Fields of a table whose texts become codes. A source is one text; a price flag is one of four. */
const textFields = [
  { field: "unit", column: "units" },
  { field: "currency", column: "currencies" },
  { field: "grade", column: "grades" },
  { field: "notes", column: "notes" },
] as const satisfies readonly { readonly field: Field; readonly column: TextColumnName }[];

/** The first text for which the columns of a dataset have no place, in words for a problem. Undefined where all fit. */
function findTextBeyond(
  facts: readonly PriceFact[],
): { readonly line: number; readonly field: Field; readonly found: string; readonly wanted: string } | undefined {
  for (const { field, column } of textFields) {
    const max = textsMax(column);
    if (facts.length <= max) continue;
    const texts = new Set<string>();
    for (const { line, [field]: text } of facts) {
      if (text === null || texts.has(text)) continue;
      texts.add(text);
      if (texts.size <= max) continue;
      const { label } = priceColumns[column];
      const found = `${foundText(text)}, after ${max.toLocaleString("en-US")} other ${label}`;
      return { line, field, found, wanted: `at most so many in a dataset, in a column of ${label}` };
    }
  }
  return undefined;
}
