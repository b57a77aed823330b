/** The measures beside those of R: `lm` for ALPS, `decompose` for the seasons. Random series, and bundled ones. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import t from "tap";
import { seasonalIndexes } from "../../src/engine/query/measures/find-seasonality.ts";
import { type Alps, isComputed, judgeSeries } from "../../src/engine/query/measures/judge-month.ts";
import { MonthlyReader, type MonthSeries } from "../../src/engine/query/measures/monthly-values.ts";
import "../support/fixed-seed.ts";
import { bundledStore } from "../support/bundled-data.ts";
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
  const reader = new MonthlyReader(store);
  const { runOffsets } = store.runs;
  return store.catalogue.products.flatMap((_, product) => {
    const [from, to] = [runOffsets[product] as number, runOffsets[product + 1] as number];
    return Array.from({ length: to - from }, (_, at) => {
      const { length, months, medians } = reader.readRun(product, from + at);
      return { months: months.slice(0, length), medians: medians.slice(0, length) };
    });
  });
}

/** What `measures.R` computes of each series. */
function computeInR(series: readonly JudgedSeries[]): number[][] {
  const lines = series.flatMap(({ values: { months, medians } }, at) =>
    [...months].map((month, position) => `${at},${month},${medians[position]}\n`),
  );
  const input = `series,month,value\n${lines.join("")}`;
  const { status, stdout, stderr } = spawnSync("Rscript", [join(import.meta.dirname, "measures.R")], {
    input,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`measures.R has failed: ${stderr}`);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(",").map((figure) => (figure === "NA" ? Number.NaN : Number(figure))));
}
