/** Finds the prices that the start page begins with: those of a recent month that most counties stand behind. */
import { type Day, firstDayOf, type MonthNumber, monthOf } from "../model/calendar.ts";
import { recordAt } from "../store/catalogue.ts";
import { dayCodesOf, dayOfRow } from "../store/periods.ts";
import type { Store } from "../store/store.ts";
import { findJudged, type JudgedSubject } from "./measures/find-judged.ts";
import { productAtType, splitProductAtType } from "./product-at-type.ts";

/** A product at a type of market whose change on a year before is known. */
export interface ChangedSubject extends JudgedSubject {
  readonly yearBefore: NonNullable<JudgedSubject["yearBefore"]>;
}

/** Months up to the newest price in which prices are recent: the news is of one of them. */
export const recentMonths = 12;

/** The newest month with prices from so many counties is the month of the news. */
const countiesWanted = 10;

/** Products that the news names. */
const newsMax = 3;

/** The counties with prices in a month, by product at a type of market. */
type CountiesBySubject = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * The newest of the last twelve months in which prices come from at least ten counties, or else the newest of these
 * with most; of it the three products with prices from most counties at one type of market that have a change on a year
 * before. Equal ones by name, then type of market.
 *
 * @returns Entries of that month; none without prices.
 * Cost: a read of the prices of twelve months, and that of judging products until three have a year before.
 */
export function* findNews(store: Store): Generator<number, readonly ChangedSubject[]> {
  const chosen = chooseMonth(yield* countiesByMonth(store));
  if (chosen === undefined) return [];
  const [month, bySubject] = chosen;
  const ranked = [...bySubject].sort(([a, countiesA], [b, countiesB]) => countiesB.size - countiesA.size || a - b);
  const news: ChangedSubject[] = [];
  for (const [code] of ranked) {
    if (news.length === newsMax) break;
    const { product, marketType } = splitProductAtType(code);
    if (news.some(({ newest }) => newest.product === product)) continue;
    const productUuids = [recordAt(store.catalogue.products, product).uuid];
    const question = { productUuids, marketType, level: "country", measures: ["yearBefore"], month } as const;
    for (const found of yield* findJudged(store, question)) {
      const { yearBefore } = found;
      if (yearBefore?.month === month) news.push({ ...found, yearBefore });
    }
  }
  return news;
}

/** The newest month first. Cost: a read of each price of the months. */
function* countiesByMonth(store: Store): Generator<number, Map<MonthNumber, CountiesBySubject>> {
  const { catalogue, periods, prices, rowsByTime } = store;
  const months = new Map<MonthNumber, Map<number, Set<number>>>();
  const monthFirst = monthOf(periods.newestDay as Day) - recentMonths + 1;
  const { to } = dayCodesOf(periods, firstDayOf(monthFirst), undefined);
  let [read, day, month] = [0, -1, monthFirst];
  for (const row of rowsByTime) {
    const dayCode = periods.dayCodes[row]!;
    if (dayCode >= to) break;
    // Rows of a day stand together.
    if (dayCode !== day) [day, month] = [dayCode, monthOf(dayOfRow(periods, row))];
    const market = prices.markets[row]!;
    const code = productAtType(prices.products[row]!, catalogue.marketTypeCodes[market]!);
    const bySubject = months.getOrInsertComputed(month, () => new Map());
    bySubject.getOrInsertComputed(code, () => new Set()).add(catalogue.marketCounties[market]!);
    if (++read % rowsPerStep === 0) yield rowsPerStep;
  }
  return months;
}

const rowsPerStep = 4096;

/** @param months The newest first. @returns undefined without months. */
function chooseMonth(
  months: ReadonlyMap<MonthNumber, CountiesBySubject>,
): readonly [MonthNumber, CountiesBySubject] | undefined {
  const counted = [...months].map((found) => {
    return { found, counties: new Set([...found[1].values()].flatMap((counties) => [...counties])).size };
  });
  const wanted = Math.min(countiesWanted, Math.max(...counted.map(({ counties }) => counties)));
  return counted.find(({ counties }) => counties >= wanted)?.found;
}
