/** What prices are in US dollars: the rates of a snapshot by currency and month, ready to be looked up by row. */
import { referenceCurrency } from "../domain/records.ts";
import { sharedFloat64 } from "../domain/shared-columns.ts";
import type { Catalogue } from "./catalogue.ts";
import type { CodeColumn, PriceColumns } from "./columns.ts";
import type { Periods } from "./periods.ts";

/** Rates that are looked up by row. */
export interface RowRates {
  /** Units of a currency for a US dollar: by currency code, then month code; NaN in a month without a rate. */
  readonly rates: Float64Array;
  /** Whether a currency has a rate in any month, by currency code. */
  readonly isRated: readonly boolean[];
  /** Day code by row. */
  readonly dayCodes: CodeColumn;
  /** Month code by day code. */
  readonly monthOf: Uint32Array;
  readonly monthCount: number;
}

/** The rates of a snapshot, as `RowRates` has them. Cost: a look at each rate for each currency. */
export function buildMonthlyRates(
  { exchangeRates }: Catalogue,
  { currencyCodes }: PriceColumns,
  { month: { labels } }: Periods,
): Float64Array<SharedArrayBuffer> {
  const rates = sharedFloat64(currencyCodes.length * labels.length).fill(Number.NaN);
  const codeOfMonth = new Map(labels.map((label, code) => [label, code]));
  for (const [currency, name] of currencyCodes.entries()) {
    const first = currency * labels.length;
    if (name === referenceCurrency) rates.fill(1, first, first + labels.length);
    for (const { month, rate } of exchangeRates.filter((known) => known.currency === name)) {
      const code = codeOfMonth.get(month);
      if (code !== undefined) rates[first + code] = rate;
    }
  }
  return rates;
}

/** What a store has of prices and rates. */
export interface RatedPrices {
  readonly catalogue: Catalogue;
  readonly prices: PriceColumns;
  readonly periods: Periods;
  /** See `RowRates`. */
  readonly rates: Float64Array<SharedArrayBuffer>;
}

/** The rates of a store. Cost: a look at each rate for each currency. */
export function rowRates({ catalogue, prices, periods, rates }: RatedPrices): RowRates {
  const rated = new Set([referenceCurrency, ...catalogue.exchangeRates.map(({ currency }) => currency)]);
  const isRated = prices.currencyCodes.map((currency) => rated.has(currency));
  const { ofDay: monthOf, labels } = periods.month;
  return { rates, isRated, dayCodes: periods.dayCodes, monthOf, monthCount: labels.length };
}

/** The rate of the currency and month of a row; NaN where there is none. */
export function rateOf({ rates, dayCodes, monthOf, monthCount }: RowRates, currency: number, row: number): number {
  return rates[currency * monthCount + monthOf[dayCodes[row]!]!]!;
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
