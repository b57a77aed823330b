/** Collects charts of the products whose prices are furthest from usual, and of those with suspicious prices. */

import type { LatestPriceMove, SnapshotChanges } from "../../contract/publication-report.ts";
import { type Day, firstDayOf, monthStart, monthText } from "../../engine/model/calendar.ts";
import type { Uuid } from "../../engine/model/ids.ts";
import type { MarketType } from "../../engine/model/vocabulary.ts";
import { type JudgedSubject, marketTypeOf, unusualProducts } from "../../engine/query/measures/find-judged.ts";
import { monthlyFigures, suspiciousPrices } from "../../engine/query/monthly-figures.ts";
import { recordedPrice } from "../../engine/query/recorded-price.ts";
import { recordAt } from "../../engine/store/catalogue.ts";
import type { UnitAndCurrency } from "../../engine/store/price-conversion.ts";
import { finish } from "../../engine/store/steps.ts";
import type { Store } from "../../engine/store/store.ts";

/** A product at one type of market. */
export type PriceChart = Awaited<ReturnType<typeof makeChart>>;
/** A suspicious price, which the chart marks. */
export type MarkedPrice = PriceChart["suspicious"][number];
export type MonthFigures = PriceChart["months"][number];

/** Charts of what moved or is unusual, and of all. */
const unusualMax = 8;
const chartsMax = 14;

/** Days that a chart goes back from the newest, and before its oldest suspicious price: three years, and one. */
const daysShown = 3 * 365;
const daysBeforeMark = 365;

/** The subject of a chart, and the reason for which it is chosen. */
interface Choice {
  readonly productUuid: Uuid;
  readonly marketType: MarketType;
  /** The latest prices of two snapshots, which may be of different markets; undefined where these are not why. */
  readonly move?: Pick<LatestPriceMove, "unit" | "currency"> & { readonly from: number; readonly to: number };
  /** True if its suspicious prices alone are why it is shown. */
  readonly isSuspiciousOnly: boolean;
}

/**
 * Chooses products and collects their figures. With a snapshot to compare with, those come first whose latest price
 * moved most between the two; without, those furthest from usual. Then those with most suspicious prices.
 *
 * @param judged All products at the level of the country.
 * Cost: one pass over the prices of the products chosen.
 */
export async function collectPriceCharts(
  store: Store,
  changes: SnapshotChanges | undefined,
  judged: ReadonlyMap<string, JudgedSubject>,
): Promise<PriceChart[]> {
  const choices = new Map<string, Choice>();
  const add = (choice: Choice, max: number): void => {
    const key = subjectKey(choice.productUuid, choice.marketType);
    if (choices.size < max && !choices.has(key)) choices.set(key, choice);
  };
  const first = changes === undefined ? unusualChoices(store, [...judged.values()]) : movesBetween(changes);
  for (const choice of first) add(choice, unusualMax);
  for (const choice of suspiciousChoices(store)) add(choice, chartsMax);
  const charts: PriceChart[] = [];
  for (const [key, choice] of choices) charts.push(await makeChart(store, choice, judged.get(key)));
  return charts;
}

/** The key of a product at a type of market. */
export function subjectKey(productUuid: Uuid, marketType: MarketType): string {
  return `${productUuid} ${marketType}`;
}

/** The greatest first, up or down: half is as far as the double. */
export function largestMovesFirst(moves: readonly LatestPriceMove[]): LatestPriceMove[] {
  const size = ({ before, after }: LatestPriceMove): number => Math.abs(Math.log(after.price / before.price));
  return moves.toSorted((a, b) => size(b) - size(a));
}

function movesBetween({ latestPriceMoves }: SnapshotChanges): Choice[] {
  return largestMovesFirst(latestPriceMoves).map(({ uuid, marketType, unit, currency, before, after }) => ({
    productUuid: uuid,
    marketType,
    move: { from: before.price, to: after.price, unit, currency },
    isSuspiciousOnly: false,
  }));
}

function unusualChoices(store: Store, judged: readonly JudgedSubject[]): Choice[] {
  return (unusualProducts(store, judged)?.products ?? []).map((found) => ({
    productUuid: recordAt(store.catalogue.products, found.newest.product).uuid,
    marketType: marketTypeOf(found),
    isSuspiciousOnly: false,
  }));
}

/** The products at a type of market that have suspicious prices, those with most first. */
function suspiciousChoices({ catalogue, prices, suspicious }: Store): Choice[] {
  const subjects = Array.from(suspicious.rows, (row) => ({
    productUuid: recordAt(catalogue.products, prices.products[row] as number).uuid,
    marketType: recordAt(catalogue.markets, prices.markets[row] as number).type,
  }));
  const bySubject = Map.groupBy(subjects, ({ productUuid, marketType }) => subjectKey(productUuid, marketType));
  return [...bySubject.values()]
    .sort((a, b) => b.length - a.length)
    .flatMap(([subject]) => (subject === undefined ? [] : { ...subject, isSuspiciousOnly: true }));
}

async function makeChart(store: Store, choice: Choice, judged: JudgedSubject | undefined) {
  const { catalogue, statisticsUnits, periods } = store;
  const { productUuid, marketType } = choice;
  const product = catalogue.productCodes.get(productUuid) as number;
  const { unit, currency } = statisticsUnits[product] as UnitAndCurrency;
  const suspicious = suspiciousPrices(store, { productUuid, marketType });
  const dayLast = periods.newestDay as Day;
  const oldestMark = suspicious.at(-1)?.day ?? Infinity;
  const dayFirst = monthStart(Math.min(dayLast - daysShown, oldestMark - daysBeforeMark) as Day);
  const days = { dayFirst, dayLast };
  const { months } = finish(monthlyFigures(store, { productUuid, ...days, marketType }));
  return {
    ...choice,
    product: recordAt(catalogue.products, product).name,
    /** All figures are in this unit and currency; suspicious prices are in none. */
    unit,
    currency: currency ?? "",
    /** Its judgement in the country; undefined where no price of it can be judged. */
    judged,
    /** Days that the chart spans, up to the newest of the snapshot. */
    ...days,
    /** Ascending; those without prices are missing. */
    months: months.map(({ month, ...figures }) => ({ ...figures, month: monthText(month), day: firstDayOf(month) })),
    /** Newest first. */
    suspicious: suspicious.map(({ row, day, price, reason }) => ({
      day,
      reason,
      /** In the unit and currency of the chart; undefined where it does not convert. */
      price,
      recorded: recordedPrice(store, row),
    })),
  };
}
