import type { PriceTable } from "../domain/dataset.ts";
import { sharedFloat64, sharedUint16, sharedUint32 } from "../domain/shared-columns.ts";
import { wordsPerUuid } from "../domain/uuid-words.ts";

/** The price table as typed arrays, sorted by product code, then in answer order (newest first, then uuid). */
export interface PriceColumns {
  readonly rowCount: number;
  /** The rows of product p are `productOffsets[p]` to `productOffsets[p + 1] - 1`. */
  readonly productOffsets: Uint32Array<SharedArrayBuffer>;
  /** Four words a row, see domain/uuid-words.ts. */
  readonly uuids: Uint32Array<SharedArrayBuffer>;
  /** Product code. */
  readonly products: Uint32Array<SharedArrayBuffer>;
  /** Market code. */
  readonly markets: Uint32Array<SharedArrayBuffer>;
  readonly prices: Float64Array<SharedArrayBuffer>;
  /** Instants in milliseconds. */
  readonly recordedAt: Float64Array<SharedArrayBuffer>;
  readonly createdAt: Float64Array<SharedArrayBuffer>;
  readonly updatedAt: Float64Array<SharedArrayBuffer>;
  /** Codes of the dictionaries below; `noQualityGrade` and `noNotes` of domain/dataset.ts where there is none. */
  readonly units: Uint16Array<SharedArrayBuffer>;
  readonly currencies: Uint16Array<SharedArrayBuffer>;
  readonly sources: Uint16Array<SharedArrayBuffer>;
  readonly grades: Uint16Array<SharedArrayBuffer>;
  readonly notes: Uint32Array<SharedArrayBuffer>;
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
  const uuids = sharedUint32(rowCount * wordsPerUuid);
  const products = sharedUint32(rowCount);
  const markets = sharedUint32(rowCount);
  for (let row = 0; row < rowCount; row++) {
    const position = source[row]!;
    for (let word = 0; word < wordsPerUuid; word++) {
      uuids[row * wordsPerUuid + word] = table.uuids[position * wordsPerUuid + word]!;
    }
    products[row] = productCodes[table.products[position]!]!;
    markets[row] = marketCodes[table.markets[position]!]!;
  }
  return {
    rowCount,
    productOffsets,
    uuids,
    products,
    markets,
    prices: gather(table.prices, source, sharedFloat64(rowCount)),
    recordedAt: gather(table.recordedAt, source, sharedFloat64(rowCount)),
    createdAt: gather(table.createdAt, source, sharedFloat64(rowCount)),
    updatedAt: gather(table.updatedAt, source, sharedFloat64(rowCount)),
    units: gather(table.units, source, sharedUint16(rowCount)),
    currencies: gather(table.currencies, source, sharedUint16(rowCount)),
    sources: gather(table.sources, source, sharedUint16(rowCount)),
    grades: gather(table.grades, source, sharedUint16(rowCount)),
    notes: gather(table.notes, source, sharedUint32(rowCount)),
    unitNames: table.unitNames,
    currencyCodes: table.currencyCodes,
    sourceNames: table.sourceNames,
    gradeNames: table.gradeNames,
    noteTexts: table.noteTexts,
  };
}

function gather<Column extends Float64Array | Uint32Array | Uint16Array>(
  from: Column,
  source: Uint32Array,
  into: Column,
): Column {
  for (let row = 0; row < into.length; row++) into[row] = from[source[row]!]!;
  return into;
}
