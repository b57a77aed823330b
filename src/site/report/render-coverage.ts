/** Coverage: which series have prices in which month, and in which county. */

import { silentDays } from "../../engine/query/find-silent.ts";
import { renderForWidths } from "../charts/chart-frame.ts";
import { countyTiles, renderTileGrid, type Tile } from "../charts/county-map.ts";
import { renderHeatMap } from "../charts/heat-map.ts";
import { renderDetails, renderParagraph, type TableColumn } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import type { CountyCoverage, Coverage, CoveredProduct } from "./collect-coverage.ts";
import type { SnapshotReport } from "./collect-report.ts";
import { countColumn, countOf, countText, renderCaptionedTable } from "./report-text.ts";

export function renderCoverage({ coverage }: SnapshotReport): Markup {
  const { months, earlierMonths, products, otherProducts, counties } = coverage;
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return renderParagraph("There are no prices.");
  const left = [
    otherProducts > 0 && `${countOf(otherProducts, "product")} with fewer series are left out. `,
    earlierMonths > 0 && `${countOf(earlierMonths, "month")} with prices before ${first} are left out.`,
  ];
  return markup`<p>A series is a product at a market in one unit and currency. The darker (on a dark page: the
brighter) a cell, the more series have a price in that month; empty cells have none. ${left}</p>
${renderMap(coverage, `${first} to ${last}`)}
${renderFolded<CoveredProduct>(
  "Series by product",
  [
    { heading: "Product", show: ({ name }) => name },
    countColumn("Prices", ({ prices }) => prices),
    countColumn("Series", ({ series }) => series),
    recentColumn,
  ],
  products,
)}
<h3>Counties</h3>
${renderCounties(counties)}
${renderFolded<CountyCoverage>(
  "Series by county",
  [
    { heading: "County", show: ({ name }) => name },
    countColumn("Series", ({ series }) => series),
    recentColumn,
    {
      heading: "Newest price, days before the newest of all",
      show: ({ age }) => (age === null ? "no price" : countText(age)),
      kind: "number",
    },
  ],
  counties,
)}`;
}

const recently = `in the newest ${silentDays} days`;

const recentColumn = countColumn<{ readonly recentSeries: number }>(
  `Observed ${recently}`,
  ({ recentSeries }) => recentSeries,
);

function renderFolded<Row>(caption: string, columns: readonly TableColumn<Row>[], rows: readonly Row[]): Markup {
  return renderDetails(caption, renderCaptionedTable(caption, columns, rows));
}

function renderMap({ months, products }: Coverage, span: string): Markup {
  const chart = {
    title: `How many series have a price, by product and month, ${span}`,
    description: [
      `${products.length} products.`,
      "The table below has their series, and how many of them are still observed.",
    ].join(" "),
    months,
    rows: products.map(({ name, series, recentSeries, byMonth }) => ({
      label: name,
      values: [...byMonth],
      detail: `${countText(series)} series, ${countText(recentSeries)} of them with a price ${recently}`,
    })),
  };
  return renderForWidths((width) => renderHeatMap({ ...chart, width }));
}

function renderCounties(counties: readonly CountyCoverage[]): Markup {
  const observed = counties.filter(({ recentSeries }) => recentSeries > 0).length;
  const days = `the newest ${silentDays} days of the data`;
  const description = `${observed} of ${counties.length} counties have prices of ${days}.`;
  const tiles = countyTilesOf(
    counties,
    ({ recentSeries }) => (recentSeries === 0 ? null : recentSeries),
    ({ series, recentSeries }) => `${countOf(recentSeries, "series", "series")} of ${countText(series)}`,
  );
  const title = `Series with a price ${recently}, by county`;
  return markup`${renderParagraph(description)}
${renderTileGrid({ title, description, tiles, emptyLabel: "none" })}`;
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
