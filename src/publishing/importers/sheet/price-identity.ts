/** The identifiers of prices and new records: the same in every import of the same table. */
import { v5 } from "uuid";
import { dayOfInstant, dayText, type Instant, instantText, kenyanOffset } from "../../../engine/model/calendar.ts";
import type { PriceFlag } from "../../../engine/model/vocabulary.ts";
import type { Mapping } from "./mapping.ts";
import type { Target } from "./name-index.ts";
import { foldHeading } from "./name-key.ts";

/** The namespace of all identifiers that are made from spreadsheets. Changing it changes every identifier. */
export const sheetNamespace = "7c0b1f0e-52a3-4a0e-9d0c-3f6f2f9a4b61";

/** The identifier of a new product or market. @param key All that makes it the same record again. */
export function newRecordUuid(key: readonly string[]): string {
  return v5(JSON.stringify(key), sheetNamespace);
}

/** A price as a row of a table states it. */
export interface PriceFact {
  readonly line: number;
  readonly recordedAt: Instant;
  readonly market: Target;
  readonly product: Target;
  readonly unit: string;
  readonly currency: string;
  readonly price: number;
  readonly grade: string | null;
  readonly notes: string | null;
  readonly priceFlag: PriceFlag | null;
  /** The same in every import of a table of this source. */
  readonly uuid: string;
}

/** A price without what depends on earlier rows with the same key. */
export type UnnumberedFact = Omit<PriceFact, "uuid">;

type KeyMapping = Pick<Mapping, "source" | "columns" | "heading_in_key" | "time_in_key">;

/**
 * All but the price itself, the time of day and notes, because a corrected table has the same prices; and the heading
 * of its column, where the table has several of prices, and the time, where the mapping says so.
 */
function priceKey({ source, columns, heading_in_key, time_in_key }: KeyMapping, fact: UnnumberedFact): string {
  const { market, product, unit, currency, grade, recordedAt } = fact;
  const day = dayText(dayOfInstant(recordedAt, kenyanOffset));
  const key = [source, market.id, product.id, unit, currency, grade, day];
  // Hour and minute, on a clock in Kenya.
  const time = time_in_key === true ? [instantText((recordedAt + kenyanOffset) as Instant).slice(11, 16)] : [];
  // Prices of a table with one column keep the identity that they have always had, and those of a wide table have it.
  const isInKey = heading_in_key === true && typeof columns.price === "string";
  return JSON.stringify([...key, ...(isInKey ? [foldHeading(columns.price)] : []), ...time]);
}

/**
 * Returns what gives the prices of a table their identifiers: it returns the price, and the first one with its key
 * where there is an earlier one. Rows with equal keys are prices of their own, numbered in order.
 *
 * Cost: memory for an identifier a price. Keys are not kept: they are four times as long.
 */
export function priceIdentifier(mapping: KeyMapping) {
  const firsts = new Map<string, PriceFact>();
  const counts = new Map<string, number>();
  return (fact: UnnumberedFact): { readonly fact: PriceFact; readonly first: PriceFact | undefined } => {
    const key = priceKey(mapping, fact);
    const uuid = v5(key, sheetNamespace);
    const first = firsts.get(uuid);
    if (first === undefined) {
      const identified = withUuid(fact, uuid);
      firsts.set(uuid, identified);
      return { fact: identified, first };
    }
    const number = (counts.get(uuid) ?? 1) + 1;
    counts.set(uuid, number);
    return { fact: withUuid(fact, v5(`${key} ${number}`, sheetNamespace)), first };
  };
}

/** Each field by itself: an object that is spread has its fields outside of it and takes half as much memory again. */
function withUuid(fact: UnnumberedFact, uuid: string): PriceFact {
  const { line, recordedAt, market, product, unit, currency, price, grade, notes, priceFlag } = fact;
  return { line, recordedAt, market, product, unit, currency, price, grade, notes, priceFlag, uuid };
}
