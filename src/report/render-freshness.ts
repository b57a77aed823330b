/** Freshness: how old the newest prices are. */
import { renderTileGrid } from "../charts/tile-grid.ts";
import { renderDetails } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import type { TableColumn } from "../pages/table.ts";
import { silentDays } from "../query/find-silent.ts";
import type { SnapshotReport } from "./collect-report.ts";
import type { Freshness, SourceFreshness } from "./freshness.ts";
import { ageText, countOf, countText, recordedText, renderCaptionedTable } from "./page-parts.ts";
import { countyTilesOf } from "./render-coverage.ts";

/** How many silent markets stand on the page. */
const marketsShownMax = 300;

export function renderFreshness({
  freshness,
  coverage,
  snapshot,
  against,
  lastRecordedAt,
  lastSource,
}: SnapshotReport): Markup {
  if (lastRecordedAt === null || lastSource === null) return markup`<p>There are no prices.</p>`;
  const { sources, marketAges, marketsWithoutPrices, silentMarkets } = freshness;
  const date = (instant: typeof lastRecordedAt, source: string): string => recordedText(instant, source, snapshot);
  const ages = [...ageRows(marketAges), { age: "no price at all", markets: marketsWithoutPrices }];
  const before: TableColumn<SourceFreshness> = {
    heading: "Prices before",
    show: ({ pricesBefore }) => countText(pricesBefore ?? 0),
    kind: "number",
  };
  const shown = silentMarkets.slice(0, marketsShownMax);
  return markup`<p>Days are counted back from ${date(lastRecordedAt, lastSource)}, the day of the newest price of all.</p>
${renderCaptionedTable(
  "Newest price by source",
  [
    { heading: "Source", show: ({ name }) => name },
    { heading: "Newest price", show: (source) => date(source.lastRecordedAt, source.name), kind: "day" },
    {
      heading: "Days",
      show: ({ age }) => (age > silentDays ? markup`<span class="alert">${countText(age)}</span>` : countText(age)),
      kind: "number" as const,
    },
    { heading: "Prices", show: ({ prices }) => countText(prices), kind: "number" as const },
    ...(against === undefined ? [] : [before]),
  ],
  sources,
)}
<div class="maps">
<div>
<h3>Newest price by county</h3>
${renderTileGrid({
  title: "Days since the newest price, by county",
  description:
    "How many days before the newest price of all each county has its own newest one. The table under Coverage has all figures.",
  tiles: countyTilesOf(
    coverage.counties,
    ({ age }) => age,
    ({ age }) => (age === null ? "no price" : ageText(age)),
  ),
  emptyLabel: "no price",
})}
</div>
<div>
<h3>Newest price by market</h3>
${renderCaptionedTable(
  "Markets by the age of their newest price",
  [
    { heading: "Age", show: ({ age }) => age },
    { heading: "Markets", show: ({ markets }) => countText(markets), kind: "number" },
  ],
  ages,
)}
</div>
</div>
${renderDetails(
  `${countOf(silentMarkets.length, "market")} without a price for more than ${silentDays} days`,
  renderCaptionedTable(
    shown.length < silentMarkets.length
      ? `The ${shown.length} that went silent last`
      : "Those that went silent last first",
    [
      { heading: "Market", show: ({ name }) => name },
      { heading: "Type", show: ({ type }) => type },
      { heading: "County", show: ({ county }) => county },
      { heading: "Newest price", show: (market) => date(market.lastRecordedAt, market.source), kind: "day" },
      { heading: "Days", show: ({ age }) => countText(age), kind: "number" },
      { heading: "Prices", show: ({ prices }) => countText(prices), kind: "number" },
    ],
    shown,
  ),
)}`;
}

/** `up to 31 days`, `32 to 60 days`, …, `more than 1,827 days`. */
function ageRows(classes: Freshness["marketAges"]): { readonly age: string; readonly markets: number }[] {
  return classes.map(({ daysMax, markets }, at) => {
    const from = classes[at - 1]?.daysMax;
    if (from === undefined) return { age: `up to ${countText(daysMax)} days`, markets };
    if (!Number.isFinite(daysMax)) return { age: `more than ${countText(from)} days`, markets };
    return { age: `${countText(from + 1)} to ${countText(daysMax)} days`, markets };
  });
}
