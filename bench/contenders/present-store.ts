/** Row numbers and figures of our queries → plain answers: what our JSON says, as objects. */

import { type Instant, instantText } from "../../src/engine/model/calendar.ts";
import { type CountyId, readUuid } from "../../src/engine/model/ids.ts";
import type { MarketRecord, ProductRecord } from "../../src/engine/model/records.ts";
import { missingCode } from "../../src/engine/model/shared-columns.ts";
import type { Grouping } from "../../src/engine/model/vocabulary.ts";
import { listGroups } from "../../src/engine/query/found-groups.ts";
import type { LatestGroup } from "../../src/engine/query/latest-prices.ts";
import type { StatisticsAnswer } from "../../src/engine/query/price-statistics.ts";
import { countyRecord, type MarketCode, type ProductCode, recordAt } from "../../src/engine/store/catalogue.ts";
import type { PriceColumns } from "../../src/engine/store/columns.ts";
import { type Group, roundFigure } from "../../src/engine/store/figures.ts";
import { textOf } from "../../src/engine/store/shared-texts.ts";
import type { Store } from "../../src/engine/store/store.ts";
import type { PriceStatisticsBody } from "../../src/service/http/resources/prices/statistics-endpoints.ts";

/** A page of prices found by search. */
export function presentFoundPrices(store: Store, rows: Uint32Array): object[] {
  const presented: object[] = [];
  for (let at = 0; at < rows.length; at++) presented.push(presentFoundPrice(store, rows[at] as number));
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
  return { product: referToProduct(store, product), prices: [...presentLatestPrices(store, rows)] };
}

function* presentLatestPrices(store: Store, rows: Uint32Array): Generator<object> {
  const { prices } = store;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
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
export function presentStatistics(
  store: Store,
  body: PriceStatisticsBody,
  grouping: Grouping,
  answer: StatisticsAnswer,
): object {
  const { overall } = answer;
  return {
    product: { ...referToProduct(store, answer.product), unit: answer.unit },
    period: { start_date: body.start_date, end_date: body.end_date },
    statistics: presentGroups(store, grouping, listGroups(answer.found)),
    overall: {
      average_price: roundFigure(overall?.average ?? 0),
      min_price: roundFigure(overall?.min ?? 0),
      max_price: roundFigure(overall?.max ?? 0),
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

/** `statistics` of a statistics answer. */
function presentGroups(store: Store, grouping: Grouping, groups: readonly Group[]): object[] {
  if (grouping === "market") {
    return groups.map((group) => {
      const market = referToMarket(store, group.key as MarketCode);
      return { ...presentGroup(market.name, group), market };
    });
  }
  if (grouping === "county") {
    return groups.map((group) => {
      const county = referToCounty(store, group.key as CountyId);
      return { ...presentGroup(county.name, group), county };
    });
  }
  const { labels } = store.periods[grouping];
  return groups.map((group) => presentGroup(labels[group.key] as string, group));
}

function presentGroup(period: string, group: Group): object {
  return {
    period,
    average_price: roundFigure(group.mean),
    min_price: roundFigure(group.min),
    max_price: roundFigure(group.max),
    median_price: roundFigure(group.median),
    sample_count: group.count,
    std_deviation: roundFigure(group.deviation),
  };
}

function referToProduct({ catalogue }: Store, code: ProductCode): object {
  const { uuid, name } = recordAt(catalogue.products, code);
  return { uuid, name };
}

function referToMarket({ catalogue }: Store, code: MarketCode): { readonly uuid: string; readonly name: string } {
  const { uuid, name } = recordAt(catalogue.markets, code);
  return { uuid, name };
}

function referToCounty({ catalogue }: Store, id: CountyId): { readonly id: number; readonly name: string } {
  return { id, name: countyRecord(catalogue, id).name };
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
