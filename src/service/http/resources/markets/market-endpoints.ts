/** The endpoints of markets. */

import { jsonText } from "../../../../contract/byte-text.ts";
import { type DeclaredEndpoint, endpoint } from "../../../../contract/endpoint.ts";
import { nairobiWholesale } from "../../../../contract/example-values.ts";
import { hintField, hintOf } from "../../../../contract/placeholder.ts";
import * as s from "../../../../contract/schema.ts";
import { settingDescription } from "../../../../engine/export/reference-columns.ts";
import { marketTable } from "../../../../engine/export/small-tables.ts";
import { blocksOf } from "../../../../engine/export/table-columns.ts";
import { coordinatesFromText, roundKilometres } from "../../../../engine/model/coordinates.ts";
import type { CountyId } from "../../../../engine/model/ids.ts";
import { optional, type ValueOf } from "../../../../engine/model/json-schema.ts";
import type { Coordinates, MarketRecord } from "../../../../engine/model/records.ts";
import { marketSettings, weekDays } from "../../../../engine/model/vocabulary.ts";
import { distanceTo, findMarkets, type MarketFilter } from "../../../../engine/query/find-markets.ts";
import { pageOf } from "../../../../engine/query/page.ts";
import { countyRecord, recordAt } from "../../../../engine/store/catalogue.ts";
import type { Store } from "../../../../engine/store/store.ts";
import { answerText, listText, pageText, textsByRecord } from "../../answer/json-text.ts";
import { presentRecord } from "../../answer/present-record.ts";
import { exportEndpoints } from "../export-endpoint.ts";
import { requireCode, sourceIds } from "../filters.ts";
import { continuationsOfMarket, marketContinuation } from "../market-continuation.ts";

const marketFilter = s.optionalFields({
  county_id: s.countyNumber,
  market_type: s.marketTypeText,
  search: s.searchText(
    "Words, each of them part of the name or an alternative one, in any order; case, accents and apostrophes ignored.",
  ),
});

const withDetail = s.flag("Adds its codes, its other names, and the market that the place was before and is after.");

const marketListQuery = s.exactly({
  ...s.pageFields,
  ...marketFilter,
  near: optional(s.pointText("The nearest markets come first, those of which no location is known last.")),
  detail: withDetail,
});

const marketExportQuery = s.exactly(marketFilter);

const marketFields = { ...s.marketReference.properties, type: s.marketTypeText };

const subCounty = s.nullableText("Name of the sub-county.");

const operatingDays = s.list(
  s.choice("WeekDay", "Day of the week.", weekDays),
  "Days on which the market is held; empty where they are unknown.",
);

const isActive = s.boolean("Whether the market is currently operating.");

const marketCodes = s.fieldsOfDetail({
  source_ids: sourceIds,
  county_pcode: s.nullableText("P-code of the county; null when unknown."),
  setting: s.nullable(s.oneOf(marketSettings, settingDescription)),
  alternative_names: s.nullable(s.texts("Other and former names; null without any.")),
  continues: marketContinuation("The market that the place was before."),
  continued_by: marketContinuation("The market that the place is after."),
});

const listedMarketAnswer = s.object("MarketSummary", "A market, as lists have it.", {
  ...marketFields,
  county: s.countyReference,
  sub_county: subCounty,
  location: s.nullable(s.object("Position", "Where the market is.", s.position)),
  operating_days: operatingDays,
  is_active: isActive,
  ...marketCodes,
  ...s.optionalFields({
    distance_km: s.nullable(
      s.meaning(
        s.kilometres,
        "Kilometres from `near`, on a sphere of 6,371 km, to one decimal; null where the market's location is not " +
          "known. Only with near and detail.",
      ),
    ),
  }),
});

