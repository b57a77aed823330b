import type { CountyId } from "../../domain/ids.ts";
import { type Instant, instantText } from "../../domain/instant.ts";
import type { MarketRecord, ProductRecord } from "../../domain/records.ts";
import { readUuid } from "../../domain/uuid-words.ts";
import type { Grouping } from "../../domain/vocabulary.ts";
import type { GroupList } from "../../query/group-list.ts";
import type { LatestGroup } from "../../query/latest-prices.ts";
import type { StatisticsAnswer } from "../../query/price-statistics.ts";
import { roundFigure } from "../../query/summarise.ts";
import { countyRecord, recordAt } from "../../store/catalogue.ts";
import { missingCode } from "../../store/code-column.ts";
import type { MarketCode } from "../../store/codes.ts";
import type { PriceColumns } from "../../store/price-columns.ts";
import { textOf } from "../../store/shared-texts.ts";
import type { Store } from "../../store/store.ts";
import { touchProvenance, touchRows } from "../../store/touch-rows.ts";
import { LazyList } from "../json-text.ts";
import { referToCounty, referToMarket, referToProduct } from "./references.ts";
import type { PriceStatisticsBody } from "./schemas.ts";

/** So many rows are read ahead at once: their columns fit in the processor's nearest cache. */
const rowsAhead = 64;

/** A page of prices found by search. */
export function presentFoundPrices(store: Store, rows: Uint32Array): object[] {
  const presented: object[] = [];
  for (let place = 0; place < rows.length; place++) {
    if (place % rowsAhead === 0) {
      const end = Math.min(rows.length, place + rowsAhead);
      touchRows(store.prices, rows, place, end);
      touchProvenance(store.prices, rows, place, end);
    }
    presented.push(presentFoundPrice(store, rows[place] as number));
  }
  return presented;
}

function presentFoundPrice(store: Store, row: number): object {
  const { prices } = store;
  const { product, market } = recordsOf(store, row);
  return {
    uuid: readUuid(prices.uuids, row),
    product: { uuid: product.uuid, name: product.name, category: product.category },
    market: { uuid: market.uuid, name: market.name, type: market.type },
    county: referToCounty(store, market.countyId),
    price: prices.prices[row],
    unit: unitOf(prices, row),
    currency: currencyOf(prices, row),
    recorded_at: instantText(prices.recordedAt[row] as Instant),
    source: sourceOf(prices, row),
    quality_grade: gradeOf(prices, row),
  };
}

/** A price by itself. */
export function presentPriceDetail(store: Store, row: number): object {
  const { prices } = store;
  const { product, market } = recordsOf(store, row);
  return {
    uuid: readUuid(prices.uuids, row),
    product: { uuid: product.uuid, name: product.name, category: product.category, description: product.description },
    market: {
      uuid: market.uuid,
      name: market.name,
      type: market.type,
      county: countyRecord(store.catalogue, market.countyId).name,
      sub_county: market.subCounty,
    },
    price: prices.prices[row],
    unit: unitOf(prices, row),
    currency: currencyOf(prices, row),
    recorded_at: instantText(prices.recordedAt[row] as Instant),
    source: sourceOf(prices, row),
    quality_grade: gradeOf(prices, row),
    notes: notesOf(prices, row),
    created_at: instantText(prices.createdAt[row] as Instant),
    updated_at: instantText(prices.updatedAt[row] as Instant),
  };
}

/** The newest prices of one product. */
export function presentLatestGroup(store: Store, { product, rows }: LatestGroup): object {
  return { product: referToProduct(store, product), prices: new LazyList(presentLatestPrices(store, rows)) };
}

function* presentLatestPrices(store: Store, rows: Uint32Array): Generator<object> {
  const { prices } = store;
  for (let place = 0; place < rows.length; place++) {
    if (place % rowsAhead === 0) touchRows(prices, rows, place, Math.min(rows.length, place + rowsAhead));
    const row = rows[place] as number;
    yield {
      uuid: readUuid(prices.uuids, row),
      market: referToMarket(store, prices.markets[row] as MarketCode),
      price: prices.prices[row],
      unit: unitOf(prices, row),
      recorded_at: instantText(prices.recordedAt[row] as Instant),
    };
  }
}

