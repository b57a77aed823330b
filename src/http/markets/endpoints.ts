import type { CountyId, Uuid } from "../../domain/ids.ts";
import { instantText } from "../../domain/instant.ts";
import type { CountyRecord, MarketRecord } from "../../domain/records.ts";
import { listMarkets } from "../../query/find-markets.ts";
import { countyRecord, recordAt } from "../../store/catalogue.ts";
import { type Endpoint, endpoint, pageOf, presentPage } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import {
  boolean,
  countyNumber,
  exactly,
  instant,
  integer,
  marketTypeText,
  matchText,
  nullable,
  nullableText,
  number,
  oneAnswer,
  pageAnswer,
  pageFields,
  Type,
  text,
  texts,
  uuid,
  uuidParams,
} from "../schema.ts";

const marketListQuery = exactly({
  ...pageFields,
  county_id: Type.Optional(countyNumber),
  market_type: Type.Optional(marketTypeText),
  search: Type.Optional(matchText("Part of the name, case and accents ignored.")),
});

const marketFields = { uuid, name: text, type: text };
const county = { id: integer, name: text };
const location = { latitude: number, longitude: number };

const listedMarketAnswer = exactly({
  ...marketFields,
  county: exactly(county),
  sub_county: nullableText,
  location: nullable(exactly(location)),
  operating_days: texts,
  is_active: boolean,
});

const marketDetailAnswer = exactly({
  ...marketFields,
  county: exactly({ ...county, code: text }),
  sub_county: nullableText,
  location: nullable(exactly({ ...location, address: nullableText })),
  operating_days: texts,
  operating_hours: nullableText,
  description: nullableText,
  facilities: nullable(texts),
  contact: nullable(exactly({ phone: nullableText, email: nullableText })),
  is_active: boolean,
  created_at: instant,
  updated_at: instant,
});

export const marketEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/markets",
    access: "public",
    summary: "Markets, by name, page by page",
    query: marketListQuery,
    answer: pageAnswer(listedMarketAnswer),
    handle({ store, query }) {
      const { page, pageSize } = pageOf(query);
      const filter = {
        countyId: query.county_id as CountyId | undefined,
        marketType: query.market_type,
        text: query.search,
      };
      const { entries, total } = listMarkets(store, filter, page, pageSize);
      return {
        data: entries.map((market) => presentListedMarket(market, countyRecord(store.catalogue, market.countyId))),
        meta: presentPage(page, pageSize, total),
      };
    },
  }),
  endpoint({
    method: "GET",
    path: "/markets/:uuid",
    access: "public",
    summary: "One market",
    params: uuidParams,
    answer: oneAnswer(marketDetailAnswer),
    handle({ store: { catalogue }, params }) {
      const code = catalogue.marketCodes.get(params.uuid.toLowerCase() as Uuid);
      if (code === undefined) throw new ApiError("NOT_FOUND", `No market has the uuid ${params.uuid}.`);
      const market = recordAt(catalogue.markets, code);
      return { data: presentMarketDetail(market, countyRecord(catalogue, market.countyId)) };
    },
  }),
];

function presentListedMarket(market: MarketRecord, county: CountyRecord): object {
  const { location } = market;
  return {
    uuid: market.uuid,
    name: market.name,
    type: market.type,
    county: { id: county.id, name: county.name },
    sub_county: market.subCounty,
    location: location && { latitude: location.latitude, longitude: location.longitude },
    operating_days: market.operatingDays,
    is_active: market.isActive,
  };
}

function presentMarketDetail(market: MarketRecord, county: CountyRecord): object {
  return {
    uuid: market.uuid,
    name: market.name,
    type: market.type,
    county: { id: county.id, name: county.name, code: county.code },
    sub_county: market.subCounty,
    location: market.location,
    operating_days: market.operatingDays,
    operating_hours: market.operatingHours,
    description: market.description,
    facilities: market.facilities,
    contact: market.contact,
    is_active: market.isActive,
    created_at: instantText(market.createdAt),
    updated_at: instantText(market.updatedAt),
  };
}
