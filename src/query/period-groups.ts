/** Groups of statistics by time, from the samples that the store keeps of each series. */
import type { GroupFiguresBuilder } from "../store/group-figures.ts";
import type { PeriodList } from "../store/periods.ts";
import { addSamples, type SeriesSamples } from "../store/series-samples.ts";
import { codesLike, lendScratch, scratchFor } from "./scratch.ts";
import type { SeriesParts } from "./series-parts.ts";

/** Samples between two yields. */
const stepSamples = 8192;

/** Adds the periods of some series of one product together, oldest first; keys are periods. Cost: three passes. */
export function addPeriods(
  builder: GroupFiguresBuilder,
  samples: SeriesSamples,
  product: number,
  list: PeriodList,
  parts: SeriesParts,
): Generator<number, void> {
  return parts.series.length === 1
    ? addPeriodsOfOne(builder, samples, product, list, parts.from[0]!, parts.to[0]!)
    : addPeriodsOfMany(builder, samples, product, list, parts);
}

/** The samples of one series lie by time: each period is a run of them. */
function* addPeriodsOfOne(
  builder: GroupFiguresBuilder,
  samples: SeriesSamples,
  product: number,
  { ofDay }: PeriodList,
  from: number,
  to: number,
): Generator<number, void> {
  const { days, codes } = samples;
  let done = 0;
  for (let end = to; end > from; ) {
    const period = ofDay[days[end - 1]!]!;
    let start = end - 1;
    while (start > from && ofDay[days[start - 1]!] === period) start--;
    addSamples(builder, period, samples, product, codes, start, end, scratchFor(end - start));
    done += end - start;
    end = start;
    if (done >= stepSamples) {
      yield done;
      done = 0;
    }
  }
}

/** The samples of each period are counted first, then laid side by side. */
function* addPeriodsOfMany(
  builder: GroupFiguresBuilder,
  samples: SeriesSamples,
  product: number,
  { ofDay }: PeriodList,
  { series, from, to, rowCount }: SeriesParts,
): Generator<number, void> {
  const { days, codes } = samples;
  let periodFirst = Infinity;
  let periodLast = -1;
  for (let part = 0; part < series.length; part++) {
    if (from[part] === to[part]) continue;
    periodFirst = Math.min(periodFirst, ofDay[days[to[part]! - 1]!]!);
    periodLast = Math.max(periodLast, ofDay[days[from[part]!]!]!);
  }
  if (periodLast === -1) return;
  const periodCount = periodLast - periodFirst + 1;
  // Shared by all questions while nothing yields, of its own otherwise.
  const isShort = rowCount < stepSamples;
  const ends = isShort ? lendScratch.periods(periodCount) : new Uint32Array(periodCount + 1);
  const laid = isShort ? lendScratch.codes(rowCount, codes) : codesLike(codes, rowCount);
  let done = 0;
  for (let part = 0; part < series.length; part++) {
    for (let place = from[part]!; place < to[part]!; place++) ends[ofDay[days[place]!]! - periodFirst + 1]!++;
    done += to[part]! - from[part]!;
    if (!isShort && done >= stepSamples) {
      yield done;
      done = 0;
    }
  }
  // The entry of a period becomes the end of the one before it, which is where its own samples go; then its own end.
  for (let period = 1; period <= periodCount; period++) ends[period]! += ends[period - 1]!;
  for (let part = 0; part < series.length; part++) {
    for (let place = from[part]!; place < to[part]!; place++) {
      laid[ends[ofDay[days[place]!]! - periodFirst]!++] = codes[place]!;
    }
    done += to[part]! - from[part]!;
    if (!isShort && done >= stepSamples) {
      yield done;
      done = 0;
    }
  }
  for (let period = 0, start = 0; period < periodCount; period++) {
    const end = ends[period]!;
    if (end === start) continue;
    addSamples(builder, periodFirst + period, samples, product, laid, start, end, scratchFor(end - start));
    done += 4 * (end - start);
    start = end;
    if (!isShort && done >= stepSamples) {
      yield done;
      done = 0;
    }
  }
}
