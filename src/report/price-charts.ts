/** The products whose prices are worth a look: those that moved most, and those with suspicious prices. */
import { type Day, dayFromText, dayOfInstant } from "../domain/calendar-day.ts";
import { monthStart } from "../domain/calendar-periods.ts";
import type { Uuid } from "../domain/ids.ts";
import { roundFigure } from "../domain/round-figure.ts";
import type { MarketType } from "../domain/vocabulary.ts";
import type { SnapshotChanges } from "../publish/snapshot-changes.ts";
import type { Warning, WarningKind, WarningList } from "../publish/warnings/warning.ts";
import { findPriceMoves } from "../query/price-moves.ts";
import { priceStatistics } from "../query/price-statistics.ts";
import { runInSlices } from "../query/run-in-slices.ts";
import { recordAt } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";
import { conversionTo, convertPrice } from "../store/unit-conversion.ts";
import { findRow } from "../store/uuid-index.ts";

/** A product at one type of market. */
export interface PriceChart {
  readonly productUuid: Uuid;
  readonly product: string;
  readonly marketType: MarketType;
  /** All figures are in this unit and currency. */
  readonly unit: string;
  readonly currency: string;
  /** Undefined where the chart is shown for its suspicious prices alone. */
  readonly move: PriceChange | undefined;
  /** Days that the chart spans, up to the newest of the snapshot. */
  readonly dayFirst: Day;
  readonly dayLast: Day;
  /** By month, ascending; those without prices are missing. */
  readonly months: readonly MonthFigures[];
  readonly suspicious: readonly SuspiciousPrice[];
  /** Suspicious prices in a unit or currency that is not the chart's. */
  readonly suspiciousElsewhere: number;
}

/** From which price to which, in the unit named. */
export interface PriceChange {
  readonly from: number;
  readonly to: number;
  readonly unit: string;
  readonly currency: string;
  /** What is compared: the latest prices of two snapshots, or medians of the newest days and the days before. */
  readonly of: "latest prices" | "medians";
}

export interface MonthFigures {
  /** `2026-05` */
  readonly month: string;
  /** Its first day. */
  readonly day: Day;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly samples: number;
}

export interface SuspiciousPrice {
  readonly day: Day;
  /** In the unit and currency of the chart. */
  readonly price: number;
  readonly warning: Warning;
}

/** Charts of what moved, and of all. */
const movedMax = 8;
const chartsMax = 14;

/** Days that a chart goes back from the newest, and before its oldest suspicious price: three years, and one. */
const daysShown = 3 * 365;
const daysBeforeMark = 365;

/** Days on each side, and prices each side must have, where there is no snapshot to compare with. */
export const moveDays = 30;
export const moveSamplesMin = 5;

/** Warnings that doubt the amount of a price, or where and when it was: those a chart marks. */
const markedKinds: readonly WarningKind[] = ["decimal-slip", "unit-slip", "outlier", "moved-correction"];

/** What a chart is chosen for. */
interface Choice {
  readonly productUuid: Uuid;
  readonly marketType: MarketType;
  readonly move: PriceChange | undefined;
}

/**
 * Chooses products and collects their figures. With a snapshot to compare with, those come first whose latest price
 * moved most between the two; without, those whose median moved most over the newest `moveDays` days. Then those with
 * most suspicious prices.
 *
 * Cost: precomputed figures of each chart; without a snapshot to compare with a look at every run as well.
 */
export async function collectPriceCharts(
  store: Store,
  changes: SnapshotChanges | undefined,
  warnings: WarningList,
): Promise<PriceChart[]> {
  const marked = warnedBySubject(store, warnings);
  const choices = new Map<string, Choice>();
  const add = (choice: Choice, max: number): void => {
    const key = `${choice.productUuid} ${choice.marketType}`;
    if (choices.size < max && !choices.has(key)) choices.set(key, choice);
  };
  const moves = changes === undefined ? await movesWithin(store) : movesBetween(changes);
  for (const move of moves) add(move, movedMax);
  for (const { choice } of [...marked.values()].sort((a, b) => b.warnings.length - a.warnings.length)) {
    add(choice, chartsMax);
  }
  const charts: PriceChart[] = [];
  for (const [key, choice] of choices) charts.push(await makeChart(store, choice, marked.get(key)?.warnings ?? []));
  return charts;
}

