/**
 * Random datasets made of the difficulties of the trade: names that repeat or fold alike, times that tie or lie at the
 * edge of a day, a week, a month or a year, units and currencies that mix, products and markets without prices.
 *
 * Values come from small pools, because difficulties are coincidences: two of sixty free values would hardly ever meet.
 */
import fc from "fast-check";
import { type Day, dayFromText, dayMilliseconds, type Instant } from "../../src/engine/model/calendar.ts";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import type { CountyId, Uuid } from "../../src/engine/model/ids.ts";
import type { ExchangeRateRecord, UnitCategoryRecord } from "../../src/engine/model/records.ts";
import {
  cropCategories,
  marketSettings,
  marketTypes,
  priceFlags,
  samplePeriods,
} from "../../src/engine/model/vocabulary.ts";
import { instantOfDayStart } from "./instant-of-day.ts";
import { county, crop, type TinyDatasetParts, tinyDataset } from "./tiny-dataset.ts";

export interface RandomDatasetOptions {
  /** Greatest number of prices; 60 when absent. */
  readonly priceCountMax?: number;
  /** Least number of prices; 0 when absent. */
  readonly priceCountMin?: number;
}

/**
 * Datasets of one to five products and one to six markets in one to five counties.
 *
 * A failing property prints the parts to hand to `tinyDataset`, not the columns.
 */
export function randomDataset(options: RandomDatasetOptions = {}): fc.Arbitrary<Dataset> {
  const { priceCountMin = 0, priceCountMax = 60 } = options;
  return fc
    .record({
      clock: fc.constantFrom(...clocks),
      periods: fc.dictionary(fc.constantFrom("WFP", "KAMIS"), fc.constantFrom(...samplePeriods), {
        noNullPrototype: true,
      }),
      counties: fc.uniqueArray(randomCounty, { selector: ({ id }) => id, minLength: 1, maxLength: 5 }),
      crops: fc.uniqueArray(randomCrop, { selector: ({ id }) => id, maxLength: 6 }),
      products: fc.uniqueArray(randomProduct, { selector: ({ uuid }) => uuid, minLength: 1, maxLength: 5 }),
      markets: fc.uniqueArray(randomMarket, { selector: ({ uuid }) => uuid, minLength: 1, maxLength: 6 }),
      days: fc.array(fc.constantFrom(...interestingDays), { minLength: 1, maxLength: 12, size: "max" }),
      currencies: fc.constantFrom(["KES"], ["KES", "KES", "KES", "USD"], ["USD", "KES"], ["KES", "UGX", "USD"]),
      rates: fc.uniqueArray(randomRate, { selector: ({ month, currency }) => month + currency, maxLength: 8 }),
      idleProducts: fc.constantFrom(0, 0, 1, 2),
      idleMarkets: fc.constantFrom(0, 0, 1, 2),
      prices: fc.oneof(
        { arbitrary: randomPrices(priceCountMin, priceCountMax), weight: 9 },
        { arbitrary: randomPrices(priceCountMin, Math.min(priceCountMax, priceCountMin + 1)), weight: 1 },
      ),
    })
    .map((drawn) => {
      const { counties, currencies, days } = drawn;
      const productsWithPrices = Math.max(1, drawn.products.length - drawn.idleProducts);
      const marketsWithPrices = Math.max(1, drawn.markets.length - drawn.idleMarkets);
      return describedByItsParts({
        snapshot: { ...drawn.clock, periods: drawn.periods },
        counties: counties.map(({ id, name }) => county(id, { name })),
        crops: drawn.crops.map((fields) => crop(fields)),
        unitCategories: randomUnitCategories,
        products: drawn.products.map(({ pricedIn, ...fields }) => fields),
        markets: drawn.markets.map(({ county: at, ...fields }) => ({
          ...fields,
          countyId: pick(counties, at).id as CountyId,
        })),
        exchangeRates: drawn.rates,
        prices: drawn.prices.map(({ day, time, delay, ...fields }) => {
          const product = fields.product % productsWithPrices;
          const recordedAt = (instantOfDayStart(pick(days, day), drawn.clock.utcOffset) + time) as Instant;
          const enteredAt = (recordedAt + delay) as Instant;
          return {
            ...fields,
            product,
            market: fields.market % marketsWithPrices,
            unit: pick(pick(drawn.products, product).pricedIn, fields.unit),
            currency: pick(currencies, fields.currency),
            recordedAt,
            createdAt: enteredAt,
            updatedAt: enteredAt,
          };
        }),
      });
    });
}

