/** A typed array of a store, or all typed arrays at an index of a list. */
export interface MemoryColumn {
  /** Property names from the store down; `[]` stands for every index of a list or map. */
  readonly path: string;
  /** `Uint32Array`, and how many when there are several. */
  readonly kind: string;
  readonly bytes: number;
}

interface Found {
  kind: string;
  count: number;
  bytes: number;
}

/**
 * Every typed array that can be reached from a value, largest first, whatever the value's layout is. Memory that
 * several arrays look at counts once, where it is met first.
 */
export function columnsOf(root: object): MemoryColumn[] {
  const found = new Map<string, Found>();
  const seen = new Set<object>();
  const counted = new Map<ArrayBufferLike, Set<string>>();
  visit(root, "");
  return [...found]
    .map(([path, { kind, count, bytes }]) => ({ path, kind: count === 1 ? kind : `${count} ${kind}`, bytes }))
    .sort((a, b) => b.bytes - a.bytes);

  function visit(value: unknown, path: string): void {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (ArrayBuffer.isView(value)) count(value, path);
    else if (value instanceof Map) for (const item of value.values()) visit(item, `${path}[]`);
    else if (Array.isArray(value) || value instanceof Set) for (const item of value) visit(item, `${path}[]`);
    else for (const [key, item] of Object.entries(value)) visit(item, path === "" ? key : `${path}.${key}`);
  }

  function count(view: ArrayBufferView, path: string): void {
    const region = `${view.byteOffset}+${view.byteLength}`;
    const regions = counted.get(view.buffer) ?? new Set();
    counted.set(view.buffer, regions);
    if (regions.has(region)) return;
    regions.add(region);
    const column = found.get(path) ?? { kind: view.constructor.name, count: 0, bytes: 0 };
    column.count++;
    column.bytes += view.byteLength;
    found.set(path, column);
  }
}
