/** Row numbers and figures → the JSON text of the answers about prices. */
import type { CountyId } from "../../domain/ids.ts";
import { type Instant, instantText } from "../../domain/instant.ts";
import { figureText, roundFigure } from "../../domain/round-figure.ts";
import { missingCode } from "../../domain/shared-columns.ts";
import { readUuid } from "../../domain/uuid-words.ts";
import { type Grouping, marketTypes } from "../../domain/vocabulary.ts";
import type { LatestGroup } from "../../query/latest-prices.ts";
import type { StatisticsAnswer } from "../../query/price-statistics.ts";
import { countyRecord, recordAt } from "../../store/catalogue.ts";
import type { Group } from "../../store/figures.ts";
import { textOf } from "../../store/shared-texts.ts";
import type { Store } from "../../store/store.ts";
import { byStore, fragmentsByCode, type JsonText, joinTexts, listText, textsByCode } from "../json-text.ts";
import type { PriceStatisticsBody } from "./schemas.ts";

/** A row → the JSON text of its price. */
type RowText = (row: number) => string;

// The store guarantees that every row has a code, and every code its record or text.

/** `{ uuid, name }` of a product. */
const productReferences = textsByCode(({ catalogue }, code) => {
  const { uuid, name } = recordAt(catalogue.products, code);
  return { uuid, name };
});

/** `{ uuid, name }` of a market. */
const marketReferences = textsByCode(({ catalogue }, code) => {
  const { uuid, name } = recordAt(catalogue.markets, code);
  return { uuid, name };
});

/** `{ id, name }` of a county. */
const countyReferences = textsByCode(({ catalogue }, id) => ({
  id,
  name: countyRecord(catalogue, id as CountyId).name,
}));

// Fragments of a price: the text of what a code stands for, with the names of the fields around it. Each fragment ends where
// the next value begins, so a price is put together from ten texts and not from twenty.

const foundProducts = fragmentsByCode(({ catalogue }, code) => {
  const { uuid, name, category } = recordAt(catalogue.products, code);
  return `","product":${JSON.stringify({ uuid, name, category })},"market":`;
});

const foundMarkets = fragmentsByCode(({ catalogue }, code) => {
  const { uuid, name, type, countyId } = recordAt(catalogue.markets, code);
  const county = { id: countyId, name: countyRecord(catalogue, countyId).name };
  return `${JSON.stringify({ uuid, name, type })},"county":${JSON.stringify(county)},"price":`;
});

const productDetails = fragmentsByCode(({ catalogue }, code) => {
  const { uuid, name, category, description } = recordAt(catalogue.products, code);
  return `","product":${JSON.stringify({ uuid, name, category, description })},"market":`;
});

const marketDetails = fragmentsByCode(({ catalogue }, code) => {
  const { uuid, name, type, countyId, subCounty } = recordAt(catalogue.markets, code);
  const county = countyRecord(catalogue, countyId).name;
  return `${JSON.stringify({ uuid, name, type, county, sub_county: subCounty })},"price":`;
});

/** A market as `detail` shows it. */
const marketsInDetail = textsByCode(({ catalogue }, code) => {
  const { uuid, name, type, countyId } = recordAt(catalogue.markets, code);
  return { uuid, name, type, county: { id: countyId, name: countyRecord(catalogue, countyId).name } };
});

const foundMarketsInDetail = fragmentsByCode((store, code) => {
  const { countyId } = recordAt(store.catalogue.markets, code);
  return `${marketsInDetail(store)(code)},"county":${countyReferences(store)(countyId)},"price":`;
});

const latestMarketsInDetail = fragmentsByCode((store, code) => `","market":${marketsInDetail(store)(code)},"price":`);

const latestMarkets = fragmentsByCode(({ catalogue }, code) => {
  const { uuid, name } = recordAt(catalogue.markets, code);
  return `","market":${JSON.stringify({ uuid, name })},"price":`;
});

const latestUnits = fragmentsByCode(
  ({ prices }, code) => `,"unit":${JSON.stringify(prices.unitNames[code])},"recorded_at":"`,
);

