/** The suspicious prices among those that a selection is of. */
import type { Day } from "../model/calendar.ts";
import type { MarketRecord } from "../model/records.ts";
import { recordAt } from "../store/catalogue.ts";
import { roundFigure } from "../store/figures.ts";
import { conversionTo, convertPrice, targetOf } from "../store/price-conversion.ts";
import type { Store } from "../store/store.ts";
import { type SuspiciousReason, suspiciousReasonOf } from "../store/suspicious-prices.ts";
import type { PriceStatistics } from "./questions.ts";
import { type SelectConditions, select, suspiciousRows } from "./select.ts";

/** A price that looks wrong beside its neighbours. */
export interface SuspiciousPrice {
  readonly row: number;
  readonly market: MarketRecord;
  readonly day: Day;
  /** In the unit and requested currency, rounded; undefined where it does not convert. */
  readonly price: number | undefined;
  readonly reason: SuspiciousReason;
}

/**
 * The suspicious prices of a product.
 *
 * @param question Its unit is of the product's base, and its currency that of the rates; the product's own when
 * undefined.
 * @returns By market, newest first. Cost: that of `suspiciousRows`.
 */
export function suspiciousPrices(
  store: Store,
  question: SelectConditions & Pick<PriceStatistics, "productUuid" | "unit" | "currency">,
): SuspiciousPrice[] {
  const { catalogue, periods, prices } = store;
  const selection = select(store, question);
  const rows = suspiciousRows(store, selection);
  if (rows.length === 0) return [];
  const conversion = conversionTo(store, targetOf(catalogue, store.statisticsUnits[selection.product!]!, question));
  return rows.map((row) => {
    const price = convertPrice(prices, conversion, row);
    return {
      row,
      market: recordAt(catalogue.markets, prices.markets[row]!),
      day: (periods.newestDay - periods.ages[periods.dayCodes[row]!]!) as Day,
      price: Number.isNaN(price) ? undefined : roundFigure(price),
      reason: suspiciousReasonOf(store.suspicious, row)!,
    };
  });
}
