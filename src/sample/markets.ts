import type { CountyId } from "../domain/ids.ts";
import type { MarketRecord } from "../domain/records.ts";
import { type MarketType, type WeekDay, weekDays } from "../domain/vocabulary.ts";
import type { SeededRandom } from "./random/seeded-random.ts";
import { type SeededUuids, uuidKinds } from "./random/seeded-uuids.ts";
import { subCountyOfTown } from "./reference/counties.ts";
import type { Currency } from "./reference/currencies.ts";
import { type Place, places } from "./reference/places.ts";
import { referenceInstant } from "./reference/reference-instant.ts";

/** A market, and what its prices are made from. */
export interface SampleMarket {
  readonly record: MarketRecord;
  /** Prices here, compared with the country's: 1 is the same. */
  readonly priceLevel: number;
  /** When prices are mostly taken: milliseconds after midnight by local clocks. */
  readonly usualTime: number;
  /** First and last year of the sample in which the market is held, counted from 0 (both inclusive). */
  readonly yearFirst: number;
  readonly yearLast: number;
  /** The foreign money in which some prices are told here; Kenya's where there is none. */
  readonly currency: Currency;
}

/** These come first, so that even a sample of five markets has two of one name in different counties. */
const leadingCounties = [47, 1, 42, 12, 24, 32, 16, 22, 40];

/** What tells the markets of one town apart, after the first. */
const laterNames = [
  "Municipal Market",
  "Stage",
  "Open-Air Market",
  "Bus Park",
  "Farmers' Market",
  "Junction",
  "New Town",
];

/** By county, along the borders. */
const foreignCurrencies: Readonly<Record<number, Currency>> = {
  ...{ 2: "TZS", 6: "TZS", 34: "TZS", 44: "TZS" },
  ...{ 24: "UGX", 39: "UGX", 40: "UGX" },
  ...{ 7: "USD", 8: "USD", 9: "USD", 10: "USD", 23: "USD" },
};

/** Types of markets in the order in which markets are made: the first four are of all four types. */
const typePattern: readonly MarketType[] = [
  ...(["Wholesale", "Retail", "Rural", "Urban", "Retail", "Rural", "Retail"] as const),
  ...(["Rural", "Wholesale", "Retail", "Urban", "Rural", "Retail"] as const),
];

const typeLevels: Readonly<Record<MarketType, number>> = { Wholesale: 0.84, Rural: 0.92, Retail: 1, Urban: 1.07 };

const facilities = ["Water", "Toilets", "Cold store", "Parking", "Covered stalls", "Weighbridge", "Lighting"];
const halfHour = 1_800_000;

/**
 * The markets of a sample: the first market town of every county, then the second of every county, and so on.
 *
 * @param count From 1 to the limit in sample-options.ts.
 * @param years How many years the sample spans. The first market is held in all of them.
 */
export function sampleMarkets(count: number, years: number, random: SeededRandom, uuids: SeededUuids): SampleMarket[] {
  const order = [
    ...leadingCounties.map((id) => places[id - 1] as Place),
    ...places.filter(({ id }) => !leadingCounties.includes(id)),
  ];
  return Array.from({ length: count }, (_, index) => {
    const place = order[index % order.length] as Place;
    const round = Math.floor(index / order.length);
    const type = typePattern[index % typePattern.length] as MarketType;
    const yearLast = index > 0 && years > 1 && random.oneIn(25) ? random.below(years - 1) : years - 1;
    const yearFirst = index > 0 && random.oneIn(12) ? random.below(yearLast + 1) : 0;
    const isActive = yearLast === years - 1;
    return {
      record: marketRecord({ uuid: uuids.text(uuidKinds.market, index), type, isActive }, place, round, random),
      priceLevel: (place.priceLevel / 100) * typeLevels[type] * (0.95 + random.below(101) / 1000),
      usualTime: (12 + random.below(17)) * halfHour,
      yearFirst,
      yearLast,
      currency: foreignCurrencies[place.id] ?? "KES",
    };
  });
}

function marketRecord(
  facts: Pick<MarketRecord, "uuid" | "type" | "isActive">,
  place: Place,
  round: number,
  random: SeededRandom,
): MarketRecord {
  const town = round % place.towns.length;
  const later = Math.floor(round / place.towns.length);
  const name = place.towns[town] as string;
  const number = random.below(1000);
  return {
    ...facts,
    name: later === 0 ? name : `${name} ${laterName(later)}`,
    countyId: place.id as CountyId,
    subCounty: random.oneIn(10) ? null : subCountyOfTown(place, town),
    location: random.oneIn(15)
      ? null
      : {
          latitude: nearby(place.latitude, random),
          longitude: nearby(place.longitude, random),
          address: random.oneIn(2) ? null : `${name}, ${place.county} County`,
        },
    operatingDays: operatingDays(facts.type, random),
    operatingHours: random.oneIn(5) ? null : "06:00-18:00",
    description: random.oneIn(2) ? null : `${facts.type} market of ${name}. Invented for a sample.`,
    facilities: random.oneIn(4) ? null : facilities.filter(() => random.oneIn(2)),
    contact: random.oneIn(3)
      ? { phone: null, email: `market-${number}@example.com` }
      : random.oneIn(2)
        ? { phone: `+254 700 000 ${String(number).padStart(3, "0")}`, email: null }
        : null,
    createdAt: referenceInstant,
    updatedAt: referenceInstant,
  };
}

function laterName(later: number): string {
  const name = laterNames[(later - 1) % laterNames.length] as string;
  const turn = Math.floor((later - 1) / laterNames.length);
  return turn === 0 ? name : `${name} ${turn + 1}`;
}

/** At most a quarter of a degree away, in ten thousandths of a degree. */
function nearby(degrees: number, random: SeededRandom): number {
  return (Math.round(degrees * 10_000) + random.below(5001) - 2500) / 10_000;
}

/** Farmers' markets are held on one to three days a week, others on six or all seven. */
function operatingDays(type: MarketType, random: SeededRandom): readonly WeekDay[] {
  if (type !== "Rural") return random.oneIn(3) ? weekDays : weekDays.filter((day) => day !== "Sunday");
  const first = random.below(weekDays.length);
  const gaps = [0, 3, 5].slice(0, 1 + random.below(3));
  return weekDays.filter((_, day) => gaps.includes((day - first + weekDays.length) % weekDays.length));
}
