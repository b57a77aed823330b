/** Closed lists of values. A value outside them is refused on input. */

export const cropCategories = ["Cash Crops", "Food Crops", "Horticulture"] as const;
export type CropCategory = (typeof cropCategories)[number];

export const marketTypes = ["Wholesale", "Retail", "Rural", "Urban"] as const;
export type MarketType = (typeof marketTypes)[number];

export const weekDays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;
export type WeekDay = (typeof weekDays)[number];

/**
 * How a source made a price: observed, an average of observations, both of them, or expected. Most sources do not say.
 */
export const priceFlags = ["actual", "aggregate", "actual_aggregate", "forecast"] as const;
export type PriceFlag = (typeof priceFlags)[number];

/** Lengths of the time that a price of a source stands for, longest first. */
export const samplePeriods = ["month", "week", "day"] as const;
export type SamplePeriod = (typeof samplePeriods)[number];

/** How the statistics of prices can be grouped. */
export const groupings = ["day", "week", "month", "market", "county"] as const;
export type Grouping = (typeof groupings)[number];

/** What a product is to the one that it continues. */
export const continuities = ["same goods", "similar goods"] as const;
export type Continuity = (typeof continuities)[number];
