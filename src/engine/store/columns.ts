/** The price columns of a store, and columns of codes. */
import type { PriceTable } from "../model/dataset.ts";
import type { NumberColumnName, PriceColumnName, PriceTexts, TextColumnName } from "../model/price-columns.ts";
import { sharedColumn } from "../model/shared-columns.ts";
import type { SharedTexts } from "./shared-texts.ts";

/**
 * The price table as typed arrays, sorted by product code, then market code, then in answer order (newest first, equal
 * times by uuid): the prices of one product at one market are a run of rows, and so are those of one product in a
 * county.
 */
export interface PriceColumns
  extends Readonly<Record<Exclude<PriceColumnName, NumberColumnName | "uuids">, CodeColumn>>,
    Readonly<Record<NumberColumnName, Float64Array<SharedArrayBuffer>>>,
    Omit<PriceTexts, "noteTexts"> {
  readonly rowCount: number;
  /** The rows of product p are `productOffsets[p]` to `productOffsets[p + 1] - 1`. */
  readonly productOffsets: Uint32Array<SharedArrayBuffer>;
  /** Four words a row, see engine/model/ids.ts. */
  readonly uuids: Uint32Array<SharedArrayBuffer>;
  readonly noteTexts: SharedTexts;
}

/** Prices to be sorted: a dataset's, or a store's and a day's, whose texts may be more than 16 bits tell apart. */
export interface UnsortedPrices
  extends Omit<PriceTable, TextColumnName>,
    Readonly<Record<TextColumnName, Uint16Array | Uint32Array>> {}

/** A column of codes, as narrow as the number of codes allows. */
export type CodeColumn =
  | Uint8Array<SharedArrayBuffer>
  | Uint16Array<SharedArrayBuffer>
  | Uint32Array<SharedArrayBuffer>;

/**
 * A zeroed column for `length` codes.
 *
 * @param codeCount Codes are 0 to `codeCount - 1`. The greatest value of the column's type is left free, see
 * `missingCode`.
 */
export function codeColumn(length: number, codeCount: number): CodeColumn {
  return sharedColumn(codeCount <= 0xff ? "Uint8Array" : codeCount <= 0xffff ? "Uint16Array" : "Uint32Array", length);
}
