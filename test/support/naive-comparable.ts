/**
 * The slow, obvious twins of comparable prices: by alternating means, and by one equation for each market and month.
 * See naive-queries.ts.
 */
import type { MonthNumber } from "../../src/engine/model/calendar.ts";
import { leastSquares } from "./least-squares.ts";

/** A monthly value of a market. */
export interface MarketValue {
  readonly market: string;
  readonly month: MonthNumber;
  readonly value: number;
}

export interface NaiveComparable {
  /** Ascending by month. */
  readonly months: ReadonlyMap<
    MonthNumber,
    { readonly price: number; readonly markets: number; readonly component: number }
  >;
  readonly markets: number;
  readonly residualDeviation: number | undefined;
}

/** The effects of markets and months on the logarithms of the values of a component, up to a constant. */
type Fit = (values: readonly MarketValue[]) => {
  readonly ofMarket: ReadonlyMap<string, number>;
  readonly ofMonth: ReadonlyMap<MonthNumber, number>;
};

export function naiveComparable(values: readonly MarketValue[], fit: Fit = alternatingMeans): NaiveComparable {
  const components = splitComponents(values);
  const months = new Map<MonthNumber, { price: number; markets: number; component: number }>();
  let squares = 0;
  for (const [at, ofComponent] of components.entries()) {
    const { ofMarket, ofMonth } = fit(ofComponent);
    const isOne = new Set(ofComponent.map(({ market }) => market)).size === 1;
    const level = meanOf(ofComponent.map(({ market }) => ofMarket.get(market) as number));
    for (const { market, month, value } of ofComponent) {
      const effect = ofMonth.get(month) as number;
      months.set(month, {
        price: isOne ? value : Math.exp(effect + level),
        markets: (months.get(month)?.markets ?? 0) + 1,
        component: at + 1,
      });
      if (!isOne) squares += (Math.log(value) - effect - (ofMarket.get(market) as number)) ** 2;
    }
  }
  const markets = new Set(values.map(({ market }) => market)).size;
  const divisor = values.length - markets - months.size + components.length;
  return {
    months: new Map([...months].sort(([a], [b]) => a - b)),
    markets,
    residualDeviation: divisor === 0 ? undefined : Math.sqrt(squares / divisor),
  };
}

/** Components in the order of their numbers, found by joining values that share a market or a month. */
function splitComponents(values: readonly MarketValue[]): MarketValue[][] {
  const components: MarketValue[][] = [];
  for (const value of values) {
    const changed = components.filter((component) =>
      component.some(({ market, month }) => market === value.market || month === value.month),
    );
    for (const component of changed) components.splice(components.indexOf(component), 1);
    components.push([...changed.flat(), value]);
  }
  const firstMonth = (component: readonly MarketValue[]): number => Math.min(...component.map(({ month }) => month));
  return components.sort((a, b) => b.length - a.length || firstMonth(a) - firstMonth(b));
}

/** Means of markets and of months in turns, until neither changes. */
export const alternatingMeans: Fit = (values) => {
  let ofMarket = new Map<string, number>();
  let ofMonth = new Map<MonthNumber, number>(values.map(({ month }) => [month, 0]));
  const byMarket = [...Map.groupBy(values, ({ market }) => market)];
  const byMonth = [...Map.groupBy(values, ({ month }) => month)];
  for (let round = 0, change = Infinity; change > 1e-15 && round < 100_000; round++) {
    ofMarket = new Map(
      byMarket.map(([market, own]) => [
        market,
        meanOf(own.map(({ month, value }) => Math.log(value) - (ofMonth.get(month) as number))),
      ]),
    );
    const before = ofMonth;
    ofMonth = new Map(
      byMonth.map(([month, own]) => [
        month,
        meanOf(own.map(({ market, value }) => Math.log(value) - (ofMarket.get(market) as number))),
      ]),
    );
    change = Math.max(...[...ofMonth].map(([month, effect]) => Math.abs(effect - (before.get(month) as number))));
  }
  return { ofMarket, ofMonth };
};

/** A column for each market and for each month but the first. */
export const dummies: Fit = (values) => {
  const markets = [...new Set(values.map(({ market }) => market))];
  const [first = 0, ...others] = [...new Set(values.map(({ month }) => month))];
  const coefficients = leastSquares(
    values.map(({ market, month }) => [
      ...markets.map((other) => Number(other === market)),
      ...others.map((other) => Number(other === month)),
    ]),
    values.map(({ value }) => Math.log(value)),
  );
  return {
    ofMarket: new Map(markets.map((market, at) => [market, coefficients[at] as number])),
    ofMonth: new Map([
      [first, 0],
      ...others.map((month, at) => [month, coefficients[markets.length + at] as number] as const),
    ]),
  };
};

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
