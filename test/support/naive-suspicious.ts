/** The slow, obvious twin of the marks of suspicious prices; see naive-queries.ts. */
import { median } from "simple-statistics";
import { type MonthNumber, monthNumber, monthTextOf } from "../../src/engine/model/calendar.ts";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { compareTexts } from "../../src/engine/model/folded-text.ts";
import { getOrInsert } from "../../src/engine/model/get-or-insert.ts";
import type { Uuid } from "../../src/engine/model/ids.ts";
import { mostFrequent, type PlainPrice, plainPrices, present, statisticsUnit } from "./plain-prices.ts";

type Reasons = Map<Uuid, "far" | "decimal_slip">;

const found = new WeakMap<Dataset, Reasons>();

/** As `naiveSuspicious`, found once for each dataset. */
export function suspiciousReasonsOf(dataset: Dataset): Reasons {
  return getOrInsert(found, dataset, naiveSuspicious);
}

/** Why each price that is suspicious is, by uuid: the rule `suspicious-2`. */
export function naiveSuspicious(
  dataset: Dataset,
  accepted: ReadonlySet<Uuid> = new Set(),
  prices: readonly PlainPrice[] = plainPrices(dataset),
): Reasons {
  const found: Reasons = new Map();
  for (const { price, reason } of naiveJudgements(dataset, prices, prices)) {
    if (reason !== undefined && !accepted.has(price.uuid)) found.set(price.uuid, reason);
  }
  return found;
}

/**
 * Judges each of some prices beside all of others, itself among them or not.
 *
 * @returns `isJudged`: there are enough others to compare it with.
 */
export function naiveJudgements(
  dataset: Dataset,
  judged: readonly PlainPrice[],
  others: readonly PlainPrice[],
  all: readonly PlainPrice[] = others,
) {
  const inOrder = (prices: readonly PlainPrice[]): PlainPrice[] =>
    prices.toSorted((a, b) => a.recordedAt - b.recordedAt || compareTexts(b.uuid, a.uuid));
  const ofSeries = Map.groupBy(inOrder(others), seriesOf);
  const ofProduct = Map.groupBy(inOrder(others), ({ product }) => product);
  const allOfProduct = Map.groupBy(inOrder(all), ({ product }) => product);
  return judged.map((price) => {
    const series = ofSeries.get(seriesOf(price)) ?? [];
    const withPrice = series.includes(price) ? series : inOrder([...series, price]);
    // Unit and currency of the product are those of all its prices.
    const ofAll = present(allOfProduct.get(price.product));
    const usual = usualPrice(dataset, price, withPrice, ofProduct.get(price.product) ?? [], ofAll);
    const isJudged = usual !== undefined;
    if (usual === undefined || usual.prices.some((other) => isWithin(usual.ratioMax, price.price, other))) {
      return { price, isJudged, reason: undefined };
    }
    const undone = [price.price / 10, price.price / 100, price.price * 10, price.price * 100];
    const isSlip = undone.some((right) => usual.prices.every((other) => isWithin(1.5, right, other)));
    return { price, isJudged, reason: isSlip ? ("decimal_slip" as const) : ("far" as const) };
  });
}

function isWithin(ratio: number, price: number, other: number): boolean {
  return price <= ratio * other && other <= ratio * price;
}

function seriesOf({ product, market, unit, currency }: PlainPrice): string {
  return [product.uuid, market.uuid, unit.name, currency].join(" ");
}

/** By the prices of a product. */
const converters = new WeakMap<readonly PlainPrice[], ReturnType<typeof converter>>();

/** By the prices of a product, then by type of market and month: all prices of a month have the same. */
const usuals = new WeakMap<readonly PlainPrice[], Map<string, number | undefined>>();

/**
 * @param series Prices of the series, oldest first, the price among them.
 * @param ofProduct Prices of the product that it is compared with, itself among them or not.
 * @param allOfProduct All prices of the product.
 */
function usualPrice(
  dataset: Dataset,
  price: PlainPrice,
  series: readonly PlainPrice[],
  ofProduct: readonly PlainPrice[],
  allOfProduct: readonly PlainPrice[],
) {
  const at = series.indexOf(price);
  const sides = [series.slice(Math.max(0, at - 7), at), series.slice(at + 1, at + 8)].map((side) =>
    side.filter(({ day }) => Math.abs(day - price.day) <= 365).map((neighbour) => neighbour.price),
  );
  if (sides.flat().length >= 4) {
    const counted = sides.filter((side) => side.length >= 2);
    const deviations = counted.flatMap((side) => side.map((one) => Math.abs(Math.log(one / median(side)))));
    return {
      prices: counted.map((side) => median(side)),
      ratioMax: Math.max(3, Math.exp(5 * 1.4826 * median(deviations))),
    };
  }
  const convert = getOrInsert(converters, allOfProduct, () => converter(dataset, allOfProduct));
  const own = convert(price);
  if (own === undefined) return undefined;
  const usual = getOrInsert(
    getOrInsert(usuals, ofProduct, () => new Map()),
    `${price.market.type} ${monthOf(price)}`,
    () => usualOfMonths(price, ofProduct, convert),
  );
  return usual === undefined ? undefined : { prices: [usual * (price.price / own)], ratioMax: 6 };
}

/** What prices of a product usually are at markets of one type in the months around a price. */
function usualOfMonths(
  price: PlainPrice,
  ofProduct: readonly PlainPrice[],
  convert: ReturnType<typeof converter>,
): number | undefined {
  const month = monthOf(price);
  const near = ofProduct.filter(
    (other) =>
      other.market.type === price.market.type && Math.abs(monthOf(other) - month) <= 12 && convert(other) !== undefined,
  );
  if (near.filter((other) => other !== price).length < 5) return undefined;
  // Each price counts as the median of its month; the lower one of two in the middle.
  const medians = [...Map.groupBy(near, monthOf).values()]
    .flatMap((prices) => {
      const ofMonth = median(prices.map((one) => convert(one) as number));
      return prices.map(() => ofMonth);
    })
    .sort((a, b) => a - b);
  return medians[Math.ceil(medians.length / 2) - 1];
}

const months = new WeakMap<PlainPrice, MonthNumber>();

/** The month of a price, found once: a product of many prices asks for it again for each of them. */
export function monthOf(price: PlainPrice): MonthNumber {
  return getOrInsert(months, price, ({ day }) => monthNumber(monthTextOf(day)));
}

/** A price of a product in the unit and currency of its statistics. @param ofProduct All prices of the product. */
export function converter(
  dataset: Dataset,
  ofProduct: readonly PlainPrice[],
): (price: PlainPrice) => number | undefined {
  const [first] = ofProduct;
  if (first === undefined) return () => undefined;
  const unit = statisticsUnit(dataset, first.product, ofProduct);
  const ofBase = ofProduct.filter((price) => price.unit.baseUnit === unit.baseUnit);
  const currency = mostFrequent(ofBase.map((price) => price.currency));
  return (price) =>
    price.currency === currency && price.unit.baseUnit === unit.baseUnit
      ? (price.price / price.unit.conversionFactor) * unit.conversionFactor
      : undefined;
}
