/**
 * Converts the prices of a product to prices in one unit and one currency. A price per 90 kg bag divided by 90 is a
 * price per kilogram; multiplying first and dividing once keeps the result within a rounding of the exact one. A price
 * already in the unit stays as it is. Dollars are the result divided by the exchange rate of the month. What cannot be
 * converted is left out and counted.
 */
import { compareTexts } from "../model/folded-text.ts";
import { referenceCurrency } from "../model/records.ts";
import { sharedFloat64 } from "../model/shared-columns.ts";
import type { Catalogue } from "./catalogue.ts";
import type { CodeColumn, PriceColumns, Range } from "./columns.ts";
import type { Periods } from "./periods.ts";

/**
 * The unit and currency that a product's statistics are answered in: the same for every question about a snapshot, so
 * the store decides them once, from all prices of the product.
 *
 * Unit: the base unit of the first common unit of the product that any of its prices can be converted to (same base
 * unit); otherwise of the unit most of its prices use (ties: first by code unit); without prices of the first common
 * unit. So products can be compared: beans are not per bag while maize is per kilogram. Currency: the most frequent one
 * of the prices that convert to the unit (ties: first by code unit); null without prices.
 */
export interface UnitAndCurrency {
  /** Name of a unit. */
  readonly unit: string;
  readonly currency: string | null;
}

/** @returns One entry per product code. Cost: two reads of each price. */
export function buildStatisticsUnits({ products, units }: Catalogue, prices: PriceColumns): UnitAndCurrency[] {
  const bases = prices.unitNames.map((name) => units.get(name)?.baseUnit);
  return products.map(({ record }, product) => {
    const rows = { from: prices.productOffsets[product]!, to: prices.productOffsets[product + 1]! };
    const unitsUsed = mostFrequentFirst(prices.units, prices.unitNames, rows, () => true);
    const basesUsed = new Set(unitsUsed.map((name) => units.get(name)?.baseUnit));
    const commonUnit = record.commonUnits.find((name) => basesUsed.has(units.get(name)?.baseUnit));
    const name = commonUnit ?? unitsUsed[0] ?? record.commonUnits[0]!;
    const unit = units.get(name)?.baseUnit ?? name;
    const converts = (row: number): boolean => bases[prices.units[row]!] === unit;
    const [currency = null] = mostFrequentFirst(prices.currencies, prices.currencyCodes, rows, converts);
    return { unit, currency };
  });
}

