/** What prices are in US dollars: the rates of a snapshot by currency and month, ready to be looked up by row. */
import { referenceCurrency } from "../domain/records.ts";
import { sharedFloat64 } from "../domain/shared-columns.ts";
import type { Catalogue } from "./catalogue.ts";
import type { CodeColumn, PriceColumns } from "./columns.ts";
import type { Periods } from "./periods.ts";

/**
 * By currency code, then month code: units of the currency for a US dollar, NaN in a month without a rate. Null for a
 * currency without any rate.
 */
export type MonthlyRates = readonly (Float64Array<SharedArrayBuffer> | null)[];

/** Rates that are looked up by row. */
export interface RowRates {
  readonly byCurrency: MonthlyRates;
  /** Day code by row. */
  readonly dayCodes: CodeColumn;
  /** Month code by day code. */
  readonly monthOf: Uint32Array;
}

/** The rates of a snapshot. Cost: a look at each rate for each currency. */
export function buildMonthlyRates(
  { exchangeRates }: Catalogue,
  { currencyCodes }: PriceColumns,
  { month: { labels } }: Periods,
): MonthlyRates {
  const codeOfMonth = new Map(labels.map((label, code) => [label, code]));
  return currencyCodes.map((currency) => {
    const isReference = currency === referenceCurrency && exchangeRates.length > 0;
    const rates = exchangeRates.filter((rate) => rate.currency === currency);
    if (!isReference && rates.length === 0) return null;
    const byMonth = sharedFloat64(labels.length).fill(isReference ? 1 : Number.NaN);
    for (const { month, rate } of rates) {
      const code = codeOfMonth.get(month);
      if (code !== undefined) byMonth[code] = rate;
    }
    return byMonth;
  });
}

/** The rate of the currency and month of a row; NaN where there is none. */
export function rateOf({ byCurrency, dayCodes, monthOf }: RowRates, currency: number, row: number): number {
  return byCurrency[currency]?.[monthOf[dayCodes[row]!]!] ?? Number.NaN;
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
