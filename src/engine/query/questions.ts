/** Questions about prices: plain values, already checked. `undefined` or absent means "not requested". */
import type { Day, MonthRange } from "../model/calendar.ts";
import type { CountyId, Uuid } from "../model/ids.ts";
import type { Grouping, MarketType, Population, PriceFlag } from "../model/vocabulary.ts";

/** Conditions on the markets of prices. Every one given must hold; an unknown uuid or county holds for no price. */
export interface MarketConditions {
  readonly marketUuid?: Uuid | undefined;
  readonly countyId?: CountyId | undefined;
  readonly marketType?: MarketType | undefined;
  /** Markets in refugee camps and others alike when absent. */
  readonly refugeeCamps?: Population | undefined;
}

/** Lists of which any county or market will do; unknown and repeated ones add nothing. */
export interface MarketLists {
  readonly countyIds?: readonly CountyId[] | undefined;
  readonly marketUuids?: readonly Uuid[] | undefined;
}

/** The products of a question: all when absent. Unknown and repeated uuids add nothing. */
export interface ProductList {
  readonly productUuids?: readonly Uuid[] | undefined;
}

/** Conditions on prices, each of which must hold; an unknown uuid holds for no price. */
export interface PriceConditions extends MarketConditions {
  readonly productUuid?: Uuid | undefined;
  /** First day, in the dataset's calendar (inclusive); without a bound when absent. */
  readonly dayFirst?: Day | undefined;
  /** Last day (inclusive). */
  readonly dayLast?: Day | undefined;
  readonly priceFlag?: PriceFlag | undefined;
  /** True if prices are suspicious, see `engine/store/suspicious-prices.ts`. */
  readonly isSuspicious?: boolean | undefined;
}

export interface PriceFilter extends PriceConditions {
  /** Least price as recorded, whatever its unit and currency (inclusive). */
  readonly priceMin?: number | undefined;
  /** Greatest price as recorded (inclusive). */
  readonly priceMax?: number | undefined;
}

export interface PriceSearch {
  readonly filter: PriceFilter;
  /** Counted from 1. */
  readonly page: number;
  readonly pageSize: number;
}

export interface LatestPrices extends MarketConditions, ProductList {
  /** Greatest number of prices per product. */
  readonly limit: number;
  /** Leave out prices of days before this one. */
  readonly recordedSince?: Day | undefined;
  /** Keep only the newest price of each market and unit before the limit applies. */
  readonly onePerMarket: boolean;
}

export interface PriceStatistics extends PriceConditions, MarketLists {
  readonly productUuid: Uuid;
  readonly grouping: Grouping;
  /** Name of the unit of the answer; the base unit of the product's statistics when absent. */
  readonly unit?: string | undefined;
  /**
   * Currency of the answer: `USD`, which prices are converted to by the rates of their months, or that of the product's
   * statistics, as when absent.
   */
  readonly currency?: string | undefined;
  /** Only the markets that have a price in each group of the answer; grouped by time. */
  readonly sameMarkets?: boolean | undefined;
  /** The months that those of each group are counted within; groups have no coverage when absent. */
  readonly coverageWithin?: MonthRange | undefined;
  /** True if the months with prices are counted over all groups. */
  readonly countsMonths?: boolean | undefined;
}
