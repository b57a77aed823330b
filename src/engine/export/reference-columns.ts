/** Columns that several tables have: the product, the market and its county, and where exchange rates come from. */
import { noUnit } from "../model/json-schema.ts";
import type { CountyRecord, MarketRecord, ProductRecord } from "../model/records.ts";
import { marketSettings, marketTypes, type Population, populations } from "../model/vocabulary.ts";
import { countyRecord, recordAt } from "../store/catalogue.ts";
import { rateSourcesOf } from "../store/price-conversion.ts";
import type { Store } from "../store/store.ts";
import { type AnswerField, type Column, type ColumnMaker, codedColumns, ofRow } from "./table-columns.ts";

/** The meaning of the setting of a market, in tables and answers. */
export const settingDescription = "Setting of the market: refugee_camp; null of others.";

// The store guarantees that every row has a code, and every code its record or text.

/** @param coded Makes columns from the code of the product. */
export function productColumns<Row>(coded: ColumnMaker<Row, number>): Column<Row>[] {
  return [
    coded("product", "text", "Name of the product.", (product, store) => productOf(product, store).name, {
      answer: { path: "product.name" },
    }),
    coded("product_uuid", "uuid", "Identifier of the product.", (product, store) => productOf(product, store).uuid, {
      answer: { path: "product.uuid" },
    }),
  ];
}

/** @param coded Makes columns from the code of the market. */
export function marketColumns<Row>(coded: ColumnMaker<Row, number>): Column<Row>[] {
  return [
    coded("market", "text", "Name of the market.", (market, store) => marketOf(market, store).name, {
      answer: { path: "market.name" },
    }),
    coded("market_uuid", "uuid", "Identifier of the market.", (market, store) => marketOf(market, store).uuid, {
      answer: { path: "market.uuid" },
    }),
    coded(
      "market_type",
      "text",
      "Type of the market: Wholesale, Retail, Rural or Urban.",
      (market, store) => marketOf(market, store).type,
      { values: marketTypes, answer: { path: "market.type" } },
    ),
    coded("county", "text", "Name of the market's county.", (market, store) => countyOf(market, store).name, {
      answer: { path: "market.county.name", description: "Name of the county." },
    }),
    coded(
      "county_id",
      "integer",
      "Number of the market's county, 1 to 47.",
      (market, store) => countyOf(market, store).id,
      { unit: noUnit, answer: { path: "market.county.id", description: "Number of the county, 1 to 47." } },
    ),
  ];
}

/** @param coded Makes columns from the code of the market. @param answer As in `ColumnDetails`. */
export function countyPcodeColumn<Row>(coded: ColumnMaker<Row, number>, answer: AnswerField | null): Column<Row> {
  const description = "P-code of the market's county, as humanitarian data has it.";
  return coded("county_pcode", "text?", description, (market, store) => countyOf(market, store).pcode, { answer });
}

/** @param coded Makes columns from the code of the market. @param answer As in `ColumnDetails`. */
export function settingColumn<Row>(coded: ColumnMaker<Row, number>, answer: AnswerField | null): Column<Row> {
  return coded("setting", "text?", settingDescription, (market, store) => marketOf(market, store).setting, {
    values: marketSettings,
    answer,
  });
}

/** The column that says by whose rates the figures of a row were converted. */
export function exchangeRateColumn<Row>(isConverted: (row: Row) => boolean): Column<Row> {
  return codedColumns<Row>(() => (row) => Number(isConverted(row)))(
    "exchange_rate_source",
    "text?",
    "Where the monthly exchange rates come from that prices were converted with; null where none was.",
    (code, { catalogue }) => (code === 1 ? rateSourcesOf(catalogue).join("; ") : null),
    { answer: null },
  );
}

/** The column that says which markets the figures of a row are of. */
export function populationColumn<Row>(populationOf: (row: Row) => Population): Column<Row> {
  return ofRow(
    "refugee_camps",
    "text",
    "Whether markets in refugee camps are among those of the figures: include, exclude or only.",
    populationOf,
    { values: populations, answer: null },
  );
}

export function productOf(product: number, { catalogue }: Store): ProductRecord {
  return recordAt(catalogue.products, product);
}

export function marketOf(market: number, { catalogue }: Store): MarketRecord {
  return recordAt(catalogue.markets, market);
}

function countyOf(market: number, store: Store): CountyRecord {
  return countyRecord(store.catalogue, marketOf(market, store).countyId);
}

/** The unit that a unit of prices converts to; null where it is none of the known units. */
export function baseUnitOf(unit: number, { catalogue, prices }: Store): string | null {
  return catalogue.units.get(prices.unitNames[unit]!)?.baseUnit ?? null;
}