/** What a dollar costs in a month around the interesting days. */
const randomRate: fc.Arbitrary<ExchangeRateRecord> = fc.record(
  {
    month: fc.constantFrom("1999-12", "2020-12", "2021-01", "2021-12", "2024-02", "2024-12", "2025-02", "2025-12"),
    currency: fc.constantFrom("KES", "KES", "UGX"),
    rate: fc.constantFrom(0.5, 71.8976, 129.5, 3650),
    source: fc.constantFrom("implied by WFP", "central bank"),
  },
  { noNullPrototype: true },
);

/**
 * Any uuid. Many share words, so that an order or a hash that looks at some of the words only is caught, and some have
 * the highest bit of a word set.
 */
export const randomUuid: fc.Arbitrary<Uuid> = fc
  .tuple(randomWord(), randomWord(), randomWord(), randomWord())
  .map((words) => {
    const hex = words.map((word) => word.toString(16).padStart(8, "0")).join("");
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-") as Uuid;
  });

/** The units that random prices are in: six for the kilogram, two for the litre, three that convert to nothing else. */
export const randomUnitCategories: readonly UnitCategoryRecord[] = [
  {
    category: "count",
    units: ["bunch", "piece", "head"].map((name) => ({
      name,
      abbreviation: name,
      baseUnit: name,
      conversionFactor: 1,
    })),
  },
  {
    category: "weight",
    units: [
      { name: "90 kg bag", abbreviation: "90 kg", baseUnit: "kg", conversionFactor: 90 },
      { name: "kg", abbreviation: "kg", baseUnit: "kg", conversionFactor: 1 },
      { name: "kilo", abbreviation: "kilo", baseUnit: "kg", conversionFactor: 1 },
      { name: "g", abbreviation: "g", baseUnit: "kg", conversionFactor: 0.001 },
      { name: "64 kg bag", abbreviation: "64 kg", baseUnit: "kg", conversionFactor: 64 },
      { name: "400 g", abbreviation: "400 g", baseUnit: "kg", conversionFactor: 0.4 },
    ],
  },
  {
    category: "volume",
    units: [
      { name: "litre", abbreviation: "l", baseUnit: "litre", conversionFactor: 1 },
      { name: "500 ml", abbreviation: "500 ml", baseUnit: "litre", conversionFactor: 0.5 },
    ],
  },
];

/** Days around the ends of years with 52 and 53 weeks, leap days and ends of months, in no order that matters. */
export const interestingDays: readonly Day[] = [
  ...daysFrom("1999-12-31", 4),
  ...daysFrom("2020-12-26", 11),
  ...daysFrom("2021-12-31", 5),
  ...daysFrom("2024-02-28", 3),
  ...daysFrom("2024-12-28", 5),
  ...daysFrom("2025-02-27", 4),
  ...daysFrom("2025-12-28", 10),
];

const clocks = [
  { timeZone: "Africa/Nairobi", utcOffset: 10_800_000 },
  { timeZone: "Africa/Nairobi", utcOffset: 10_800_000 },
  { timeZone: "Asia/Kolkata", utcOffset: 19_800_000 },
  { timeZone: "America/Panama", utcOffset: -18_000_000 },
  { timeZone: "UTC", utcOffset: 0 },
] as const;

/** A number that `pick` brings down to a position in a list whose length is not known yet. */
const anyPick = fc.nat(59);

const randomCounty = fc.record({
  id: fc.oneof(fc.constantFrom(1, 47), fc.integer({ min: 1, max: 47 })),
  name: fc.constantFrom("Nairobi", "Murang'a", "MURANG'A", "Tana River", "Élgeyo", "Elgeyo", "élgeyo"),
});

