import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import t from "tap";
import { rampSteps } from "../../../src/site/charts/chart-style.ts";
import {
  countyShapes,
  countyTiles,
  renderCountyMap,
  renderCountyPoints,
  renderTileGrid,
  shapePoint,
  shapesCredit,
} from "../../../src/site/charts/county-map.ts";
import { makeRamp } from "../../../src/site/charts/ramp.ts";
import { valuesOf } from "../../support/fields-of.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { findNodes, type MarkupNode, nodesOfClass, parseMarkup, textWithin } from "../../support/parse-markup.ts";
import { projectFolder } from "../../support/test-files.ts";

type Point = readonly [x: number, y: number];

/** The points of a path, as a browser would draw it. */
function pointsOf(path: string): Point[] {
  const [, start = "", steps = ""] = /^M(\d+ \d+)l([-\d ]+)z$/.exec(path) ?? [];
  const numbers = [...steps.matchAll(/-?\d+/g)].map(Number);
  let [x = 0, y = 0] = start.split(" ").map(Number);
  const points: Point[] = [[x, y]];
  for (let at = 0; at < numbers.length; at += 2) {
    x += numbers[at] as number;
    y += numbers[at + 1] as number;
    points.push([x, y]);
  }
  return points;
}

function segmentsOf(points: readonly Point[]): [Point, Point][] {
  return points.map((point, at) => [point, points[(at + 1) % points.length] as Point]);
}

const counties = readFileSync(join(projectFolder, "data/reference/counties.csv"), "utf8")
  .trimEnd()
  .split("\n")
  .slice(1)
  .map((line) => line.split(","));

t.test("47 outlines in at most 20 kB, 8 kB compressed, each with the box that it fills", async (t) => {
  t.strictSame(
    countyShapes.map(({ id }) => id),
    Array.from({ length: 47 }, (_, at) => at + 1),
  );
  const text = readFileSync(join(projectFolder, "data/county-shapes/county-shapes.json"));
  t.ok(text.length <= 20_000, `${text.length} bytes`);
  t.ok(gzipSync(text).length <= 8000);
  for (const { id, path, box } of countyShapes) {
    const points = pointsOf(path);
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    t.strictSame(box, [left, top, Math.max(...xs) - left, Math.max(...ys) - top], `county ${id}`);
  }
});

t.test("neighbours have the same border: the counties cover the country without overlaps and gaps", async (t) => {
  const counts = new Map<string, number>();
  let area = 0;
  for (const { path } of countyShapes) {
    let doubled = 0;
    for (const [[x, y], [toX, toY]] of segmentsOf(pointsOf(path))) {
      doubled += x * toY - toX * y;
      const ends = [`${x} ${y}`, `${toX} ${toY}`].sort().join(" ");
      counts.set(ends, (counts.get(ends) ?? 0) + 1);
    }
    area += Math.abs(doubled) / 2;
  }
  t.ok([...counts.values()].every((count) => count <= 2));
  // A unit is 0.005 degrees; a degree is 111.2 by 110.6 km. The census counts 580,877 square kilometres of land.
  const squareKilometres = area * 0.005 ** 2 * 111.2 * 110.6;
  t.ok(Math.abs(squareKilometres / 580_877 - 1) < 0.01, `${squareKilometres}`);
  const outer = [...counts].filter(([, count]) => count === 1).map(([ends]) => ends.split(" ").map(Number));
  const degrees = new Map<string, number>();
  for (const [x, y, toX, toY] of outer) {
    for (const end of [`${x} ${y}`, `${toX} ${toY}`]) degrees.set(end, (degrees.get(end) ?? 0) + 1);
  }
  t.ok(
    [...degrees.values()].every((degree) => degree % 2 === 0),
    "what is no border is the edge of the country",
  );
});

t.test("the middle of nearly every county lies in its outline", async (t) => {
  const inside = counties.filter(([id, , , , , latitude, longitude]) => {
    const [x, y] = shapePoint({ latitude: Number(latitude), longitude: Number(longitude), name: "" });
    const points = pointsOf(countyShapes[Number(id) - 1]?.path ?? "");
    const crossed = segmentsOf(points).filter(
      ([[fromX, fromY], [toX, toY]]) =>
        fromY > y !== toY > y && x < ((toX - fromX) * (y - fromY)) / (toY - fromY) + fromX,
    );
    return crossed.length % 2 === 1;
  });
  t.ok(inside.length >= 45, `${inside.length} of 47`);
});