const marketDetailAnswer = s.object("Market", "A market.", {
  ...marketFields,
  county: s.object("CountyReferenceWithCode", "A county.", {
    ...s.countyReference.properties,
    code: s.text("The number as three digits."),
  }),
  sub_county: subCounty,
  location: s.nullable(
    s.object("Location", "Where the market is.", {
      ...s.position,
      address: s.nullableText("Postal or street address."),
    }),
  ),
  operating_days: operatingDays,
  operating_hours: s.nullableText("Times of day at which the market is open, as free text."),
  description: s.nullableText("What the market is."),
  facilities: s.nullable(s.texts("What the market offers traders: storage, water and the like.")),
  contact: s.nullable(
    s.object("Contact", "How to reach the market.", {
      phone: s.nullableText("Telephone number."),
      email: s.nullableText("E-mail address."),
    }),
  ),
  is_active: isActive,
  ...s.timestamps,
  ...marketCodes,
});

const marketPagination = s.object("MarketPagination", "Which page of how many.", {
  ...s.paginationFields,
  ...hintField,
});

export const marketEndpoints: readonly DeclaredEndpoint[] = [
  endpoint({
    path: "/markets",
    access: "public",
    summary: "Markets, by name, page by page",
    id: "listMarkets",
    task: "Find markets",
    description:
      "Each market is of one type; a place with wholesale and retail trade has two markets. With `near` the nearest " +
      "come first.",
    example: { query: { county_id: 47, market_type: "Wholesale", page_size: 2 } },
    query: marketListQuery,
    answer: s.pageAnswer(listedMarketAnswer, "Markets, by name.", marketPagination),
    handle({ store, query }) {
      const { page, pageSize } = s.requestedPage(query);
      const near = query.near === undefined ? undefined : coordinatesFromText(query.near);
      const { entries, total } = pageOf(findMarkets(store, { ...listFilter(query), near }), page, pageSize);
      const detail = query.detail === true && total === 0 ? hintOf("search", query.search) : {};
      const meta = pageText(page, pageSize, total, "hint" in detail ? detail : undefined);
      const textOf =
        near === undefined || query.detail !== true
          ? listedMarketTexts(store, query.detail)
          : (market: MarketRecord) => jsonText(presentRecord(listedMarketAnswer, withDistance(market, near, store)));
      return answerText(listText(entries, textOf), meta);
    },
  }),
  endpoint({
    path: "/markets/:uuid",
    access: "public",
    summary: "One market",
    id: "getMarket",
    task: "One market",
    description: "One market with all that is known of it.",
    example: { params: { uuid: "e5832903-cb0a-540c-a9ce-fed7db5c3099" } },
    params: s.uuidParams,
    query: s.exactly({ detail: withDetail }),
    form: { kind: "record" },
    answer: s.oneAnswer(marketDetailAnswer),
    handle({ store, params, query }) {
      const { catalogue } = store;
      const code = requireCode(catalogue.marketCodes, "market", params.uuid);
      return answerText(marketDetailTexts(store, query.detail)(recordAt(catalogue.markets, code)));
    },
  }),
  ...exportEndpoints({
    table: "markets",
    task: "Markets",
    rowName: "ExportedMarket",
    access: "public",
    summary: "All markets that match a filter, by name",
    example: nairobiWholesale,
    description: "All markets that match.",
    query: marketExportQuery,
    columns: marketTable,
    rows: (store, query) => blocksOf(findMarkets(store, listFilter(query))),
  }),
];

function listFilter(query: ValueOf<typeof marketExportQuery>): MarketFilter {
  return { countyId: query.county_id as CountyId | undefined, marketType: query.market_type, text: query.search };
}

function withCounty(market: MarketRecord, { catalogue }: Store): object {
  const county = countyRecord(catalogue, market.countyId);
  return { ...market, county, countyPcode: county.pcode, ...continuationsOfMarket(catalogue, market) };
}

function withDistance(market: MarketRecord, near: Coordinates, store: Store): object {
  const kilometres = distanceTo(market, near);
  return { ...withCounty(market, store), distanceKm: kilometres === null ? null : roundKilometres(kilometres) };
}

const listedMarketTexts = textsByRecord(listedMarketAnswer, withCounty);
const marketDetailTexts = textsByRecord(marketDetailAnswer, withCounty);
