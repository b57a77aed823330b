/** The small tables of a sample, and what its prices are made from. */
import { createHash } from "node:crypto";
import type { Instant } from "../../src/engine/model/calendar.ts";
import type { Dataset, SnapshotIdentity } from "../../src/engine/model/dataset.ts";
import { readUuid, type Uuid } from "../../src/engine/model/ids.ts";
import type { MarketRecord, ProductRecord } from "../../src/engine/model/records.ts";
import { type MarketType, type WeekDay, weekDays } from "../../src/engine/model/vocabulary.ts";
import { type CountyFacts, counties, crops, type Goods, goods, mixture, named } from "./reference.ts";
import { completeOptions, type SampleOptions, type SamplePeriod, samplePeriod } from "./sample-options.ts";
import { SeededRandom } from "./seeded-random.ts";

/** Milliseconds that Kenya's clocks are ahead of UTC. */
export const utcOffset = 10_800_000;

/** When the small records were entered, and when a sample counts as published: after its last price. */
const referenceInstant = Date.UTC(2026, 10, 1, 6) as Instant;
const entered = { createdAt: referenceInstant, updatedAt: referenceInstant };

export interface SampleProduct {
  readonly record: ProductRecord;
  readonly trade: string;
  readonly season: string;
  /** Kenya cents for one base unit at the beginning of the sample. */
  readonly cents: number;
}

export interface SampleMarket {
  readonly record: MarketRecord;
  /** Prices here, compared with the country's: 1 is the same. */
  readonly priceLevel: number;
  /** When most prices are taken: milliseconds after midnight. */
  readonly usualTime: number;
  /**
   * The days on which the market exists, counted from the first day of the sample: from (inclusive), to (exclusive).
   */
  readonly dayFrom: number;
  readonly dayTo: number;
  readonly borderCurrency: string | null;
}

export interface SampleTables {
  readonly options: Required<SampleOptions>;
  readonly period: SamplePeriod;
  readonly tables: Omit<Dataset, "prices">;
  /** In the order of the tables. */
  readonly products: readonly SampleProduct[];
  readonly markets: readonly SampleMarket[];
}

/** @throws {RangeError} that names an option outside its limits. */
export function makeSampleTables(chosen: SampleOptions): SampleTables {
  const options = completeOptions(chosen);
  const { prices, seed } = options;
  const period = samplePeriod(options.years);
  const products = makeProducts(options.products, new SeededRandom(seed, "products"));
  const markets = makeMarkets(options.markets, period.dayCount, new SeededRandom(seed, "markets"));
  const tables: SampleTables["tables"] = {
    snapshot: {
      id: snapshotId(options),
      createdAt: referenceInstant,
      timeZone: "Africa/Nairobi",
      utcOffset,
      parent: null,
      note: `Generated sample of ${prices} price${prices === 1 ? "" : "s"}, seed ${seed}`,
      attribution: [generator],
      periods: {},
      sources: sampleSources,
    },
    counties: counties.map(({ towns, priceLevel, borderCurrency, ...record }) => ({ ...record, ...entered })),
    crops,
    unitCategories: mixture.unitCategories,
    marketTypes: mixture.marketTypes,
    products: products.map(({ record }) => record),
    markets: markets.map(({ record }) => record),
    exchangeRates: [],
    continuations: [],
    marketContinuations: [],
  };
  return { options, period, tables, products, markets };
}

const generator = "Random generator: no real prices";

/** The details of the sources that invented prices name. */
export const sampleSources: SnapshotIdentity["sources"] = Object.fromEntries(
  mixture.sources.map((name) => [name, { title: generator, url: null, licence: null, generated: true }]),
);

/** In the form of a published id, different for different options; a published sample gets one from its content. */
function snapshotId(options: Required<SampleOptions>): string {
  const hash = createHash("sha256").update(JSON.stringify(options)).digest("hex");
  return `20261101T060000Z-${hash.slice(0, 12)}`;
}

/** The goods of the reference; where more products are wanted, the same goods again, by the county they come from. */
function makeProducts(count: number, random: SeededRandom): SampleProduct[] {
  return Array.from({ length: count }, (_, index) => {
    const base = goods[index % goods.length] as Goods;
    const round = Math.floor(index / goods.length);
    // Eleven and 47 share no factor, so the same goods meet another county in each round.
    const origin = counties[((index % goods.length) * 7 + round * 11) % counties.length] as CountyFacts;
    const record = makeProduct(round === 0 ? base.name : `${base.name}, ${origin.name}`, base, random);
    const cents = base.shillings * (round === 0 ? 100 : 85 + random.below(31));
    return { record, trade: base.trade, season: base.season, cents };
  });
}

