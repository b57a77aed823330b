/**
 * The measures beside those of R, of random series and of all bundled ones: `lm` for ALPS, `decompose` for the seasons,
 * `lm(log(v) ~ market + month)` for comparable prices.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import t from "tap";
import { seasonalIndexes } from "../../src/engine/query/measures/find-seasonality.ts";
import { type Alps, isComputed, judgeSeries } from "../../src/engine/query/measures/judge-month.ts";
import type { MonthSeries } from "../../src/engine/query/measures/monthly-values.ts";
import "../support/fixed-seed.ts";
import { populations } from "../../src/engine/model/vocabulary.ts";
import { fitComparable } from "../../src/engine/query/measures/fit-comparable.ts";
import { MonthlyPanel } from "../../src/engine/query/measures/monthly-panel.ts";
import { areaLevels, subjectsAt } from "../../src/engine/query/measures/subjects.ts";
import { finish } from "../../src/engine/store/steps.ts";
import { bundledStore } from "../support/bundled-data.ts";
import type { MarketValue } from "../support/naive-comparable.ts";
import { fittedValues, randomMarketValues } from "../support/random-market-values.ts";
import { randomMonths } from "../support/random-series-dataset.ts";

const isInstalled = spawnSync("Rscript", ["--version"]).status === 0;

t.test("the measures are those of R", { skip: !isInstalled && "R (r-base-core) is not installed" }, async (t) => {
  const random = fc.sample(randomMonths, 1000).map(valuesOf).flatMap(judgeNewest);
  const bundled = (await bundledValues()).flatMap(judgeNewest);
  t.ok(random.length > 100, `${random.length} random series`);
  t.ok(bundled.length > 100, `${bundled.length} bundled series`);
  const series = [...random, ...bundled];
  const figuresOfR = computeInR(series);
  t.equal(figuresOfR.length, series.length);
  const different = series.flatMap(({ figures }, at) =>
    figures.flatMap((ours, position) => {
      const theirs = (figuresOfR[at] as number[])[position] as number;
      return isEqual(ours, theirs) ? [] : [{ series: at, position, ours, theirs }];
    }),
  );
  t.strictSame(different.slice(0, 5), []);
  const seasons = series.filter(({ figures }) => !Number.isNaN(figures.at(-1)));
  t.ok(seasons.length > 50, `${seasons.length} with seasonal indexes`);
});

/** A series that has an ALPS value in its newest month. */
interface JudgedSeries {
  readonly values: MonthSeries;
  /** Expected price, deviation of the residuals, ALPS, and twelve seasonal indexes, which may be NaN. */
  readonly figures: readonly number[];
}

function judgeNewest(values: MonthSeries): JudgedSeries[] {
  if (values.months.length === 0) return [];
  const { alps } = judgeSeries(values, values.months.length - 1);
  if (!isComputed<Alps>(alps)) return [];
  const { expectedPrice, residualDeviation, value } = alps;
  const found = seasonalIndexes([
    new Map([...values.months].map((month, at) => [month, values.medians[at] as number])),
  ]);
  const indexes = Array.isArray(found) ? found.map(({ index }) => index) : new Array<number>(12).fill(Number.NaN);
  return [{ values, figures: [expectedPrice, residualDeviation, value, ...indexes] }];
}

/** Within 1e-9 of the number; ALPS, which may be near 0, within 1e-9 standard deviations. */
function isEqual(ours: number, theirs: number): boolean {
  if (Number.isNaN(theirs)) return Number.isNaN(ours);
  return Math.abs(ours - theirs) <= 1e-9 * Math.max(Math.abs(theirs), 1);
}

/** The series of a list of months that begin in January 2015. */
function valuesOf(list: readonly (number | undefined)[]): MonthSeries {
  const known = list.flatMap((value, at) => (value === undefined ? [] : [{ month: 2015 * 12 + at, value }]));
  return {
    months: Int32Array.from(known, ({ month }) => month),
    medians: Float64Array.from(known, ({ value }) => value),
  };
}

