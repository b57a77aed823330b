/**
 * The served snapshot: when it was published, whose data it holds, how much, from when to when, and how fresh
 * it is.
 */

import { jsonText } from "../../../../contract/byte-text.ts";
import { type DeclaredEndpoint, endpoint } from "../../../../contract/endpoint.ts";
import { silentListMax } from "../../../../contract/limits.ts";
import * as s from "../../../../contract/schema.ts";
import { citationCharactersMax, citationOf } from "../../../../engine/export/citation.ts";
import { programVersion } from "../../../../engine/files/program-version.ts";
import { type Instant, instantText } from "../../../../engine/model/calendar.ts";
import { describeSource } from "../../../../engine/model/dataset.ts";
import type { ObjectSchema } from "../../../../engine/model/json-schema.ts";
import { samplePeriods } from "../../../../engine/model/vocabulary.ts";
import { describePrices } from "../../../../engine/query/describe-prices.ts";
import { findSilent, type Silent, silentDays } from "../../../../engine/query/find-silent.ts";
import { type NamedEntry, recordAt } from "../../../../engine/store/catalogue.ts";
import type { Store } from "../../../../engine/store/store.ts";
import { suspiciousRule } from "../../../../engine/store/suspicious-prices.ts";
import { answerText } from "../../answer/json-text.ts";
import { byStore } from "../../answer/json-writer.ts";
import { presentRecord } from "../../answer/present-record.ts";
import { suspiciousRuleField } from "../filters.ts";

const rowCounts = s.object("RowCounts", "How many rows each table has.", {
  counties: s.integer("Counties.", "rows"),
  crops: s.integer("Crops.", "rows"),
  units: s.integer("Units of measurement.", "rows"),
  market_types: s.integer("Types of markets.", "rows"),
  products: s.integer("Products.", "rows"),
  markets: s.integer("Markets.", "rows"),
  prices: s.integer("Prices.", "rows"),
});

const priceCount = s.integer("Prices among all.", "prices");

const silentCount = s.integer("How many there are.", "silent ones");
const silentProduct = s.object("SilentProduct", "A product without recent prices.", {
  uuid: s.uuid("Identifier."),
  name: s.text("Name."),
  last_recorded_at: s.nullable(s.instant("Time of its newest price, in UTC; null where it has none.")),
});
const silentMarket = s.object("SilentMarket", "A market without recent prices.", {
  ...silentProduct.properties,
  type: s.marketTypeText,
});
const silentText = `The first ${silentListMax} of them: what went silent last comes first, what has no prices last.`;

const licenceAnswer = s.object("Licence", "Licence of a source, null when unknown.", {
  id: s.text("Short name, with its version."),
  url: s.nullableText("Address of its text; null when unknown."),
});

