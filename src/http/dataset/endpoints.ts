/** What the served snapshot is: when it was published, whose data it holds, how much and from when to when. */
import { instantText } from "../../domain/instant.ts";
import { citationOf } from "../../export/citation.ts";
import { describePrices } from "../../query/describe-prices.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { answerText, byStore } from "../json-text.ts";
import * as s from "../schema.ts";

const rowCounts = s.exactly({
  counties: s.integer,
  crops: s.integer,
  units: s.integer,
  market_types: s.integer,
  products: s.integer,
  markets: s.integer,
  prices: s.integer,
});

const datasetAnswer = s.exactly({
  snapshot: s.text,
  published_at: s.instant,
  note: s.nullableText,
  attribution: s.texts,
  citation: s.text,
  time_zone: s.text,
  rows: rowCounts,
  series_count: s.integer,
  first_recorded_at: s.nullable(s.instant),
  last_recorded_at: s.nullable(s.instant),
  sources: s.list(s.exactly({ source: s.text, price_count: s.integer })),
  currencies: s.list(s.exactly({ currency: s.text, price_count: s.integer })),
  market_types: s.list(s.exactly({ type: s.text, price_count: s.integer })),
});

export const datasetEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/dataset",
    access: "public",
    summary: "The served snapshot: publication, sources and licences, how to cite it, and what it holds",
    answer: s.oneAnswer(datasetAnswer),
    handle: ({ store }) => answerText(datasetText(store)),
  }),
];

const datasetText = byStore((store) => {
  const { snapshot, catalogue, prices, series } = store;
  const { firstRecordedAt, lastRecordedAt, sources, currencies, marketTypes } = describePrices(store);
  return JSON.stringify({
    snapshot: snapshot.id,
    published_at: instantText(snapshot.createdAt),
    note: snapshot.note,
    attribution: snapshot.attribution,
    citation: citationOf(snapshot),
    time_zone: snapshot.timeZone,
    rows: {
      counties: catalogue.counties.size,
      crops: catalogue.crops.length,
      units: catalogue.units.size,
      market_types: catalogue.marketTypes.length,
      products: catalogue.products.length,
      markets: catalogue.markets.length,
      prices: prices.rowCount,
    },
    series_count: series.counts.length,
    first_recorded_at: firstRecordedAt === null ? null : instantText(firstRecordedAt),
    last_recorded_at: lastRecordedAt === null ? null : instantText(lastRecordedAt),
    sources: sources.map(({ name, count }) => ({ source: name, price_count: count })),
    currencies: currencies.map(({ name, count }) => ({ currency: name, price_count: count })),
    market_types: marketTypes.map(({ name, count }) => ({ type: name, price_count: count })),
  });
});