/** The values of each product at each market. */
async function bundledValues(): Promise<MonthSeries[]> {
  const store = await bundledStore();
  const panel = new MonthlyPanel(store);
  const { runOffsets } = store.runs;
  return store.catalogue.products.flatMap((_, product) => {
    const [from, to] = [runOffsets[product] as number, runOffsets[product + 1] as number];
    return Array.from({ length: to - from }, (_, at) => {
      finish(panel.read(product, [from + at]));
      const { length, months, medians } = panel;
      return { months: months.slice(0, length), medians: medians.slice(0, length) };
    });
  });
}

/** What `measures.R` computes of each series. */
function computeInR(series: readonly JudgedSeries[]): number[][] {
  const lines = series.flatMap(({ values: { months, medians } }, at) =>
    [...months].map((month, position) => `${at},${month},${medians[position]}\n`),
  );
  return linesOfR("measures.R", `series,month,value\n${lines.join("")}`);
}

/** The lines of figures that a script beside this file prints for a table. */
function linesOfR(script: string, input: string): number[][] {
  const options = { input, encoding: "utf8", maxBuffer: 64 * 2 ** 20 } as const;
  const { status, stdout, stderr } = spawnSync("Rscript", [join(import.meta.dirname, script)], options);
  if (status !== 0) throw new Error(`${script} has failed: ${stderr}`);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(",").map((figure) => (figure === "NA" ? Number.NaN : Number(figure))));
}

t.test("comparable prices are those of R", { skip: !isInstalled && "R (r-base-core) is not installed" }, async (t) => {
  const random = fc.sample(randomMarketValues, 500).flatMap(componentsOf);
  const bundled = (await bundledPanels()).flatMap(componentsOf);
  t.ok(random.length > 150, `${random.length} random components`);
  t.ok(bundled.length > 500, `${bundled.length} bundled components`);
  const components = [...random, ...bundled];
  const lines = fitInR(components);
  const ours = components.flatMap((values, series) => {
    const { months, prices, residualDeviation = Number.NaN } = finish(fitComparable(fittedValues(values)));
    return [...months].map((month, at) => [series, month, prices[at] as number, residualDeviation]);
  });
  t.equal(lines.length, ours.length);
  const different = ours.flatMap((line, at) => {
    return line.every((figure, position) => isEqual(figure, lines[at]?.[position] as number)) ? [] : [line, lines[at]];
  });
  t.strictSame(different.slice(0, 4), []);
});

/** The values of each component of several markets; one market alone is not fitted. */
function componentsOf(values: readonly MarketValue[]): MarketValue[][] {
  const { months, components } = finish(fitComparable(fittedValues(values)));
  const numberOf = new Map([...months].map((month, at) => [month, components[at]]));
  return [...Map.groupBy(values, ({ month }) => numberOf.get(month)).values()].filter(
    (ofComponent) => new Set(ofComponent.map(({ market }) => market)).size > 1,
  );
}

/** The values of each product at each type of market, in the country and in each county, of each population. */
async function bundledPanels(): Promise<MarketValue[][]> {
  const store = await bundledStore();
  const panel = new MonthlyPanel(store);
  const scopes = areaLevels.flatMap((level) => populations.map((population) => ({ level, population })));
  return scopes.flatMap(({ level, population }) =>
    store.catalogue.products.flatMap((_, product) =>
      subjectsAt(store, level, { refugeeCamps: population })(product).map(({ runs }) => {
        finish(panel.read(product, runs));
        return Array.from({ length: panel.length }, (_, at) => ({
          market: String(panel.markets[at]),
          month: panel.months[at] as number,
          value: panel.medians[at] as number,
        }));
      }),
    ),
  );
}

/** What `comparable.R` computes: series, month, price and deviation of each month. */
function fitInR(series: readonly (readonly MarketValue[])[]): number[][] {
  const lines = series.flatMap((values, at) => {
    const markets = [...new Set(values.map(({ market }) => market))];
    return values.map(({ market, month, value }) => `${at},${markets.indexOf(market)},${month},${value}\n`);
  });
  return linesOfR("comparable.R", `series,market,month,value\n${lines.join("")}`);
}
