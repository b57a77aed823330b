/** Prices of a dataset as objects, and what the twins need to know of them; see naive-queries.ts. */
import { type Day, dayOfInstant, type Instant } from "../../src/engine/model/calendar.ts";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { compareTexts } from "../../src/engine/model/folded-text.ts";
import { getOrInsert } from "../../src/engine/model/get-or-insert.ts";
import { readUuid, type Uuid } from "../../src/engine/model/ids.ts";
import type { CountyRecord, MarketRecord, ProductRecord, UnitRecord } from "../../src/engine/model/records.ts";

/** One row of the price columns as an object, with everything it refers to. */
export interface PlainPrice {
  readonly uuid: Uuid;
  readonly product: ProductRecord;
  readonly market: MarketRecord;
  readonly county: CountyRecord;
  readonly price: number;
  readonly unit: UnitRecord;
  readonly currency: string;
  readonly recordedAt: Instant;
  /** In the dataset's calendar. */
  readonly day: Day;
  readonly flag: string | null;
  readonly source: string;
}

const made = new WeakMap<Dataset, readonly PlainPrice[]>();

/** All prices in the order of the columns, made once for each dataset. */
export function plainPrices(dataset: Dataset): readonly PlainPrice[] {
  return getOrInsert(made, dataset, makePlainPrices);
}

function makePlainPrices(dataset: Dataset): PlainPrice[] {
  const { prices } = dataset;
  const units = prices.unitNames.map((name) => present(unitNamed(dataset, name)));
  return Array.from({ length: prices.rowCount }, (_, row) => {
    const market = present(dataset.markets[present(prices.markets[row])]);
    const recordedAt = present(prices.recordedAt[row]) as Instant;
    return {
      uuid: readUuid(prices.uuids, row),
      product: present(dataset.products[present(prices.products[row])]),
      market,
      county: present(dataset.counties.find((county) => county.id === market.countyId)),
      price: present(prices.prices[row]),
      unit: present(units[present(prices.units[row])]),
      currency: present(prices.currencyCodes[present(prices.currencies[row])]),
      recordedAt,
      day: dayOfInstant(recordedAt, dataset.snapshot.utcOffset),
      flag: prices.flagNames[present(prices.flags[row])] ?? null,
      source: present(prices.sourceNames[present(prices.sources[row])]),
    };
  });
}

/**
 * The unit that the statistics of a product are in, whatever prices are selected: the base unit of the first common
 * unit that one of its prices can be converted to, else of the unit most of its prices are in, else (no prices) of the
 * first common unit.
 */
export function statisticsUnit(dataset: Dataset, product: ProductRecord, all: readonly PlainPrice[]): UnitRecord {
  const commonUnits = product.commonUnits.map((name) => present(unitNamed(dataset, name)));
  const reachable = commonUnits.find((unit) => all.some((price) => price.unit.baseUnit === unit.baseUnit));
  const usual = mostFrequent(all.map((price) => price.unit.name));
  const unit = reachable ?? (usual === undefined ? present(commonUnits[0]) : present(unitNamed(dataset, usual)));
  return present(unitNamed(dataset, unit.baseUnit));
}

export function unitNamed(dataset: Dataset, name: string): UnitRecord | undefined {
  return dataset.unitCategories.flatMap((category) => category.units).find((unit) => unit.name === name);
}

/** The text that stands most often; of several, the first by code unit. */
export function mostFrequent(texts: readonly string[]): string | undefined {
  const count = (text: string): number => texts.filter((other) => other === text).length;
  return [...new Set(texts)].sort((a, b) => count(b) - count(a) || compareTexts(a, b))[0];
}

/** A value that the dataset guarantees. */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("a reference of the dataset resolves to nothing");
  return value;
}