const chart = { title: "Maize", description: "By county.", emptyLabel: "none" };

t.test("a county has its colour, and a pattern where there is no figure", async (t) => {
  const area = { detail: "Nairobi: 46 KES per kg", href: "#nairobi" } as const;
  const areas = [
    { ...area, id: 47, value: 46 },
    { ...area, id: 1, value: 60, detail: "Mombasa: 60 KES per kg" },
    { ...area, id: 32, value: null, detail: "Nakuru: none" },
  ];
  const nodes = parseMarkup(renderCountyMap({ ...chart, areas }).text);
  const links = findNodes(nodes, ({ name }) => name === "a");
  t.strictSame(
    links.map(({ children }) => {
      const [path] = findNodes(children, ({ name }) => name === "path");
      return [path?.attributes["class"], path?.attributes["fill"], textWithin(children)];
    }),
    [
      ["ramp-2", undefined, "Nairobi: 46 KES per kg"],
      ["ramp-4", undefined, "Mombasa: 60 KES per kg"],
      [undefined, "url(#noFigure)", "Nakuru: none"],
    ],
  );
  t.match(textWithin(nodes), /none≥ 46≥ 60/, "the legend has what occurs");
  t.match(textWithin(nodes), shapesCredit);
  const ids = findNodes(nodes, ({ attributes }) => attributes["id"] !== undefined).map(
    ({ attributes }) => attributes["id"],
  );
  t.strictSame(ids, ["noFigure"]);
});

t.test("points lie in the map of their county, north up, and a single one has its name", async (t) => {
  const nairobi = { latitude: -1.29, longitude: 36.82, name: "Wakulima" };
  const north = { latitude: -1.22, longitude: 36.9, name: "Githurai" };
  const nodes = parseMarkup(renderCountyPoints({ ...chart, points: [nairobi, north] }, 47).text);
  const [first, second] = nodesOfClass(nodes, "here").map(({ attributes }) => attributes);
  t.ok(Number(first?.["cy"]) > Number(second?.["cy"]));
  t.ok(Number(first?.["cx"]) < Number(second?.["cx"]));
  for (const point of [first, second]) t.ok(Number(point?.["cx"]) > 0 && Number(point?.["cx"]) < 360);
  t.match(textWithin(nodes), shapesCredit);
  t.notMatch(textWithin(findNodes(nodes, ({ name }) => name === "text")), "Wakulima");
  const alone = parseMarkup(renderCountyPoints({ ...chart, points: [nairobi] }, 47).text);
  t.match(textWithin(findNodes(alone, ({ name }) => name === "text")), "Wakulima");
});

const coverage = { title: "Coverage", description: "Series by month." };
const figures = fc.array(fc.oneof(fc.nat(5), fc.nat(10_000), fc.double({ min: 0, max: 1e12, noNaN: true })), {
  maxLength: 60,
});

t.test("a ramp orders figures, uses every step that it names, and begins each at the value it names", async () => {
  fc.assert(
    fc.property(figures, (values) => {
      const { stepOf, steps } = makeRamp(values);
      const sorted = values.toSorted((a, b) => a - b);
      assert.ok(steps.length <= rampSteps);
      const named = new Map(steps.map(({ step, from }) => [step, from]));
      assert.equal(named.size, steps.length);
      for (const [at, value] of sorted.entries()) {
        const from = named.get(stepOf(value)) as number;
        assert.ok(from <= value, `${value} is in the step from ${from}`);
        if (at > 0) assert.ok(stepOf(sorted[at - 1] as number) <= stepOf(value));
        for (const { from: other } of steps)
          if (other <= value) assert.ok(other <= from, `${other} would be the nearer one`);
      }
    }),
    { numRuns: runsOf(100) },
  );
});

