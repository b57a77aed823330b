/** What prices are in US dollars: the rates of a snapshot by currency and month, ready to be looked up by row. */
import { referenceCurrency } from "../domain/records.ts";
import type { Catalogue } from "./catalogue.ts";
import type { CodeColumn, PriceColumns } from "./columns.ts";
import type { Periods } from "./periods.ts";

export interface MonthlyRates {
  /** Day code by row. */
  readonly dayCodes: CodeColumn;
  /** Month code by day code. */
  readonly monthOf: Uint32Array;
  /**
   * By currency code, then month code: units of the currency for a US dollar, NaN in a month without a rate. Undefined
   * for a currency without any rate.
   */
  readonly byCurrency: readonly (Float64Array | undefined)[];
}

/** What a store has of prices and rates. */
interface RatedPrices {
  readonly catalogue: Catalogue;
  readonly prices: PriceColumns;
  readonly periods: Periods;
}

/**
 * The rates of a store.
 *
 * @returns Undefined for a snapshot without rates. Cost: a look at each rate.
 */
export function monthlyRates({ catalogue, prices, periods }: RatedPrices): MonthlyRates | undefined {
  if (catalogue.exchangeRates.length === 0) return undefined;
  const { labels, ofDay: monthOf } = periods.month;
  const codeOfMonth = new Map(Array.from(labels, (label, code) => [label, code]));
  const byCurrency = prices.currencyCodes.map((currency) => {
    const rates = catalogue.exchangeRates.filter((rate) => rate.currency === currency);
    if (currency === referenceCurrency) return new Float64Array(labels.length).fill(1);
    if (rates.length === 0) return undefined;
    const byMonth = new Float64Array(labels.length).fill(Number.NaN);
    for (const { month, rate } of rates) {
      const code = codeOfMonth.get(month);
      if (code !== undefined) byMonth[code] = rate;
    }
    return byMonth;
  });
  return { dayCodes: periods.dayCodes, monthOf, byCurrency };
}

/** The rate of the currency and month of a row; NaN where there is none. */
export function rateOf({ dayCodes, monthOf, byCurrency }: MonthlyRates, currency: number, row: number): number {
  const byMonth = byCurrency[currency];
  return byMonth === undefined ? Number.NaN : byMonth[monthOf[dayCodes[row]!]!]!;
}

/** Where the rates of a snapshot come from, in the order of the table. */
export function rateSourcesOf({ exchangeRates }: Catalogue): string[] {
  return [...new Set(exchangeRates.map(({ source }) => source))];
}

/** Whether the rates of a snapshot convert prices to a currency. */
export function canConvertTo({ exchangeRates }: Catalogue, currency: string): boolean {
  return currency === referenceCurrency && exchangeRates.length > 0;
}

/** What a currency to convert to must be, for messages. */
export function convertibleText({ exchangeRates }: Catalogue): string {
  return exchangeRates.length > 0 ? referenceCurrency : "none, for the snapshot has no exchange rates";
}
