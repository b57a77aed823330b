/**
 * The groups of a statistics question by market and by county. Places whose prices all lie within the days are taken from
 * the figures that the store keeps ready; what days leave of the others is worked out from these; in another unit than
 * the product's own everything is summed up from rows.
 */
import type { CountyId } from "../domain/ids.ts";
import { marketTypes } from "../domain/vocabulary.ts";
import type { GroupFiguresBuilder } from "../store/group-figures.ts";
import { addGroup } from "../store/measuring.ts";
import { countyKey } from "../store/ready-figures.ts";
import type { Store } from "../store/store.ts";
import type { GroupList, GroupPlace } from "./group-list.ts";
import { addPlace } from "./place-groups.ts";
import { scratchFor } from "./scratch.ts";
import { partsAt, rowsOfParts, type SeriesParts, seriesPartsOf } from "./series-parts.ts";
import type { GroupQuestion } from "./statistics-groups.ts";

/** Groups by market, by name; their keys are market codes. */
export function* groupByMarket(
  store: Store,
  asked: GroupQuestion,
  builder: GroupFiguresBuilder,
): Generator<number, GroupList> {
  const { series, figures, prices } = store;
  const { question, product, measuring, isOwnUnit } = asked;
  const { rowOffsets } = series;
  const parts = seriesPartsOf(store, product, question);
  const places: number[] = [];
  const keys: number[] = [];
  for (let part = 0; part < parts.series.length; part++) {
    const one = parts.series[part]!;
    const from = parts.from[part]!;
    const to = parts.to[part]!;
    if (from === to) continue;
    const key = series.markets[one]!;
    keys.push(key);
    const isWhole = to - from === rowOffsets[one + 1]! - rowOffsets[one]!;
    if (isOwnUnit && isWhole) {
      places.push(one);
      continue;
    }
    places.push(~builder.size);
    if (isOwnUnit) {
      const whole = { figures: figures.bySeries, at: one };
      addPlace(builder, key, store, product, whole, partsAt(parts, [part]));
    } else {
      addGroup(builder, key, prices, measuring, series.rows, from, to, scratchFor(to - from));
    }
    yield to - from;
  }
  return { ready: figures.bySeries, made: builder.view(), places, keys };
}

/** Groups by county, by name, then id; their keys are the ids. */
export function* groupByCounty(
  store: Store,
  asked: GroupQuestion,
  builder: GroupFiguresBuilder,
): Generator<number, GroupList> {
  const { product, isOwnUnit, question } = asked;
  const parts = seriesPartsOf(store, product, question);
  const { bySeries, byCounty } = store.figures;
  const places: number[] = [];
  const keys: number[] = [];
  for (const [county, members] of membersByCounty(store, parts)) {
    const ofCounty = partsAt(parts, members);
    if (ofCounty.rowCount === 0) continue;
    keys.push(county);
    const whole = isOwnUnit ? wholeOfCounty(store, asked, county, ofCounty) : undefined;
    if (whole !== undefined && ofCounty.rowCount === samplesOf(whole)) {
      places.push(whole.at);
      continue;
    }
    places.push(~builder.size);
    if (whole === undefined) addRows(builder, county, store, asked, ofCounty);
    else addPlace(builder, county, store, product, whole, ofCounty);
    yield ofCounty.rowCount;
  }
  const ready = question.marketUuid === undefined ? byCounty.figures : bySeries;
  return { ready, made: builder.view(), places, keys };
}

/** All prices of a group, with those that are not in its figures. */
function samplesOf({ figures, at }: GroupPlace): number {
  return figures.counts[at]! + figures.excluded[at]!;
}

/** The parts of each county, by their position; counties by name, then id. */
function membersByCounty(
  { catalogue, series }: Store,
  { series: wanted }: SeriesParts,
): [county: CountyId, parts: number[]][] {
  const members = new Map<CountyId, number[]>();
  for (let part = 0; part < wanted.length; part++) {
    const county = catalogue.marketCounties[series.markets[wanted[part]!]!]! as CountyId;
    const known = members.get(county);
    if (known === undefined) members.set(county, [part]);
    else known.push(part);
  }
  const { countyRanks } = catalogue;
  return [...members].sort(([a], [b]) => countyRanks.get(a)! - countyRanks.get(b)!);
}

/** The figures kept ready of the series of one county that a question selects, whatever its days. */
function wholeOfCounty(
  { figures }: Store,
  { question, product }: GroupQuestion,
  county: CountyId,
  { series }: SeriesParts,
): GroupPlace {
  if (question.marketUuid !== undefined) return { figures: figures.bySeries, at: series[0]! };
  const type = question.marketType === undefined ? -1 : marketTypes.indexOf(question.marketType);
  const key = countyKey(county, type);
  const { offsets, figures: ready } = figures.byCounty;
  let low = offsets[product]!;
  let high = offsets[product + 1]!;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ready.keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return { figures: ready, at: low };
}

/** Adds the rows of some parts as one group, in a unit that is not the product's own. */
function addRows(
  builder: GroupFiguresBuilder,
  key: number,
  { prices, series }: Store,
  { measuring }: GroupQuestion,
  parts: SeriesParts,
): void {
  const rows = rowsOfParts(series, parts);
  addGroup(builder, key, prices, measuring, rows, 0, rows.length, scratchFor(rows.length));
}