const randomCrop = fc.record({
  id: fc.nat(20),
  name: fc.constantFrom("Maize", "maize", "Café", "Cafe", "Beans", "Œufs"),
  category: fc.constantFrom(...cropCategories),
  subCategory: fc.constantFrom(null, "Cereals", "cereals", "Céréales", "Tubers"),
  growingSeason: fc.constantFrom(null, "Long rains (March–May)", "SHORT RAINS", "All year"),
});

const randomProduct = fc.record({
  uuid: randomUuid,
  name: fc.constantFrom("Maize", "maize", "Maïze", "Beans", "Café", "cafe", "Zucchini"),
  category: fc.constantFrom("Cereals", "cereals", "Céréales", "Vegetables"),
  subCategory: fc.constantFrom(null, "Dry", "dry", "Fresh"),
  description: fc.constantFrom("Mahindi in Swahili.", "MAHARAGWE in Swahili.", "A café favourite."),
  isActive: fc.boolean(),
  /** Some lists hold no unit that any of the prices can be converted to. */
  commonUnits: fc.constantFrom(
    ["kg"],
    ["90 kg bag", "kg"],
    ["litre", "g", "kg"],
    ["head"],
    ["bunch", "kg"],
    ["500 ml"],
  ),
  pricedIn: fc.constantFrom(
    ["kg"],
    ["kg", "90 kg bag", "g"],
    ["90 kg bag", "kilo", "64 kg bag", "400 g"],
    ["kg", "kg", "bunch"],
    ["bunch", "piece"],
    ["litre", "500 ml", "kg"],
  ),
});

const randomMarket = fc.record({
  uuid: randomUuid,
  name: fc.constantFrom("Wakulima", "WAKULIMA", "Wakúlima", "Gikomba", "Kongowea", "Kibuye"),
  type: fc.constantFrom(...marketTypes),
  setting: fc.constantFrom(null, null, ...marketSettings),
  county: anyPick,
  isActive: fc.boolean(),
});

const randomPrice = fc.record({
  uuid: randomUuid,
  product: anyPick,
  market: anyPick,
  price: fc.oneof(
    fc.constantFrom(0.01, 50, 50, 100, 4500),
    fc.integer({ min: 1, max: 500_000 }).map((cents) => cents / 100),
  ),
  unit: anyPick,
  currency: anyPick,
  day: anyPick,
  /** Milliseconds after midnight by the dataset's clocks: the edges of the day, the usual hour, any other. */
  time: fc.oneof(
    fc.constantFrom(0, 1, dayMilliseconds - 1, 10_800_000, 32_400_000, 32_400_000),
    fc.integer({ min: 0, max: dayMilliseconds - 1 }),
  ),
  source: fc.constantFrom("WFP", "KAMIS"),
  qualityGrade: fc.constantFrom(null, "A", "B"),
  notes: fc.constantFrom(null, "aggregate", "actual"),
  priceFlag: fc.constantFrom(null, null, ...priceFlags),
  /** Milliseconds from recording to entry. */
  delay: fc.constantFrom(0, 1, dayMilliseconds),
});

function randomPrices(minLength: number, maxLength: number): fc.Arbitrary<Drawn<typeof randomPrice>[]> {
  return fc.uniqueArray(randomPrice, { selector: ({ uuid }) => uuid, minLength, maxLength, size: "max" });
}

type Drawn<T> = T extends fc.Arbitrary<infer Value> ? Value : never;

function pick<T>(list: readonly T[], number: number): T {
  return list[number % list.length] as T;
}

function randomWord(): fc.Arbitrary<number> {
  return fc.oneof(
    fc.constantFrom(0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff),
    fc.integer({ min: 0, max: 0xffff_ffff }),
  );
}

function daysFrom(first: string, count: number): Day[] {
  return Array.from({ length: count }, (_, at) => ((dayFromText(first) ?? Number.NaN) + at) as Day);
}

function describedByItsParts(parts: TinyDatasetParts): Dataset {
  const text = () => `tinyDataset(${fc.stringify(parts)})`;
  return Object.defineProperty(tinyDataset(parts), fc.toStringMethod, { value: text, enumerable: false });
}
