import type { Store } from "../store/store.ts";

/** How many rows each table of a store has, under the names of the record files. */
export function tableRows({ catalogue, prices }: Store): Readonly<Record<string, number>> {
  return {
    counties: catalogue.counties.size,
    crops: catalogue.crops.length,
    units: catalogue.unitCategories.length,
    "market-types": catalogue.marketTypes.length,
    products: catalogue.products.length,
    markets: catalogue.markets.length,
    prices: prices.rowCount,
  };
}
