/** What pages say of all prices of a store, which follows from the store alone and is found once. */
import type { Day, MonthNumber } from "../model/calendar.ts";
import { monthOf } from "../model/calendar.ts";
import { getOrInsert } from "../model/get-or-insert.ts";
import type { CountyId, Uuid } from "../model/ids.ts";
import type { Population } from "../model/vocabulary.ts";
import type { Store } from "../store/store.ts";
import { findJudged, type JudgedQuestion, type JudgedSubject } from "./measures/find-judged.ts";

/** The measures that pages show. */
export const stateMeasures = ["yearBefore", "previous", "fiveYears", "alps"] as const;

const known = new WeakMap<Store, Map<string, readonly JudgedSubject[]>>();

/** Judges once for a store. @param key Names the question. */
function* judgedOnce(store: Store, key: string, question: JudgedQuestion): Generator<number, readonly JudgedSubject[]> {
  const cached = getOrInsert(known, store, () => new Map());
  const found = cached.get(key) ?? (yield* findJudged(store, question));
  cached.set(key, found);
  return found;
}

/** A product at each type of market in the country. Cost: that of judging it, once for a store and population. */
export function judgedInCountry(
  store: Store,
  productUuid: Uuid,
  refugeeCamps: Population,
): Generator<number, readonly JudgedSubject[]> {
  const question = { productUuids: [productUuid], level: "country", refugeeCamps, measures: stateMeasures } as const;
  return judgedOnce(store, `${productUuid} ${refugeeCamps}`, question);
}

/** All products at each type of market in a county. Cost: that of judging them, once for a store and population. */
export function judgedInCounty(
  store: Store,
  countyId: CountyId,
  refugeeCamps: Population,
): Generator<number, readonly JudgedSubject[]> {
  const question = { countyId, level: "county", refugeeCamps, measures: ["yearBefore", "previous"] } as const;
  return judgedOnce(store, `${countyId} ${refugeeCamps}`, question);
}

/** All products at each type of market in the country. */
export function* allInCountry(store: Store, refugeeCamps: Population): Generator<number, readonly JudgedSubject[]> {
  const judged: JudgedSubject[] = [];
  for (const { record } of store.catalogue.products) {
    judged.push(...(yield* judgedInCountry(store, record.uuid, refugeeCamps)));
  }
  return judged;
}

/** The month of the newest price. The store must hold one. */
export function lastMonthOf({ periods }: Store): MonthNumber {
  return monthOf(periods.newestDay as Day);
}
