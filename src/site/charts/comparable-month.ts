/** The comparable price of a month, and how a chart draws it. */
import { fewMarkets } from "../../engine/query/measures/fit-comparable.ts";
import type { PointStyle } from "./plot.ts";

/** The comparable price of a month of a county or the country. */
export interface ComparableMonth {
  readonly price: number;
  /** Markets with a value in the month. */
  readonly markets: number;
  /** Levels of two components do not compare. */
  readonly component: number;
}

/** Returns the style of the point of a month in a chart. @param comparable Undefined for a market. */
export function styleOf(comparable: ComparableMonth | undefined): PointStyle {
  if (comparable === undefined) return {};
  return { isHollow: comparable.markets < fewMarkets, stretch: comparable.component };
}