const units = fragmentsByCode(({ prices }, code) => `,"unit":${JSON.stringify(prices.unitNames[code])},"currency":`);

const currencies = fragmentsByCode(
  ({ prices }, code) => `${JSON.stringify(prices.currencyCodes[code])},"recorded_at":"`,
);

const sources = fragmentsByCode(
  ({ prices }, code) => `","source":${JSON.stringify(prices.sourceNames[code])},"quality_grade":`,
);

const grades = fragmentsByCode(({ prices }, code) =>
  code === missingCode(prices.grades) ? "null" : JSON.stringify(prices.gradeNames[code]),
);

/** From the price on, what every price has: its unit, currency, time, source and grade. */
const valueTexts = byStore((store): RowText => {
  const { prices } = store;
  const unit = units(store);
  const currency = currencies(store);
  const source = sources(store);
  const grade = grades(store);
  return (row) =>
    prices.prices[row]! +
    unit(prices.units[row]!) +
    currency(prices.currencies[row]!) +
    instantText(prices.recordedAt[row] as Instant) +
    source(prices.sources[row]!) +
    grade(prices.grades[row]!);
});

const foundPriceTexts = byStore((store): RowText => {
  const { uuids, products, markets } = store.prices;
  const product = foundProducts(store);
  const market = foundMarkets(store);
  const value = valueTexts(store);
  return (row) => `{"uuid":"${readUuid(uuids, row)}${product(products[row]!)}${market(markets[row]!)}${value(row)}}`;
});

/** Note and times of entry of a price; ends where the price does. */
const entryTexts = byStore((store): RowText => {
  const { notes, noteTexts, createdAt, updatedAt } = store.prices;
  return (row) => {
    const note = notes[row]!;
    const noteText = note === missingCode(notes) ? "null" : JSON.stringify(textOf(noteTexts, note));
    const created = instantText(createdAt[row] as Instant);
    return `,"notes":${noteText},"created_at":"${created}","updated_at":"${instantText(updatedAt[row] as Instant)}"}`;
  };
});

/** What `detail` adds to a price; ends where the price does. */
const addedTexts = byStore((store): RowText => {
  const { prices, catalogue } = store;
  const entry = entryTexts(store);
  const units = prices.unitNames.map((name) => catalogue.units.get(name));
  return (row) => {
    const unit = units[prices.units[row]!];
    const perBaseUnit = unit === undefined ? null : roundFigure(prices.prices[row]! / unit.conversionFactor);
    return `,"price_per_base_unit":${perBaseUnit},"base_unit":${JSON.stringify(unit?.baseUnit ?? null)}${entry(row)}`;
  };
});

const foundPriceTextsInDetail = byStore((store): RowText => {
  const { uuids, products, markets } = store.prices;
  const product = foundProducts(store);
  const market = foundMarketsInDetail(store);
  const value = valueTexts(store);
  const added = addedTexts(store);
  return (row) =>
    `{"uuid":"${readUuid(uuids, row)}${product(products[row]!)}${market(markets[row]!)}${value(row)}${added(row)}`;
});

/** A page of prices found by search. @param isDetailed Whether the fields of `detail` are added. */
export function presentFoundPrices(store: Store, rows: Uint32Array, isDetailed = false): JsonText {
  return listText(rows, isDetailed ? foundPriceTextsInDetail(store) : foundPriceTexts(store));
}

/** A price by itself. */
export function presentPriceDetail(store: Store, row: number): string {
  const { uuids, products, markets } = store.prices;
  const product = productDetails(store)(products[row]!);
  const market = marketDetails(store)(markets[row]!);
  return `{"uuid":"${readUuid(uuids, row)}${product}${market}${valueTexts(store)(row)}${entryTexts(store)(row)}`;
}

const latestPriceTexts = byStore((store): RowText => {
  const { uuids, prices, markets, units: unitCodes, recordedAt } = store.prices;
  const market = latestMarkets(store);
  const unit = latestUnits(store);
  return (row) =>
    `{"uuid":"${readUuid(uuids, row)}${market(markets[row]!)}${prices[row]}${unit(unitCodes[row]!)}${instantText(
      recordedAt[row] as Instant,
    )}"}`;
});

