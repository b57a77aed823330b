/** Every typed array within a value, however deep, by the way to it; for what is said of all memory of a store. */
export function typedArraysIn(value: unknown, path = ""): Map<string, Uint16Array | Uint32Array | Float64Array> {
  const found = new Map<string, Uint16Array | Uint32Array | Float64Array>();
  if (value instanceof Uint16Array || value instanceof Uint32Array || value instanceof Float64Array) {
    return found.set(path, value);
  }
  if (ArrayBuffer.isView(value))
    throw new TypeError(`${path} is a ${value.constructor.name}, of which nothing is known`);
  if (typeof value !== "object" || value === null) return found;
  const entries = value instanceof Map ? value.entries() : Object.entries(value);
  for (const [key, entry] of entries) {
    for (const [deeper, array] of typedArraysIn(entry, `${path}.${key}`)) found.set(deeper, array);
  }
  return found;
}
