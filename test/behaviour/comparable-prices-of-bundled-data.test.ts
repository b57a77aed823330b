/** The figures of the bundled data that `/docs/comparable-prices` and `/docs/anomalies` name, and the example by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { median } from "simple-statistics";
import t from "tap";
import { type MonthNumber, monthNumber } from "../../src/engine/model/calendar.ts";
import { marketTypes } from "../../src/engine/model/vocabulary.ts";
import { findAnomalies } from "../../src/engine/query/measures/find-anomalies.ts";
import { type ComparablePrices, fitComparable } from "../../src/engine/query/measures/fit-comparable.ts";
import { isComputed } from "../../src/engine/query/measures/judge-month.ts";
import { MonthlyPanel } from "../../src/engine/query/measures/monthly-panel.ts";
import { MonthlyReader } from "../../src/engine/query/measures/monthly-values.ts";
import { anomalyLevels, subjectsAt } from "../../src/engine/query/measures/subjects.ts";
import { recordAt } from "../../src/engine/store/catalogue.ts";
import type { Range } from "../../src/engine/store/columns.ts";
import { finish } from "../../src/engine/store/steps.ts";
import { bundledStore } from "../support/bundled-data.ts";
import { fittedValues } from "../support/random-market-values.ts";
import { projectFolder } from "../support/test-files.ts";

const store = await bundledStore();

function rowsOf(panel: MonthlyPanel, month: MonthNumber): Range[] {
  return panel.positionsOf(month).map((at) => panel.rowsAt(at));
}

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

function countrySeries(): CountrySeries[] {
  const reader = new MonthlyReader(store);
  const panel = new MonthlyPanel();
  return [...store.catalogue.products.keys()].flatMap((product) =>
    subjectsAt(
      store,
      "country",
    )(product).map(({ subject, runs }): CountrySeries => {
      finish(panel.read(store, reader, product, runs));
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
          months.map(([month]) => [month, reader.medianOfRows(product, rowsOf(panel, month)).median] as const),
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

const series = countrySeries().filter(({ values }) => values.size > 0);

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
  t.strictSame([series.length, months, outside], [62, 3905, 766]);
  t.match(guide("comparable-prices"), "766 of 3,905 months of the country");
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
  t.strictSame([comparisons, opposite, Math.round((100 * farApart) / comparisons)], [1957, 145, 22]);
  t.match(guide("comparable-prices"), "In 145 of 1,957 such comparisons");
});

function ofRetail(name: string): CountrySeries {
  return series.find((one) => one.name === name && one.type === "Retail") as CountrySeries;
}

const inTenths = (figure: number | undefined): number => Math.round(10 * (figure as number)) / 10;

t.test("bananas of February 2025 and potatoes of November 2024 are as the guide says", async (t) => {
  const text = guide("comparable-prices");
  const bananas = ofRetail("Bananas");
  const february = monthNumber("2025-02");
  const median = (month: MonthNumber): number => bananas.medians.get(month) as number;
  t.equal(inTenths(100 * (median(february) / median(february - 12) - 1)), 99);
  t.equal(inTenths(changeOf(bananas.fit, february)), -0.8);
  const countAt = (month: MonthNumber) => bananas.fit.marketCounts[bananas.fit.months.indexOf(month)];
  t.strictSame([countAt(february - 12), countAt(february)], [4, 11]);
  t.match(text, "rose by 99.0 % from February 2024 to February 2025, because 4 markets became 11");
  t.match(text, "it fell by 0.8 %");

  const potatoes = ofRetail("Potatoes (Irish)");
  const november = monthNumber("2024-11");
  const changes = Array.from({ length: potatoes.markets }, (_, market) => {
    const [now, before] = [november, november - 12].map((month) => potatoes.values.get(`${market} ${month}`));
    return now === undefined || before === undefined ? [] : [100 * (now / before - 1)];
  }).flat();
  t.equal(inTenths(medianOf(changes)), 10.4);
  t.equal(inTenths(changeOf(potatoes.fit, november)), -24.3);
  const sorted = changes.map(Math.round).sort((a, b) => a - b);
  t.strictSame(sorted, [-65, -61, -60, 10, 13, 19, 26]);
  t.match(text, "10.4 % more than a year before by the median of the changes of seven markets, and 24.3 % less here");
  t.match(text, "four rose by 10 to 26 %, three fell by 60 to 65 %");
});

function medianOf(values: readonly number[]): number {
  return median([...values]);
}

t.test("later data revise changes as the guide says", async (t) => {
  const november = monthNumber("2022-11");
  const revisions = series.flatMap(({ fit, fitUntil }) => {
    const [now, then] = [changeOf(fit, november), changeOf(fitUntil(november), november)];
    return now === undefined || then === undefined ? [] : [Math.abs(now - then)];
  });
  t.strictSame([inTenths(medianOf(revisions)), inTenths(Math.max(...revisions))], [1.2, 15.9]);
  t.match(guide("comparable-prices"), "moved by 1.2 points since (median), the worst by 15.9");
});

t.test("so many series have a measure as the guide of anomalies says", async (t) => {
  const counts = anomalyLevels.map((level) => {
    const { entries, classCounts } = finish(findAnomalies(store, { level, order: "name" }));
    const having = (name: "yearBefore" | "fiveYears"): number =>
      entries.filter(({ measures }) => isComputed<object>(measures[name])).length;
    return [entries.length, having("yearBefore"), having("fiveYears"), entries.length - (classCounts.get(null) ?? 0)];
  });
  t.strictSame(counts, [
    [571, 260, 132, 60],
    [129, 73, 42, 21],
    [38, 16, 8, 2],
  ]);
  const text = guide("anomalies");
  t.match(
    text,
    "of the 571 current entries by market in the bundled data 260 have a year before, 132 a usual price and 60",
  );
  t.match(text, "of the 129 by county 73, 42 and 21; of the 38 of the country 16, 8 and 2");
  const county = finish(
    findAnomalies(store, { level: "county", order: "name", month: monthNumber("2022-11") }),
  ).entries;
  t.strictSame([county.length, county.filter(({ measures }) => isComputed(measures.yearBefore)).length], [110, 94]);
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
