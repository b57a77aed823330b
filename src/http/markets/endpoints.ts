import type { CountyId, Uuid } from "../../domain/ids.ts";
import { listMarkets } from "../../query/find-markets.ts";
import { countyRecord, recordAt } from "../../store/catalogue.ts";
import { oneAnswer, pageAnswer } from "../answer-schema.ts";
import { type Answer, type Endpoint, endpoint, type HandlerInput } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { type NoInput, noInput, type UuidParams, uuidParams } from "../input.ts";
import { pageOf, presentPage } from "../pagination.ts";
import { presentListedMarket, presentMarketDetail } from "./present.ts";
import { type MarketListQuery, marketDetailAnswer, marketListAnswer, marketListQuery } from "./schemas.ts";

export const marketEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/markets",
    access: "public",
    summary: "Markets, by name, page by page",
    params: noInput,
    query: marketListQuery,
    body: noInput,
    answer: pageAnswer(marketListAnswer),
    handle: answerMarkets,
  }),
  endpoint({
    method: "GET",
    path: "/markets/:uuid",
    access: "public",
    summary: "One market",
    params: uuidParams,
    query: noInput,
    body: noInput,
    answer: oneAnswer(marketDetailAnswer),
    handle: answerMarket,
  }),
];

function answerMarkets({ store, query }: HandlerInput<NoInput, MarketListQuery, NoInput>): Answer {
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
}

function answerMarket({ store, params }: HandlerInput<UuidParams, NoInput, NoInput>): Answer {
  const code = store.catalogue.marketCodes.get(params.uuid.toLowerCase() as Uuid);
  if (code === undefined) throw new ApiError("NOT_FOUND", `No market has the uuid ${params.uuid}.`);
  const market = recordAt(store.catalogue.markets, code);
  return { data: presentMarketDetail(market, countyRecord(store.catalogue, market.countyId)) };
}