t.test("few figures have colours equally far apart round the middle, without the extremes", async (t) => {
  const colours = [
    [],
    [3],
    [2, 4],
    [1, 3, 5],
    [0, 2, 4, 6],
    [1, 2, 3, 4, 5],
    [0, 1, 2, 3, 4, 5],
    [0, 1, 2, 3, 4, 5, 6],
  ];
  for (const [count, wanted] of colours.entries()) {
    // Each figure twice: ties are one step.
    const values = Array.from({ length: 2 * count }, (_, at) => 10 + 5 * (at % Math.max(1, count)));
    const { steps } = makeRamp(values);
    t.strictSame(valuesOf(steps, "step"), wanted, `${count} figures`);
  }
  t.strictSame(makeRamp([54.17, 58.33, 58.33]).steps, [
    { step: 2, from: 54.17 },
    { step: 4, from: 58.33 },
  ]);
  fc.assert(
    fc.property(figures, (values) => {
      const steps = makeRamp(values).steps.map(({ step }) => step);
      const distances = new Set(steps.slice(1).map((step, at) => step - (steps[at] as number)));
      assert.ok(distances.size <= 1, `${steps}`);
      assert.ok(steps.every((step) => step >= 0 && step < rampSteps));
    }),
    { numRuns: runsOf(200) },
  );
  const others = Array.from({ length: 30 }, (_, at) => 100 * (at + 1));
  const { stepOf } = makeRamp([...others, 1e9]);
  t.equal(new Set(others.map(stepOf)).size, rampSteps, "an outlier does not flatten the others");
});

t.test("the 47 counties have each a place and an abbreviation, about as they lie in Kenya", async (t) => {
  t.strictSame(
    countyTiles.map(({ id, name }) => [String(id), name]),
    counties.map(([id, name]) => [id, name]),
  );
  t.equal(new Set(countyTiles.map(({ column, row }) => `${column} ${row}`)).size, 47);
  t.equal(new Set(countyTiles.map(({ abbreviation }) => abbreviation)).size, 47);
  // Where two counties lie clearly apart on the grid, nearly always the same one lies further east, or further south.
  const agreement = (places: readonly number[], degrees: readonly number[]): number => {
    const pairs = places.flatMap((a, at) =>
      places.map((b, other) => [b - a, (degrees[other] ?? 0) - (degrees[at] ?? 0)]),
    );
    const apart = pairs.filter(([distance = 0]) => distance >= 2);
    return apart.filter(([, distance = 0]) => distance > 0).length / apart.length;
  };
  t.ok(
    agreement(
      countyTiles.map(({ column }) => column),
      counties.map((county) => Number(county[6])),
    ) > 0.9,
  );
  t.ok(
    agreement(
      countyTiles.map(({ row }) => row),
      counties.map((county) => -Number(county[5])),
    ) > 0.9,
  );
});

t.test("a tile shows label and figure; one without a figure is empty, and the legend says so", async (t) => {
  const tiles = [
    { column: 0, row: 0, label: "NRB", value: 46.389, detail: "Nairobi: 46.39 KES per kg, 12 prices" },
    { column: 1, row: 0, label: "MSA", value: null, detail: "Mombasa: no price" },
  ];
  const nodes = parseMarkup(renderTileGrid({ ...coverage, tiles, emptyLabel: "no price" }).text);
  t.match(textWithin(nodes), /NRB46\.39Mombasa: no priceMSAno price≥ 46\.39/);
  t.equal(findNodes(nodes, ({ attributes }) => attributes["class"] === "empty").length, 2);
});

t.test("a grid of tiles that lead somewhere is a group of links: within an image none is reached", async (t) => {
  const tile = { column: 0, row: 0, label: "NRB", value: 46, detail: "Nairobi: 46 KES per kg" };
  const chart = { ...coverage, emptyLabel: "no price" };
  const [plain] = parseMarkup(renderTileGrid({ ...chart, tiles: [tile] }).text) as [MarkupNode];
  t.equal(plain.attributes["role"], "img");
  const nodes = parseMarkup(renderTileGrid({ ...chart, tiles: [{ ...tile, href: "#nairobi" }] }).text);
  t.equal((nodes as [MarkupNode])[0].attributes["role"], "group");
  const links = findNodes(nodes, ({ name }) => name === "a").map(({ attributes }) => attributes);
  t.strictSame(links, [{ class: "spot", href: "#nairobi" }]);
});
