/** The slow, obvious twins of exports: rows as objects from column name to value; see naive-queries.ts. */

import type { StatisticsSelection } from "../../src/engine/export/statistics-table.ts";
import type { CountsByName } from "../../src/engine/export/table-columns.ts";
import { dayText, type MonthRange, monthNumber, monthTextOf } from "../../src/engine/model/calendar.ts";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { compareTexts } from "../../src/engine/model/folded-text.ts";
import type { Uuid } from "../../src/engine/model/ids.ts";
import type { Grouping } from "../../src/engine/model/vocabulary.ts";
import type { PriceSelection } from "../../src/engine/query/walk-prices.ts";
import { roundFigure } from "../../src/engine/store/figures.ts";
import { byFoldedNames, byName, matches, naiveStatistics } from "./naive-queries.ts";
import { suspiciousReasonsOf } from "./naive-suspicious.ts";
import { type PlainPrice, plainPrices } from "./plain-prices.ts";

export type NaiveRow = Readonly<Record<string, string | number | boolean | readonly string[] | CountsByName | null>>;

/** The prices of a selection, by product, oldest first. */
export function naivePriceRows(dataset: Dataset, selection: PriceSelection): NaiveRow[] {
  const { productUuids, ...filter } = selection;
  const { sources, sourceNames, grades, gradeNames, notes, noteTexts } = dataset.prices;
  return plainPrices(dataset)
    .map((price, row) => ({ price, row }))
    .filter(({ price }) => productUuids === undefined || productUuids.includes(price.product.uuid))
    .filter(({ price }) => matches(dataset, price, filter))
    .sort(({ price: a }, { price: b }) => byProductOldestFirst(a, b))
    .map(({ price, row }) => ({
      uuid: price.uuid,
      date: dayText(price.day),
      recorded_at: new Date(price.recordedAt).toISOString(),
      product: price.product.name,
      product_uuid: price.product.uuid,
      category: price.product.category,
      market: price.market.name,
      market_uuid: price.market.uuid,
      market_type: price.market.type,
      county: price.county.name,
      county_id: price.county.id,
      price: price.price,
      currency: price.currency,
      unit: price.unit.name,
      price_per_base_unit: Math.round((price.price / price.unit.conversionFactor) * 1e6) / 1e6,
      base_unit: price.unit.baseUnit,
      source: sourceNames[sources[row] as number] as string,
      quality_grade: gradeNames[grades[row] as number] ?? null,
      notes: noteTexts[notes[row] as number] ?? null,
      price_flag: price.flag,
      suspicious: suspiciousReasonsOf(dataset).has(price.uuid),
      suspicious_reason: suspiciousReasonsOf(dataset).get(price.uuid) ?? null,
      county_pcode: price.county.pcode,
      setting: price.market.setting,
    }));
}

function byProductOldestFirst(a: PlainPrice, b: PlainPrice): number {
  return byName(a.product, b.product) || a.recordedAt - b.recordedAt || compareTexts(a.uuid, b.uuid);
}

/**
 * Statistics of the products of a selection; in a panel those of each market or county by itself. Figures are rounded
 * as answers are.
 */
export function naiveStatisticsRows(dataset: Dataset, selection: StatisticsSelection): NaiveRow[] {
  const { dayFirst, dayLast } = selection;
  const rows = statisticsRowsWithin(dataset, selection, undefined);
  const months = rows.flatMap((row) => [row["first_month"] as string, row["last_month"] as string]).sort();
  if (months.length === 0) return [];
  return statisticsRowsWithin(dataset, selection, {
    first: monthNumber(dayFirst === undefined ? (months[0] as string) : monthTextOf(dayFirst)),
    last: monthNumber(dayLast === undefined ? (months.at(-1) as string) : monthTextOf(dayLast)),
  });
}

/** @param coverageWithin The months that those of a group are counted within. */
function statisticsRowsWithin(
  dataset: Dataset,
  selection: StatisticsSelection,
  coverageWithin: MonthRange | undefined,
): NaiveRow[] {
  const { productUuids, grouping } = selection;
  const [first, second] = grouping.split(",") as [Grouping, "market" | "county" | undefined];
  const countyOf = (uuid: Uuid | undefined): number | undefined =>
    dataset.markets.find((market) => market.uuid === uuid)?.countyId;
  return dataset.products
    .filter(({ uuid }) => productUuids === undefined || productUuids.includes(uuid))
    .sort(byName)
    .flatMap((product) => panelsOf(dataset, selection, second).map((panel) => ({ product, panel })))
    .flatMap(({ product, panel }) => {
      const question = { ...selection, ...panel, grouping: first, productUuid: product.uuid, coverageWithin };
      const found = naiveStatistics(dataset, question);
      if (found === undefined || found.unknownUnit) return [];
      const market = dataset.markets.find(({ uuid }) => second === "market" && uuid === panel.marketUuid);
      return found.groups.map((group) => {
        const ofPanel = second === undefined ? undefined : (panel.countyId ?? market?.countyId);
        const countyId = ofPanel ?? group.county?.id ?? countyOf(group.market?.uuid) ?? null;
        return {
          product_uuid: product.uuid,
          product: product.name,
          unit: found.unit,
          currency: found.currency,
          group_by: grouping,
          period: group.label,
          market_uuid: market?.uuid ?? group.market?.uuid ?? null,
          market: market?.name ?? group.market?.name ?? null,
          county_id: countyId,
          county: dataset.counties.find(({ id }) => id === countyId)?.name ?? null,
          average_price: roundFigure(group.average),
          min_price: roundFigure(group.min),
          max_price: roundFigure(group.max),
          median_price: roundFigure(group.median),
          sample_count: group.count,
          std_deviation: roundFigure(group.deviation),
          converted_samples: found.convertedSamples,
          excluded_samples: found.excludedSamples,
          market_types: group.samplesByType,
          suspicious_samples: found.suspiciousSamples,
          samples_without_rate: found.missingRates.count,
          exchange_rate_source: found.isInDollars
            ? [...new Set(dataset.exchangeRates.map(({ source }) => source))].join("; ")
            : null,
          county_pcode: dataset.counties.find(({ id }) => id === countyId)?.pcode ?? null,
          months_with_prices: group.coverage.monthsWithPrices,
          months_in_period: group.coverage.monthsInPeriod as number,
          first_month: group.coverage.firstMonth,
          last_month: group.coverage.lastMonth,
          markets: group.coverage.markets,
          refugee_camp_markets: group.coverage.campMarkets,
          refugee_camp_samples: found.campSamples,
          refugee_camps: selection.refugeeCamps ?? "include",
        };
      });
    });
}

/** The markets or counties that rows are of, by name; one without a condition where there is no panel. */
function panelsOf(
  { markets, counties }: Dataset,
  { marketUuid, countyId }: StatisticsSelection,
  location: "market" | "county" | undefined,
): Pick<StatisticsSelection, "marketUuid" | "countyId">[] {
  if (location === "market") {
    return markets
      .filter(({ uuid }) => marketUuid === undefined || uuid === marketUuid)
      .sort(byName)
      .map(({ uuid }) => ({ marketUuid: uuid }));
  }
  if (location === undefined) return [{}];
  return counties
    .filter(({ id }) => countyId === undefined || id === countyId)
    .sort((a, b) => byFoldedNames(a.name, b.name) || a.id - b.id)
    .map(({ id }) => ({ countyId: id }));
}
