/** Freshness: how old the newest prices are. */
import { renderTileGrid } from "../charts/tile-grid.ts";
import { type Markup, markup } from "../domain/markup.ts";
import { silentDays } from "../query/find-silent.ts";
import type { SnapshotReport } from "./collect-report.ts";
import type { Freshness, SourceFreshness } from "./freshness.ts";
import {
  ageText,
  countOf,
  countText,
  recordedText,
  renderDetails,
  renderTable,
  type TableColumn,
} from "./page-parts.ts";
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
    head: "Prices before",
    cell: ({ pricesBefore }) => countText(pricesBefore ?? 0),
    kind: "number",
  };
  const shown = silentMarkets.slice(0, marketsShownMax);
  return markup`<p>Days are counted back from ${date(lastRecordedAt, lastSource)}, the day of the newest price of all.</p>
${renderTable(
  "Newest price by source",
  [
    { head: "Source", cell: ({ name }) => name },
    { head: "Newest price", cell: (source) => date(source.lastRecordedAt, source.name), kind: "date" },
    {
      head: "Days",
      cell: ({ age }) => (age > silentDays ? markup`<span class="alert">${countText(age)}</span>` : countText(age)),
      kind: "number" as const,
    },
    { head: "Prices", cell: ({ prices }) => countText(prices), kind: "number" as const },
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
${renderTable(
  "Markets by the age of their newest price",
  [
    { head: "Age", cell: ({ age }) => age },
    { head: "Markets", cell: ({ markets }) => countText(markets), kind: "number" },
  ],
  ages,
)}
</div>
</div>
${renderDetails(
  `${countOf(silentMarkets.length, "market")} without a price for more than ${silentDays} days`,
  renderTable(
    shown.length < silentMarkets.length
      ? `The ${shown.length} that went silent last`
      : "Those that went silent last first",
    [
      { head: "Market", cell: ({ name }) => name },
      { head: "Type", cell: ({ type }) => type },
      { head: "County", cell: ({ county }) => county },
      { head: "Newest price", cell: (market) => date(market.lastRecordedAt, market.source), kind: "date" },
      { head: "Days", cell: ({ age }) => countText(age), kind: "number" },
      { head: "Prices", cell: ({ prices }) => countText(prices), kind: "number" },
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
