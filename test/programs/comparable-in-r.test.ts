/** Comparable prices beside those of R's `lm(log(v) ~ market + month)`: random values, and all bundled ones. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import t from "tap";
import { populations } from "../../src/engine/model/vocabulary.ts";
import { fitComparable } from "../../src/engine/query/measures/fit-comparable.ts";
import { MonthlyPanel } from "../../src/engine/query/measures/monthly-panel.ts";
import { MonthlyReader } from "../../src/engine/query/measures/monthly-values.ts";
import { areaLevels, subjectsAt } from "../../src/engine/query/measures/subjects.ts";
import { finish } from "../../src/engine/store/steps.ts";
import { bundledStore } from "../support/bundled-data.ts";
import "../support/fixed-seed.ts";
import type { MarketValue } from "../support/naive-comparable.ts";
import { fittedValues, randomMarketValues } from "../support/random-market-values.ts";

const isInstalled = spawnSync("Rscript", ["--version"]).status === 0;

t.test("comparable prices are those of R", { skip: !isInstalled && "R (r-base-core) is not installed" }, async (t) => {
  const random = fc.sample(randomMarketValues, 500).flatMap(componentsOf);
  const bundled = (await bundledValues()).flatMap(componentsOf);
  t.ok(random.length > 150, `${random.length} random components`);
  t.ok(bundled.length > 500, `${bundled.length} bundled components`);
  const components = [...random, ...bundled];
  const lines = linesOfR(components);
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

/** Within 1e-9 of the number, or of 1 where that is less. */
function isEqual(ours: number, theirs: number): boolean {
  if (Number.isNaN(theirs)) return Number.isNaN(ours);
  return Math.abs(ours - theirs) <= 1e-9 * Math.max(Math.abs(theirs), 1);
}

/** The values of each component of several markets; one market alone is not fitted. */
function componentsOf(values: readonly MarketValue[]): MarketValue[][] {
  const { months, components } = finish(fitComparable(fittedValues(values)));
  const numberOf = new Map([...months].map((month, at) => [month, components[at]]));
  return [...Map.groupBy(values, ({ month }) => numberOf.get(month)).values()].filter(
    (ofComponent) => new Set(ofComponent.map(({ market }) => market)).size > 1,
  );
}

/** The values of each product at each type of market, in the country and in each county, of each population. */
async function bundledValues(): Promise<MarketValue[][]> {
  const store = await bundledStore();
  const reader = new MonthlyReader(store);
  const panel = new MonthlyPanel();
  const scopes = areaLevels.flatMap((level) => populations.map((population) => ({ level, population })));
  return scopes.flatMap(({ level, population }) =>
    store.catalogue.products.flatMap((_, product) =>
      subjectsAt(store, level, { refugeeCamps: population })(product).map(({ runs }) => {
        finish(panel.read(store, reader, product, runs));
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
function linesOfR(series: readonly (readonly MarketValue[])[]): number[][] {
  const lines = series.flatMap((values, at) => {
    const markets = [...new Set(values.map(({ market }) => market))];
    return values.map(({ market, month, value }) => `${at},${markets.indexOf(market)},${month},${value}\n`);
  });
  const { status, stdout, stderr } = spawnSync("Rscript", [join(import.meta.dirname, "comparable.R")], {
    input: `series,market,month,value\n${lines.join("")}`,
    encoding: "utf8",
    maxBuffer: 64 * 2 ** 20,
  });
  if (status !== 0) throw new Error(`comparable.R has failed: ${stderr}`);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(",").map((figure) => (figure === "NA" ? Number.NaN : Number(figure))));
}
