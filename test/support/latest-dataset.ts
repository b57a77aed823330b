import type { Dataset } from "../../src/engine/model/dataset.ts";
import { tinyDataset } from "./tiny-dataset.ts";

/**
 * For both forms of latest prices. Kale (product 2) comes before Maize (product 1) by name; Tea (product 3) has no
 * prices. Prices 1 to 6 are Maize, each a day older than the one before; 5 and 6 are of one time.
 */
export const latestDataset: Dataset = tinyDataset({
  products: [{ name: "Maize" }, { name: "kale" }, { name: "Tea" }],
  prices: [
    { market: 0, unit: "kg", price: 1, recordedAt: "2026-03-09T09:00:00+03:00" },
    { market: 0, unit: "90 kg bag", price: 2, recordedAt: "2026-03-08T09:00:00+03:00" },
    { market: 0, unit: "kg", price: 3, recordedAt: "2026-03-07T09:00:00+03:00" },
    { market: 1, unit: "kg", price: 4, recordedAt: "2026-03-06T09:00:00+03:00" },
    { market: 2, unit: "kg", price: 5, recordedAt: "2026-03-05T09:00:00+03:00" },
    { market: 1, unit: "kg", price: 6, recordedAt: "2026-03-05T09:00:00+03:00" },
    { product: 1, market: 2, unit: "bunch", price: 7, recordedAt: "2020-01-01T09:00:00+03:00" },
  ],
});

/** 1,005 prices of one product at one market, and one at each of 1,005 others that are older. */
export function manyPricesDataset(): Dataset {
  const markets = Array.from({ length: 1006 }, () => ({}));
  const day = Date.parse("2026-01-01T06:00:00Z");
  return tinyDataset({
    markets,
    prices: [
      ...Array.from({ length: 1005 }, (_, at) => ({ recordedAt: new Date(day - at * 1000).toISOString() })),
      ...Array.from({ length: 1005 }, (_, at) => ({
        market: at + 1,
        recordedAt: new Date(day - (2000 + at) * 1000).toISOString(),
      })),
    ],
  });
}
