/** Coverage: which series have prices in which month, and in which county. */
import { renderForWidths } from "../charts/chart-frame.ts";
import { countyTiles } from "../charts/county-tiles.ts";
import { renderHeatMap } from "../charts/heat-map.ts";
import { renderTileGrid, type Tile } from "../charts/tile-grid.ts";
import { renderDetails } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { silentDays } from "../query/find-silent.ts";
import type { SnapshotReport } from "./collect-report.ts";
import type { CountyCoverage } from "./coverage.ts";
import { countOf, countText, renderCaptionedTable } from "./page-parts.ts";

export function renderCoverage({ coverage }: SnapshotReport): Markup {
  const { months, earlierMonths, products, otherProducts, counties } = coverage;
  if (months.length === 0) return markup`<p>There are no prices.</p>`;
  const [first = "", last = ""] = [months[0], months.at(-1)];
  const rows = products.map(({ name, series, recentSeries, byMonth }) => ({
    label: name,
    values: [...byMonth],
    detail: `${countText(series)} series, ${countText(recentSeries)} of them with a price in the newest ${silentDays} days`,
  }));
  const map = renderForWidths((width) =>
    renderHeatMap({
      title: `How many series have a price, by product and month, ${first} to ${last}`,
      description: `${products.length} products. The table below has their series, and how many of them are still observed.`,
      months,
      rows,
      width,
    }),
  );
  const left = [
    otherProducts > 0 && markup`${countOf(otherProducts, "product")} with fewer series are left out. `,
    earlierMonths > 0 && markup`${countOf(earlierMonths, "month")} with prices before ${first} are left out.`,
  ];
  const observed = counties.filter(({ recentSeries }) => recentSeries > 0).length;
  const description = `${observed} of ${counties.length} counties have prices of the newest ${silentDays} days of the data.`;
  return markup`<p>A series is a product at a market in one unit and currency. The darker (on a dark page: the brighter) a cell, the more series
have a price in that month; empty cells have none. ${left}</p>
${map}
${renderDetails(
  "Series by product",
  renderCaptionedTable(
    "Series by product",
    [
      { heading: "Product", show: ({ name }) => name },
      { heading: "Prices", show: ({ prices }) => countText(prices), kind: "number" },
      { heading: "Series", show: ({ series }) => countText(series), kind: "number" },
      {
        heading: `Observed in the newest ${silentDays} days`,
        show: ({ recentSeries }) => countText(recentSeries),
        kind: "number",
      },
    ],
    products,
  ),
)}
<h3>Counties</h3>
<p>${description}</p>
${renderTileGrid({
  title: `Series with a price in the newest ${silentDays} days, by county`,
  description,
  tiles: countyTilesOf(
    counties,
    ({ recentSeries }) => (recentSeries === 0 ? null : recentSeries),
    (county) => `${countOf(county.recentSeries, "series", "series")} of ${countText(county.series)}`,
  ),
  emptyLabel: "none",
})}
${renderDetails(
  "Series by county",
  renderCaptionedTable(
    "Series by county",
    [
      { heading: "County", show: ({ name }) => name },
      { heading: "Series", show: ({ series }) => countText(series), kind: "number" },
      {
        heading: `Observed in the newest ${silentDays} days`,
        show: ({ recentSeries }) => countText(recentSeries),
        kind: "number",
      },
      {
        heading: "Newest price, days before the newest of all",
        show: ({ age }) => (age === null ? "no price" : countText(age)),
        kind: "number",
      },
    ],
    counties,
  ),
)}`;
}

/** The tiles of all counties, with a figure of those that the snapshot has. */
export function countyTilesOf(
  counties: readonly CountyCoverage[],
  figureOf: (county: CountyCoverage) => number | null,
  detailOf: (county: CountyCoverage) => string,
): Tile[] {
  const byId = new Map<number, CountyCoverage>(counties.map((county) => [county.id, county]));
  return countyTiles.map(({ id, name, abbreviation: label, column, row }) => {
    const county = byId.get(id);
    if (county === undefined) return { column, row, label, value: null, detail: `${name}: not in this snapshot` };
    return { column, row, label, value: figureOf(county), detail: `${county.name}: ${detailOf(county)}` };
  });
}
