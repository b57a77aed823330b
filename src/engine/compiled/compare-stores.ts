import { isDeepStrictEqual } from "node:util";
import { isObject } from "../model/json-object.ts";
import type { Store } from "../store/store.ts";

/**
 * Finds where two stores differ: columns number by number, everything else but for the order of names. For proving
 * that a compiled store is what its records make.
 *
 * @returns Paths from the store down, for example `prices.markets`, in the order of the first store; none when the two
 * answer alike. Lists and maps are compared as a whole.
 * Cost: a read of every byte of both.
 */
export function compareStores(a: Store, b: Store): string[] {
  const paths: string[] = [];
  compare(a, b, "", paths);
  return paths;
}

function compare(a: unknown, b: unknown, path: string, paths: string[]): void {
  if (hasParts(a) && hasParts(b)) {
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      compare(a[name], b[name], path === "" ? name : `${path}.${name}`, paths);
    }
  } else if (!isDeepStrictEqual(a, b)) {
    paths.push(path);
  }
}

/** Returns whether a value is an object whose parts are compared one by one. */
function hasParts(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !ArrayBuffer.isView(value) && !(value instanceof Map);
}
