/** Everything of a sample but its prices, which are made from it. */
import { createHash } from "node:crypto";
import type { Dataset } from "../domain/dataset.ts";
import { type SampleMarket, sampleMarkets } from "./markets.ts";
import { type SampleProduct, sampleProducts } from "./products.ts";
import { SeededRandom } from "./random/seeded-random.ts";
import { SeededUuids } from "./random/seeded-uuids.ts";
import { countyRecords } from "./reference/counties.ts";
import { cropRecords } from "./reference/crops.ts";
import { marketTypeRecords } from "./reference/market-types.ts";
import { referenceInstant } from "./reference/reference-instant.ts";
import { unitCategories } from "./reference/units.ts";
import {
  completeOptions,
  type SampleOptions,
  type SamplePeriod,
  samplePeriod,
  timeZone,
  utcOffset,
} from "./sample-options.ts";

export interface SampleFrame {
  readonly options: Required<SampleOptions>;
  readonly period: SamplePeriod;
  /** Small tables and identity. */
  readonly tables: Omit<Dataset, "prices">;
  /** In the order of the tables, with what prices are made from. */
  readonly products: readonly SampleProduct[];
  readonly markets: readonly SampleMarket[];
  readonly uuids: SeededUuids;
}

/** @throws {RangeError} that names an option outside its limits. */
export function createSampleFrame(given: SampleOptions): SampleFrame {
  const options = completeOptions(given);
  const { seed, years } = options;
  const uuids = new SeededUuids(seed);
  const products = sampleProducts(options.products, new SeededRandom(seed, "products"), uuids);
  const markets = sampleMarkets(options.markets, years, new SeededRandom(seed, "markets"), uuids);
  return {
    options,
    period: samplePeriod(years),
    tables: {
      snapshot: {
        id: snapshotId(options),
        createdAt: referenceInstant,
        timeZone,
        utcOffset,
        parent: null,
        note: noteOf(options),
        attribution: ["Invented by a random generator: no real prices"],
      },
      counties: countyRecords,
      crops: cropRecords,
      unitCategories,
      marketTypes: marketTypeRecords,
      products: products.map(({ record }) => record),
      markets: markets.map(({ record }) => record),
    },
    products,
    markets,
    uuids,
  };
}

/** Has the form of a published id, and is another for other options; a published sample gets one from its content. */
function snapshotId(options: Required<SampleOptions>): string {
  const time = new Date(referenceInstant).toISOString().replace(/\.\d+|[-:]/g, "");
  const hash = createHash("sha256").update(JSON.stringify(options)).digest("hex");
  return `${time}-${hash.slice(0, 12)}`;
}

function noteOf({ prices, seed }: Required<SampleOptions>): string {
  return `Invented sample of ${prices} price${prices === 1 ? "" : "s"}, seed ${seed}`;
}
