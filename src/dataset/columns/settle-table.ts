import { notesDictionarySizeMax, type PriceTable, shortDictionarySizeMax } from "../../domain/dataset.ts";
import { Dictionary } from "../../domain/dictionary.ts";
import type { PriceRows } from "../../domain/price-columns.ts";
import { type CodedField, codeOfNothing } from "./coded-fields.ts";
import type { ReadBlocks } from "./read-blocks.ts";
import { type CodeOf, type RowsOfReader, settleCodes } from "./settle-codes.ts";

/** What the codes of rows become. */
export interface CodeMeanings {
  readonly blocks: ReadBlocks;
  /** Position of each product and market by uuid. */
  readonly products: ReadonlyMap<string, number>;
  readonly markets: ReadonlyMap<string, number>;
}

/**
 * Makes a price table of rows: in place, all codes become positions and codes of the table's dictionaries.
 *
 * @param runs Who has read which of the rows.
 * @returns Undefined when there are more texts than a dictionary has room for.
 */
export function settleTable(
  rows: PriceRows<SharedArrayBuffer>,
  rowCount: number,
  runs: readonly RowsOfReader[],
  { blocks, products, markets }: CodeMeanings,
): PriceTable | undefined {
  try {
    settle("products", positionIn(products));
    settle("markets", positionIn(markets));
    return {
      rowCount,
      ...rows,
      unitNames: settleTexts("units", shortDictionarySizeMax),
      currencyCodes: settleTexts("currencies", shortDictionarySizeMax),
      sourceNames: settleTexts("sources", shortDictionarySizeMax),
      gradeNames: settleTexts("grades", shortDictionarySizeMax, codeOfNothing.grades),
      noteTexts: settleTexts("notes", notesDictionarySizeMax, codeOfNothing.notes),
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }

  function settle(field: CodedField, codeOf: CodeOf, nothing?: number): void {
    settleCodes(rows[field], runs, blocks.textsByReader(field), codeOf, nothing);
  }

  function settleTexts(field: CodedField, sizeMax: number, nothing?: number): readonly string[] {
    const dictionary = new Dictionary(field, sizeMax);
    settle(field, (text) => dictionary.codeOf(text), nothing);
    return dictionary.texts;
  }
}

function positionIn(positions: ReadonlyMap<string, number>): CodeOf {
  return (text) => {
    const position = positions.get(text);
    if (position === undefined) throw new TypeError(`"${text}" was found when it was read, and now it is not`);
    return position;
  };
}
