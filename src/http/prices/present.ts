import { noNotes, noQualityGrade } from "../../domain/dataset.ts";
import { type Instant, instantText } from "../../domain/instant.ts";
import { readUuid } from "../../domain/uuid-words.ts";
import type { LatestGroup } from "../../query/latest-prices.ts";
import type { StatisticsAnswer, StatisticsGroup } from "../../query/price-statistics.ts";
import type { MarketCode, ProductCode } from "../../store/codes.ts";
import type { Store } from "../../store/store.ts";
import { countyRecord, recordAt, referToCounty, referToMarket, referToProduct } from "../references.ts";
import type { PriceStatisticsBody } from "./schemas.ts";

/** A price found by search. */
export function presentFoundPrice(store: Store, row: number): object {
  const { product, market } = recordsOf(store, row);
  return {
    uuid: readUuid(store.prices.uuids, row),
    product: { uuid: product.uuid, name: product.name, category: product.category },
    market: { uuid: market.uuid, name: market.name, type: market.type },
    county: referToCounty(store, market.countyId),
    ...presentMeasurement(store, row),
  };
}

/** A price by itself. */
export function presentPriceDetail(store: Store, row: number): object {
  const { prices } = store;
  const { product, market } = recordsOf(store, row);
  const notes = at(prices.notes, row);
  return {
    uuid: readUuid(prices.uuids, row),
    product: { uuid: product.uuid, name: product.name, category: product.category, description: product.description },
    market: {
      uuid: market.uuid,
      name: market.name,
      type: market.type,
      county: countyRecord(store, market.countyId).name,
      sub_county: market.subCounty,
    },
    ...presentMeasurement(store, row),
    notes: notes === noNotes ? null : at(prices.noteTexts, notes),
    created_at: instantText(at(prices.createdAt, row) as Instant),
    updated_at: instantText(at(prices.updatedAt, row) as Instant),
  };
}

/** The newest prices of one product. */
export function presentLatestGroup(store: Store, { product, rows }: LatestGroup): object {
  const { prices } = store;
  return {
    product: referToProduct(store, product),
    prices: Array.from(rows, (row) => ({
      uuid: readUuid(prices.uuids, row),
      market: referToMarket(store, at(prices.markets, row) as MarketCode),
      price: at(prices.prices, row),
      unit: at(prices.unitNames, at(prices.units, row)),
      recorded_at: instantText(at(prices.recordedAt, row) as Instant),
    })),
  };
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

function presentGroup(store: Store, { label, market, county, figures }: StatisticsGroup): object {
  return {
    period: label,
    ...(market === undefined ? {} : { market: referToMarket(store, market) }),
    ...(county === undefined ? {} : { county: referToCounty(store, county) }),
    average_price: figures.average,
    min_price: figures.min,
    max_price: figures.max,
    median_price: figures.median,
    sample_count: figures.count,
    std_deviation: figures.deviation,
  };
}

function presentMeasurement({ prices }: Store, row: number): object {
  const grade = at(prices.grades, row);
  return {
    price: at(prices.prices, row),
    unit: at(prices.unitNames, at(prices.units, row)),
    currency: at(prices.currencyCodes, at(prices.currencies, row)),
    recorded_at: instantText(at(prices.recordedAt, row) as Instant),
    source: at(prices.sourceNames, at(prices.sources, row)),
    quality_grade: grade === noQualityGrade ? null : at(prices.gradeNames, grade),
  };
}

function recordsOf({ catalogue, prices }: Store, row: number) {
  return {
    product: recordAt(catalogue.products, at(prices.products, row) as ProductCode),
    market: recordAt(catalogue.markets, at(prices.markets, row) as MarketCode),
  };
}

/** The entry at a place that the store guarantees. */
function at<Entry>(entries: ArrayLike<Entry>, place: number): Entry {
  const entry = entries[place];
  if (entry === undefined)
    throw new RangeError(`place ${place} is outside the column, expected 0 to ${entries.length - 1}`);
  return entry;
}
