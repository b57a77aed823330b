/** All series, as a list and as an export: what prices there are, from when to when. */

import { type DeclaredEndpoint, endpoint } from "../../../../contract/endpoint.ts";
import { wrongText } from "../../../../contract/errors.ts";
import { dryWhiteMaize, nairobiWholesale, whiteMaize } from "../../../../contract/example-values.ts";
import { seriesPageSizeMax } from "../../../../contract/limits.ts";
import * as s from "../../../../contract/schema.ts";
import { type SeriesRow, seriesRow, seriesRows, seriesTable } from "../../../../engine/export/series-table.ts";
import { type ObjectSchema, optional, type Schema, type ValueOf } from "../../../../engine/model/json-schema.ts";
import { continuities } from "../../../../engine/model/vocabulary.ts";
import {
  type Continuations,
  findContinuations,
  findSeries,
  type SeriesFilter,
  type SeriesOrder,
  seriesOrders,
} from "../../../../engine/query/find-series.ts";
import { pageOf } from "../../../../engine/query/page.ts";
import { productAtType, splitProductAtType } from "../../../../engine/query/product-at-type.ts";
import { productOf, recordAt } from "../../../../engine/store/catalogue.ts";
import { canConvertTo, convertibleText } from "../../../../engine/store/price-conversion.ts";
import type { Store } from "../../../../engine/store/store.ts";
import { answerText, pageText } from "../../answer/json-text.ts";
import { writeList } from "../../answer/json-writer.ts";
import { presentRecord } from "../../answer/present-record.ts";
import { detailWriters, withValue } from "../../answer/row-writer.ts";
import { exportEndpoints } from "../export-endpoint.ts";
import { conditionProblems, conditionsOf, dayOf, filters, populationMeta } from "../filters.ts";
import { continuationsOfMarket, marketContinuation } from "../market-continuation.ts";
import { answerFields } from "../table-fields.ts";

const seriesOrderDefault: SeriesOrder = "name";

const seriesFields = {
  ...filters.products,
  ...filters.markets,
  ...filters.marketLists,
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

type SeriesFields = ValueOf<ObjectSchema<typeof seriesFields>>;

const seriesQuery = s.exactly({
  ...seriesFields,
  detail: s.flag(
    "Adds to each series which products its product continues and which continue it, and so too of its market.",
  ),
  ...s.pageFieldsUpTo(seriesPageSizeMax),
});

const continuation = s.object(
  "Continuation",
  "Another product that has the prices before or after, judged by the publisher of the data.",
  {
    product: s.productReference,
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

/** The code of the product and the type of the market of a series, which judgements are about. */
const judgedCode = ({ catalogue }: Store) => {
  const { marketTypeCodes } = catalogue;
  return ({ product, market }: SeriesRow) => productAtType(product, marketTypeCodes[market] as number);
};

/** The judgements on the product of a series at markets of the type. */
function judgements(direction: keyof Continuations, meaning: string): Schema {
  const description = `${meaning} Only with detail; empty where nothing is known.`;
  return optional(
    withValue<Schema, SeriesRow>(s.list(continuation, description), {
      codeOf: judgedCode,
      cellOf(code, { catalogue }) {
        const { product: productCode, marketType } = splitProductAtType(code);
        const { uuid } = recordAt(catalogue.products, productCode);
        const found = findContinuations(catalogue, uuid, marketType);
        return found[direction].map((judged) => {
          const other = direction === "continues" ? judged.continuesUuid : judged.productUuid;
          return presentRecord(continuation, { ...judged, product: productOf(catalogue, other) });
        });
      },
    }),
  );
}

function marketCode(): (row: SeriesRow) => number {
  return ({ market }) => market;
}

/** The market of a series under another name. */
function marketJudgement(direction: "continues" | "continuedBy", meaning: string): Schema {
  const schema = marketContinuation(`${meaning} Only with detail.`);
  return optional(
    withValue<Schema, SeriesRow>(schema, {
      codeOf: marketCode,
      cellOf(code, { catalogue }) {
        const found = continuationsOfMarket(catalogue, recordAt(catalogue.markets, code))[direction];
        return found && presentRecord(schema, found);
      },
    }),
  );
}

const seriesExportQuery = s.exactly({ ...seriesFields, currency: filters.conversion.currency });

const seriesAnswer = s.object("Series", "The prices of one product at one market, in one unit and currency.", {
  ...answerFields(seriesTable, {
    product: { name: "ProductReference", description: "A product.", first: ["uuid"] },
    market: { name: "MarketOfSeries", description: "A market with its type and county.", first: ["uuid"] },
    "market.county": { name: "CountyReference", description: "A county.", first: ["id"] },
  }),
  continues: judgements("continues", "Products whose prices at markets of the type come before."),
  continued_by: judgements("continuedBy", "Products whose prices at markets of the type come after."),
  market_continues: marketJudgement("continues", "The market that the place was before."),
  market_continued_by: marketJudgement("continuedBy", "The market that the place is after."),
});

const seriesMeta = s.object("SeriesMeta", "Which page of how many, and of which markets.", {
  ...s.paginationFields,
  refugee_camps: populationMeta,
});

const seriesWriters = detailWriters<SeriesRow>(seriesAnswer);

export const seriesEndpoint: DeclaredEndpoint = endpoint({
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
  answer: s.pageAnswer(seriesAnswer, "Series, in the order asked for.", seriesMeta),
  handle({ store, query }) {
    const { page, pageSize } = s.requestedPage(query);
    const { entries, total } = pageOf(requestedSeries(store, query), page, pageSize);
    const write = seriesWriters(store, query.detail);
    return answerText(
      writeList(entries, (writer, at) => write(writer, seriesRow(store, at))),
      pageText(page, pageSize, total, { refugee_camps: query.refugee_camps ?? "include" }),
    );
  },
});

export const seriesExportEndpoints: readonly DeclaredEndpoint[] = exportEndpoints({
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
    const { currency } = query;
    const positions = requestedSeries(store, query);
    // Prices would be answered as recorded otherwise.
    if (currency !== undefined && !canConvertTo(store.catalogue, currency)) {
      throw wrongText("currency", currency, convertibleText(store.catalogue));
    }
    return seriesRows(store, positions, currency !== undefined);
  },
  pricesOf: seriesFilter,
});

/** @throws {ApiError} where the unit is only misspelt, which would find nothing. */
function requestedSeries(store: Store, query: SeriesFields): Uint32Array {
  const { unit, sort = seriesOrderDefault } = query;
  if (unit !== undefined && !store.catalogue.units.has(unit)) {
    throw wrongText("unit", unit, "the name of a unit of /reference/units");
  }
  return findSeries(store, seriesFilter(query), sort);
}

function seriesFilter(query: SeriesFields): SeriesFilter {
  return {
    ...conditionsOf(query),
    unit: query.unit,
    recordedSince: dayOf(query.recorded_since),
    monthsMin: query.months_with_prices_min,
    gapMonthsMax: query.longest_gap_months_max,
  };
}
