import { type Instant, instantText } from "../../domain/instant.ts";
import type { MarketRecord, ProductRecord } from "../../domain/records.ts";
import { readUuid } from "../../domain/uuid-words.ts";
import type { LatestGroup } from "../../query/latest-prices.ts";
import type { StatisticsAnswer, StatisticsGroup } from "../../query/price-statistics.ts";
import { countyRecord, recordAt } from "../../store/catalogue.ts";
import { missingCode } from "../../store/code-column.ts";
import type { MarketCode } from "../../store/codes.ts";
import type { PriceColumns } from "../../store/price-columns.ts";
import { textOf } from "../../store/shared-texts.ts";
import type { Store } from "../../store/store.ts";
import { referToCounty, referToMarket, referToProduct } from "../references.ts";
import type { PriceStatisticsBody } from "./schemas.ts";

/** A price found by search. */
export function presentFoundPrice(store: Store, row: number): object {
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
  const { prices } = store;
  const presented: object[] = [];
  for (const row of rows) {
    presented.push({
      uuid: readUuid(prices.uuids, row),
      market: referToMarket(store, prices.markets[row] as MarketCode),
      price: prices.prices[row],
      unit: unitOf(prices, row),
      recorded_at: instantText(prices.recordedAt[row] as Instant),
    });
  }
  return { product: referToProduct(store, product), prices: presented };
}

/** `data` of a statistics answer. */
export function presentStatistics(store: Store, body: PriceStatisticsBody, answer: StatisticsAnswer): object {
  const { overall } = answer;
  return {
    product: { ...referToProduct(store, answer.product), unit: answer.unit },
    period: { start_date: body.start_date, end_date: body.end_date },
    statistics: answer.groups.map((group) => presentGroup(store, group)),
    overall: {
      average_price: overall?.average ?? 0,
      min_price: overall?.min ?? 0,
      max_price: overall?.max ?? 0,
      total_samples: overall?.count ?? 0,
    },
  };
}

/** `meta` of a statistics answer: what the figures were made of. */
export function presentStatisticsMeta({ snapshot }: Store, answer: StatisticsAnswer): object {
  return {
    converted_samples: answer.convertedSamples,
    excluded_samples: answer.excludedSamples,
    currency: answer.currency,
    time_zone: snapshot.timeZone,
    snapshot: snapshot.id,
  };
}

/** A page may have thousands of groups, so each kind is written out instead of being put together. */
function presentGroup(store: Store, { label, market, county, figures }: StatisticsGroup): object {
  const { average, min, max, median, count, deviation } = figures;
  if (market !== undefined) {
    return {
      period: label,
      market: referToMarket(store, market),
      average_price: average,
      min_price: min,
      max_price: max,
      median_price: median,
      sample_count: count,
      std_deviation: deviation,
    };
  }
  if (county !== undefined) {
    return {
      period: label,
      county: referToCounty(store, county),
      average_price: average,
      min_price: min,
      max_price: max,
      median_price: median,
      sample_count: count,
      std_deviation: deviation,
    };
  }
  return {
    period: label,
    average_price: average,
    min_price: min,
    max_price: max,
    median_price: median,
    sample_count: count,
    std_deviation: deviation,
  };
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
