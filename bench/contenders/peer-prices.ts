/**
 * The prices of a dataset row by row, in the order in which the databases store them, with the columns they are given.
 */
import { type Day, dayOfInstant, dayText, type Instant } from "../../src/engine/model/calendar.ts";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { compareUuids } from "../../src/engine/model/ids.ts";
import { missingCode } from "../../src/engine/model/shared-columns.ts";
import { marketTypeCode, type PeerTables } from "./peer-tables.ts";

/** How each column of one row is found; `row` is a position in the dataset. Columns in the order of a peer's table. */
export interface PeerColumnReaders {
  readonly product: (row: number) => number;
  readonly market: (row: number) => number;
  readonly county: (row: number) => number;
  readonly market_type: (row: number) => number;
  readonly price: (row: number) => number;
  /**
   * In the unit and currency of the product's statistics, null where it cannot be brought to them. Peers store it, so
   * that they convert nothing while they are asked.
   */
  readonly value: (row: number) => number | null;
  /** 1 when the price was recorded in another unit than the product's statistics are in, else 0. */
  readonly is_converted: (row: number) => number;
  /** Codes of the dataset's dictionaries. */
  readonly unit: (row: number) => number;
  readonly currency: (row: number) => number;
  readonly source: (row: number) => number;
  readonly grade: (row: number) => number | null;
  /** Milliseconds. */
  readonly recorded_at: (row: number) => number;
  readonly created_at: (row: number) => number;
  readonly updated_at: (row: number) => number;
  /** Day, Monday of its week (both since 1970-01-01) and month (since the year 0) in the dataset's calendar. */
  readonly day: (row: number) => number;
  readonly week: (row: number) => number;
  readonly month: (row: number) => number;
  readonly notes: (row: number) => string | null;
}

export type PeerColumn = keyof PeerColumnReaders;

/**
 * Rows of the dataset by product, newest first, equal times by uuid: how our store and the peers' tables are sorted.
 */
export function peerOrder({ prices }: Dataset, { productCodeAt, products }: PeerTables): Uint32Array {
  const offsets = new Uint32Array(products.length + 1);
  for (const product of prices.products) (offsets[(productCodeAt[product] as number) + 1] as number)++;
  for (let code = 0; code < products.length; code++) (offsets[code + 1] as number) += offsets[code] as number;
  const next = offsets.slice();
  const order = new Uint32Array(prices.rowCount);
  for (let row = 0; row < prices.rowCount; row++) {
    const code = productCodeAt[prices.products[row] as number] as number;
    order[(next[code] as number)++] = row;
  }
  const { recordedAt, uuids } = prices;
  for (let code = 0; code < products.length; code++) {
    order
      .subarray(offsets[code], offsets[code + 1])
      .sort((a, b) => (recordedAt[b] as number) - (recordedAt[a] as number) || compareUuids(uuids, a, b));
  }
  return order;
}

/** The columns of a dataset for the peers. */
export function peerColumnReaders(dataset: Dataset, tables: PeerTables): PeerColumnReaders {
  const { prices } = dataset;
  const productOf = (row: number): number => tables.productCodeAt[prices.products[row] as number] as number;
  const marketOf = (row: number): number => tables.marketCodeAt[prices.markets[row] as number] as number;
  const counties = Uint8Array.from(tables.markets, ({ countyId }) => countyId);
  const types = Uint8Array.from(tables.markets, ({ type }) => marketTypeCode(type));
  const dayOf = (row: number): Day => dayOfInstant(prices.recordedAt[row] as Instant, dataset.snapshot.utcOffset);
  const convert = converter(tables);
  const unitCodes = tables.statisticsUnits.map(({ unit }) => tables.unitNames.indexOf(unit));
  return {
    product: productOf,
    market: marketOf,
    county: (row) => counties[marketOf(row)] as number,
    market_type: (row) => types[marketOf(row)] as number,
    price: (row) => prices.prices[row] as number,
    value: (row) =>
      convert(
        productOf(row),
        prices.prices[row] as number,
        prices.units[row] as number,
        prices.currencies[row] as number,
      ),
    is_converted: (row) => (prices.units[row] === unitCodes[productOf(row)] ? 0 : 1),
    unit: (row) => prices.units[row] as number,
    currency: (row) => prices.currencies[row] as number,
    source: (row) => prices.sources[row] as number,
    grade: (row) => (prices.grades[row] === missingCode(prices.grades) ? null : (prices.grades[row] as number)),
    recorded_at: (row) => prices.recordedAt[row] as number,
    created_at: (row) => prices.createdAt[row] as number,
    updated_at: (row) => prices.updatedAt[row] as number,
    day: dayOf,
    week: (row) => mondayOf(dayOf(row)),
    month: (row) => monthOf(dayOf(row)),
    notes: (row) =>
      prices.notes[row] === missingCode(prices.notes)
        ? null
        : (prices.noteTexts[prices.notes[row] as number] as string),
  };
}

/** 1970-01-01 was a Thursday. */
function mondayOf(day: Day): number {
  return Math.floor((day + 3) / 7) * 7 - 3;
}

const monthsByDay = new Map<Day, number>();

/** Months since the year 0. */
function monthOf(day: Day): number {
  let month = monthsByDay.get(day);
  if (month === undefined) {
    const [year, monthOfYear] = dayText(day).split("-");
    month = Number(year) * 12 + Number(monthOfYear) - 1;
    monthsByDay.set(day, month);
  }
  return month;
}

/** Brings a price to the unit and currency of its product's statistics; null where that cannot be done. */
function converter({
  statisticsUnits,
  units,
  unitNames,
  currencyCodes,
}: PeerTables): (product: number, price: number, unit: number, currency: number) => number | null {
  const currencies = statisticsUnits.map(({ currency }) => (currency === null ? -1 : currencyCodes.indexOf(currency)));
  const factors = statisticsUnits.map((own) => {
    const target = units.get(own.unit);
    return unitNames.map((name) => {
      const unit = units.get(name);
      if (unit === undefined || target === undefined || unit.baseUnit !== target.baseUnit) return null;
      return { multiply: target.conversionFactor, divide: unit.conversionFactor, isSame: unit === target };
    });
  });
  return (product, price, unit, currency) => {
    const factor = factors[product]?.[unit];
    if (factor === null || factor === undefined || currency !== currencies[product]) return null;
    return factor.isSame ? price : (price * factor.multiply) / factor.divide;
  };
}
