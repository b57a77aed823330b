/** How large a sample is, and the time it spans. */
import { type Day, dayFromText } from "../domain/calendar-day.ts";

export interface SampleOptions {
  /** How many prices. */
  readonly prices: number;
  /** Equal options with equal seeds give the same sample, byte for byte, everywhere. */
  readonly seed: number;
  readonly products?: number;
  readonly markets?: number;
  /** How many years the prices span; they end at `periodEnd`. */
  readonly years?: number;
}

/** Least and greatest value of each option (both inclusive). A sample without prices is no sample. */
export const sampleLimits: {
  readonly [Name in keyof SampleOptions]-?: { readonly min: number; readonly max: number };
} = {
  prices: { min: 1, max: 100_000_000 },
  seed: { min: 0, max: 0xffff_ffff },
  products: { min: 1, max: 2000 },
  markets: { min: 1, max: 2000 },
  years: { min: 1, max: 50 },
};

/** What holds where an option is not given. */
export const sampleDefaults = { products: 120, markets: 250, years: 10 } as const;

/** Milliseconds that Kenya's clocks are ahead of UTC. */
export const utcOffset = 10_800_000;
export const timeZone = "Africa/Nairobi";

/** The year and day at which every sample ends (exclusive), so that no clock is asked. */
const endYear = 2026;
const endDay = "11-01";

/** The days of a sample. */
export interface SamplePeriod {
  /** First day, in days since 1970-01-01. */
  readonly dayFirst: Day;
  readonly dayCount: number;
}

/**
 * Puts the defaults in.
 *
 * @throws {RangeError} that names the option that is not a whole number within its limits.
 */
export function completeOptions(options: SampleOptions): Required<SampleOptions> {
  const { prices, seed } = options;
  const { products, markets, years } = sampleDefaults;
  const complete = {
    prices,
    seed,
    products: options.products ?? products,
    markets: options.markets ?? markets,
    years: options.years ?? years,
  };
  for (const name of Object.keys(sampleLimits) as (keyof SampleOptions)[]) {
    const { min, max } = sampleLimits[name];
    const value = complete[name];
    if (Number.isInteger(value) && value >= min && value <= max) continue;
    throw new RangeError(`${name} is ${value}, expected a whole number from ${min} to ${max}`);
  }
  return complete;
}

/** The last `years` years before the fixed end, whole days in Nairobi. */
export function samplePeriod(years: number): SamplePeriod {
  const dayFirst = knownDay(`${endYear - years}-${endDay}`);
  return { dayFirst, dayCount: knownDay(`${endYear}-${endDay}`) - dayFirst };
}

function knownDay(text: string): Day {
  const day = dayFromText(text);
  if (day === undefined) throw new RangeError(`"${text}" is no day`);
  return day;
}
