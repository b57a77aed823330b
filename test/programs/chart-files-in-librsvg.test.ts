/** Files of charts in librsvg, which desktops and converters draw SVG with: what is drawn stands where it must. */

import { spawnSync } from "node:child_process";
import t from "tap";
import { renderChartFile } from "../../src/site/charts/chart-file.ts";
import { chartsOfAllKinds } from "../support/charts-of-all-kinds.ts";

const isInstalled = spawnSync("rsvg-convert", ["--version"]).status === 0;

/** The picture of an SVG text as PNG; equal pixels are equal bytes. */
function pictureOf(svg: string): Buffer {
  const { status, stdout, stderr } = spawnSync("rsvg-convert", ["--format", "png"], { input: svg, maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`rsvg-convert: ${stderr}`);
  return stdout;
}

t.test("in librsvg", { skip: isInstalled ? false : "rsvg-convert is not installed" }, async (t) => {
  const file = { title: "Maize", subtitle: "KES per kg, all of Kenya", notes: ["Source: a test."] };
  for (const [kind, chart] of Object.entries(chartsOfAllKinds)) {
    const svg = renderChartFile(file, chart);
    const nested = /<svg (class="chart [^"]+") viewBox[^>]*>(.*)<\/svg>(?=<\/g>)/s;
    t.match(svg, nested, kind);
    const picture = pictureOf(svg);
    const { width, height } = chart.size;
    const clip = `<clipPath id="whole"><rect width="${width}" height="${height}"/></clipPath>`;
    const moved = pictureOf(svg.replace(nested, `${clip}<g clip-path="url(#whole)" $1>$2</g>`));
    t.ok(picture.equals(moved), `a ${kind} is where a plain translation puts it, whole`);
    t.notOk(picture.equals(pictureOf(svg.replace(nested, ""))), `a ${kind} is drawn`);
    const size = /width="(\d+)" height="(\d+)"/.exec(svg)?.slice(1).map(Number);
    t.strictSame([picture.readUInt32BE(16), picture.readUInt32BE(20)], size, kind);
  }
});
