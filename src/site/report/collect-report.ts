/** Collects the figures of a report on a snapshot. */
import type { PublicationReport } from "../../contract/publication-report.ts";
import { describePrices } from "../../engine/query/describe-prices.ts";
import { findJudged, type JudgedSubject, marketTypeOf } from "../../engine/query/measures/find-judged.ts";
import { recordAt } from "../../engine/store/catalogue.ts";
import { finish } from "../../engine/store/steps.ts";
import type { Store } from "../../engine/store/store.ts";
import { collectCoverage } from "./collect-coverage.ts";
import { collectFreshness } from "./collect-freshness.ts";
import { collectPriceCharts, subjectKey } from "./collect-price-charts.ts";

export type SnapshotReport = Awaited<ReturnType<typeof collectReport>>;

/** Collects the figures of a report. Cost: some passes over the prices. */
export async function collectReport({ store, before, uncompared, changes, warnings }: PublicationReport) {
  const { snapshot, catalogue, prices, series, rowsByTime } = store;
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
    warnings,
  };
}

/** Judges the prices of products in the country, by product and type of market (`subjectKey`). */
async function judgeProducts(store: Store): Promise<Map<string, JudgedSubject>> {
  const judged = finish(findJudged(store, { level: "country", measures: ["yearBefore", "fiveYears"] }));
  return new Map(
    judged.map((found) => {
      const { uuid } = recordAt(store.catalogue.products, found.newest.product);
      return [subjectKey(uuid, marketTypeOf(found)), found];
    }),
  );
}
