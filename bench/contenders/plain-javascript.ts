/**
 * What a program does that has read the file into an array: an object per price, `filter`, `find`, `Map`, and
 * simple-statistics. The array is kept in answer order, so that nothing needs sorting while a question is asked; there
 * are no indexes, for with them it would be a store.
 */
import { max, mean, median, min, sampleStandardDeviation } from "simple-statistics";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { compareUuids, readUuid } from "../../src/engine/model/ids.ts";
import type { PriceStatisticsBody } from "../../src/service/http/resources/prices/statistics-endpoints.ts";
import { codeFilter, type PeerFilter } from "./coded-filter.ts";
import type { Answer, ReadyContender } from "./contender.ts";
import { peerColumnReaders } from "./peer-prices.ts";
import { makePeerTables, type PeerTables } from "./peer-tables.ts";
import { type FoundRow, type LatestRow, presentDetail, presentLatest, presentPage } from "./present-rows.ts";
import { type PeerGrouping, presentStatistics } from "./present-statistics.ts";

interface PlainPrice {
  readonly uuid: string;
  readonly product: number;
  readonly market: number;
  readonly county: number;
  readonly marketType: number;
  readonly price: number;
  /** In the unit and currency of the product's statistics; null where it cannot be brought to them. */
  readonly value: number | null;
  readonly isConverted: boolean;
  readonly unit: number;
  readonly currency: number;
  readonly source: number;
  readonly grade: number | null;
  readonly recordedAt: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly day: number;
  readonly week: number;
  readonly month: number;
  readonly notes: string | null;
}

/** The plainest peer, for datasets that fit in an array of objects. */
export async function preparePlainJavaScript(dataset: Dataset): Promise<ReadyContender> {
  const tables = makePeerTables(dataset);
  const prices = makePrices(dataset, tables);
  return {
    title: "plain JavaScript",
    contender: {
      price: ({ uuid }) => {
        const found = prices.find((price) => price.uuid === uuid);
        if (found === undefined) throw new RangeError(`no price has the uuid ${uuid}`);
        return presentDetail(tables, [...foundRow(found), found.notes, found.createdAt, found.updatedAt]);
      },
      search: (body) => {
        const { page = 1, page_size: pageSize = 20 } = body;
        const found = prices.filter(matcher(tables, body));
        return presentPage(
          tables,
          body,
          found.slice((page - 1) * pageSize, page * pageSize).map(foundRow),
          found.length,
        );
      },
      latest: (body) => {
        const found = prices.filter(matcher(tables, body));
        return presentLatest(tables, newestOfEach(found, body.limit ?? 10, body.one_per_market ?? false));
      },
      statistics: (body) => sumUp(tables, prices.filter(matcher(tables, body)), body),
    },
  };
}

function makePrices(dataset: Dataset, tables: PeerTables): PlainPrice[] {
  const { recordedAt, uuids, rowCount } = dataset.prices;
  const read = peerColumnReaders(dataset, tables);
  const order = Uint32Array.from({ length: rowCount }, (_, row) => row).sort(
    (a, b) => (recordedAt[b] as number) - (recordedAt[a] as number) || compareUuids(uuids, a, b),
  );
  return Array.from(order, (row) => ({
    uuid: readUuid(uuids, row),
    product: read.product(row),
    market: read.market(row),
    county: read.county(row),
    marketType: read.market_type(row),
    price: read.price(row),
    value: read.value(row),
    isConverted: read.is_converted(row) === 1,
    unit: read.unit(row),
    currency: read.currency(row),
    source: read.source(row),
    grade: read.grade(row),
    recordedAt: read.recorded_at(row),
    createdAt: read.created_at(row),
    updatedAt: read.updated_at(row),
    day: read.day(row),
    week: read.week(row),
    month: read.month(row),
    notes: read.notes(row),
  }));
}

function matcher(tables: PeerTables, filter: PeerFilter): (price: PlainPrice) => boolean {
  const { product, market, county, marketType, dayFirst, dayLast, priceMin, priceMax } = codeFilter(tables, filter);
  return (price) =>
    (product === undefined || price.product === product) &&
    (market === undefined || price.market === market) &&
    (county === undefined || price.county === county) &&
    (marketType === undefined || price.marketType === marketType) &&
    (dayFirst === undefined || price.day >= dayFirst) &&
    (dayLast === undefined || price.day <= dayLast) &&
    (priceMin === undefined || price.price >= priceMin) &&
    (priceMax === undefined || price.price <= priceMax);
}

function foundRow(price: PlainPrice): FoundRow {
  const { uuid, product, market, unit, currency, recordedAt, source, grade } = price;
  return [uuid, product, market, price.price, unit, currency, recordedAt, source, grade];
}

/** The newest prices of each product; with `onePerMarket` the newest of each market and unit only. */
function newestOfEach(prices: readonly PlainPrice[], limit: number, onePerMarket: boolean): LatestRow[] {
  const groups = new Map<number, PlainPrice[]>();
  const seen = new Set<string>();
  for (const price of prices) {
    const group = groups.get(price.product) ?? [];
    groups.set(price.product, group);
    if (group.length === limit) continue;
    if (onePerMarket) {
      const series = `${price.product} ${price.market} ${price.unit}`;
      if (seen.has(series)) continue;
      seen.add(series);
    }
    group.push(price);
  }
  return [...groups]
    .sort(([a], [b]) => a - b)
    .flatMap(([, group]) => group)
    .map(({ uuid, product, market, price, unit, recordedAt }) => [uuid, product, market, price, unit, recordedAt]);
}

function sumUp(tables: PeerTables, prices: readonly PlainPrice[], body: PriceStatisticsBody): Answer {
  const grouping = (body.group_by ?? "month") as PeerGrouping;
  const groups = new Map<number, number[]>();
  let converted = 0;
  let excluded = 0;
  for (const price of prices) {
    if (price.value === null) {
      excluded++;
      continue;
    }
    if (price.isConverted) converted++;
    const key = price[grouping];
    const values = groups.get(key);
    if (values === undefined) groups.set(key, [price.value]);
    else values.push(price.value);
  }
  const figures = [...groups].map(([key, values]) => ({
    key,
    average: mean(values),
    min: min(values),
    max: max(values),
    median: median(values),
    count: values.length,
    deviation: values.length === 1 ? 0 : sampleStandardDeviation(values),
  }));
  return presentStatistics(tables, body, figures, { converted, excluded });
}
