/**
 * The value of a key, made and kept where there is none. Source: `Map.prototype.getOrInsertComputed`, which Node 24
 * does not have.
 */
export function getOrInsert<Key, Value>(
  map: { get(key: Key): Value | undefined; has(key: Key): boolean; set(key: Key, value: Value): unknown },
  key: Key,
  make: (key: Key) => Value,
): Value {
  const known = map.get(key);
  if (known !== undefined || map.has(key)) return known as Value;
  const made = make(key);
  map.set(key, made);
  return made;
}
