/** The slow, obvious twin of finding warnings: objects and plain loops over the datasets. */
import { median } from "simple-statistics";
import type { WarningKind } from "../../src/contract/publication-report.ts";
import { type Day, monthNumber, monthTextOf } from "../../src/engine/model/calendar.ts";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { compareTexts } from "../../src/engine/model/folded-text.ts";
import { pricesOfDataset } from "../engine/store/stored-prices.ts";
import { naiveJudgements, naiveSuspicious } from "./naive-suspicious.ts";
import { type PlainPrice, plainPrices } from "./plain-prices.ts";

/** A price with all that warnings look at. */
interface JudgedPrice extends PlainPrice {
  readonly source: string;
  readonly grade: string | null;
}

/**
 * All warnings, as `kind subject`, sorted. The subject is the uuid of a price, market or product, or the name
 * of a source; of a new unit or currency the uuid of its product and the value, of a new source the value; of a copied
 * month both months with their markets. What is counted alone stands once, with its count.
 */
export function naiveWarnings(after: Dataset, before?: Dataset): string[] {
  const [all, old] = [judgedPrices(after), before === undefined ? undefined : judgedPrices(before)];
  const judged = all.filter((price) => old === undefined || !old.some((other) => isSame(other, price)));
  const warnings: string[] = [];
  const warn = (kind: WarningKind, subject: string): number => warnings.push(`${kind} ${subject}`);
  warnings.push(...suspiciousWarnings(after, all, judged, old, before), ...copiedWarnings(all, judged));

  for (const price of judged) {
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

/** The prices that the rule marks, beside all prices or beside those that were there, and the counts of the others. */
function suspiciousWarnings(
  after: Dataset,
  all: readonly JudgedPrice[],
  judged: readonly JudgedPrice[],
  old: readonly JudgedPrice[] | undefined,
  before: Dataset | undefined,
): string[] {
  const unchanged = all.filter((price) => !judged.includes(price));
  const byAll = naiveJudgements(after, judged, all);
  const byOthers = old === undefined || old.length === 0 ? [] : naiveJudgements(after, judged, unchanged, all);
  const marked = [...byAll, ...byOthers].flatMap(({ price, reason }) => (reason === undefined ? [] : price.uuid));
  const marks = new Set(
    naiveJudgements(after, unchanged, all).flatMap(({ price, reason }) => (reason ? price.uuid : [])),
  );
  const marksBefore = before === undefined ? marks : new Set(naiveSuspicious(before).keys());
  const newlyMarked = [...marks.difference(marksBefore)].length;
  const unjudged = byAll.filter(({ isJudged }) => !isJudged).length;
  return [
    ...[...new Set(marked)].map((uuid) => `suspicious ${uuid}`),
    ...(newlyMarked > 0 ? [`newly-marked ${newlyMarked}`] : []),
    ...(unjudged > 0 ? [`not-judged ${unjudged}`] : []),
  ];
}

/** Pairs of markets of a month, and of a market's month with the one before, all of whose common prices are equal. */
function copiedWarnings(all: readonly JudgedPrice[], judged: readonly JudgedPrice[]): string[] {
  const keyOf = ({ product, unit, currency }: JudgedPrice): string => `${product.uuid} ${unit.name} ${currency}`;
  const months = Map.groupBy(all, (price) => `${monthTextOf(price.day)} ${price.market.uuid}`);
  const warnings: string[] = [];
  for (const [label, own] of months) {
    for (const [otherLabel, other] of months) {
      const [[month, market], [otherMonth, otherMarket]] = [label.split(" "), otherLabel.split(" ")] as [
        string[],
        string[],
      ];
      const isPair = month === otherMonth && (market as string) < (otherMarket as string);
      const isMonthBefore =
        market === otherMarket && monthNumber(month as string) === monthNumber(otherMonth as string) + 1;
      if (!isPair && !isMonthBefore) continue;
      if (![...own, ...other].some((price) => judged.includes(price))) continue;
      const common = [...new Set(own.map(keyOf))].filter((key) => other.some((price) => keyOf(price) === key));
      const medianOf = (prices: readonly JudgedPrice[], key: string): number =>
        median(prices.filter((price) => keyOf(price) === key).map(({ price }) => price));
      if (common.length < 6 || !common.every((key) => medianOf(own, key) === medianOf(other, key))) continue;
      warnings.push(`${isPair ? "copied-market" : "copied-month"} ${[label, otherLabel].sort().join(" ")}`);
    }
  }
  return warnings;
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
