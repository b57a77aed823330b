/** All series, as a list and as an export: what prices there are, from when to when. */

import { type Endpoint, endpoint } from "../../../../contract/endpoint.ts";
import { wrongText } from "../../../../contract/errors.ts";
import { dryWhiteMaize, nairobiWholesale, whiteMaize } from "../../../../contract/example-values.ts";
import { seriesPageSizeMax } from "../../../../contract/limits.ts";
import * as s from "../../../../contract/schema.ts";
import { seriesRows, seriesTable } from "../../../../engine/export/price-table.ts";
import type { Uuid } from "../../../../engine/model/ids.ts";
import { optional, type ValueOf } from "../../../../engine/model/json-schema.ts";
import type { ContinuationRecord } from "../../../../engine/model/records.ts";
import { continuities, type MarketType, marketTypes } from "../../../../engine/model/vocabulary.ts";
import {
  findContinuations,
  findSeries,
  type SeriesFilter,
  type SeriesOrder,
  seriesFigures,
  seriesOrders,
} from "../../../../engine/query/find-series.ts";
import { pageOf } from "../../../../engine/query/page.ts";
import { recordAt } from "../../../../engine/store/catalogue.ts";
import { canConvertTo, convertibleText } from "../../../../engine/store/price-conversion.ts";
import type { Store } from "../../../../engine/store/store.ts";
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
import { presentRecord } from "../../answer/present-record.ts";
import { exportEndpoints } from "../export-endpoint.ts";
import { conditionProblems, conditionsOf, dayOf, marketFilter, marketListFilter, productFilter } from "../filters.ts";
import { countyReference, productReference as referToProduct } from "../references.ts";
import { currencyText, productReference } from "./schemas.ts";

const seriesOrderDefault: SeriesOrder = "name";

const seriesFields = {
  ...productFilter,
  ...marketFilter,
  ...marketListFilter,
  ...s.optionalFields({
    unit: s.matchText("Unit in which the prices are recorded, by its exact name."),
    recorded_since: s.day("The last price is of this day or a later one."),
    months_with_prices_min: s.integerFrom(1, "Fewest months with prices.", "months"),
    longest_gap_months_max: s.integerFrom(
      0,
      "Most months in a row without a price, between the first and the last; 0 where none may be missing.",
      "months",
    ),
    sort: s.choice(
      "SeriesOrder",
      "By names of product, market, unit and currency, or by the time of the last price, newest first.",
      seriesOrders,
      { default: seriesOrderDefault },
    ),
  }),
};

type SeriesQuery = ValueOf<typeof seriesQuery>;
const seriesQuery = s.exactly({
  ...seriesFields,
  detail: s.flag("Adds to each series which products its product continues, and which continue it."),
  ...s.pageFieldsUpTo(seriesPageSizeMax),
});

const continuation = s.object(
  "Continuation",
  "Another product that has the prices before or after, judged by the publisher of the data.",
  {
    product: productReference,
    last_month: s.text("Last month with a price of the earlier product at markets of the type, such as 2020-03."),
    first_month: s.text("First month with a price of the later product there."),
    overlap_months: s.integer("Months in which both have a price there.", "months"),
    ratio: s.nullable(
      s.number(
        "Median of later price by earlier price per base unit, over same markets and months; null without any.",
        "1",
      ),
    ),
    judgement: s.oneOf(continuities, "Whether both names mean one good, or goods that are alike."),
    evidence: s.text("What the judgement rests on."),
  },
);

const continuations = (meaning: string): ReturnType<typeof optional> =>
  optional(s.list(continuation, `${meaning} Only with detail; empty where nothing is known.`));

type SeriesExportQuery = ValueOf<typeof seriesExportQuery>;
const seriesExportQuery = s.exactly({ ...seriesFields, currency: currencyText });

const seriesAnswer = s.object("Series", "The prices of one product at one market, in one unit and currency.", {
  product: productReference,
  market: s.object("MarketOfSeries", "A market with its type and county.", {
    ...s.marketFields,
    type: s.marketTypeText,
    county: s.countyReference,
  }),
  unit: s.text("Unit in which the prices are recorded."),
  base_unit: s.nullableText("Unit that the unit converts to; null where it is not in /reference/units."),
  currency: s.text("Currency of the prices, ISO 4217."),
  price_count: s.integer("How many prices the series has.", "prices"),
  first_recorded_at: s.instant("Time of the oldest price, in UTC."),
  last_recorded_at: s.instant("Time of the newest price, in UTC."),
  latest_price: s.number("The newest price.", "`currency` per `unit`"),
  latest_price_per_base_unit: s.nullable(
    s.number("The newest price, rounded to 6 decimals; null where the unit is unknown.", "`currency` per `base_unit`"),
  ),
  longest_gap_days: s.integer("The most days between two neighbouring prices.", "days"),
  months_with_prices: s.integer("Kenyan months in which the series has prices.", "months"),
  longest_gap_months: s.integer(
    "The most months in a row without a price, between the first and the last month; 0 where none is missing.",
    "months",
  ),
  first_month: s.text("Month of the oldest price, such as 2015-01."),
  last_month: s.text("Month of the newest price."),
  continues: continuations("Products whose prices at markets of the type come before."),
  continued_by: continuations("Products whose prices at markets of the type come after."),
});

