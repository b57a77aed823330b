/**
 * Records as importers write them to files: the fields of engine/model/records.ts in snake_case, identifiers and
 * instants as text, and what is unknown either null or absent.
 */

import type { Instant } from "../../engine/model/calendar.ts";
import type { CountyId, Uuid } from "../../engine/model/ids.ts";
import type { Records } from "../../engine/model/records.ts";

/** `areaSqKm` → `area_sq_km` */
type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

/** The form in files of a value in memory. */
type Wire<T> = T extends Uuid | Instant
  ? string
  : T extends CountyId
    ? number
    : T extends readonly (infer Item)[]
      ? readonly Wire<Item>[]
      : T extends object
        ? WireObject<T>
        : T;

type WireObject<T extends object> = {
  readonly [Key in keyof T & string as null extends T[Key] ? never : SnakeCase<Key>]: Wire<T[Key]>;
} & {
  readonly [Key in keyof T & string as null extends T[Key] ? SnakeCase<Key> : never]?: Wire<T[Key]>;
};

/** The record of each kind of file. */
export type WireRecords = { readonly [Kind in keyof Records]: Wire<Records[Kind]> };
