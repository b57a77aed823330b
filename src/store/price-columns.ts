import { noNotes, noQualityGrade, type PriceTable } from "../domain/dataset.ts";
import { sharedFloat64, sharedUint32 } from "../domain/shared-columns.ts";
import { wordsPerUuid } from "../domain/uuid-words.ts";
import { type CodeColumn, codeColumn } from "./code-column.ts";
import { type CodedTexts, numberByFirstRow } from "./coded-texts.ts";
import { type SharedTexts, shareTexts } from "./shared-texts.ts";

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
  readonly noteTexts: SharedTexts;
}

/** Where each price of a dataset comes to stand in a store. */
export interface PricePlaces {
  /** Positions in the dataset's table, in answer order. */
  readonly positions: Uint32Array;
  /** Row of the price at each place of answer order. */
  readonly rows: Uint32Array;
  readonly productOffsets: Uint32Array<SharedArrayBuffer>;
  /** Market code by position in the dataset's markets. */
  readonly marketCodes: Uint32Array;
}

/**
 * Copies the columns of a dataset into the store's order.
 *
 * Cost: a pass over the places for each column. In time order, for that is about the order in which prices arrive: they
 * are read one after the other and written to as many streams as there are products, where going row by row would jump
 * through the whole table for each. Codes are numbered anew by first row, so that equal prices give equal columns,
 * whatever way they came.
 */
export function gatherPriceColumns(table: PriceTable, places: PricePlaces): PriceColumns {
  const { rowCount } = table;
  const { productOffsets } = places;
  const units = gatherTexts(table.units, places, table.unitNames);
  const currencies = gatherTexts(table.currencies, places, table.currencyCodes);
  const sources = gatherTexts(table.sources, places, table.sourceNames);
  const grades = gatherTexts(table.grades, places, table.gradeNames, noQualityGrade);
  const notes = gatherTexts(table.notes, places, table.noteTexts, noNotes);
  return {
    rowCount,
    productOffsets,
    uuids: gatherUuids(table.uuids, places),
    products: productColumn(productOffsets, rowCount),
    markets: gatherMarkets(table.markets, places),
    prices: gatherNumbers(table.prices, places),
    recordedAt: gatherNumbers(table.recordedAt, places),
    createdAt: gatherNumbers(table.createdAt, places),
    updatedAt: gatherNumbers(table.updatedAt, places),
    units: units.column,
    currencies: currencies.column,
    sources: sources.column,
    grades: grades.column,
    notes: notes.column,
    unitNames: units.texts,
    currencyCodes: currencies.texts,
    sourceNames: sources.texts,
    gradeNames: grades.texts,
    noteTexts: shareTexts(notes.texts),
  };
}

function gatherUuids(uuids: Uint32Array, { positions, rows }: PricePlaces): Uint32Array<SharedArrayBuffer> {
  const column = sharedUint32(rows.length * wordsPerUuid);
  for (let place = 0; place < rows.length; place++) {
    const from = positions[place]! * wordsPerUuid;
    const to = rows[place]! * wordsPerUuid;
    column[to] = uuids[from]!;
    column[to + 1] = uuids[from + 1]!;
    column[to + 2] = uuids[from + 2]!;
    column[to + 3] = uuids[from + 3]!;
  }
  return column;
}

function gatherNumbers(numbers: Float64Array, { positions, rows }: PricePlaces): Float64Array<SharedArrayBuffer> {
  const column = sharedFloat64(rows.length);
  for (let place = 0; place < rows.length; place++) column[rows[place]!] = numbers[positions[place]!]!;
  return column;
}

function gatherMarkets(markets: Uint32Array, { positions, rows, marketCodes }: PricePlaces): CodeColumn {
  const column = codeColumn(rows.length, marketCodes.length);
  for (let place = 0; place < rows.length; place++) column[rows[place]!] = marketCodes[markets[positions[place]!]!]!;
  return column;
}

/** Rows are sorted by product, so its column is one run after the other. */
export function productColumn(productOffsets: Uint32Array, rowCount: number): CodeColumn {
  const productCount = productOffsets.length - 1;
  const column = codeColumn(rowCount, productCount);
  for (let product = 0; product < productCount; product++) {
    column.fill(product, productOffsets[product]!, productOffsets[product + 1]!);
  }
  return column;
}

/** @param missing Code that means "nothing" in the dataset; none when absent. */
function gatherTexts(
  codes: Uint16Array | Uint32Array,
  { positions, rows }: PricePlaces,
  texts: readonly string[],
  missing = -1,
): CodedTexts {
  const gathered = codes instanceof Uint16Array ? new Uint16Array(rows.length) : new Uint32Array(rows.length);
  for (let place = 0; place < rows.length; place++) gathered[rows[place]!] = codes[positions[place]!]!;
  return numberByFirstRow(gathered, texts.length, (code) => texts[code]!, missing);
}
