/** The numbers by which a store's rooms speak of prices, products and markets: different types, so they cannot be mixed up. */
import type { Branded } from "../domain/branded.ts";

/** Position of a price in the price columns, counted from 0. */
export type PriceRow = Branded<number, "PriceRow">;

/** Position of a product in `Catalogue.products`. */
export type ProductCode = Branded<number, "ProductCode">;

/** Position of a market in `Catalogue.markets`. */
export type MarketCode = Branded<number, "MarketCode">;
