/**
 * A dataset of tens of thousands of prices, the same for the same seed: large enough for every shortcut to be taken
 * where a tiny dataset would not be worth it, small enough for a plain scan to answer hundreds of questions about it.
 *
 * Products, markets and months differ much in how many prices they have, down to none; prices of one market day tie in
 * time, and many are equal.
 */
import { type Day, dayFromText, dayMilliseconds, type Instant } from "../../src/engine/model/calendar.ts";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import type { CountyId, Uuid } from "../../src/engine/model/ids.ts";
import { marketTypes } from "../../src/engine/model/vocabulary.ts";
import { instantOfDayStart } from "./instant-of-day.ts";
import { PriceAppender } from "./price-appender.ts";
import { county, tinyDataset } from "./tiny-dataset.ts";

const countyNames = ["Nairobi", "Mombasa", "Élgeyo", "elgeyo", "Kisumu", "Lamu", "Turkana", "Wajir"];
const productCount = 12;
const marketCount = 40;

/** The units that prices of a product are in; the first is its common unit. */
const unitsOfProducts = [["kg"], ["kg", "90 kg bag", "kg", "g"], ["90 kg bag", "kg", "bunch"], ["bunch", "piece"]];

const dayFirst = dayFromText("2023-06-20") as Day;
const dayCount = 920;
/** Nearly a third of all prices lie here, around the end of an ISO year. */
const crowdedDayFirst = dayFromText("2024-12-02") as Day;
const crowdedDayCount = 30;
/** Nothing was recorded here. */
const silentDayFirst = dayFromText("2024-04-20") as Day;
const silentDayCount = 50;

/** @param priceCount Exact number of prices. */
export function largeDataset(priceCount: number = 30_000, seed: number = 1): Dataset {
  const random = seededRandom(seed);
  const below = (end: number): number => Math.floor(random() * end);
  /** Positions from 0 to `end - 1`, the first ones much more often. */
  const skewedBelow = (end: number): number => Math.floor(random() ** 3 * end);

  const frame = tinyDataset({
    counties: countyNames.map((name, at) => county(1 + at * 6, { name })),
    products: Array.from({ length: productCount }, (_, at) => ({
      name: `Product ${at % 3}`,
      commonUnits: unitsOf(at).slice(0, 1),
    })),
    markets: Array.from({ length: marketCount }, (_, at) => ({
      name: `Market ${at % 35}`,
      type: marketTypes[skewedBelow(marketTypes.length)] ?? "Rural",
      // The last county has no market.
      countyId: (1 + skewedBelow(countyNames.length - 1) * 6) as CountyId,
    })),
  });

  const appender = new PriceAppender(priceCount);
  for (let number = 0; number < priceCount; number++) {
    // The last product and the last market have no prices; the last but one product has a single one.
    const product = number === 0 ? productCount - 2 : skewedBelow(productCount - 2);
    const units = unitsOf(product);
    const recordedAt = (instantOfDayStart(anyDay(random), frame.snapshot.utcOffset) + anyTime(random)) as Instant;
    appender.append({
      uuid: anyUuid(random),
      product,
      market: skewedBelow(marketCount - 1),
      price: anyPrice(random, 20 + 40 * product),
      unit: units[below(units.length)] ?? "kg",
      currency: random() < 0.02 ? "USD" : "KES",
      recordedAt,
      createdAt: recordedAt,
      updatedAt: recordedAt,
      source: "KAMIS",
      qualityGrade: null,
      notes: null,
      priceFlag: ([null, "actual", "aggregate"] as const)[number % 3] ?? null,
    });
  }
  return { ...frame, prices: appender.finish() };
}

function unitsOf(product: number): readonly string[] {
  return unitsOfProducts[product % unitsOfProducts.length] ?? ["kg"];
}

/** Mostly one of two market days a week. */
function anyDay(random: () => number): Day {
  if (random() < 0.3) return (crowdedDayFirst + Math.floor(random() * crowdedDayCount)) as Day;
  const day = dayFirst + Math.floor(random() * dayCount);
  if (day >= silentDayFirst && day < silentDayFirst + silentDayCount) return crowdedDayFirst;
  return (random() < 0.8 ? day - (day % 7) + (day % 2) * 3 : day) as Day;
}

/** Milliseconds after midnight: the usual hour, the edges of the day, any other. */
function anyTime(random: () => number): number {
  const kind = random();
  if (kind < 0.6) return 6 * 3_600_000;
  if (kind < 0.65) return 0;
  if (kind < 0.7) return dayMilliseconds - 1;
  return Math.floor(random() * dayMilliseconds);
}

/** Mostly whole multiples of five shillings, otherwise cents; now and then a very low or a very high one. */
function anyPrice(random: () => number, usual: number): number {
  const kind = random();
  if (kind < 0.001) return 0.01;
  if (kind < 0.002) return 1e7;
  const price = usual * (0.5 + random() + random());
  return kind < 0.6 ? Math.max(5, 5 * Math.round(price / 5)) : Math.round(price * 100) / 100;
}

function anyUuid(random: () => number): Uuid {
  const hex = Array.from({ length: 4 }, () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0"),
  ).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-") as Uuid;
}

/** Numbers from 0 (inclusive) to 1 (exclusive). Source: "mulberry32" by Tommy Ettinger, public domain. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
