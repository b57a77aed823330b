import { noNotes, noQualityGrade, type PriceTable } from "../domain/dataset.ts";
import { sharedFloat64, sharedUint32 } from "../domain/shared-columns.ts";
import { wordsPerUuid } from "../domain/uuid-words.ts";
import { type CodeColumn, codeColumn, missingCode } from "./code-column.ts";

/** The price table as typed arrays, sorted by product code, then in answer order (newest first, then uuid). */
export interface PriceColumns {
  readonly rowCount: number;
  /** The rows of product p are `productOffsets[p]` to `productOffsets[p + 1] - 1`. */
  readonly productOffsets: Uint32Array<SharedArrayBuffer>;
  /** Four words a row, see domain/uuid-words.ts. */
  readonly uuids: Uint32Array<SharedArrayBuffer>;
  /** Product code. */
  readonly products: CodeColumn;
  /** Market code. */
  readonly markets: CodeColumn;
  readonly prices: Float64Array<SharedArrayBuffer>;
  /** Instants in milliseconds. */
  readonly recordedAt: Float64Array<SharedArrayBuffer>;
  readonly createdAt: Float64Array<SharedArrayBuffer>;
  readonly updatedAt: Float64Array<SharedArrayBuffer>;
  /** Codes of the dictionaries below; `missingCode` of the column where there is no grade or note. */
  readonly units: CodeColumn;
  readonly currencies: CodeColumn;
  readonly sources: CodeColumn;
  readonly grades: CodeColumn;
  readonly notes: CodeColumn;
  readonly unitNames: readonly string[];
  readonly currencyCodes: readonly string[];
  readonly sourceNames: readonly string[];
  readonly gradeNames: readonly string[];
  readonly noteTexts: readonly string[];
}

/**
 * Copies the columns of a dataset into the store's order.
 *
 * @param table Unsorted columns.
 * @param source `source[row]` is the position in `table` of the price that becomes `row`.
 * @param productCodes Product code by position in the dataset's products.
 * @param marketCodes Market code by position in the dataset's markets.
 */
export function gatherPriceColumns(
  table: PriceTable,
  source: Uint32Array,
  productOffsets: Uint32Array<SharedArrayBuffer>,
  productCodes: Uint32Array,
  marketCodes: Uint32Array,
): PriceColumns {
  const { rowCount } = table;
  return {
    rowCount,
    productOffsets,
    uuids: gatherUuids(table.uuids, source),
    products: gatherCodes(table.products, source, productCodes),
    markets: gatherCodes(table.markets, source, marketCodes),
    prices: gatherNumbers(table.prices, source),
    recordedAt: gatherNumbers(table.recordedAt, source),
    createdAt: gatherNumbers(table.createdAt, source),
    updatedAt: gatherNumbers(table.updatedAt, source),
    units: gatherTexts(table.units, source, table.unitNames),
    currencies: gatherTexts(table.currencies, source, table.currencyCodes),
    sources: gatherTexts(table.sources, source, table.sourceNames),
    grades: gatherTexts(table.grades, source, table.gradeNames, noQualityGrade),
    notes: gatherTexts(table.notes, source, table.noteTexts, noNotes),
    unitNames: table.unitNames,
    currencyCodes: table.currencyCodes,
    sourceNames: table.sourceNames,
    gradeNames: table.gradeNames,
    noteTexts: table.noteTexts,
  };
}

function gatherUuids(uuids: Uint32Array, source: Uint32Array): Uint32Array<SharedArrayBuffer> {
  const column = sharedUint32(source.length * wordsPerUuid);
  for (let row = 0, at = 0; row < source.length; row++) {
    const from = source[row]! * wordsPerUuid;
    column[at++] = uuids[from]!;
    column[at++] = uuids[from + 1]!;
    column[at++] = uuids[from + 2]!;
    column[at++] = uuids[from + 3]!;
  }
  return column;
}

function gatherNumbers(numbers: Float64Array, source: Uint32Array): Float64Array<SharedArrayBuffer> {
  const column = sharedFloat64(source.length);
  for (let row = 0; row < source.length; row++) column[row] = numbers[source[row]!]!;
  return column;
}

function gatherCodes(positions: Uint32Array, source: Uint32Array, codes: Uint32Array): CodeColumn {
  const column = codeColumn(source.length, codes.length);
  for (let row = 0; row < source.length; row++) column[row] = codes[positions[source[row]!]!]!;
  return column;
}

/** @param missingIn Code that means "nothing" in the dataset; none when absent. */
function gatherTexts(
  codes: Uint16Array | Uint32Array,
  source: Uint32Array,
  texts: readonly string[],
  missingIn = -1,
): CodeColumn {
  const column = codeColumn(source.length, texts.length);
  const missingOut = missingCode(column);
  for (let row = 0; row < source.length; row++) {
    const code = codes[source[row]!]!;
    column[row] = code === missingIn ? missingOut : code;
  }
  return column;
}
