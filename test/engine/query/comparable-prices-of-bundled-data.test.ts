/** The figures of the bundled data in `/docs/comparable-prices` and `/docs/anomalies`, and the example by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { median } from "simple-statistics";
import t from "tap";
import { type MonthNumber, monthNumber } from "../../../src/engine/model/calendar.ts";
import { marketTypes, type Population } from "../../../src/engine/model/vocabulary.ts";
import { findAnomalies } from "../../../src/engine/query/measures/find-anomalies.ts";
import { type ComparablePrices, fitComparable } from "../../../src/engine/query/measures/fit-comparable.ts";
import { isComputed, type MonthMeasures } from "../../../src/engine/query/measures/judge-month.ts";
import type { MatchedChange } from "../../../src/engine/query/measures/matched-changes.ts";
import { MonthlyPanel } from "../../../src/engine/query/measures/monthly-panel.ts";
import { type AnomalyLevel, subjectsAt } from "../../../src/engine/query/measures/subjects.ts";
import { recordAt } from "../../../src/engine/store/catalogue.ts";
import { finish } from "../../../src/engine/store/steps.ts";
import { bundledStore } from "../../support/bundled-data.ts";
import { fittedValues } from "../../support/random-market-values.ts";
import { projectFolder } from "../../support/test-files.ts";

const store = await bundledStore();

/** A guide with single spaces. */
function guide(name: string): string {
  return readFileSync(join(projectFolder, `src/site/docs/guides/${name}.md`), "utf8").replaceAll(/\s+/g, " ");
}

interface CountrySeries {
  readonly name: string;
  readonly type: string;
  readonly fit: ComparablePrices;
  /** By market and month. */
  readonly values: ReadonlyMap<string, number>;
  readonly markets: number;
  /** Of all prices, by month. */
  readonly medians: ReadonlyMap<MonthNumber, number>;
  /** The least and the greatest value, by month. */
  readonly ranges: ReadonlyMap<MonthNumber, readonly [number, number]>;
  /** The fit of the values up to a month. */
  readonly fitUntil: (month: MonthNumber) => ComparablePrices;
}

function countrySeries(population: Population): CountrySeries[] {
  const panel = new MonthlyPanel(store);
  return [...store.catalogue.products.keys()].flatMap((product) =>
    subjectsAt(store, "country", { refugeeCamps: population })(product).map(({ subject, runs }): CountrySeries => {
      finish(panel.read(product, runs));
      const cells = Array.from({ length: panel.length }, (_, at) => ({
        market: String(panel.markets[at]),
        month: panel.months[at] as number,
        value: panel.medians[at] as number,
      }));
      const months = [...Map.groupBy(cells, ({ month }) => month)];
      return {
        name: recordAt(store.catalogue.products, product).name,
        type: marketTypes[subject.marketType] as string,
        fit: finish(fitComparable(panel)),
        values: new Map(cells.map(({ market, month, value }) => [`${market} ${month}`, value])),
        markets: panel.marketCount,
        medians: new Map(
          months.map(([month]) => [month, panel.medianOfPrices(panel.positionsOf(month)).median] as const),
        ),
        ranges: new Map(
          months.map(([month, own]) => {
            const list = own.map(({ value }) => value);
            return [month, [Math.min(...list), Math.max(...list)]] as const;
          }),
        ),
        fitUntil: (last) => finish(fitComparable(fittedValues(cells.filter(({ month }) => month <= last)))),
      };
    }),
  );
}

const seriesOf = (population: Population): CountrySeries[] =>
  countrySeries(population).filter(({ values }) => values.size > 0);
const series = seriesOf("exclude");
const ofCamps = seriesOf("only");

/** The change of comparable prices on a year before, in percent; undefined where it cannot be computed. */
function changeOf({ months, prices, components }: ComparablePrices, month: MonthNumber): number | undefined {
  const [at, before] = [months.indexOf(month), months.indexOf(month - 12)];
  if (at === -1 || before === -1 || components[at] !== components[before]) return undefined;
  return 100 * ((prices[at] as number) / (prices[before] as number) - 1);
}

t.test("the level is that of the average value", async (t) => {
  let [months, outside] = [0, 0];
  for (const { fit, ranges } of series) {
    for (const [at, month] of fit.months.entries()) {
      const [least, greatest] = ranges.get(month) as readonly [number, number];
      const price = fit.prices[at] as number;
      months++;
      if (price < least * (1 - 1e-9) || price > greatest * (1 + 1e-9)) outside++;
    }
  }
  t.strictSame([series.length, months, outside], [62, 3260, 367]);
  t.match(guide("comparable-prices"), "367 of 3,260 months of the country");
});

