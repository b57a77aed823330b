/** How many of the prices in an answer of statistics stand for a longer time than its groups do. */
import { periodOfSource } from "../domain/dataset.ts";
import { type Grouping, type SamplePeriod, samplePeriods } from "../domain/vocabulary.ts";
import { dayCodesOf } from "../store/periods.ts";
import { StepCounter } from "../store/step-counter.ts";
import type { Store } from "../store/store.ts";
import { convertPrice, type UnitConversion } from "../store/unit-conversion.ts";
import type { PriceStatistics } from "./questions.ts";
import { selectRows } from "./select-rows.ts";

/** Prices by the time they stand for, of those times that are longer than a group; without those that no price has. */
export type CoarserSamples = Readonly<Partial<Record<SamplePeriod, number>>>;

/** Rows looked at between two yields. */
const stepRows = 16_384;

/**
 * Counts the prices in the figures whose source states a longer period than that of the groups.
 *
 * @param count Prices in the figures.
 * Cost: nothing where all sources of the snapshot have one period, or none has a longer one; otherwise a look at each row.
 */
export function* countCoarser(
  store: Store,
  question: PriceStatistics,
  product: number,
  count: number,
  conversion: () => UnitConversion,
): Generator<number, CoarserSamples> {
  const { prices, snapshot } = store;
  const periods = prices.sourceNames.map((source) => {
    const period = periodOfSource(snapshot.periods, source);
    return period !== null && isCoarser(period, question.grouping) ? period : null;
  });
  const [first = null] = periods;
  if (count === 0) return {};
  if (periods.every((period) => period === first)) return first === null ? {} : { [first]: count };
  const unitConversion = conversion();
  const days = dayCodesOf(store.periods, question.dayFirst, question.dayLast);
  const { rows, from, to } = yield* selectRows(store, question, product, days);
  const counts = new Map<SamplePeriod, number>();
  const steps = new StepCounter(stepRows);
  for (let segment = 0; segment < from.length; segment++) {
    for (let at = from[segment]!; at < to[segment]!; at++) {
      const row = rows === null ? at : rows[at]!;
      const period = periods[prices.sources[row]!]!;
      if (period === null || Number.isNaN(convertPrice(prices, unitConversion, row))) continue;
      counts.set(period, (counts.get(period) ?? 0) + 1);
    }
    const step = steps.add(to[segment]! - from[segment]!);
    if (step > 0) yield step;
  }
  return Object.fromEntries(counts);
}

/** Whether a price that stands for a period is in a group of a part of it alone. Places are no times. */
function isCoarser(period: SamplePeriod, grouping: Grouping): boolean {
  const group = samplePeriods.indexOf(grouping as SamplePeriod);
  return group !== -1 && samplePeriods.indexOf(period) < group;
}
