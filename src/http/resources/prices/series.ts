/** The list of all series: what prices there are, from when to when. */

import type { Static } from "typebox";
import {
  listSeries,
  type SeriesFilter,
  type SeriesOrder,
  seriesFigures,
  seriesOrders,
} from "../../../query/find-series.ts";
import { countyRecord, recordAt } from "../../../store/catalogue.ts";
import type { Store } from "../../../store/store.ts";
import {
  answerText,
  byStore,
  fragmentsByCode,
  type JsonText,
  pageText,
  type WriteItem,
  writeList,
} from "../../answer/json-text.ts";
import { fragmentOf } from "../../answer/json-writer.ts";
import { type Endpoint, endpoint } from "../../endpoint.ts";
import { excerptOf, validationError } from "../../errors.ts";
import * as s from "../../input/schema.ts";
import { seriesPageSizeMax } from "../../limits.ts";
import { dryWhiteMaize, nairobiWholesale, whiteMaize } from "../example-values.ts";
import { dayOf, marketConditions, marketFilter, productFilter, productProblems, productUuidsOf } from "../filters.ts";
import { marketFields, productReference } from "./schemas.ts";

export const seriesOrderDefault: SeriesOrder = "name";

const seriesFields = {
  ...productFilter,
  ...marketFilter,
  unit: s.optional(s.matchText("Unit in which the prices are recorded, by its exact name.")),
  recorded_since: s.optional(s.dayText("The last price is of this day or a later one.")),
  sort: s.optional(
    s.named(
      "SeriesOrder",
      s.oneOf(seriesOrders, "", { default: seriesOrderDefault }),
      "By names of product, market, unit and currency, or by the time of the last price, newest first.",
    ),
  ),
};

type SeriesQuery = Static<typeof seriesQuery>;
const seriesQuery = s.exactly({ ...seriesFields, ...s.pageFieldsUpTo(seriesPageSizeMax) });

export type SeriesExportQuery = Static<typeof seriesExportQuery>;
export const seriesExportQuery = s.exactly(seriesFields);

const seriesAnswer = s.named(
  "Series",
  s.exactly({
    product: productReference,
    market: s.named(
      "MarketOfSeries",
      s.exactly({ ...marketFields, type: s.marketTypeText, county: s.countyReference }),
      "A market with its type and county.",
    ),
    unit: s.text("Unit in which the prices are recorded."),
    base_unit: s.nullableText("Unit that the unit converts to; null where it is not in /reference/units."),
    currency: s.text("Currency of the prices, ISO 4217."),
    price_count: s.integer("How many prices the series has.", "prices"),
    first_recorded_at: s.instant("Time of the oldest price, in UTC."),
    last_recorded_at: s.instant("Time of the newest price, in UTC."),
    latest_price: s.number("The newest price.", "`currency` per `unit`"),
    latest_price_per_base_unit: s.nullable(
      s.number(
        "The newest price, rounded to 6 decimals; null where the unit is unknown.",
        "`currency` per `base_unit`",
      ),
    ),
    longest_gap_days: s.integer("The most days between two neighbouring prices.", "days"),
  }),
  "The prices of one product at one market, in one unit and currency.",
);

export const seriesEndpoint: Endpoint = endpoint({
  method: "GET",
  path: "/prices/series",
  access: "public",
  summary: "Series of prices (one product, market, unit and currency) with their count, first and last price",
  operation: {
    id: "listSeries",
    group: "Prices",
    description:
      "A series is the prices of one product at one market in one unit and currency: prices that can be compared. " +
      "Says how many prices each has, from when to when, and its longest gap. A product that seems to end may go on " +
      "under another name.",
    example: {
      query: {
        product_uuids: [whiteMaize, dryWhiteMaize],
        ...nairobiWholesale,
        sort: "last_recorded_at",
        page_size: 3,
      },
    },
  },
  query: seriesQuery,
  check: ({ query }) => productProblems(query),
  answer: s.pageAnswer(seriesAnswer, "Series, in the order asked for."),
  handle({ store, query }) {
    requireUnit(store, query.unit);
    const { page, pageSize } = s.pageOf(query);
    const { entries, total } = listSeries(store, seriesFilter(query), query.sort ?? seriesOrderDefault, page, pageSize);
    return answerText(presentSeries(store, entries), pageText(page, pageSize, total));
  },
});

/** A unit that is only misspelt would otherwise find nothing. */
export function requireUnit({ catalogue }: Store, unit: string | undefined): void {
  if (unit === undefined || catalogue.units.has(unit)) return;
  const received = excerptOf(unit);
  const message = `unit is ${JSON.stringify(received)}, expected the name of a unit of /reference/units.`;
  throw validationError([{ field: "unit", message, received }]);
}

export function seriesFilter(query: SeriesQuery | SeriesExportQuery): SeriesFilter {
  return {
    ...marketConditions(query),
    productUuids: productUuidsOf(query),
    unit: query.unit,
    recordedSince: dayOf(query.recorded_since),
  };
}

// Each fragment ends where the next value begins, as in present.ts.

const products = fragmentsByCode(({ catalogue }, code) => {
  const { uuid, name } = recordAt(catalogue.products, code);
  return `{"product":${JSON.stringify({ uuid, name })},"market":`;
});

const markets = fragmentsByCode(({ catalogue }, code) => {
  const { uuid, name, type, countyId } = recordAt(catalogue.markets, code);
  const county = { id: countyId, name: countyRecord(catalogue, countyId).name };
  return `${JSON.stringify({ uuid, name, type, county })},"unit":`;
});

const units = fragmentsByCode(({ catalogue, prices }, code) => {
  const unit = prices.unitNames[code] as string;
  const baseUnit = catalogue.units.get(unit)?.baseUnit ?? null;
  return `${JSON.stringify(unit)},"base_unit":${JSON.stringify(baseUnit)},"currency":`;
});

const currencies = fragmentsByCode(
  ({ prices }, code) => `${JSON.stringify(prices.currencyCodes[code])},"price_count":`,
);

const firstStart = fragmentOf(',"first_recorded_at":"');
const lastStart = fragmentOf('","last_recorded_at":"');
const latestStart = fragmentOf('","latest_price":');
const perBaseUnitStart = fragmentOf(',"latest_price_per_base_unit":');
const gapStart = fragmentOf(',"longest_gap_days":');
const seriesEnd = fragmentOf("}");

const writeSeries = byStore((store): WriteItem<number> => {
  const product = products(store);
  const market = markets(store);
  const unit = units(store);
  const currency = currencies(store);
  return (writer, at) => {
    const series = seriesFigures(store, at);
    writer.fragment(product(series.product));
    writer.fragment(market(series.market));
    writer.fragment(unit(series.unit));
    writer.fragment(currency(series.currency));
    writer.number(series.count);
    writer.fragment(firstStart);
    writer.instant(series.firstRecordedAt);
    writer.fragment(lastStart);
    writer.instant(series.lastRecordedAt);
    writer.fragment(latestStart);
    writer.number(series.latestPrice);
    writer.fragment(perBaseUnitStart);
    if (series.latestPricePerBaseUnit === null) writer.text("null");
    else writer.figure(series.latestPricePerBaseUnit);
    writer.fragment(gapStart);
    writer.number(series.longestGapDays);
    writer.fragment(seriesEnd);
  };
});

/** Series as a list. @param positions In `store.series`. */
function presentSeries(store: Store, positions: Uint32Array): JsonText {
  return writeList(positions, writeSeries(store));
}
