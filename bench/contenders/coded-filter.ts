/** The filter of a question → conditions on the columns of a peer's table. */
import { type Day, dayFromText, dayMilliseconds } from "../../src/engine/model/calendar.ts";
import type { LatestPricesInput, PriceSearchBody } from "../../src/service/http/resources/prices/price-endpoints.ts";
import type { PriceStatisticsBody } from "../../src/service/http/resources/prices/statistics-endpoints.ts";
import { marketTypeCode, type PeerTables } from "./peer-tables.ts";

export type PeerFilter = PriceSearchBody &
  Partial<PriceStatisticsBody> &
  Pick<LatestPricesInput, "product_uuids" | "one_per_market">;

/** A filter with codes and numbers in place of uuids, names and texts; what is not requested is undefined. */
export interface CodedFilter {
  readonly product: number | undefined;
  readonly market: number | undefined;
  readonly county: number | undefined;
  readonly marketType: number | undefined;
  readonly dayFirst: number | undefined;
  readonly dayLast: number | undefined;
  /** The days as instants: from the first (inclusive) to the end (exclusive). */
  readonly instantFirst: number | undefined;
  readonly instantEnd: number | undefined;
  readonly priceMin: number | undefined;
  readonly priceMax: number | undefined;
}

/** @throws {RangeError} for what the race does not ask: unknown uuids, several products, another unit, or the like. */
export function codeFilter(tables: PeerTables, filter: PeerFilter): CodedFilter {
  if (filter.unit !== undefined) throw new RangeError("the race asks for no unit");
  if (filter.one_per_market === true && (filter.market_uuid ?? filter.county_id ?? filter.market_type) !== undefined) {
    throw new RangeError("the race asks for one per market everywhere");
  }
  const { product_uuid: product = filter.product_uuids?.[0], market_uuid: market, market_type: type } = filter;
  if ((filter.product_uuids?.length ?? 0) > 1) throw new RangeError("the race asks for one product or for all");
  const { utcOffset } = tables.snapshot;
  const dayFirst = dayOf(filter.start_date);
  const dayLast = dayOf(filter.end_date);
  return {
    product: product === undefined ? undefined : codeOf(tables.productCodes, product),
    market: market === undefined ? undefined : codeOf(tables.marketCodes, market),
    county: filter.county_id,
    marketType: type === undefined ? undefined : marketTypeCode(type),
    dayFirst,
    dayLast,
    instantFirst: dayFirst === undefined ? undefined : dayFirst * dayMilliseconds - utcOffset,
    instantEnd: dayLast === undefined ? undefined : (dayLast + 1) * dayMilliseconds - utcOffset,
    priceMin: filter.min_price,
    priceMax: filter.max_price,
  };
}

/** Conditions that all must hold. */
export interface Conditions {
  /** `WHERE product = ? AND day >= ?`; empty when there is none. */
  readonly where: string;
  readonly values: readonly number[];
  /** Which of the values are prices, not whole numbers. */
  readonly isPrice: readonly boolean[];
}

/** @param conditions With one `?` each; those whose value is undefined are left out. */
export function joinConditions(conditions: Readonly<Record<string, number | undefined>>): Conditions {
  const present = Object.entries(conditions).filter((entry): entry is [string, number] => entry[1] !== undefined);
  return {
    where: present.length === 0 ? "" : `WHERE ${present.map(([condition]) => condition).join(" AND ")}`,
    values: present.map(([, value]) => value),
    isPrice: present.map(([condition]) => condition.startsWith("price ")),
  };
}

/** The conditions of a filter on the columns of a table that has days as numbers. */
export function dayConditions(filter: CodedFilter): Conditions {
  return joinConditions({
    "product = ?": filter.product,
    "market = ?": filter.market,
    "county = ?": filter.county,
    "market_type = ?": filter.marketType,
    "day >= ?": filter.dayFirst,
    "day <= ?": filter.dayLast,
    "price >= ?": filter.priceMin,
    "price <= ?": filter.priceMax,
  });
}

function codeOf(codes: ReadonlyMap<string, number>, uuid: string): number {
  const code = codes.get(uuid);
  if (code === undefined) throw new RangeError(`the race asks for nothing unknown, found ${uuid}`);
  return code;
}

function dayOf(text: string | undefined): Day | undefined {
  return text === undefined ? undefined : dayFromText(text);
}