/** `data` of a statistics answer. */
export function presentStatistics(store: Store, body: PriceStatisticsBody, answer: StatisticsAnswer<object[]>): object {
  const { overall } = answer;
  return {
    product: { ...referToProduct(store, answer.product), unit: answer.unit },
    period: { start_date: body.start_date, end_date: body.end_date },
    statistics: new LazyList(answer.groups),
    overall: {
      average_price: overall?.average ?? 0,
      min_price: overall?.min ?? 0,
      max_price: overall?.max ?? 0,
      total_samples: overall?.count ?? 0,
    },
  };
}

/** `meta` of a statistics answer: what the figures were made of. */
export function presentStatisticsMeta({ snapshot }: Store, answer: StatisticsAnswer<unknown>): object {
  return {
    converted_samples: answer.convertedSamples,
    excluded_samples: answer.excludedSamples,
    currency: answer.currency,
    time_zone: snapshot.timeZone,
    snapshot: snapshot.id,
  };
}

/**
 * `statistics` of a statistics answer, written straight from the columns. An answer may have thousands of groups, so each
 * kind is written out instead of being put together.
 */
export function presentGroups(store: Store, grouping: Grouping, { ready, made, places, keys }: GroupList): object[] {
  const presented: object[] = [];
  const labels = grouping === "market" || grouping === "county" ? null : store.periods[grouping].labels;
  for (let group = 0; group < places.length; group++) {
    const place = places[group] as number;
    const figures = place < 0 ? made : ready;
    const at = place < 0 ? ~place : place;
    const count = figures.counts[at] as number;
    if (count === 0) continue;
    const key = keys[group] as number;
    if (labels !== null) {
      presented.push({
        period: labels[key] as string,
        average_price: roundFigure(figures.means[at] as number),
        min_price: roundFigure(figures.mins[at] as number),
        max_price: roundFigure(figures.maxs[at] as number),
        median_price: roundFigure(figures.medians[at] as number),
        sample_count: count,
        std_deviation: roundFigure(figures.deviations[at] as number),
      });
    } else if (grouping === "market") {
      const market = referToMarket(store, key as MarketCode);
      presented.push({
        period: market.name,
        market,
        average_price: roundFigure(figures.means[at] as number),
        min_price: roundFigure(figures.mins[at] as number),
        max_price: roundFigure(figures.maxs[at] as number),
        median_price: roundFigure(figures.medians[at] as number),
        sample_count: count,
        std_deviation: roundFigure(figures.deviations[at] as number),
      });
    } else {
      const county = referToCounty(store, key as CountyId);
      presented.push({
        period: county.name,
        county,
        average_price: roundFigure(figures.means[at] as number),
        min_price: roundFigure(figures.mins[at] as number),
        max_price: roundFigure(figures.maxs[at] as number),
        median_price: roundFigure(figures.medians[at] as number),
        sample_count: count,
        std_deviation: roundFigure(figures.deviations[at] as number),
      });
    }
  }
  return presented;
}

function recordsOf({ catalogue, prices }: Store, row: number): { product: ProductRecord; market: MarketRecord } {
  return {
    product: recordAt(catalogue.products, prices.products[row] as number),
    market: recordAt(catalogue.markets, prices.markets[row] as number),
  };
}

// The store guarantees that every row has a code and every code a text.

function unitOf({ units, unitNames }: PriceColumns, row: number): string {
  return unitNames[units[row] as number] as string;
}

function currencyOf({ currencies, currencyCodes }: PriceColumns, row: number): string {
  return currencyCodes[currencies[row] as number] as string;
}

function sourceOf({ sources, sourceNames }: PriceColumns, row: number): string {
  return sourceNames[sources[row] as number] as string;
}

function gradeOf({ grades, gradeNames }: PriceColumns, row: number): string | null {
  const grade = grades[row] as number;
  return grade === missingCode(grades) ? null : (gradeNames[grade] as string);
}

function notesOf({ notes, noteTexts }: PriceColumns, row: number): string | null {
  const note = notes[row] as number;
  return note === missingCode(notes) ? null : textOf(noteTexts, note);
}