t.test("changes of medians and of comparable prices differ as the guide says", async (t) => {
  let [comparisons, opposite, farApart] = [0, 0, 0];
  for (const { fit, medians } of series) {
    for (const [at, month] of fit.months.entries()) {
      const before = fit.months.indexOf(month - 12);
      const change = changeOf(fit, month);
      if (change === undefined || Math.min(fit.marketCounts[at] as number, fit.marketCounts[before] as number) < 3) {
        continue;
      }
      const ofMedians = 100 * ((medians.get(month) as number) / (medians.get(month - 12) as number) - 1);
      comparisons++;
      if (change * ofMedians < 0 && Math.abs(change - ofMedians) > 5) opposite++;
      if (Math.abs(change - ofMedians) > 10) farApart++;
    }
  }
  t.strictSame([comparisons, opposite, Math.round((100 * farApart) / comparisons)], [1560, 102, 23]);
  t.match(guide("comparable-prices"), "In 102 of 1,560 such comparisons");
});

function ofRetail(name: string): CountrySeries {
  return ofCamps.find((one) => one.name === name && one.type === "Retail") as CountrySeries;
}

const inTenths = (figure: number | undefined): number => Math.round(10 * (figure as number)) / 10;

t.test("bananas of February 2025 and potatoes of November 2024 are as the guide says", async (t) => {
  const text = guide("comparable-prices");
  const bananas = ofRetail("Bananas");
  const february = monthNumber("2025-02");
  const median = (month: MonthNumber): number => bananas.medians.get(month) as number;
  t.equal(inTenths(100 * (median(february) / median(february - 12) - 1)), 99);
  t.equal(inTenths(changeOf(bananas.fit, february)), -0.7);
  const countAt = (month: MonthNumber) => bananas.fit.marketCounts[bananas.fit.months.indexOf(month)];
  t.strictSame([countAt(february - 12), countAt(february)], [4, 11]);
  t.match(text, "rose by 99.0 % from February 2024 to February 2025, because 4 markets became 11");
  t.match(text, "it fell by 0.7 %");

  const potatoes = ofRetail("Potatoes (Irish)");
  const november = monthNumber("2024-11");
  const changes = Array.from({ length: potatoes.markets }, (_, market) => {
    const [now, before] = [november, november - 12].map((month) => potatoes.values.get(`${market} ${month}`));
    return now === undefined || before === undefined ? [] : [100 * (now / before - 1)];
  }).flat();
  t.equal(inTenths(medianOf(changes)), 10.4);
  t.equal(inTenths(changeOf(potatoes.fit, november)), -24.2);
  const sorted = changes.map(Math.round).sort((a, b) => a - b);
  t.strictSame(sorted, [-65, -61, -60, 10, 13, 19, 26]);
  const { changePercent } = changeOfYear("Potatoes (Irish)", "only", november);
  t.equal(inTenths(changePercent), 10.4, "as anomalies answer");
  t.match(text, "10.4 % more than a year before by the median of the changes of seven markets");
  t.match(text, "24.2 % less here");
  t.match(text, "four rose by 10 to 26 %, three fell by 60 to 65 %");
});

function medianOf(values: readonly number[]): number {
  return median([...values]);
}

/** Of each: how many they are, median, the ninth of ten, and the worst, to a tenth. */
function spreadOf(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  const ninth = sorted[Math.floor(0.9 * (sorted.length - 1))];
  return [sorted.length, ...[medianOf(sorted), ninth, sorted.at(-1)].map(inTenths)];
}

t.test("later data revise changes and levels as the guide says", async (t) => {
  const since = monthNumber("2022-01");
  const revisionsOf = (list: readonly CountrySeries[]): { readonly changes: number[]; readonly levels: number[] } => {
    const found = { changes: [] as number[], levels: [] as number[] };
    for (const { fit, fitUntil } of list) {
      const first = fit.months.findIndex((month) => month >= since);
      if (first === -1) continue;
      let before = first === 0 ? undefined : fitUntil(fit.months[first - 1] as number);
      for (const month of fit.months.subarray(first)) {
        const then = fitUntil(month);
        if (before !== undefined) {
          const at = before.months.length - 1;
          found.levels.push(Math.abs(100 * ((then.prices[at] as number) / (before.prices[at] as number) - 1)));
        }
        before = then;
        const [at, yearBefore] = [fit.months.indexOf(month), fit.months.indexOf(month - 12)];
        const [now, first] = [changeOf(fit, month), changeOf(then, month)];
        const markets = Math.min(fit.marketCounts[at] as number, fit.marketCounts[yearBefore] ?? 0);
        if (now !== undefined && first !== undefined && markets >= 3) found.changes.push(Math.abs(now - first));
      }
    }
    return found;
  };
  const { changes, levels } = revisionsOf(series);
  t.strictSame(spreadOf(changes), [403, 0.7, 3.8, 15.4]);
  t.strictSame([inTenths(medianOf(levels)), Math.round(Math.max(...levels))], [0.1, 12]);
  t.strictSame(spreadOf(revisionsOf(seriesOf("include")).changes), [788, 0.4, 2.7, 15.4]);
  const text = guide("comparable-prices");
  t.match(text, "Of the 403 changes on a year before since January 2022");
  t.match(
    text,
    "0.7 points (median), 3.8 (nine of ten are below) or 15.4 (the worst); of the 788 of all markets by 0.4, 2.7 and 15.4",
  );
  t.match(text, "by 0.1 % (median) or up to 12 %");
});

