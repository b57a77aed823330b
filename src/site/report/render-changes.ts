/** Changes for readers since the snapshot compared with. */

import { commandLine } from "../../contract/command-line.ts";
import {
  changedTables,
  type LatestPrice,
  type LatestPriceMove,
  moveReportedPercentMin,
  type RunName,
} from "../../contract/publication-report.ts";
import type { SnapshotIdentity } from "../../engine/model/dataset.ts";
import { renderDetails, renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { largestMovesFirst } from "./collect-price-charts.ts";
import type { SnapshotReport } from "./collect-report.ts";
import {
  countOf,
  countText,
  figureColumn,
  type ProductLink,
  priceText,
  recordedText,
  renderCaptionedTable,
} from "./report-text.ts";

/** The most moves and names of series that the page lists; it counts the others. */
const movesShownMax = 40;
const runsShownMax = 200;

export function renderChanges({ changes, uncompared, snapshot }: SnapshotReport, link: ProductLink): Markup {
  if (changes === undefined) return renderParagraph(uncompared);
  const { latestPriceMoves, runs } = changes;
  const tables = changedTables(changes);
  const tableRows =
    tables.length === 0
      ? renderParagraph("No record differs.")
      : renderCaptionedTable<(typeof tables)[number]>(
          "Records that readers see differently",
          [
            { heading: "Table", show: ({ kind }) => kind },
            figureColumn("Added", ({ added }) => countText(added)),
            figureColumn("Gone", ({ gone }) => markWhen(gone)),
            figureColumn("Changed", ({ changed }) => countText(changed)),
          ],
          tables,
        );
  return markup`${tableRows}
${renderMoves(latestPriceMoves, snapshot, link)}
${renderRuns("with prices for the first time", runs.appearing)}
${renderRuns("without any price now, unlike before", runs.vanishing)}`;
}

function renderMoves(moves: readonly LatestPriceMove[], snapshot: SnapshotIdentity, link: ProductLink): Markup {
  if (moves.length === 0) return renderParagraph(`No latest price moves by more than ${moveReportedPercentMin} %.`);
  const shown = largestMovesFirst(moves).slice(0, movesShownMax);
  const origin = ({ market, recordedAt, source }: LatestPrice): Markup =>
    markup`${market}, <span class="day">${recordedText(recordedAt, source, snapshot)}</span>`;
  const cut = moves.length > shown.length ? `, the ${shown.length} that move most` : "";
  return renderCaptionedTable(
    `Products whose latest price moves by more than ${moveReportedPercentMin} %: ${moves.length}${cut}`,
    [
      { heading: "Product", show: ({ uuid, name }) => link(uuid, name) },
      figureColumn<LatestPriceMove>("Before", ({ before }) => priceText(before.price)),
      figureColumn<LatestPriceMove>("After", ({ after }) => priceText(after.price)),
      { heading: "Per", show: ({ currency, unit, marketType }) => `${currency} per ${unit}, ${marketType}` },
      {
        heading: "Compared",
        show: ({ before, after }) => (before.market === after.market ? "at the same market" : "at different markets"),
      },
      { heading: "Price before", show: ({ before }) => origin(before) },
      { heading: "Price after", show: ({ after }) => origin(after) },
    ],
    shown,
  );
}

/** Marks counts of records that readers lose. */
function markWhen(count: number): Markup {
  return count === 0 ? markup`0` : markup`<span class="alert">${countText(count)}</span>`;
}

const diffCommand = markup`<code>${commandLine("snapshot")} diff --json</code>`;

/** Products at markets that only one of the snapshots has. */
function renderRuns(what: string, runs: readonly RunName[]): Markup {
  if (runs.length === 0) return markup`<p>No product at a market is ${what}.</p>`;
  const shown = runs.slice(0, runsShownMax);
  const rest = runs.length - shown.length;
  const list = markup`<ul>${shown.map(({ product, market }) => markup`<li>${product} at ${market}</li>\n`)}</ul>
${rest > 0 && renderParagraph([`… and ${countText(rest)} more; `, diffCommand, " lists them all."])}`;
  return renderDetails(`${countOf(runs.length, "product at a market", "products at markets")} ${what}`, list);
}
