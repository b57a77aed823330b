import assert from "node:assert/strict";
import { monthText } from "../../../src/engine/model/calendar.ts";
import type { Coverage } from "../../../src/engine/query/group-coverage.ts";
import type { StatisticsProblem } from "../../../src/engine/query/price-statistics.ts";
import type { PriceStatistics } from "../../../src/engine/query/questions.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { agree, type NaiveCoverage, type NaiveGroup, type naiveStatistics } from "../../support/naive-queries.ts";
import type { GroupedAnswer, StatisticsGroup } from "../../support/statistics-groups.ts";

/** What an answer of a store and that of a scan call the same. */
const countNames = [
  ...(["unit", "currency", "convertedSamples", "excludedSamples", "samplesByType", "coarserSamples"] as const),
  ...(["suspiciousSamples", "campSamples", "missingRates", "sameMarkets"] as const),
];

/** Throws where an answer of a store and that of a scan differ. */
export function compareStatistics(
  store: Store,
  question: PriceStatistics,
  answer: GroupedAnswer | StatisticsProblem,
  wanted: ReturnType<typeof naiveStatistics>,
): void {
  if ("problem" in answer || wanted === undefined || wanted.unknownUnit) {
    const problem = wanted === undefined ? "unknown product" : wanted.unknownUnit ? "not convertible" : "none";
    assert.equal("problem" in answer ? answer.problem : "none", problem);
    return;
  }
  assert.equal(store.catalogue.products[answer.product]?.record.uuid, question.productUuid);
  assert.equal(answer.isConverted, wanted.isInDollars);
  for (const name of countNames) assert.deepEqual(answer[name], wanted[name], name);
  assert.deepEqual(
    answer.groups.map((group) => identityOf(store, group)),
    wanted.groups.map(identityOfNaive),
  );
  assert.equal(answer.monthsWithPrices, question.countsMonths === true ? wanted.monthsWithPrices : null);
  for (const [at, { figures, coverage }] of answer.groups.entries()) {
    const group = wanted.groups[at] as NaiveGroup;
    assert.deepEqual(coverage && writtenCoverage(coverage), question.coverageWithin && group.coverage, group.label);
    for (const figure of ["average", "min", "max", "median"] as const) {
      assert.ok(
        agree(figures[figure], group[figure]),
        `${group.label}: ${figure} ${figures[figure]}, ${group[figure]}`,
      );
    }
    const { deviation, max } = group;
    assert.ok(agree(figures.deviation, deviation, max), `${group.label}: deviation ${figures.deviation}, ${deviation}`);
  }
  for (const figure of ["average", "min", "max", "count"] as const) {
    assert.ok(agree(answer.overall?.[figure] ?? 0, wanted.overall[figure]), `overall ${figure}`);
  }
}

function identityOf({ catalogue }: Store, { label, market, county, figures }: StatisticsGroup): object {
  return {
    label,
    count: figures.count,
    market: market === undefined ? undefined : catalogue.markets[market]?.record.uuid,
    county,
  };
}

function writtenCoverage({ months, ...counts }: Coverage): NaiveCoverage {
  return { ...counts, firstMonth: monthText(months.first), lastMonth: monthText(months.last) };
}

function identityOfNaive({ label, market, county, count }: NaiveGroup): object {
  return { label, count, market: market?.uuid, county: county?.id };
}