function movesBetween({ latestPriceMoves }: SnapshotChanges): Choice[] {
  const size = (from: number, to: number): number => Math.abs(Math.log(to / from));
  return latestPriceMoves
    .toSorted((a, b) => size(b.before.price, b.after.price) - size(a.before.price, a.after.price))
    .map(({ uuid, marketType, unit, currency, before, after }) => ({
      productUuid: uuid,
      marketType,
      move: { from: before.price, to: after.price, unit, currency, of: "latest prices" },
    }));
}

async function movesWithin(store: Store): Promise<Choice[]> {
  const found = await runInSlices(findPriceMoves(store, moveDays, moveSamplesMin));
  return (found?.moves ?? []).map(({ product, marketType, before, after }) => {
    const { unit, currency } = store.measures[product] as { unit: string; currency: string | null };
    return {
      productUuid: recordAt(store.catalogue.products, product).uuid,
      marketType,
      move: {
        from: roundFigure(before.median),
        to: roundFigure(after.median),
        unit,
        currency: currency ?? "",
        of: "medians",
      },
    };
  });
}

/** The warnings whose price a chart can mark, by product and type of market. */
function warnedBySubject(
  { catalogue }: Store,
  { problems }: WarningList,
): Map<string, { readonly choice: Choice; readonly warnings: Warning[] }> {
  const found = new Map<string, { readonly choice: Choice; readonly warnings: Warning[] }>();
  for (const warning of problems) {
    const { kind, price } = warning;
    if (price === undefined || !markedKinds.includes(kind)) continue;
    const market = catalogue.marketCodes.get(price.marketUuid);
    if (market === undefined) continue;
    const marketType = recordAt(catalogue.markets, market).type;
    const key = `${price.productUuid} ${marketType}`;
    const entry = found.get(key);
    const choice = { productUuid: price.productUuid, marketType, move: undefined };
    if (entry === undefined) found.set(key, { choice, warnings: [warning] });
    else entry.warnings.push(warning);
  }
  return found;
}

async function makeChart(
  store: Store,
  { productUuid, marketType, move }: Choice,
  warnings: readonly Warning[],
): Promise<PriceChart> {
  const { catalogue, periods, prices, snapshot } = store;
  const product = catalogue.productCodes.get(productUuid) as number;
  const { name } = recordAt(catalogue.products, product);
  const measure = store.measures[product] as { unit: string; currency: string | null };
  const conversion = conversionTo(catalogue, prices, measure);
  const suspicious = warnings.flatMap((warning): SuspiciousPrice[] => {
    if (warning.price === undefined) return [];
    const row = findRow(store.rowByUuid, prices.uuids, warning.price.uuid);
    const price = row === undefined ? Number.NaN : convertPrice(prices, conversion, row);
    if (Number.isNaN(price)) return [];
    return [{ day: dayOfInstant(warning.price.recordedAt, snapshot.utcOffset), price: roundFigure(price), warning }];
  });
  const dayLast = periods.newestDay as Day;
  const oldestMark = suspicious.reduce((oldest, { day }) => Math.min(oldest, day), Infinity);
  const dayFirst = monthStart(Math.min(dayLast - daysShown, oldestMark - daysBeforeMark) as Day);
  const question = { productUuid, dayFirst, dayLast, marketType, grouping: "month" } as const;
  const answer = await priceStatistics(store, question);
  if ("problem" in answer) throw new RangeError(`the statistics of ${productUuid}: ${answer.problem}`);
  return {
    productUuid,
    product: name,
    marketType,
    unit: measure.unit,
    currency: measure.currency ?? "",
    move,
    dayFirst,
    dayLast,
    months: answer.groups.map(({ key, median, min, max, count }) => {
      const month = periods.month.labels[key] as string;
      const day = dayFromText(`${month}-01`) as Day;
      return { month, day, median: roundFigure(median), min: roundFigure(min), max: roundFigure(max), samples: count };
    }),
    suspicious,
    suspiciousElsewhere: warnings.length - suspicious.length,
  };
}
