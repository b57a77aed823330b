/** How much of each year has prices, by type of market and product: what is left is what is not here. */

import { type MonthNumber, monthOf, yearOf } from "../model/calendar.ts";
import { getOrInsert } from "../model/get-or-insert.ts";
import { type MarketType, marketTypes } from "../model/vocabulary.ts";
import { isCamp, type MarketCode, type ProductCode } from "../store/catalogue.ts";
import { lowerBound } from "../store/columns.ts";
import { dayOfRow } from "../store/periods.ts";
import type { Store } from "../store/store.ts";

/** A year in which a product has a price at a type of market. */
export interface ProductYear {
  readonly marketType: MarketType;
  readonly product: ProductCode;
  readonly year: number;
  /** Calendar months with a price at a market outside refugee camps. */
  readonly outside: ReadonlySet<MonthNumber>;
  /** The same in refugee camps. */
  readonly inCamps: ReadonlySet<MonthNumber>;
  /** Counties with a price. */
  readonly counties: ReadonlySet<number>;
}

/** The cost of a month of a run, in the rows of a search. */
const rowsPerMonth = 16;

/**
 * The years with a price, by product in the order of their names, then by type, the newest first; suspicious prices
 * count as all. Cost: a binary search for each month of each run.
 */
export function* yearsWithPrices(store: Store): Generator<number, ProductYear[]> {
  const { catalogue, periods, runs } = store;
  const { dayCodes, month } = periods;
  const found: ProductYear[] = [];
  for (let product = 0; product < catalogue.products.length; product++) {
    const years = new Map<string, ReturnType<typeof emptyYear>>();
    for (let run = runs.runOffsets[product]!; run < runs.runOffsets[product + 1]!; run++) {
      const market = runs.markets[run]! as MarketCode;
      const type = catalogue.marketTypeCodes[market]!;
      const end = runs.rowOffsets[run + 1]!;
      let months = 0;
      for (let row = runs.rowOffsets[run]!; row < end; months++) {
        const number = monthOf(dayOfRow(periods, row));
        const year = yearOf(number);
        const cell = getOrInsert(years, `${type} ${year}`, () => emptyYear(product as ProductCode, type, year));
        (isCamp(catalogue, market) ? cell.inCamps : cell.outside).add(number);
        cell.counties.add(catalogue.marketCounties[market]!);
        const nextDay = month.dayOffsets[month.ofDay[dayCodes[row]!]! + 1]!;
        row = lowerBound(dayCodes, null, nextDay, row + 1, end);
      }
      yield rowsPerMonth * months;
    }
    const ofProduct = [...years.values()];
    const typeOf = ({ marketType }: ProductYear): number => marketTypes.indexOf(marketType);
    found.push(...ofProduct.sort((a, b) => typeOf(a) - typeOf(b) || b.year - a.year));
  }
  return found;
}

function emptyYear(product: ProductCode, type: number, year: number) {
  return {
    ...{ marketType: marketTypes[type] as MarketType, product, year },
    outside: new Set<MonthNumber>(),
    inCamps: new Set<MonthNumber>(),
    counties: new Set<number>(),
  };
}
