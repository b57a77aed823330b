/** Closed lists of values. A value outside them is refused on input. */

export const cropCategories = ["Cash Crops", "Food Crops", "Horticulture"] as const;
export type CropCategory = (typeof cropCategories)[number];

export const marketTypes = ["Wholesale", "Retail", "Rural", "Urban"] as const;
export type MarketType = (typeof marketTypes)[number];

/** The surroundings of a market that make its prices others than those of the country; most markets have none. */
export const marketSettings = ["refugee_camp"] as const;

/** The populations of markets that figures may be of: all markets, those outside refugee camps, those in them. */
export const populations = ["include", "exclude", "only"] as const;
export type Population = (typeof populations)[number];

export const weekDays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;
export type WeekDay = (typeof weekDays)[number];

/**
 * The way in which a source made a price: observed, an average of observations, both of them, or expected. Most sources
 * do not say.
 */
export const priceFlags = ["actual", "aggregate", "actual_aggregate", "forecast"] as const;
export type PriceFlag = (typeof priceFlags)[number];

/** Lengths of the time that a price of a source stands for, longest first. */
export const samplePeriods = ["month", "week", "day"] as const;
export type SamplePeriod = (typeof samplePeriods)[number];

/** The period that a price of a source stands for, by name of the source; nothing of a source that has not said so. */
export type SourcePeriods = Readonly<Record<string, SamplePeriod>>;

/** @returns Null where it is not known. */
export function periodOfSource(periods: SourcePeriods, source: string): SamplePeriod | null {
  // A source may be called like a member of all objects.
  return Object.hasOwn(periods, source) ? (periods[source] as SamplePeriod) : null;
}

/** The groupings of statistics of prices: by time or by location. */
export const timeGroupings = ["day", "week", "month", "quarter", "year"] as const;
export type TimeGrouping = (typeof timeGroupings)[number];
export const locationGroupings = ["market", "county"] as const;
export type LocationGrouping = (typeof locationGroupings)[number];
export const groupings = [...timeGroupings, ...locationGroupings] as const;
export type Grouping = TimeGrouping | LocationGrouping;

/** Groupings by time and location: each group is a period of a market or county. */
export type PanelGrouping = `${TimeGrouping},${LocationGrouping}`;
export const panelGroupings: readonly PanelGrouping[] = timeGroupings.flatMap((time) =>
  locationGroupings.map((location) => `${time},${location}` as const),
);

/** Splits a grouping into time and location; undefined for what it does not group by. */
export function splitGrouping(grouping: Grouping | PanelGrouping): {
  readonly time: TimeGrouping | undefined;
  readonly location: LocationGrouping | undefined;
} {
  const names: readonly string[] = grouping.split(",");
  return {
    time: timeGroupings.find((name) => names.includes(name)),
    location: locationGroupings.find((name) => names.includes(name)),
  };
}

/** The relation of a product to the one that it continues. */
export const continuities = ["same goods", "similar goods"] as const;
