/** Collects the figures of a report on a snapshot. */
import type { PublicationReport } from "../../contract/publication-report.ts";
import { describePrices } from "../../engine/query/describe-prices.ts";
import { shownNames, shownStore } from "../pages/shown-store.ts";
import { collectPriceCharts } from "./collect-price-charts.ts";

export type SnapshotReport = ReturnType<typeof collectReport>;

/** Collects the figures of a report. Cost: some passes over the prices. */
export function collectReport(uncut: PublicationReport) {
  const publication = shownPublication(uncut);
  const { store, before, uncompared, changes, warnings } = publication;
  const { snapshot, catalogue, prices, series, rowsByTime } = store;
  const { firstRecordedAt, lastRecordedAt, productCount, marketCount } = describePrices(store);
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
      productsWithPrices: productCount,
      markets: catalogue.markets.length,
      marketsWithPrices: marketCount,
    },
    /** Null without prices. */
    firstRecordedAt,
    lastRecordedAt,
    /** The sources of these prices. */
    firstSource: sourceAt(rowsByTime.at(-1)),
    lastSource: sourceAt(rowsByTime[0]),
    changes,
    /** About what the snapshot adds or changes; without a snapshot to compare with, about all prices. */
    warnings,
    ...collectPriceCharts(publication),
  };
}

/** The same with names and texts as long as pages show them. */
function shownPublication(publication: PublicationReport): PublicationReport {
  const { store, before, changes, warnings } = publication;
  return {
    ...publication,
    store: shownStore(store),
    before: before && shownStore(before),
    changes: shownNames(changes),
    warnings: warnings.map((warning) => ({ ...warning, price: shownNames(warning.price) })),
  };
}
