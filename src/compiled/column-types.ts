/** A column of any type that a compiled store can hold. */
export type Column =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Int8Array
  | Int16Array
  | Int32Array
  | Float32Array
  | Float64Array;

export type ColumnTypeName =
  | "Uint8Array"
  | "Uint16Array"
  | "Uint32Array"
  | "Int8Array"
  | "Int16Array"
  | "Int32Array"
  | "Float32Array"
  | "Float64Array";

interface ColumnType {
  new (buffer: SharedArrayBuffer, byteOffset: number, length: number): Column;
  readonly BYTES_PER_ELEMENT: number;
}

const columnTypes: Readonly<Record<ColumnTypeName, ColumnType>> = {
  Uint8Array,
  Uint16Array,
  Uint32Array,
  Int8Array,
  Int16Array,
  Int32Array,
  Float32Array,
  Float64Array,
};

/** Whether a text names a type of columns. */
export function isColumnTypeName(name: unknown): name is ColumnTypeName {
  return typeof name === "string" && Object.hasOwn(columnTypes, name);
}

/** The type of a column; undefined for a view of any other kind. */
export function columnTypeName(view: ArrayBufferView): ColumnTypeName | undefined {
  const { name } = view.constructor;
  return isColumnTypeName(name) ? name : undefined;
}

/** Bytes of one element. */
export function elementBytes(type: ColumnTypeName): number {
  return columnTypes[type].BYTES_PER_ELEMENT;
}

/** A column over a part of shared memory. */
export function columnOver(
  type: ColumnTypeName,
  buffer: SharedArrayBuffer,
  byteOffset: number,
  length: number,
): Column {
  return new columnTypes[type](buffer, byteOffset, length);
}
