/** The slow, obvious twin of finding warnings: objects and plain loops over the datasets. */
import { median, medianAbsoluteDeviation } from "simple-statistics";
import type { WarningKind } from "../../src/contract/publication-report.ts";
import { type Day, monthTextOf } from "../../src/engine/model/calendar.ts";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { compareTexts } from "../../src/engine/model/folded-text.ts";
import { pricesOfDataset } from "../engine/store/stored-prices.ts";
import { type PlainPrice, plainPrices } from "./plain-prices.ts";

/** A price with all that warnings look at. */
interface JudgedPrice extends PlainPrice {
  readonly source: string;
  readonly grade: string | null;
}

/**
 * All warnings, as `kind subject`, sorted. The subject is the uuid of a price, market or product, or the name
 * of a source; of a new unit or currency the uuid of its product and the value, of a new source the value.
 */
export function naiveWarnings(after: Dataset, before?: Dataset): string[] {
  const [all, old] = [judgedPrices(after), before === undefined ? undefined : judgedPrices(before)];
  const judged = all.filter((price) => old === undefined || !old.some((other) => isSame(other, price)));
  const warnings: string[] = [];
  const warn = (kind: WarningKind, subject: string): number => warnings.push(`${kind} ${subject}`);

  for (const price of judged) {
    const isAlone = old === undefined || old.length === 0;
    const far = farKind(isAlone ? all : old, { dataset: after, prices: all }, price);
    if (far !== undefined) warn(far, price.uuid);
    const repeat = repeatKind(all, judged, price);
    if (repeat !== undefined) warn(repeat, price.uuid);
    const was = old?.find(({ uuid }) => uuid === price.uuid);
    if (was !== undefined && !(was.product.uuid === price.product.uuid && was.market.uuid === price.market.uuid)) {
      warn("moved-correction", price.uuid);
    } else if (was !== undefined && was.day !== price.day) warn("moved-correction", price.uuid);
    if (price.recordedAt > after.snapshot.createdAt) warn("future-date", price.uuid);
    const start = startOf(old !== undefined && old.length > 0 ? old : all);
    if (start !== undefined && price.day < start) warn("early-date", price.uuid);
  }

  const news = new Set<string>();
  for (const price of judged) {
    const { uuid, commonUnits } = price.product;
    const ofProduct = (prices: readonly JudgedPrice[]): JudgedPrice[] =>
      prices.filter(({ product }) => product.uuid === uuid);
    const isNew = (textOf: (one: JudgedPrice) => string): boolean => {
      const same = (one: JudgedPrice): boolean => textOf(one) === textOf(price);
      if (old === undefined || old.length === 0) {
        const own = ofProduct(all);
        return own.length >= 10 && own.filter(same).length <= Math.max(1, own.length / 1000);
      }
      return !ofProduct(old).some(same);
    };
    if (isNew(({ unit }) => unit.name) && !commonUnits.includes(price.unit.name)) {
      news.add(`new-unit ${uuid} ${price.unit.name}`);
    }
    const isFirst = old !== undefined && old.length > 0 && ofProduct(old).length === 0;
    if (isFirst ? !old.some(({ currency }) => currency === price.currency) : isNew(({ currency }) => currency)) {
      news.add(`new-currency ${uuid} ${price.currency}`);
    }
    if (old === undefined || old.length === 0) continue;
    if (!old.some(({ source }) => source === price.source)) news.add(`new-source ${price.source}`);
  }
  warnings.push(...news);

  for (const { uuid } of after.markets) {
    const days = (prices: readonly JudgedPrice[]): number | undefined => {
      const own = newest(prices.filter(({ market }) => market.uuid === uuid));
      return own && (newest(prices.filter(({ source }) => source === own.source)) as JudgedPrice).day - own.day;
    };
    if (isSilenceNews(days(all), old && days(old), old !== undefined)) warn("silent-market", uuid);
  }
  for (const name of new Set([...all, ...(old ?? [])].map(({ source }) => source))) {
    const days = (prices: readonly JudgedPrice[]): number | undefined => {
      const own = newest(prices.filter(({ source }) => source === name));
      return own && (newest(prices) as JudgedPrice).day - own.day;
    };
    if (isSilenceNews(days(all), old && days(old), old !== undefined)) warn("silent-source", name);
  }
  for (const { uuid } of after.products) {
    const has = (prices: readonly JudgedPrice[]): boolean => prices.some(({ product }) => product.uuid === uuid);
    const isKnown = before?.products.some((product) => product.uuid === uuid) ?? false;
    if (!has(all) && !(isKnown && !has(old ?? []))) warn("no-prices", uuid);
  }
  return warnings.sort(compareTexts);
}

function judgedPrices(dataset: Dataset): JudgedPrice[] {
  const fields = pricesOfDataset(dataset);
  return plainPrices(dataset)
    .map((price, at) => {
      return { ...price, source: fields[at]?.source as string, grade: fields[at]?.qualityGrade as string | null };
    })
    .sort(newestFirst);
}

function newestFirst(a: PlainPrice, b: PlainPrice): number {
  return b.recordedAt - a.recordedAt || compareTexts(a.uuid, b.uuid);
}

