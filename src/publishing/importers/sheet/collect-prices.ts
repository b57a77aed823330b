/** Rows → prices with their identifiers, rows left out by reason, and what is wrong with rows and with the whole. */
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import type { Fault, ProblemList } from "../../../engine/snapshots/problem.ts";
import { type LeftOutRows, leaveOut } from "../left-out-rows.ts";
import { dayOf } from "./date-cell.ts";
import type { LeftOutReason, PricelessRow } from "./field-rows.ts";
import type { Mapping } from "./mapping.ts";
import { type KeyParts, type PriceFact, priceIdentifier } from "./price-identity.ts";
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
  const identify = priceIdentifier(mapping.source, keyParts);
  let [rowCount, line] = [0, 0];
  /** Titles that no row of prices has followed yet. */
  let titlesAbove: { readonly line: number; readonly title: Title }[] = [];
  const notes: PlacedStatement[] = [];
  const kinds = new Map<string, PriceKind>();
  for (const row of rows) {
    if (row.line !== line) rowCount++;
    ({ line } = row);
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
    const { fact, first } = identify(row.price);
    facts.push(fact);
    const { unit, currency } = fact;
    const { marketType, heading } = row;
    const kind = { line, heading, marketType, unit, currency, day: dayOf(fact.recordedAt) };
    getOrInsert(kinds, [heading, marketType, unit, currency, kind.day].join("\n"), () => kind);
    if (first !== undefined) warnings.add({ file, line, ...repeatedPrice(fact, first) });
  }
  const stated = [...statements, ...notes];
  const comparison = { mapping, kinds: [...kinds.values()], unitOf };
  for (const fault of contradictions(stated, comparison)) problems.add({ file, ...fault });
  if (mapping.scale !== 1 && !stated.some(({ kind }) => kind === "scale")) {
    const wanted = "1 in the mapping, unless the prices of this table, which states none, have the same scale";
    warnings.add({ file, kind: "value", field: "scale", found: String(mapping.scale), wanted });
  }
  return { rowCount, facts, leftOut };
}

function repeatedPrice(fact: PriceFact, first: PriceFact): Fault {
  const same = first.price === fact.price ? "and price " : "";
  const found = `the market, product, unit, currency, grade, day ${same}of line ${first.line} again`;
  return { kind: "duplicate", found, wanted: "one row; it is a price of its own" };
}
