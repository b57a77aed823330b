/** How many different texts the prices of a dataset can have: the limit of the columns that they are loaded into. */

import { priceColumns, type TextColumnName, textsMax } from "../../../engine/model/price-columns.ts";
import { foundText } from "../../../engine/snapshots/problem.ts";
import type { Field } from "./headings.ts";

/** Fields of a table whose texts become codes. A source is one text; a price flag is one of four. */
const textFields = [
  { field: "unit", column: "units" },
  { field: "currency", column: "currencies" },
  { field: "grade", column: "grades" },
  { field: "notes", column: "notes" },
] as const satisfies readonly { readonly field: Field; readonly column: TextColumnName }[];

type TextFact = Readonly<Record<(typeof textFields)[number]["field"], string | null>>;

/** The first price with a text for which a dataset has no place, in words for a problem. Undefined where all fit. */
export function factBeyondTexts<Fact extends TextFact>(
  facts: readonly Fact[],
): { readonly fact: Fact; readonly field: Field; readonly found: string; readonly wanted: string } | undefined {
  for (const { field, column } of textFields) {
    const max = textsMax(column);
    if (facts.length <= max) continue;
    const texts = new Set<string>();
    for (const fact of facts) {
      const text = fact[field];
      if (text === null || texts.has(text)) continue;
      if (texts.size === max) {
        const found = `${foundText(text)}, after ${max.toLocaleString("en-US")} other ${priceColumns[column].label}`;
        return {
          fact,
          field,
          found,
          wanted: `at most so many in a dataset, in a column of ${priceColumns[column].label}`,
        };
      }
      texts.add(text);
    }
  }
  return undefined;
}