function makeProduct(name: string, base: Goods, random: SeededRandom): ProductRecord {
  const { swahiliName, category, subCategory, trade, season } = base;
  return {
    uuid: makeUuid(random),
    name,
    category,
    subCategory,
    description: `${name} (Swahili: ${swahiliName.toLowerCase()}). Part of a generated sample.`,
    commonUnits: named("trade", mixture.trades[trade], trade)
      .filter(({ isCommon = true }) => isCommon)
      .map(({ unit }) => unit),
    alternativeNames: random.oneIn(4) ? null : [swahiliName],
    season: mixture.seasons[season]?.text ?? null,
    sourceIds: null,
    scientificName: null,
    storageRequirements: random.oneIn(2) ? null : random.pick(mixture.storages),
    isActive: !random.oneIn(30),
    metadata: random.oneIn(3) ? { trade, tags: ["sample", category] } : null,
    ...entered,
  };
}

/** Types of markets in the order in which markets are made: the first four are of all four types. */
const typePattern: readonly MarketType[] = [
  ...(["Wholesale", "Retail", "Rural", "Urban", "Retail", "Rural", "Retail"] as const),
  ...(["Rural", "Wholesale", "Retail", "Urban", "Rural", "Retail"] as const),
];

const typeLevels: Readonly<Record<MarketType, number>> = { Wholesale: 0.84, Rural: 0.92, Retail: 1, Urban: 1.07 };

const halfHour = 1_800_000;

/**
 * The first market town of every county, then the second of every county, and so on. The first market is held on all
 * days of the sample; others begin late or end early, and those that have ended are inactive.
 */
function makeMarkets(count: number, dayCount: number, random: SeededRandom): SampleMarket[] {
  return Array.from({ length: count }, (_, index) => {
    // Nairobi first; the step has no factor of 47, and brings two markets of one name among the first five.
    const county = counties[(46 + 12 * index) % counties.length] as CountyFacts;
    const type = typePattern[index % typePattern.length] as MarketType;
    const half = Math.floor(dayCount / 2);
    const dayFrom = index > 0 && random.oneIn(12) ? random.below(half) : 0;
    const dayTo = index > 0 && random.oneIn(25) ? dayCount - 1 - random.below(half) : dayCount;
    const record = makeMarket(county, Math.floor(index / counties.length), type, random);
    return {
      record: {
        ...record,
        operatingDays: index === 0 ? weekDays : record.operatingDays,
        isActive: dayTo === dayCount,
      },
      priceLevel: (county.priceLevel / 100) * typeLevels[type] * (0.95 + random.below(101) / 1000),
      usualTime: (12 + random.below(17)) * halfHour,
      dayFrom,
      dayTo,
      borderCurrency: county.borderCurrency,
    };
  });
}

function makeMarket(county: CountyFacts, round: number, type: MarketType, random: SeededRandom): MarketRecord {
  const town = county.towns[round % county.towns.length] as string;
  const ordinal = Math.floor(round / county.towns.length) + 1;
  const subCounty = county.subCounties.find(({ wards }) => wards.includes(town))?.name ?? null;
  const contact = random.below(1000);
  return {
    uuid: makeUuid(random),
    name: ordinal === 1 ? town : `${town} ${ordinal}`,
    type,
    countyId: county.id,
    subCounty: random.oneIn(10) ? null : subCounty,
    location: random.oneIn(15)
      ? null
      : {
          latitude: nearby(county.coordinates?.latitude ?? 0, random),
          longitude: nearby(county.coordinates?.longitude ?? 0, random),
          address: random.oneIn(2) ? null : `${town}, ${county.name} County`,
        },
    operatingDays: makeOperatingDays(type, random),
    operatingHours: random.oneIn(5) ? null : "06:00-18:00",
    description: random.oneIn(2) ? null : `${type} market of ${town}. Part of a generated sample.`,
    sourceIds: null,
    setting: null,
    alternativeNames: null,
    facilities: random.oneIn(4) ? null : mixture.facilities.filter(() => random.oneIn(2)),
    contact: random.oneIn(3) ? null : { phone: null, email: `market-${contact}@example.com` },
    isActive: true,
    ...entered,
  };
}

/** At most a quarter of a degree away, in ten thousandths of a degree. */
function nearby(degrees: number, random: SeededRandom): number {
  return (Math.round(degrees * 10_000) + random.below(5001) - 2500) / 10_000;
}

/** Rural markets are held on one to three days a week, others on six or all seven. */
function makeOperatingDays(type: MarketType, random: SeededRandom): readonly WeekDay[] {
  if (type !== "Rural") return random.oneIn(3) ? weekDays : weekDays.filter((day) => day !== "Sunday");
  const first = random.below(weekDays.length);
  const days = [first, first + 3, first + 5].slice(0, 1 + random.below(3)).map((day) => day % weekDays.length);
  return weekDays.filter((_, day) => days.includes(day));
}

function makeUuid(random: SeededRandom): Uuid {
  const words = new Uint32Array(4);
  random.writeUuid(words, 0);
  return readUuid(words, 0);
}
