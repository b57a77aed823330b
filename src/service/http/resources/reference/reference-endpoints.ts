/** The endpoints of what is fixed for a snapshot: units, types of markets, exchange rates and continuations. */

import { type DeclaredEndpoint, endpoint } from "../../../../contract/endpoint.ts";
import * as s from "../../../../contract/schema.ts";
import {
  continuationTable,
  exchangeRateTable,
  marketContinuationTable,
  unitRows,
  unitTable,
} from "../../../../engine/export/small-tables.ts";
import { blocksOf } from "../../../../engine/export/table-columns.ts";
import { answerText, textOfRecords } from "../../answer/json-text.ts";
import { exportEndpoints } from "../export-endpoint.ts";

const unitAnswer = s.object("Unit", "A unit of measurement.", {
  name: s.text("Name, as prices and products give it."),
  abbreviation: s.text("Short form, or a customary name."),
  base_unit: s.text("Name of the unit it converts to; its own where it is the base."),
  conversion_factor: s.number("How many base units are one of it.", "`base_unit` per `name`"),
});

const unitCategoryAnswer = s.object("UnitCategory", "Units of one kind of quantity.", {
  category: s.text("Kind of quantity: weight, volume, count."),
  units: s.list(unitAnswer, "Units of the kind."),
});

const marketTypeAnswer = s.object("MarketTypeEntry", "A type of market and what is typical of it.", {
  type: s.marketTypeText,
  description: s.text("What markets of the type are."),
  characteristics: s.texts("What is typical of them."),
});

export const referenceEndpoints: readonly DeclaredEndpoint[] = [
  endpoint({
    path: "/reference/units",
    access: "public",
    summary: "Units of measurement by category",
    id: "listUnits",
    task: "Units and their factors",
    description: "Units in which prices are recorded, and how many base units each is. See [units](/docs/units).",
    answer: s.listAnswer(unitCategoryAnswer, "Kinds of quantities with their units."),
    handle: ({ store }) => answerText(unitCategoriesText(store)),
  }),
  endpoint({
    path: "/reference/market-types",
    access: "public",
    summary: "Market types with their characteristics",
    id: "listMarketTypes",
    task: "Types of markets",
    description: "What Wholesale, Retail, Rural and Urban markets are.",
    answer: s.listAnswer(marketTypeAnswer, "Types of markets."),
    handle: ({ store }) => answerText(marketTypesText(store)),
  }),
  ...exportEndpoints({
    table: "units",
    task: "Units",
    rowName: "ExportedUnit",
    access: "public",
    summary: "All units of measurement, by category",
    description: "All units, with how many base units each is.",
    columns: unitTable,
    rows: (store) => blocksOf(unitRows(store)),
  }),
  ...exportEndpoints({
    table: "exchange-rates",
    task: "Exchange rates",
    rowName: "ExportedExchangeRate",
    access: "public",
    summary: "What a US dollar cost in each month",
    description:
      "The rates by which statistics and series are converted to US dollars: each price is divided by that of its " +
      "month. No rows where the snapshot has no rates. See [in US dollars](/docs/units#in-us-dollars).",
    columns: exchangeRateTable,
    rows: ({ catalogue }) => blocksOf(catalogue.exchangeRates),
  }),
  ...exportEndpoints({
    table: "continuations",
    task: "Continuations of products",
    rowName: "ExportedContinuation",
    access: "public",
    summary: "Products whose prices go on under another name, with the evidence",
    description:
      "The judgements that a product has the prices of an earlier one from some month on, as series have them with " +
      "detail. Prices are never joined. See [series](/docs/series).",
    columns: continuationTable,
    rows: ({ catalogue }) => blocksOf(catalogue.continuations),
  }),
  ...exportEndpoints({
    table: "market-continuations",
    task: "Continuations of markets",
    rowName: "ExportedMarketContinuation",
    access: "public",
    summary: "Markets that are one place under another name, with the evidence",
    description:
      "The judgements that a market is the place of an earlier one of the same type and county, as markets and " +
      "series have them with detail. Prices are never joined. See [series](/docs/series).",
    columns: marketContinuationTable,
    rows: ({ catalogue }) => blocksOf(catalogue.marketContinuations),
  }),
];

const unitCategoriesText = textOfRecords(unitCategoryAnswer, ({ catalogue }) => catalogue.unitCategories);
const marketTypesText = textOfRecords(marketTypeAnswer, ({ catalogue }) => catalogue.marketTypes);