export const seriesEndpoint: Endpoint = endpoint({
  path: "/prices/series",
  access: "public",
  summary: "Series of prices (one product, market, unit and currency) with their count, first and last price",
  id: "listSeries",
  task: "Which prices are there?",
  description:
    "A series is the prices of one product at one market in one unit and currency: prices that can be compared. " +
    "Says how many prices each has, from when to when, in how many months, and its longest gaps. " +
    "`months_with_prices_min`, `longest_gap_months_max` and `county_ids` find what is complete enough in one " +
    "request: 120 and 3 are ten years of months without a gap of over three months. A product that seems to end " +
    "may go on under another name: `detail` says where that is known. Series of two products are never joined.",
  example: {
    query: {
      product_uuids: [whiteMaize, dryWhiteMaize],
      ...nairobiWholesale,
      sort: "last_recorded_at",
      page_size: 3,
      detail: true,
    },
  },
  query: seriesQuery,
  check: ({ query }) => conditionProblems(query),
  answer: s.pageAnswer(seriesAnswer, "Series, in the order asked for."),
  handle({ store, query }) {
    requireUnit(store, query.unit);
    const { page, pageSize } = s.requestedPage(query);
    const found = findSeries(store, seriesFilter(query), query.sort ?? seriesOrderDefault);
    const { entries, total } = pageOf(found, page, pageSize);
    return answerText(presentSeries(store, entries, query.detail), pageText(page, pageSize, total));
  },
});

export const seriesExportEndpoints: readonly Endpoint[] = exportEndpoints({
  table: "series",
  task: "Series",
  rowName: "ExportedSeries",
  access: "public",
  summary: "All series that match a filter",
  example: nairobiWholesale,
  description: "All series that match, as the list gives them in pages.",
  query: seriesExportQuery,
  check: conditionProblems,
  columns: seriesTable,
  rows(store, query) {
    requireUnit(store, query.unit);
    requireDollars(store, query.currency);
    const positions = findSeries(store, seriesFilter(query), query.sort ?? seriesOrderDefault);
    return seriesRows(store, positions, query.currency !== undefined);
  },
  pricesOf: seriesFilter,
});

/** A unit that is only misspelt would otherwise find nothing. */
function requireUnit({ catalogue }: Store, unit: string | undefined): void {
  if (unit === undefined || catalogue.units.has(unit)) return;
  throw wrongText("unit", unit, "the name of a unit of /reference/units");
}

/** A currency that prices cannot be converted to. */
function requireDollars({ catalogue }: Store, currency: string | undefined): void {
  if (currency === undefined || canConvertTo(catalogue, currency)) return;
  throw wrongText("currency", currency, convertibleText(catalogue));
}

function seriesFilter(query: SeriesQuery | SeriesExportQuery): SeriesFilter {
  return {
    ...conditionsOf(query),
    unit: query.unit,
    recordedSince: dayOf(query.recorded_since),
    monthsMin: query.months_with_prices_min,
    gapMonthsMax: query.longest_gap_months_max,
  };
}

// Each fragment ends where the next value begins, as in present-prices.ts.

const products = fragmentsByCode(
  ({ catalogue }, code) => `{"product":${JSON.stringify(referToProduct(catalogue, code))},"market":`,
);

const markets = fragmentsByCode(({ catalogue }, code) => {
  const { uuid, name, type, countyId } = recordAt(catalogue.markets, code);
  return `${JSON.stringify({ uuid, name, type, county: countyReference(catalogue, countyId) })},"unit":`;
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
const monthsStart = fragmentOf(',"months_with_prices":');
const monthGapStart = fragmentOf(',"longest_gap_months":');
const seriesEnd = fragmentOf("}");

/** The judgements on a product at markets of a type. */
const continuationTexts = fragmentsByCode(({ catalogue }, code) => {
  const { uuid } = recordAt(catalogue.products, Math.floor(code / marketTypes.length));
  const type = marketTypes[code % marketTypes.length] as MarketType;
  const { continues, continuedBy } = findContinuations(catalogue, uuid, type);
  const present = (judged: ContinuationRecord, other: Uuid): object => {
    // Both products of a continuation are in the snapshot.
    const product = recordAt(catalogue.products, catalogue.productCodes.get(other) as number);
    return presentRecord(continuation, { ...judged, product });
  };
  const before = continues.map((judged) => present(judged, judged.continuesUuid));
  const after = continuedBy.map((judged) => present(judged, judged.productUuid));
  return `,"continues":${JSON.stringify(before)},"continued_by":${JSON.stringify(after)}`;
});

/** Writes a series. @param isDetailed Whether the judgements on its product are added. */
function seriesWriter(isDetailed: boolean): (store: Store) => WriteItem<number> {
  return byStore((store) => {
    const product = products(store);
    const market = markets(store);
    const unit = units(store);
    const currency = currencies(store);
    const { marketTypeCodes } = store.catalogue;
    const judgements = isDetailed ? continuationTexts(store) : undefined;
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
      writer.fragment(monthsStart);
      writer.number(series.monthsWithPrices);
      writer.fragment(monthGapStart);
      writer.number(series.longestGapMonths);
      writer.text(`,"first_month":"${series.firstMonth}","last_month":"${series.lastMonth}"`);
      if (judgements !== undefined) {
        const type = marketTypeCodes[series.market] as number;
        writer.fragment(judgements(series.product * marketTypes.length + type));
      }
      writer.fragment(seriesEnd);
    };
  });
}

const writeSeries = seriesWriter(false);
const writeSeriesInDetail = seriesWriter(true);

/** Series as a list. @param positions In `store.series`. */
function presentSeries(store: Store, positions: Uint32Array, isDetailed = false): JsonText {
  return writeList(positions, isDetailed ? writeSeriesInDetail(store) : writeSeries(store));
}
