/** Typed arrays over `SharedArrayBuffer`: any thread may attach to them without copying. */

/** The types of columns, by the names of their constructors. */
export const columnTypes: { readonly [Type in ColumnTypeName]: ColumnType<Type> } = {
  Uint8Array,
  Uint16Array,
  Uint32Array,
  Float64Array,
};

export type ColumnTypeName = "Uint8Array" | "Uint16Array" | "Uint32Array" | "Float64Array";

interface ColumnType<Type extends ColumnTypeName> {
  new (buffer: SharedArrayBuffer, byteOffset?: number, length?: number): ColumnOf<Type>;
  readonly BYTES_PER_ELEMENT: number;
}

/** A column of a type. */
export type ColumnOf<Type extends ColumnTypeName, Memory extends ArrayBufferLike = SharedArrayBuffer> = {
  readonly Uint8Array: Uint8Array<Memory>;
  readonly Uint16Array: Uint16Array<Memory>;
  readonly Uint32Array: Uint32Array<Memory>;
  readonly Float64Array: Float64Array<Memory>;
}[Type];

/** @returns A zeroed column of `length` numbers of a type. */
export function sharedColumn<Type extends ColumnTypeName>(type: Type, length: number): ColumnOf<Type> {
  const Column: ColumnType<Type> = columnTypes[type];
  return new Column(new SharedArrayBuffer(length * Column.BYTES_PER_ELEMENT));
}

/** @returns A column with a number for each of some items, which may be numbers themselves. */
export function sharedColumnFrom<Type extends ColumnTypeName, Item>(
  type: Type,
  items: readonly Item[],
  numberOf: (item: Item) => number = Number,
): ColumnOf<Type> {
  const column = sharedColumn(type, items.length);
  for (let at = 0; at < items.length; at++) column[at] = numberOf(items[at] as Item);
  return column;
}

/** @returns A zeroed column of `length` floating-point numbers. */
export function sharedFloat64(length: number): Float64Array<SharedArrayBuffer> {
  return sharedColumn("Float64Array", length);
}

/** @returns A zeroed column of `length` unsigned 32-bit numbers. */
export function sharedUint32(length: number): Uint32Array<SharedArrayBuffer> {
  return sharedColumn("Uint32Array", length);
}

/**
 * Stands in a column of codes where there is nothing: the greatest value of its type. Codes are below it, so it is
 * also how many codes the column has room for.
 *
 * @param column A column, or the type of one.
 */
export function missingCode({ BYTES_PER_ELEMENT: bytes }: { readonly BYTES_PER_ELEMENT: number }): number {
  return 2 ** (8 * bytes) - 1;
}
