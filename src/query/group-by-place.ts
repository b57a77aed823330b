/**
 * The groups of a statistics question by market and by county. Places whose prices all lie within the days are taken from
 * the figures that the store keeps ready; what days leave of the others is worked out from these; in another unit than
 * the product's own everything is summed up from rows.
 */
import type { CountyId } from "../domain/ids.ts";
import { marketTypes } from "../domain/vocabulary.ts";
import { GroupFiguresBuilder } from "../store/group-figures.ts";
import { addGroup } from "../store/measuring.ts";
import { countyKey } from "../store/ready-figures.ts";
import type { Store } from "../store/store.ts";
import { addPlace } from "./place-groups.ts";
import { scratchFor } from "./scratch.ts";
import { partsAt, rowsOfParts, type SeriesParts, seriesPartsOf } from "./series-parts.ts";
import type { GroupQuestion } from "./statistics-groups.ts";
import type { GroupPlace } from "./summarise.ts";

/** Groups by market, by name; their keys are market codes. */
export function* groupByMarket(
  store: Store,
  asked: GroupQuestion,
  builder: GroupFiguresBuilder,
): Generator<number, GroupPlace[]> {
  const { series, figures, prices } = store;
  const { question, product, measuring, isOwnUnit } = asked;
  const { rowOffsets } = series;
  const parts = seriesPartsOf(store, product, question);
  const places: (GroupPlace | null)[] = [];
  for (let part = 0; part < parts.series.length; part++) {
    const one = parts.series[part]!;
    const from = parts.from[part]!;
    const to = parts.to[part]!;
    if (from === to) continue;
    const whole = { figures: figures.bySeries, at: one };
    const isWhole = to - from === rowOffsets[one + 1]! - rowOffsets[one]!;
    if (isOwnUnit && isWhole) {
      places.push(whole);
      continue;
    }
    const key = series.markets[one]!;
    if (isOwnUnit) addPlace(builder, key, store, product, whole, partsAt(parts, [part]));
    else addGroup(builder, key, prices, measuring, series.rows, from, to, scratchFor(to - from));
    places.push(null);
    yield to - from;
  }
  const figuresMade = builder.view();
  let at = 0;
  return places.map((place) => place ?? { figures: figuresMade, at: at++ });
}

export interface CountyPlace {
  readonly county: CountyId;
  readonly place: GroupPlace;
}

/** Groups by county, by name, then id. */
export function* groupByCounty(
  store: Store,
  asked: GroupQuestion,
  builder: GroupFiguresBuilder,
): Generator<number, CountyPlace[]> {
  const { catalogue } = store;
  const { product, isOwnUnit, question } = asked;
  const parts = seriesPartsOf(store, product, question);
  const found: CountyPlace[] = [];
  for (const [county, members] of membersByCounty(store, parts)) {
    const ofCounty = partsAt(parts, members);
    if (ofCounty.rowCount === 0) continue;
    const whole = isOwnUnit ? wholeOfCounty(store, asked, county, ofCounty) : undefined;
    if (whole === undefined) {
      addRows(builder, store, asked, ofCounty);
    } else if (ofCounty.rowCount === whole.figures.counts[whole.at]! + whole.figures.excluded[whole.at]!) {
      found.push({ county, place: whole });
      continue;
    } else {
      addPlace(builder, county, store, product, whole, ofCounty);
    }
    // The columns may still move; they are put in below.
    found.push({ county, place: { figures: noFigures, at: builder.size - 1 } });
    yield ofCounty.rowCount;
  }
  const figuresMade = builder.view();
  const { countyRanks } = catalogue;
  return found
    .map(({ county, place }) => ({
      county,
      place: place.figures === noFigures ? { figures: figuresMade, at: place.at } : place,
    }))
    .sort((a, b) => countyRanks.get(a.county)! - countyRanks.get(b.county)!);
}

const noFigures = new GroupFiguresBuilder().view();

/** The parts of each county, by their position. */
function membersByCounty({ catalogue, series }: Store, { series: wanted }: SeriesParts): Map<CountyId, number[]> {
  const members = new Map<CountyId, number[]>();
  for (let part = 0; part < wanted.length; part++) {
    const county = catalogue.marketCounties[series.markets[wanted[part]!]!]! as CountyId;
    const known = members.get(county);
    if (known === undefined) members.set(county, [part]);
    else known.push(part);
  }
  return members;
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
  { prices, series }: Store,
  { measuring }: GroupQuestion,
  parts: SeriesParts,
): void {
  const rows = rowsOfParts(series, parts);
  addGroup(builder, 0, prices, measuring, rows, 0, rows.length, scratchFor(rows.length));
}
