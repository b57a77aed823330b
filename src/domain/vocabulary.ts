/** Closed lists of values. A value outside them is refused on input. */

export const cropCategories = ["Cash Crops", "Food Crops", "Horticulture"] as const;
export type CropCategory = (typeof cropCategories)[number];

export const marketTypes = ["Wholesale", "Retail", "Rural", "Urban"] as const;
export type MarketType = (typeof marketTypes)[number];

export const weekDays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;
export type WeekDay = (typeof weekDays)[number];

/** How the statistics of prices can be grouped. */
export const groupings = ["day", "week", "month", "market", "county"] as const;
export type Grouping = (typeof groupings)[number];
