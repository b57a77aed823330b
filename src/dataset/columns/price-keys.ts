/**
 * The keys of a price as they stand in a line, each with what must be around it: a comma or, in front of the first, the
 * brace that opens the object; a colon; and the quotation mark that opens a text that must be there.
 */

/**
 * What tells a key by its bytes, eight of them compared as one number (see known-texts.ts). Keys have 9 to 17 bytes with
 * what is around them; so only the ninth can lie between the first and the last eight.
 */
export interface PriceKey {
  readonly length: number;
  /** The first eight bytes, behind a comma and behind a brace. */
  readonly head: number;
  readonly headOfFirst: number;
  readonly ninth: number;
  /** The last eight bytes. */
  readonly tail: number;
}

function toKey(text: string): PriceKey {
  const bytes = Buffer.from(`,${text}`);
  return {
    length: bytes.length,
    head: bytes.readDoubleLE(0),
    headOfFirst: Buffer.from(`{${text}`).readDoubleLE(0),
    ninth: bytes.readUInt8(8),
    tail: bytes.readDoubleLE(bytes.length - 8),
  };
}

export const uuidKey: PriceKey = toKey('"uuid":"');
export const productKey: PriceKey = toKey('"product_uuid":"');
export const marketKey: PriceKey = toKey('"market_uuid":"');
export const priceKey: PriceKey = toKey('"price":');
export const unitKey: PriceKey = toKey('"unit":"');
export const currencyKey: PriceKey = toKey('"currency":"');
export const recordedAtKey: PriceKey = toKey('"recorded_at":"');
export const sourceKey: PriceKey = toKey('"source":"');
export const gradeKey: PriceKey = toKey('"quality_grade":');
export const notesKey: PriceKey = toKey('"notes":');
export const createdAtKey: PriceKey = toKey('"created_at":"');
export const updatedAtKey: PriceKey = toKey('"updated_at":"');

/** Whether a key stands behind a comma at `at`. */
export function isKeyAt(view: DataView, at: number, { length, head, ninth, tail }: PriceKey): boolean {
  return (
    view.getFloat64(at, true) === head &&
    view.getFloat64(at + length - 8, true) === tail &&
    view.getUint8(at + 8) === ninth
  );
}

/** Whether a key stands behind a brace at `at`. */
export function isFirstKeyAt(view: DataView, at: number, { length, headOfFirst, ninth, tail }: PriceKey): boolean {
  return (
    view.getFloat64(at, true) === headOfFirst &&
    view.getFloat64(at + length - 8, true) === tail &&
    view.getUint8(at + 8) === ninth
  );
}
