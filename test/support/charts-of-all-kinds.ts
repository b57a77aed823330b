/** A small chart of every kind that pages have. */
import type { Chart } from "../../src/site/charts/chart-frame.ts";
import { renderCountyMap, renderCountyPoints, renderTileGrid } from "../../src/site/charts/county-map.ts";
import { renderLineChart } from "../../src/site/charts/line-chart.ts";
import { renderSeasonalChart } from "../../src/site/charts/seasonal-chart.ts";

const text = { title: "Maize", description: "Prices of maize." };
const unit = "KES per kg";
const points = Array.from({ length: 40 }, (_, at) => {
  const value = 50 + 20 * Math.sin(at);
  return { day: 30 * at, value, low: value - 9, high: value + 9, isJoined: at % 9 > 0 };
});
const months = Array.from({ length: 12 }, (_, at) => {
  const value = 100 + 10 * Math.sin(at);
  return { value, low: value - 20, high: value + 20 };
});
const nairobi = { name: "Wakulima", latitude: -1.29, longitude: 36.82 };

export const chartsOfAllKinds: Readonly<Record<string, Chart>> = {
  "line chart": renderLineChart({
    ...text,
    unit,
    lines: [
      { label: "wholesale", points, bars: points, dots: points },
      { label: "a long label of a line", points: points.slice(0, 30) },
      { label: "retail in camps", points: [], markets: [{ name: "Kakuma 2", points: points.slice(0, 20) }] },
    ],
    formLabels: { bars: "middle half", dots: "a market" },
    band: { label: "usual", points },
    marks: [{ day: 60, value: 500, reason: "far from its neighbours" }],
    markLabel: "suspicious price",
    width: 720,
  }),
  "usual year": renderSeasonalChart({ ...text, unit: "%", months, label: "median", bandLabel: "least to greatest" }),
  "map of counties": renderCountyMap({
    ...text,
    areas: [
      { id: 47, value: 46, detail: "Nairobi" },
      { id: 32, value: 50, detail: "Nakuru" },
      { id: 23, value: null, detail: "Turkana" },
    ],
    emptyLabel: "none",
  }),
  "map of a county": renderCountyPoints({ ...text, points: [nairobi] }, 47),
  "tile grid": renderTileGrid({
    ...text,
    tiles: [
      { column: 0, row: 0, label: "NRB", value: 5, detail: "Nairobi" },
      { column: 2, row: 1, label: "MSA", value: null, detail: "Mombasa" },
    ],
    emptyLabel: "none",
  }),
};
