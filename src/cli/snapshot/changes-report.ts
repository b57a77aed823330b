/** What readers would see change, for people and for programs. */
import { type RecordKind, recordKinds } from "../../dataset/snapshot-layout.ts";
import { type Instant, instantText } from "../../domain/instant.ts";
import { visibleText } from "../../domain/visible-text.ts";
import { type LatestPrice, type LatestPriceMove, moveToldPercentMin } from "../../publish/latest-price-moves.ts";
import type { SeriesName } from "../../publish/series-changes.ts";
import type { SnapshotChanges } from "../../publish/snapshot-changes.ts";
import type { RowChanges } from "../../publish/table-changes.ts";

/** How many moves and series a person is shown of each; the rest are counted. */
const shownMax = 20;

/** Lines without line ends, for a person. */
export function changesLines({ rows, latestPriceMoves, series }: SnapshotChanges): string[] {
  const tables = recordKinds.filter((kind) => Object.values(rows[kind]).some((count) => count > 0));
  return [
    ...(tables.length === 0 ? ["no record differs"] : tables.map((kind) => tableLine(kind, rows[kind]))),
    `products whose latest price moves by more than ${moveToldPercentMin} %: ${latestPriceMoves.length}`,
    ...shown(latestPriceMoves, moveLine),
    `series (product at market) that appear: ${series.appearing.length}`,
    ...shown(series.appearing, seriesLine),
    `series (product at market) that vanish: ${series.vanishing.length}`,
    ...shown(series.vanishing, seriesLine),
  ];
}

/** The same for programs, whole. */
export function changesReport({ rows, latestPriceMoves, series }: SnapshotChanges): Readonly<Record<string, unknown>> {
  return {
    rows,
    latest_price_moves: latestPriceMoves.map(({ marketType, before, after, ...move }) => ({
      ...move,
      market_type: marketType,
      before: priceReport(before),
      after: priceReport(after),
    })),
    series_appearing: series.appearing.map(seriesReport),
    series_vanishing: series.vanishing.map(seriesReport),
  };
}

function tableLine(kind: RecordKind, { added, gone, changed }: RowChanges): string {
  return `${kind}: ${added} added, ${gone} gone, ${changed} changed`;
}

function moveLine({ name, unit, currency, marketType, before, after }: LatestPriceMove): string {
  const percent = Math.round((after.price / before.price - 1) * 100);
  const kind = `${currency} per ${unit}, ${marketType}`;
  return `  ${name}: ${priceText(before)} → ${priceText(after)}, ${percent > 0 ? "+" : ""}${percent} % (${kind})`;
}

function priceText({ price, recordedAt, market }: LatestPrice): string {
  return `${price} (${market}, ${dayText(recordedAt)})`;
}

function dayText(instant: Instant): string {
  return instantText(instant).slice(0, "2026-11-20".length);
}

function seriesLine({ product, market }: SeriesName): string {
  return `  ${product} at ${market}`;
}

function shown<T>(items: readonly T[], lineOf: (item: T) => string): string[] {
  const lines = items.slice(0, shownMax).map((item) => visibleText(lineOf(item)));
  return items.length > shownMax ? [...lines, `  … and ${items.length - shownMax} more`] : lines;
}

function priceReport({ price, recordedAt, market }: LatestPrice): Readonly<Record<string, unknown>> {
  return { price, recorded_at: instantText(recordedAt), market };
}

function seriesReport({ productUuid, product, marketUuid, market }: SeriesName): Readonly<Record<string, unknown>> {
  return { product_uuid: productUuid, product, market_uuid: marketUuid, market };
}