function newest(prices: readonly JudgedPrice[]): JudgedPrice | undefined {
  return prices.toSorted(newestFirst)[0];
}

function isSame(a: JudgedPrice, b: JudgedPrice): boolean {
  const textOf = ({ uuid, product, market, recordedAt, price, unit, currency, source, grade }: JudgedPrice): string =>
    JSON.stringify([uuid, product.uuid, market.uuid, recordedAt, price, unit.name, currency, source, grade]);
  return textOf(a) === textOf(b);
}

/** A dataset and its prices. */
interface Prices {
  readonly dataset: Dataset;
  readonly prices: readonly JudgedPrice[];
}

/** @param known Published before; all prices where nothing was. */
function farKind(
  known: readonly JudgedPrice[],
  { dataset, prices: all }: Prices,
  price: JudgedPrice,
): WarningKind | undefined {
  const found = usualOf(known, all, price);
  if (found === undefined) return "not-judged";
  const { usual, ratioMax } = found;
  if (price.price <= usual * ratioMax && price.price * ratioMax >= usual) return undefined;
  const unitNames = [
    ...price.product.commonUnits,
    ...all.filter((other) => other.product === price.product).map(({ unit }) => unit.name),
  ];
  const bags = dataset.unitCategories
    .flatMap(({ units }) => units)
    .filter(({ name, baseUnit }) => {
      return (
        (unitNames.includes(name) || name === price.unit.baseUnit) &&
        name !== price.unit.name &&
        baseUnit === price.unit.baseUnit
      );
    });
  const distance = (factor: number): number => Math.abs(Math.log(price.price / usual / factor));
  const ofBags = Math.min(...bags.map((bag) => distance(bag.conversionFactor / price.unit.conversionFactor)));
  const ofPoint = Math.min(...[10, 100, 0.1, 0.01].map(distance));
  if (Math.min(ofBags, ofPoint) > Math.log(1.5) + 1e-9) return "outlier";
  return ofBags <= ofPoint ? "unit-slip" : "decimal-slip";
}

interface Usual {
  readonly usual: number;
  readonly ratioMax: number;
}

function usualOf(known: readonly JudgedPrice[], all: readonly JudgedPrice[], price: JudgedPrice): Usual | undefined {
  const series = known.filter(
    (other) => isOfSeries(other, price) && other.day < price.day && other.day >= price.day - 365,
  );
  const values = series.slice(0, 50).map((other) => other.price);
  if (values.length >= 5) {
    const ratioMax = Math.max(4, Math.exp(5 * 1.4826 * medianAbsoluteDeviation(values.map(Math.log))));
    return { usual: median(values), ratioMax };
  }
  const [first, last] = [monthTextOf((price.day - 365) as Day), monthTextOf(price.day)];
  const isOfMonths = ({ day }: JudgedPrice): boolean => monthTextOf(day) >= first && monthTextOf(day) <= last;
  for (const prices of [known, all]) {
    const ofProduct = prices.filter(
      (other) =>
        other.product.uuid === price.product.uuid &&
        other.unit.baseUnit === price.unit.baseUnit &&
        other.currency === price.currency &&
        isOfMonths(other),
    );
    const ofType = ofProduct.filter(({ market }) => market.type === price.market.type);
    const pool = [ofType, ofProduct].find(({ length }) => length >= (prices === all ? 6 : 5));
    if (pool === undefined) continue;
    const perBase = pool.map((other) => other.price / other.unit.conversionFactor);
    return { usual: median(perBase) * price.unit.conversionFactor, ratioMax: 6 * (1 + 1e-9) };
  }
  return undefined;
}

function isOfSeries(a: JudgedPrice, b: JudgedPrice): boolean {
  const isSameProduct = a.product.uuid === b.product.uuid && a.market.uuid === b.market.uuid;
  return isSameProduct && a.unit.name === b.unit.name && a.currency === b.currency;
}

/**
 * Rows of the day that are not judged come first, then the judged ones in answer order; each but the first repeats one.
 */
function repeatKind(
  all: readonly JudgedPrice[],
  judged: readonly JudgedPrice[],
  price: JudgedPrice,
): WarningKind | undefined {
  const others = all.filter(
    (other) => isOfSeries(other, price) && other.day === price.day && other.grade === price.grade,
  );
  const before = others.filter((other) => !judged.includes(other) || newestFirst(other, price) < 0);
  if (before.length === 0) return undefined;
  return before.some((other) => other.price === price.price) ? "repeated-price" : "second-price";
}

/** The first day, unless up to one price of a thousand (or one) is followed by more than a year without any. */
function startOf(prices: readonly JudgedPrice[]): Day | undefined {
  if (prices.length < 10) return undefined;
  const days = prices.map(({ day }) => day).sort((a, b) => a - b);
  let start = days[0] as Day;
  for (let at = 1; at < days.length && at <= Math.max(1, days.length / 1000); at++) {
    if ((days[at] as number) - (days[at - 1] as number) > 365) start = days[at] as Day;
  }
  return start;
}

function isSilenceNews(days: number | undefined, daysBefore: number | undefined, isCompared: boolean): boolean {
  if (days !== undefined && days <= 60) return false;
  if (isCompared) return daysBefore !== undefined && daysBefore <= 60;
  return days !== undefined && days <= 91;
}