const latestPriceTextsInDetail = byStore((store): RowText => {
  const { uuids, prices, markets, units: unitCodes, recordedAt, currencies: currencyCodes } = store.prices;
  const market = latestMarketsInDetail(store);
  const unit = latestUnits(store);
  const added = addedTexts(store);
  const currencyTexts = store.prices.currencyCodes.map((code) => JSON.stringify(code));
  return (row) =>
    `{"uuid":"${readUuid(uuids, row)}${market(markets[row]!)}${prices[row]}${unit(unitCodes[row]!)}${instantText(
      recordedAt[row] as Instant,
    )}","currency":${currencyTexts[currencyCodes[row]!]}${added(row)}`;
});

/** The newest prices of products. @param isDetailed As in `presentFoundPrices`. */
export function presentLatest(store: Store, groups: readonly LatestGroup[], isDetailed = false): JsonText {
  const productText = productReferences(store);
  const rowText = isDetailed ? latestPriceTextsInDetail(store) : latestPriceTexts(store);
  return listText(groups, ({ product, rows }) =>
    joinTexts(`{"product":${productText(product)},"prices":`, listText(rows, rowText), "}"),
  );
}

/** `data` of a statistics answer. */
export function presentStatistics(
  store: Store,
  body: PriceStatisticsBody,
  grouping: Grouping,
  { product, unit, groups, overall }: StatisticsAnswer,
): JsonText {
  const keyText = keyTexts(store, grouping);
  const { uuid, name } = recordAt(store.catalogue.products, product);
  const start = JSON.stringify({
    product: { uuid, name, unit },
    period: { start_date: body.start_date, end_date: body.end_date },
  });
  const end = JSON.stringify({
    average_price: roundFigure(overall?.average ?? 0),
    min_price: roundFigure(overall?.min ?? 0),
    max_price: roundFigure(overall?.max ?? 0),
    total_samples: overall?.count ?? 0,
  });
  const list = listText(groups, (group) => groupText(keyText, group));
  return joinTexts(`${start.slice(0, -1)},"statistics":`, list, `,"overall":${end}}`);
}

/** `meta` of a statistics answer: what the figures were made of. */
export function presentStatisticsMeta({ snapshot }: Store, answer: StatisticsAnswer): string {
  return JSON.stringify({
    converted_samples: answer.convertedSamples,
    excluded_samples: answer.excludedSamples,
    currency: answer.currency,
    time_zone: snapshot.timeZone,
    snapshot: snapshot.id,
    market_types: Object.fromEntries(
      marketTypes.map((type, code) => [type, answer.samplesByType[code]!] as const).filter(([, count]) => count > 0),
    ),
  });
}

/** The fields that say what a group is of: its label, and of a place also its identity. */
function keyTexts(store: Store, grouping: Grouping): (key: number) => string {
  if (grouping === "market") return marketKeys(store);
  if (grouping === "county") return countyKeys(store);
  const { labels } = store.periods[grouping];
  return (key) => `"period":"${labels[key]}"`;
}

const marketKeys = byStore((store) => {
  const referenceText = marketReferences(store);
  const nameText = textsByCode(({ catalogue }, code) => recordAt(catalogue.markets, code).name)(store);
  return (code: number) => `"period":${nameText(code)},"market":${referenceText(code)}`;
});

const countyKeys = byStore((store) => {
  const referenceText = countyReferences(store);
  const nameText = textsByCode(({ catalogue }, id) => countyRecord(catalogue, id as CountyId).name)(store);
  return (id: number) => `"period":${nameText(id)},"county":${referenceText(id)}`;
});

function groupText(keyText: (key: number) => string, group: Group): string {
  return `{${keyText(group.key)},"average_price":${figureText(group.mean)},"min_price":${figureText(
    group.min,
  )},"max_price":${figureText(group.max)},"median_price":${figureText(group.median)},"sample_count":${
    group.count
  },"std_deviation":${figureText(group.deviation)}}`;
}
