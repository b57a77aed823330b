/** The nearest markets with prices of a product, for a place that has none of it or only those of a few markets. */

import type { Day } from "../../engine/model/calendar.ts";
import { monthText } from "../../engine/model/calendar.ts";
import type { Coordinates, MarketRecord } from "../../engine/model/records.ts";
import {
  describeSubject,
  findJudged,
  type JudgedSubject,
  marketTypeOf,
} from "../../engine/query/measures/find-judged.ts";
import { type NearMarket, nearestMarkets } from "../../engine/query/places-of-product.ts";
import { countyRecord, recordAt } from "../../engine/store/catalogue.ts";
import { rowsOf } from "../../engine/store/columns.ts";
import { dayOfRow } from "../../engine/store/periods.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { anomalyRequests, columnKinds, type DataColumn, type DataTable, fromTablet } from "./data-table.ts";
import type { Section } from "./explorer-page.ts";
import { namedMarketsMax } from "./figures-by-market.ts";
import { judgementColumns, showNewest } from "./judgement.ts";
import type { ProductView } from "./product-view.ts";
import type { PageRequest } from "./request.ts";

/** Markets that the section shows. */
const nearMax = 3;

/** Days up to the newest price of the product in which a market must have a price. */
const recentDays = 365;

interface NearRow {
  readonly near: NearMarket;
  readonly judged: JudgedSubject;
}

/** Undefined where the place has enough markets, its location is not known, or nothing is near. */
export function* nearestSection(request: PageRequest, view: ProductView): Generator<number, Section | undefined> {
  const { store, words } = request;
  const { code, product, place, chosen, ofChosen } = view;
  const origin = originOf(request, view);
  const [newestRow] = rowsOf(store.rowsByProduct, code);
  if (origin === undefined || newestRow === undefined) return undefined;
  if (ofChosen !== undefined && ofChosen.markets.length > namedMarketsMax) return undefined;
  const found = nearestMarkets(store, code, origin.point, {
    marketType: chosen?.marketType,
    since: (dayOfRow(store.periods, newestRow) - recentDays + 1) as Day,
    isLeftOut: ({ uuid, countyId }) => uuid === place.conditions.marketUuid || countyId === place.conditions.countyId,
  });
  // The newest prices of a market may all be suspicious, so that more are judged than shown.
  const candidates = found.slice(0, 2 * nearMax);
  const markets = new Set<number>(candidates.map(({ market }) => market));
  const question = { productUuids: [product.uuid], level: "market", markets, measures: ["yearBefore"] } as const;
  const judged = yield* findJudged(store, question);
  const rows = candidates
    .flatMap((near): NearRow[] => {
      const ofMarket = judged.find(({ newest: { market } }) => market === near.market);
      return ofMarket === undefined ? [] : [{ near, judged: ofMarket }];
    })
    .slice(0, nearMax);
  if (rows.length === 0) return undefined;
  const table: DataTable<NearRow> = {
    rows,
    requests: anomalyRequests(
      store,
      { level: "market", productUuid: product.uuid },
      rows.map((row) => row.judged),
    ),
    columns: nearColumns(request),
  };
  const shown =
    chosen === undefined ? words.say("markets") : words.say("marketsOfType", { type: words.type(chosen.marketType) });
  const text = words.say(origin.isMiddle ? "nearestToCounty" : "nearestToMarket", {
    markets: shown,
    count: recentDays,
  });
  const lead = renderParagraph(text, "quiet");
  return { id: "nearest", heading: words.say("nearestHeading"), content: lead, table };
}

/** A point from which distances are. */
interface Origin {
  readonly point: Coordinates;
  /** True if it is the middle of the county. */
  readonly isMiddle: boolean;
}

/** The market's own point, or the middle of the county where it is not known; undefined for the country. */
function originOf({ store: { catalogue } }: PageRequest, { place }: ProductView): Origin | undefined {
  const { countyId, marketUuid } = place.conditions;
  const market =
    marketUuid === undefined ? undefined : recordAt(catalogue.markets, catalogue.marketCodes.get(marketUuid) as number);
  if (market?.location) return { point: market.location, isMiddle: false };
  const county = market?.countyId ?? countyId;
  const middle = county === undefined ? null : countyRecord(catalogue, county).coordinates;
  return middle === null ? undefined : { point: middle, isMiddle: true };
}

function nearColumns(request: PageRequest): DataColumn<NearRow>[] {
  const { store, words } = request;
  const { price, csv, market, marketType } = columnKinds<NearRow>(request);
  const marketOf = ({ near }: NearRow): MarketRecord => recordAt(store.catalogue.markets, near.market);
  const showMarket = (row: NearRow): Markup => {
    const kilometres = words.integer(Math.round(row.near.kilometres));
    return markup`${request.marketLink(marketOf(row))}<br><span class="quiet">${kilometres} km</span>`;
  };
  const showPrice = (row: NearRow) => showNewest(request, row.judged);
  return [
    ...market(marketOf, showMarket),
    csv("kilometres", ({ near }) => Math.round(near.kilometres)),
    price("median_price", words.say("median"), ({ judged }) => judged.newest.median, showPrice),
    csv("month", ({ judged }) => monthText(judged.newest.month)),
    csv("sample_count", ({ judged }) => judged.newest.sampleCount),
    csv("currency", ({ judged }) => describeSubject(store, judged).currency),
    csv("unit", ({ judged }) => describeSubject(store, judged).unit),
    ...judgementColumns<NearRow>(request, ({ judged }) => judged, ["yearBefore"]),
    fromTablet(marketType(({ judged }) => marketTypeOf(judged))),
  ];
}
