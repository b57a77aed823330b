/** What a report on a snapshot shows, as data. */

import { describePrices } from "../../engine/query/describe-prices.ts";
import { findJudged, type JudgedSubject, marketTypeOf } from "../../engine/query/measures/find-judged.ts";
import { recordAt } from "../../engine/store/catalogue.ts";
import { runInSlices } from "../../engine/store/steps.ts";
import type { Store } from "../../engine/store/store.ts";
import { changesBetween } from "../../publishing/publish/snapshot-changes.ts";
import { findWarnings } from "../../publishing/publish/warnings/find-warnings.ts";
import { collectFreshness } from "./freshness.ts";
import { collectPriceCharts, subjectKey } from "./price-charts.ts";
import { collectCoverage } from "./report-coverage.ts";

export type SnapshotReport = Awaited<ReturnType<typeof collectReport>>;

/** How many warnings of a kind a report holds in full. */
const warningsPerKindMax = 200;

/**
 * @param before The snapshot to compare with.
 * @param uncompared Why there is none; empty where there is.
 * Cost: some passes over the prices of both.
 */
export async function collectReport(store: Store, before: Store | undefined, uncompared: string) {
  const { snapshot, catalogue, prices, series, rowsByTime } = store;
  const changes = before && changesBetween(before, store);
  const judged = await judgeProducts(store);
  const { firstRecordedAt, lastRecordedAt } = describePrices(store);
  const sourceAt = (row: number | undefined): string | null =>
    row === undefined ? null : (prices.sourceNames[prices.sources[row] as number] as string);
  return {
    snapshot,
    /** The snapshot it is compared with; undefined without one. */
    against: before?.snapshot,
    uncompared,
    counts: {
      prices: prices.rowCount,
      series: series.counts.length,
      products: catalogue.products.length,
      markets: catalogue.markets.length,
    },
    /** Null without prices. */
    firstRecordedAt,
    lastRecordedAt,
    /** The sources of these prices. */
    firstSource: sourceAt(rowsByTime.at(-1)),
    lastSource: sourceAt(rowsByTime[0]),
    changes,
    coverage: collectCoverage(store),
    freshness: collectFreshness(store, before),
    judged,
    charts: await collectPriceCharts(store, changes, judged),
    /** About what the snapshot adds or changes; without a snapshot to compare with, about all prices. */
    warnings: findWarnings({ after: store, before, perKindMax: warningsPerKindMax }),
  };
}

/** How unusual the products are in the country, by product and type of market (`subjectKey`). */
async function judgeProducts(store: Store): Promise<Map<string, JudgedSubject>> {
  const judged = await runInSlices(findJudged(store, { level: "country", measures: ["yearBefore", "fiveYears"] }));
  return new Map(
    judged.map((found) => {
      const { uuid } = recordAt(store.catalogue.products, found.newest.product);
      return [subjectKey(uuid, marketTypeOf(found)), found];
    }),
  );
}
