/** Rows as databases return them → the objects our endpoints answer with. */

import type { MarketRecord, ProductRecord } from "../../src/engine/model/records.ts";
import type { PriceSearchBody } from "../../src/service/http/resources/prices/price-endpoints.ts";
import type { Answer } from "./contender.ts";
import type { PeerTables } from "./peer-tables.ts";

/** A price as search and look-ups fetch it; numbers are codes of the tables, times are milliseconds. */
export type FoundRow = readonly [
  uuid: string,
  product: number,
  market: number,
  price: number,
  unit: number,
  currency: number,
  recordedAt: number,
  source: number,
  grade: number | null,
];

export type DetailRow = readonly [...FoundRow, notes: string | null, createdAt: number, updatedAt: number];

/** A price as latest prices fetch it. */
export type LatestRow = readonly [
  uuid: string,
  product: number,
  market: number,
  price: number,
  unit: number,
  recordedAt: number,
];

/** The columns of a row in SQL, the uuid apart. */
export const foundColumns = "product, market, price, unit, currency, recorded_at, source, grade";
export const detailColumns: string = `${foundColumns}, notes, created_at, updated_at`;
export const latestColumns = "product, market, price, unit, recorded_at";

/** A page of a search. */
export function presentPage(
  tables: PeerTables,
  { page = 1, page_size: pageSize = 20 }: PriceSearchBody,
  rows: readonly FoundRow[],
  total: number,
): Answer {
  return {
    data: rows.map((row) => presentFound(tables, row)),
    meta: { page, page_size: pageSize, total, total_pages: Math.ceil(total / pageSize) },
  };
}

/** One price by itself. */
export function presentDetail(tables: PeerTables, row: DetailRow): Answer {
  const [uuid, productCode, marketCode, price, unit, currency, recordedAt, source, grade, notes, created, updated] =
    row;
  const product = productAt(tables, productCode);
  const market = marketAt(tables, marketCode);
  return {
    data: {
      uuid,
      product: { uuid: product.uuid, name: product.name, category: product.category, description: product.description },
      market: {
        uuid: market.uuid,
        name: market.name,
        type: market.type,
        county: tables.countyNames.get(market.countyId),
        sub_county: market.subCounty,
      },
      price,
      unit: tables.unitNames[unit],
      currency: tables.currencyCodes[currency],
      recorded_at: instantText(recordedAt),
      source: tables.sourceNames[source],
      quality_grade: grade === null ? null : tables.gradeNames[grade],
      notes,
      created_at: instantText(created),
      updated_at: instantText(updated),
    },
  };
}

/** Latest prices; rows come by product, newest first within each. */
export function presentLatest(tables: PeerTables, rows: readonly LatestRow[]): Answer {
  const data: { product: { uuid: string; name: string }; prices: object[] }[] = [];
  let productBefore = -1;
  for (const [uuid, productCode, marketCode, price, unit, recordedAt] of rows) {
    if (productCode !== productBefore) {
      const product = productAt(tables, productCode);
      data.push({ product: { uuid: product.uuid, name: product.name }, prices: [] });
      productBefore = productCode;
    }
    const market = marketAt(tables, marketCode);
    data.at(-1)?.prices.push({
      uuid,
      market: { uuid: market.uuid, name: market.name },
      price,
      unit: tables.unitNames[unit],
      recorded_at: instantText(recordedAt),
    });
  }
  return { data };
}

/** The one form of times in answers. */
export function instantText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function presentFound(tables: PeerTables, row: FoundRow): object {
  const [uuid, productCode, marketCode, price, unit, currency, recordedAt, source, grade] = row;
  const product = productAt(tables, productCode);
  const market = marketAt(tables, marketCode);
  return {
    uuid,
    product: { uuid: product.uuid, name: product.name, category: product.category },
    market: { uuid: market.uuid, name: market.name, type: market.type },
    county: { id: market.countyId, name: tables.countyNames.get(market.countyId) },
    price,
    unit: tables.unitNames[unit],
    currency: tables.currencyCodes[currency],
    recorded_at: instantText(recordedAt),
    source: tables.sourceNames[source],
    quality_grade: grade === null ? null : tables.gradeNames[grade],
  };
}

function productAt({ products }: PeerTables, code: number): ProductRecord {
  const product = products[code];
  if (product === undefined) throw new RangeError(`there is no product ${code}`);
  return product;
}

function marketAt({ markets }: PeerTables, code: number): MarketRecord {
  const market = markets[code];
  if (market === undefined) throw new RangeError(`there is no market ${code}`);
  return market;
}
