/** What the served snapshot is: when it was published, whose data it holds, how much and from when to when. */
import { instantText } from "../../domain/instant.ts";
import { citationOf } from "../../export/citation.ts";
import { describePrices } from "../../query/describe-prices.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { answerText, byStore } from "../json-text.ts";
import * as s from "../schema.ts";

const rowCounts = s.named(
  "RowCounts",
  s.exactly({
    counties: s.integer("Counties.", "rows"),
    crops: s.integer("Crops.", "rows"),
    units: s.integer("Units of measurement.", "rows"),
    market_types: s.integer("Types of markets.", "rows"),
    products: s.integer("Products.", "rows"),
    markets: s.integer("Markets.", "rows"),
    prices: s.integer("Prices.", "rows"),
  }),
  "How many rows each table has.",
);

const priceCount = s.integer("Prices among all.", "prices");

const datasetAnswer = s.named(
  "Dataset",
  s.exactly({
    snapshot: s.text("Identifier of the snapshot, also in X-Snapshot-Id."),
    published_at: s.instant("When it was published, in UTC."),
    note: s.nullableText("What the publisher says of it."),
    attribution: s.texts("Sources and licences, one a line; name them where you show the data."),
    citation: s.text("The line under which to cite it."),
    time_zone: s.text("Time zone of its days, as in the IANA database."),
    rows: rowCounts,
    series_count: s.integer("Series of prices.", "series"),
    first_recorded_at: s.nullable(s.instant("Time of the oldest price, in UTC.")),
    last_recorded_at: s.nullable(s.instant("Time of the newest price, in UTC.")),
    sources: s.list(
      s.named("SourceCount", s.exactly({ source: s.text("Source."), price_count: priceCount }), "Prices of a source."),
      { description: "Prices by source." },
    ),
    currencies: s.list(
      s.named(
        "CurrencyCount",
        s.exactly({ currency: s.text("Currency, ISO 4217."), price_count: priceCount }),
        "Prices in a currency.",
      ),
      { description: "Prices by currency." },
    ),
    market_types: s.list(
      s.named(
        "MarketTypeCount",
        s.exactly({ type: s.marketTypeText, price_count: priceCount }),
        "Prices at a type of market.",
      ),
      { description: "Prices by type of market." },
    ),
  }),
  "The served snapshot.",
);

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
