/** Rows → prices with their identifiers, rows left out by reason, and what is wrong with rows and with the whole. */
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import { priceColumns, type TextColumnName, textsMax } from "../../../engine/model/price-columns.ts";
import { type Fault, foundText, type ProblemList } from "../../../engine/snapshots/problem.ts";
import { type LeftOutRows, leaveOut } from "../left-out-rows.ts";
import { dayOf } from "./date-cell.ts";
import type { LeftOutReason, PricelessRow } from "./field-rows.ts";
import { fieldName } from "./header-rows.ts";
import type { Field } from "./headings.ts";
import type { Mapping } from "./mapping.ts";
import { type KeyParts, type PriceFact, PriceIdentifier } from "./price-identity.ts";
import { type Title, titleFault } from "./row-kinds.ts";
import { contradictions, type PlacedStatement, type PriceKind, statementsOfNote } from "./stated-values.ts";
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
  /** What the table states outside its cells. */
  readonly statements: readonly PlacedStatement[];
  /** The unit that a text names. */
  readonly unitOf: (text: string) => string | undefined;
  readonly keyParts: KeyParts;
  /** Receives what is wrong with rows. */
  readonly problems: ProblemList;
  /** Receives rows that have the key of an earlier one. */
  readonly warnings: ProblemList;
}

/**
 * Goes through all rows once. A title above prices is a problem, as is a statement that contradicts the mapping or a
 * price.
 *
 * @throws {DatasetError} when there are more problems than `problems` takes.
 */
export function collectPrices(
  rows: Iterable<PriceRow | PricelessRow>,
  { file, mapping, statements, unitOf, keyParts, problems, warnings }: PricesCollection,
): CollectedPrices {
  const facts: PriceFact[] = [];
  const leftOut = new Map<LeftOutReason, LeftOutRows>();
  const identifier = new PriceIdentifier(mapping.source);
  let rowCount = 0;
  /** Titles that no row of prices has followed yet. */
  let titlesAbove: { readonly line: number; readonly title: Title }[] = [];
  const notes: PlacedStatement[] = [];
  const kinds = new Map<string, PriceKind>();
  for (const row of rows) {
    const { line } = row;
    rowCount++;
    if ("leftOut" in row) {
      leaveOut(leftOut, row.leftOut, line);
      const { note, title, isAboutPrices = false } = row;
      if (title !== undefined && isAboutPrices) titlesAbove.push({ line, title });
      if (note !== undefined) notes.push(...statementsOfNote(note, line, mapping));
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
    const { fact, first } = identifier.identify(row.price, keyParts);
    facts.push(fact);
    const { unit, currency } = fact;
    const kind = { line, marketType: row.marketType, unit, currency, day: dayOf(fact.recordedAt) };
    getOrInsert(kinds, [kind.marketType, unit, currency, kind.day].join("\n"), () => kind);
    if (first !== undefined) warnings.add({ file, line, ...repeatedPrice(fact, first) });
  }
  const stated = [...statements, ...notes];
  const comparison = { mapping, kinds: [...kinds.values()], unitOf };
  for (const fault of contradictions(stated, comparison)) problems.add({ file, ...fault });
  if (mapping.scale !== 1 && !stated.some(({ kind }) => kind === "scale")) {
    const wanted = "1 in the mapping, unless the prices of this table, which states none, have the same scale";
    warnings.add({ file, kind: "value", field: "scale", found: String(mapping.scale), wanted });
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