/** The change of a product at retail in the country on the year before. */
function changeOfYear(name: string, refugeeCamps: Population, month: MonthNumber): MatchedChange {
  const productUuids = store.catalogue.products.flatMap(({ record }) => (record.name === name ? record.uuid : []));
  const question = {
    level: "country",
    marketType: "Retail",
    productUuids,
    refugeeCamps,
    month,
    order: "name",
  } as const;
  return finish(findAnomalies(store, question)).entries[0]?.measures.yearBefore as MatchedChange;
}

t.test("milk, salt and oil of March 2026 are as the guide of anomalies says", async (t) => {
  const march = monthNumber("2026-03");
  const text = guide("anomalies");
  for (const [name, others, camps, all] of [
    ["Milk (cow, pasteurized)", "+11.2 % at 10", "−35.6 % at 9", "−8.5 % at 19"],
    ["Salt", "0.0 % at 11", "+42.0 % at 11", "+35.5 % at 22"],
    ["Oil (vegetable, fortified)", "−1.5 % at 12", "−3.0 % at 10", "−2.9 % at 22"],
  ] as const) {
    const figures = (["exclude", "only", "include"] as const).map((population) => {
      const { changePercent, matched } = changeOfYear(name, population, march);
      const percent = Math.abs(changePercent).toFixed(1);
      const sign = percent === "0.0" ? "" : changePercent < 0 ? "−" : "+";
      return `${sign}${percent} % at ${matched.count}`;
    });
    t.strictSame(figures, [others, camps, all], name);
    t.match(text, `| ${[name, ...figures].join(" | ")} |`);
  }
});

t.test("so many entries have a measure as the guide of anomalies says", async (t) => {
  const text = guide("anomalies");
  const countsOf = (level: AnomalyLevel, refugeeCamps: Population): number[] => {
    const { entries, staleLeftOut } = finish(findAnomalies(store, { level, refugeeCamps, order: "name" }));
    const having = (name: keyof MonthMeasures): number =>
      entries.filter(({ measures }) => isComputed<object>(measures[name])).length;
    const counts = [having("yearBefore"), having("previous"), having("fiveYears"), having("alps")];
    t.match(text, `| ${[`${level}, ${refugeeCamps}`, entries.length, staleLeftOut, ...counts].join(" | ")} |`);
    return [entries.length, staleLeftOut, ...counts];
  };
  countsOf("market", "include");
  t.strictSame(countsOf("country", "exclude"), [24, 38, 7, 6, 3, 0]);
  t.strictSame(countsOf("country", "only"), [25, 1, 7, 16, 7, 0]);
  t.strictSame(countsOf("county", "exclude"), [102, 487, 46, 60, 18, 4]);
  for (const level of ["county", "country"] as const) countsOf(level, "include");
  countsOf("county", "only");
  const { entries } = finish(findAnomalies(store, { level: "county", refugeeCamps: "exclude", order: "name" }));
  const alone = entries.filter(({ measures: { yearBefore } }) => {
    return isComputed(yearBefore) && yearBefore.matched?.count === 1;
  });
  t.equal(alone.length, 39);
  t.match(text, "Most changes of counties are of one market: 39 of 46.");
});

t.test("the example by hand of the guide is what is computed of its values", async (t) => {
  const lines = readFileSync(join(projectFolder, "src/site/docs/guides/comparable-prices.md"), "utf8").split("\n");
  const figuresOf = (name: string): (number | undefined)[] => {
    const line = lines.find((one) => one.startsWith(`| ${name} |`)) as string;
    const cells = line.split("|").slice(2, -1);
    return cells.map((cell) => (cell.trim() === "" ? undefined : Number(cell)));
  };
  const markets = ["A", "B"].flatMap((market) =>
    figuresOf(market).flatMap((value, month) => (value === undefined ? [] : [{ market, month, value }])),
  );
  t.equal(markets.length, 5);
  const { prices, residualDeviation } = finish(fitComparable(fittedValues(markets)));
  const inHundredths = (figure: number): number => Math.round(100 * figure) / 100;
  t.strictSame(figuresOf("comparable"), [...prices].map(inHundredths));
  t.strictSame(
    figuresOf("index"),
    [...prices].map((price) => inHundredths((100 * price) / (prices[0] as number))),
  );
  t.strictSame(
    figuresOf("median"),
    [0, 1, 2].map((month) => medianOf(markets.filter((one) => one.month === month).map(({ value }) => value))),
  );
  const text = guide("comparable-prices");
  t.match(
    text,
    `${inTenths(100 * ((prices[2] as number) / (prices[1] as number) - 1))} %: that is the comparable change`,
  );
  t.match(text, `The residual deviation is ${inHundredths(100 * Math.expm1(residualDeviation as number))} %.`);
  t.match(text, "The median rises by 87.5 % in February");
});
