type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** Every typed array within a value, however deep, by the way to it; for what is said of all memory of a store. */
export function typedArraysIn(value: unknown, path = ""): Map<string, Column> {
  const found = new Map<string, Column>();
  if (isColumn(value)) return found.set(path, value);
  if (ArrayBuffer.isView(value)) {
    throw new TypeError(`${path} is a ${value.constructor.name}, of which nothing is known`);
  }
  if (typeof value !== "object" || value === null) return found;
  const entries = value instanceof Map ? value.entries() : Object.entries(value);
  for (const [key, entry] of entries) {
    for (const [deeper, array] of typedArraysIn(entry, `${path}.${key}`)) found.set(deeper, array);
  }
  return found;
}

function isColumn(value: unknown): value is Column {
  return [Uint8Array, Uint16Array, Uint32Array, Int32Array, Float64Array].some((kind) => value instanceof kind);
}
