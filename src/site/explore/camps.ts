/** How much of a figure of the whole country is from refugee camps, where prices are not those of the country. */
import { firstDayOf, lastDayOf, type MonthNumber } from "../../engine/model/calendar.ts";
import type { Uuid } from "../../engine/model/ids.ts";
import type { MarketType } from "../../engine/model/vocabulary.ts";
import { knownStatistics } from "../../engine/query/monthly-figures.ts";
import { listGroups } from "../../engine/query/price-statistics.ts";
import { recordAt } from "../../engine/store/catalogue.ts";
import { finish } from "../../engine/store/steps.ts";
import type { Store } from "../../engine/store/store.ts";

/** A month of a product at markets of a type in all of Kenya. */
interface MonthOfCountry {
  readonly productUuid: Uuid;
  readonly marketType: MarketType;
  readonly month: MonthNumber;
}

/** Figures of which more than this part is from camps say so. */
const campShareMax = 0.5;

/**
 * The part of the prices of a month that is from refugee camps, where it is more than half; undefined otherwise.
 *
 * Cost: a look at each market and at each price of the month; none of the prices where the data has no camps.
 */
export function largeCampShare(store: Store, { productUuid, marketType, month }: MonthOfCountry): number | undefined {
  const { markets } = store.catalogue;
  const isCamp = (market: number): boolean => recordAt(markets, market).setting === "refugee_camp";
  if (!markets.keys().some(isCamp)) return undefined;
  const days = { dayFirst: firstDayOf(month), dayLast: lastDayOf(month) };
  const question = { productUuid, marketType, ...days, isSuspicious: false, grouping: "market" } as const;
  const groups = listGroups(finish(knownStatistics(store, question)).found);
  const countOf = (found: typeof groups): number => found.reduce((sum, { count }) => sum + count, 0);
  const share = countOf(groups.filter(({ key }) => isCamp(key))) / countOf(groups);
  return share > campShareMax ? share : undefined;
}