const datasetAnswer = s.object("Dataset", "The served snapshot.", {
  snapshot: s.text("Identifier of the snapshot, also in X-Snapshot-Id."),
  published_at: s.instant("When it was published, in UTC."),
  note: s.nullableText("What the publisher says of it."),
  attribution: s.texts("Sources and licences, one a line; name them where you show the data."),
  citation: s.text(
    `The line under which to cite all prices, of at most ${citationCharactersMax} characters: sources, addresses ` +
      `and licences, the snapshot, its day of publication in \`time_zone\`, and \`<date>\` for the day of your ` +
      `access.`,
  ),
  time_zone: s.text("Time zone of its days, as in the IANA database."),
  rows: rowCounts,
  series_count: s.integer("Series of prices.", "series"),
  first_recorded_at: s.nullable(s.instant("Time of the oldest price, in UTC.")),
  last_recorded_at: s.nullable(s.instant("Time of the newest price, in UTC.")),
  sources: s.list(
    s.object("SourceCount", "Prices of a source.", {
      source: s.text("Source."),
      price_count: priceCount,
      last_recorded_at: s.instant("Time of its newest price, in UTC."),
      period: s.nullable(
        s.oneOf(
          samplePeriods,
          "The time that each of its prices stands for, if known: its date is a day of that time.",
        ),
      ),
      title: s.nullableText("Publisher and work, as a citation names them; null when unknown."),
      url: s.nullableText("Address of the work; null when unknown."),
      licence: s.nullable(licenceAnswer),
    }),
    "Prices by source.",
  ),
  currencies: s.list(
    s.object("CurrencyCount", "Prices in a currency.", {
      currency: s.text("Currency, ISO 4217."),
      price_count: priceCount,
    }),
    "Prices by currency.",
  ),
  market_types: s.list(
    s.object("MarketTypeCount", "Prices at a type of market.", { type: s.marketTypeText, price_count: priceCount }),
    "Prices by type of market.",
  ),
  suspicious_rule: suspiciousRuleField,
  silent_days: s.integer(
    "Products and markets without a price of the day of the newest price, or of so many days before it, are silent.",
    "days",
  ),
  silent_products: s.object("SilentProducts", "Products without recent prices.", {
    count: silentCount,
    listed: s.list(silentProduct, silentText),
  }),
  silent_markets: s.object("SilentMarkets", "Markets without recent prices.", {
    count: silentCount,
    listed: s.list(silentMarket, silentText),
  }),
  program_version: s.text("Version of the program that answers, as package.json has it."),
});

export const datasetEndpoints: readonly DeclaredEndpoint[] = [
  endpoint({
    path: "/dataset",
    access: "public",
    summary: "The served snapshot: publication, sources and licences, how to cite it, and what it holds",
    id: "getDataset",
    task: "Whose data, how much, how fresh?",
    description:
      "What to name as the source, which snapshot an answer comes from, up to which day the prices go, of each " +
      "source too, and which products and markets are silent: without a price for the 60 days before the newest " +
      "one. `GET /prices/series` with `sort=last_recorded_at` has the last price of every series; with " +
      "`recorded_since`, the series that go on.",
    answer: s.oneAnswer(datasetAnswer),
    handle: ({ store }) => answerText(datasetText(store)),
  }),
];

const datasetText = byStore((store) => {
  const { snapshot, catalogue, prices, series } = store;
  const { firstRecordedAt, lastRecordedAt, sources, currencies, marketTypes } = describePrices(store);
  const silent = findSilent(store);
  return jsonText({
    snapshot: snapshot.id,
    published_at: instantText(snapshot.createdAt),
    note: snapshot.note,
    attribution: snapshot.attribution,
    citation: citationOf(
      snapshot,
      sources.map(({ name }) => name),
    ),
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
    sources: sources.map(({ name, count, lastRecordedAt }) => {
      const { source, ...details } = describeSource(snapshot, name);
      return { source, price_count: count, last_recorded_at: instantText(lastRecordedAt), ...details };
    }),
    currencies: currencies.map(({ name, count }) => ({ currency: name, price_count: count })),
    market_types: marketTypes.map(({ name, count }) => ({ type: name, price_count: count })),
    suspicious_rule: suspiciousRule,
    silent_days: silentDays,
    silent_products: presentSilent(store, silent.products, catalogue.products, s.productReference),
    silent_markets: presentSilent(store, silent.markets, catalogue.markets, typedMarket),
    program_version: programVersion().version,
  });
});

const typedMarket = s.exactly({ ...s.marketReference.properties, type: s.marketTypeText });

/** Silent products or markets as an answer has them: all are counted, the first are listed. */
function presentSilent<Code extends number>(
  { prices }: Store,
  { codes, newestRows }: Silent<Code>,
  entries: readonly NamedEntry<object>[],
  reference: ObjectSchema,
): object {
  const listed = codes.slice(0, silentListMax).map((code, at) => {
    const row = newestRows[at];
    const lastRecordedAt = row === undefined ? null : instantText(prices.recordedAt[row] as Instant);
    return { ...presentRecord(reference, recordAt(entries, code)), last_recorded_at: lastRecordedAt };
  });
  return { count: codes.length, listed };
}
