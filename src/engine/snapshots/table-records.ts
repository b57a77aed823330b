/** The records of the small tables of a store, as files hold them. */
import type { Records } from "../model/records.ts";
import { type Catalogue, recordAt } from "../store/catalogue.ts";
import type { TableKind } from "./snapshot-layout.ts";

/** Records by kind of table. */
export type TableRecords = { readonly [Kind in TableKind]: readonly Records[Kind][] };

/** The records of all small tables, in the order in which an export writes them. */
export function tableRecords(catalogue: Catalogue): TableRecords {
  return {
    counties: [...catalogue.counties.values()],
    crops: catalogue.crops,
    units: catalogue.unitCategories,
    "market-types": catalogue.marketTypes,
    products: catalogue.products.map(({ record }) => record),
    markets: catalogue.marketsByName.map((code) => recordAt(catalogue.markets, code)),
    "exchange-rates": catalogue.exchangeRates,
    continuations: catalogue.continuations,
    "market-continuations": catalogue.marketContinuations,
  };
}
