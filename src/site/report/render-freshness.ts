/** Freshness: how old the newest prices are. */

import { silentDays } from "../../engine/query/find-silent.ts";
import type { ChartText } from "../charts/chart-frame.ts";
import { renderTileGrid } from "../charts/county-map.ts";
import { renderDetails, renderParagraph, type TableColumn } from "../pages/elements.ts";
import { type Markup, type MarkupValue, markup } from "../pages/markup.ts";
import type { Freshness, SilentMarket, SourceFreshness } from "./collect-freshness.ts";
import type { SnapshotReport } from "./collect-report.ts";
import { countyTilesOf } from "./render-coverage.ts";
import {
  ageText,
  countColumn,
  countOf,
  countText,
  newestColumn,
  recordedText,
  renderCaptionedTable,
} from "./report-text.ts";

/** The page lists so many silent markets at most. */
const marketsShownMax = 300;

export function renderFreshness(report: SnapshotReport): Markup {
  const { freshness, coverage, snapshot, lastRecordedAt, lastSource } = report;
  if (lastRecordedAt === null || lastSource === null) return renderParagraph("There are no prices.");
  const { marketAges, marketsWithoutPrices } = freshness;
  const newest = recordedText(lastRecordedAt, lastSource, snapshot);
  const ages = [...ageRows(marketAges), { age: "no price at all", markets: marketsWithoutPrices }];
  const tiles = countyTilesOf(
    coverage.counties,
    ({ age }) => age,
    ({ age }) => (age === null ? "no price" : ageText(age)),
  );
  return markup`<p>Days are counted back from ${newest}, the day of the newest price of all.</p>
${renderSources(report)}
<div class="maps">
<div>
<h3>Newest price by county</h3>
${renderTileGrid({ ...agesText, tiles, emptyLabel: "no price" })}
</div>
<div>
<h3>Newest price by market</h3>
${renderCaptionedTable<(typeof ages)[number]>(
  "Markets by the age of their newest price",
  [{ heading: "Age", show: ({ age }) => age }, countColumn("Markets", ({ markets }) => markets)],
  ages,
)}
</div>
</div>
${renderSilentMarkets(report)}`;
}

const agesText: ChartText = {
  title: "Days since the newest price, by county",
  description:
    "How many days before the newest price of all each county has its own newest one. " +
    "The table under Coverage has all figures.",
};

function renderSources({ freshness: { sources }, against, snapshot }: SnapshotReport): Markup {
  const days = ({ age }: SourceFreshness): MarkupValue =>
    age > silentDays ? markup`<span class="alert">${countText(age)}</span>` : countText(age);
  const columns: TableColumn<SourceFreshness>[] = [
    { heading: "Source", show: ({ name }) => name },
    newestColumn(snapshot, ({ name }) => name),
    { heading: "Days", show: days, kind: "number" },
    countColumn("Prices", ({ prices }) => prices),
  ];
  if (against !== undefined) columns.push(countColumn("Prices before", ({ pricesBefore = 0 }) => pricesBefore));
  return renderCaptionedTable("Newest price by source", columns, sources);
}

function renderSilentMarkets({ freshness: { silentMarkets }, snapshot }: SnapshotReport): Markup {
  const shown = silentMarkets.slice(0, marketsShownMax);
  const isCut = shown.length < silentMarkets.length;
  const table = renderCaptionedTable<SilentMarket>(
    isCut ? `The ${shown.length} that went silent last` : "Those that went silent last first",
    [
      { heading: "Market", show: ({ name }) => name },
      { heading: "Type", show: ({ type }) => type },
      { heading: "County", show: ({ county }) => county },
      newestColumn(snapshot, ({ source }) => source),
      countColumn("Days", ({ age }) => age),
      countColumn("Prices", ({ prices }) => prices),
    ],
    shown,
  );
  const count = countOf(silentMarkets.length, "market");
  return renderDetails(`${count} without a price for more than ${silentDays} days`, table);
}

/** `up to 31 days`, `32 to 60 days`, …, `more than 1,827 days`. */
function ageRows(classes: Freshness["marketAges"]) {
  return classes.map(({ daysMax, markets }, at) => {
    const from = classes[at - 1]?.daysMax;
    if (from === undefined) return { age: `up to ${countText(daysMax)} days`, markets };
    if (!Number.isFinite(daysMax)) return { age: `more than ${countText(from)} days`, markets };
    return { age: `${countText(from + 1)} to ${countText(daysMax)} days`, markets };
  });
}