/** The texts of those of some rows that count, the most frequent first. */
function mostFrequentFirst(
  codes: CodeColumn,
  texts: readonly string[],
  { from, to }: Range,
  isCounted: (row: number) => boolean,
): string[] {
  const counts = new Uint32Array(texts.length);
  for (let row = from; row < to; row++) if (isCounted(row)) counts[codes[row]!]!++;
  return texts
    .map((text, code) => ({ text, count: counts[code]! }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || compareTexts(a.text, b.text))
    .map(({ text }) => text);
}

/** The unit and currency that prices are converted to. */
export interface ConversionTarget extends UnitAndCurrency {
  /**
   * True if prices of all currencies that have rates become prices in the currency, US dollars; otherwise those of
   * other currencies are left out.
   */
  readonly isConverted?: boolean;
}

/**
 * Returns the unit and currency that a question wants the prices of a product in: those of the product's statistics
 * where the question names none. It does not check that the prices convert to them.
 */
export function targetOf(
  catalogue: Catalogue,
  own: UnitAndCurrency,
  { unit, currency }: { readonly unit?: string | undefined; readonly currency?: string | undefined },
): Required<ConversionTarget> {
  const isConverted = currency !== undefined && canConvertTo(catalogue, currency);
  return { unit: unit ?? own.unit, currency: currency ?? own.currency, isConverted };
}

/** Returns whether the rates of a snapshot convert prices to a currency. */
export function canConvertTo({ exchangeRates }: Catalogue, currency: string): boolean {
  return currency === referenceCurrency && exchangeRates.length > 0;
}

/** Returns the currencies that prices can be converted to, for messages. */
export function convertibleText({ exchangeRates }: Catalogue): string {
  return exchangeRates.length > 0 ? referenceCurrency : "none, for the snapshot has no exchange rates";
}

/** The factors that bring prices to one unit, and the one currency that is not left out, or the rates of several. */
export interface PriceConversion {
  /** Code of the unit wanted; -1 when no price has it. */
  readonly unit: number;
  /** Undefined where prices stay in their currency. */
  readonly rates: RowRates | undefined;
  /** Code of the currency wanted; -1 when no price has it. */
  readonly currency: number;
  /** By unit code: a price becomes `price * multiply / divide`. */
  readonly multiply: Float64Array;
  /** By unit code: `unconvertible` for units of another base. */
  readonly divide: Float64Array;
}

/** Divisor that marks a unit whose prices cannot be converted. No real factor is 0. */
const unconvertible = 0;

/** The prices and exchange rates of a store. */
export interface RatedPrices {
  readonly catalogue: Catalogue;
  readonly prices: PriceColumns;
  readonly periods: Periods;
  /** See `RowRates`. */
  readonly rates: Float64Array<SharedArrayBuffer>;
}

/**
 * The factors for one unit and currency.
 *
 * @throws {RangeError} when the catalogue has no such unit.
 */
export function conversionTo(
  store: RatedPrices,
  { unit: unitName, currency, isConverted = false }: ConversionTarget,
): PriceConversion {
  const { catalogue, prices } = store;
  const { unitNames, currencyCodes } = prices;
  const target = catalogue.units.get(unitName);
  if (target === undefined) throw new RangeError(`unit "${unitName}" is not in the catalogue`);
  const unit = unitNames.indexOf(unitName);
  const multiply = new Float64Array(unitNames.length).fill(target.conversionFactor);
  const divide = new Float64Array(unitNames.length).fill(unconvertible);
  // A loop, because `from` takes several times as long.
  for (let code = 0; code < unitNames.length; code++) {
    const recorded = catalogue.units.get(unitNames[code]!);
    if (recorded?.baseUnit === target.baseUnit) divide[code] = recorded.conversionFactor;
  }
  if (unit !== -1) multiply[unit] = divide[unit] = 1;
  const rates = isConverted ? rowRates(store) : undefined;
  return { unit, rates, currency: currency === null ? -1 : currencyCodes.indexOf(currency), multiply, divide };
}

/**
 * The price of a row in the unit and currency of a conversion; NaN where its unit has another base, or its currency is
 * another one or has no rate in its month.
 */
export function convertPrice(
  { prices, units, currencies }: PriceColumns,
  { currency, rates, multiply, divide }: PriceConversion,
  row: number,
): number {
  const unit = units[row]!;
  const divisor = divide[unit]!;
  if (divisor === unconvertible) return Number.NaN;
  if (rates !== undefined) return (prices[row]! * multiply[unit]!) / divisor / rateOf(rates, currencies[row]!, row);
  return currencies[row]! === currency ? (prices[row]! * multiply[unit]!) / divisor : Number.NaN;
}

/** Returns whether a price is left out for nothing but a rate that its month does not have. */
export function lacksRate(
  { units, currencies }: PriceColumns,
  { divide, rates }: PriceConversion,
  row: number,
): boolean {
  if (rates === undefined || divide[units[row]!]! === unconvertible) return false;
  const currency = currencies[row]!;
  return rates.isRated[currency]! && Number.isNaN(rateOf(rates, currency, row));
}

/** Rates that are looked up by row. */
export interface RowRates {
  /** Units of a currency for a US dollar: by currency code, then month code; NaN in a month without a rate. */
  readonly rates: Float64Array;
  /** True if a currency has a rate in any month, by currency code. */
  readonly isRated: readonly boolean[];
  /** Day code by row. */
  readonly dayCodes: CodeColumn;
  /** Month code by day code. */
  readonly monthOf: Uint32Array;
  readonly monthCount: number;
}

/** The rates of a snapshot, as `RowRates` has them. Cost: a read of each rate for each currency. */
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

/** The rates of a store. Cost: a read of each rate for each currency. */
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

/** Returns what divides a price in a currency of a store, by month of its prices; NaN in one without a rate. */
export function ratesByMonth(
  { rates, prices, periods: { month } }: RatedPrices,
  currency: string,
): (label: string) => number {
  const codeOfMonth = new Map(month.labels.map((label, code) => [label, code]));
  const first = prices.currencyCodes.indexOf(currency) * month.labels.length;
  return (label) => rates[first + codeOfMonth.get(label)!]!;
}

/** Returns the sources of the rates of a snapshot, in the order of the table. */
export function rateSourcesOf({ exchangeRates }: Catalogue): string[] {
  return [...new Set(exchangeRates.map(({ source }) => source))];
}
