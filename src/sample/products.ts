import type { ProductRecord } from "../domain/records.ts";
import type { SeededRandom } from "./random/seeded-random.ts";
import { type SeededUuids, uuidKinds } from "./random/seeded-uuids.ts";
import { type Goods, goods } from "./reference/goods.ts";
import { places } from "./reference/places.ts";
import { referenceInstant } from "./reference/reference-instant.ts";
import { type Offer, offersOf } from "./reference/trades.ts";
import { units } from "./reference/units.ts";

/** A product, and what its prices are made from. */
export interface SampleProduct {
  readonly record: ProductRecord;
  readonly offers: readonly Offer[];
  /** Kenya cents for one base unit at the beginning of the sample. */
  readonly cents: number;
  /** See pricing/price-levels.ts. */
  readonly season: string;
}

const seasonTexts: Readonly<Record<string, string | null>> = {
  grain: "Harvest October to January",
  pulse: "Harvests July to August and January to February",
  vegetable: "Plentiful in the rains",
  fruit: "Plentiful November to March",
  dry: null,
  steady: null,
};

const storageTexts = ["Dry and airy, off the floor", "Cool, a few days at most", "Below 13 % moisture in tight bags"];

/**
 * The products of a sample. The first are the goods of goods.ts; where more are wanted, the same goods come again with
 * the county they were grown in, as buyers ask for them.
 *
 * @param count From 1 to the limit in sample-options.ts.
 */
export function sampleProducts(count: number, random: SeededRandom, uuids: SeededUuids): SampleProduct[] {
  return Array.from({ length: count }, (_, index) => {
    const base = goods[index % goods.length] as Goods;
    const round = Math.floor(index / goods.length);
    const name = round === 0 ? base.name : `${base.name}, ${originOf(index % goods.length, round)}`;
    const offers = offersOf(base.trade);
    // The same goods from another place cost a little more or less.
    const cents = Math.round(base.shillings * (round === 0 ? 100 : 85 + random.below(31)));
    const facts = { name, uuid: uuids.text(uuidKinds.product, index) };
    return { record: productRecord(facts, base, offers, random), offers, cents, season: base.season };
  });
}

/** Eleven and 47 share no factor, so goods meet another county in each of 47 rounds. */
function originOf(goodsIndex: number, round: number): string {
  return places[(goodsIndex * 7 + round * 11) % places.length]?.county as string;
}

function productRecord(
  facts: Pick<ProductRecord, "name" | "uuid">,
  base: Goods,
  offers: readonly Offer[],
  random: SeededRandom,
): ProductRecord {
  const { swahiliName, category, subCategory, trade, season } = base;
  const common = offers.filter(({ isCommon }) => isCommon);
  return {
    ...facts,
    category,
    subCategory,
    description: `${facts.name} (Swahili: ${swahiliName.toLowerCase()}). Invented for a sample.`,
    commonUnits: common.map(({ unit }) => units[unit]?.name as string),
    alternativeNames: random.oneIn(4) ? null : [swahiliName],
    season: seasonTexts[season] ?? null,
    storageRequirements: random.oneIn(2) ? null : random.pick(storageTexts),
    isActive: !random.oneIn(30),
    metadata: random.oneIn(3) ? { trade, tags: ["sample", category] } : null,
    createdAt: referenceInstant,
    updatedAt: referenceInstant,
  };
}
