import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import t from "tap";
import { rampSteps } from "../../../src/site/charts/chart-style.ts";
import { countyTiles, renderTileGrid } from "../../../src/site/charts/county-map.ts";
import { makeRamp } from "../../../src/site/charts/ramp.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { findNodes, type MarkupNode, parseMarkup, textWithin } from "../../support/parse-markup.ts";
import { projectFolder } from "../../support/test-files.ts";

const text = { title: "Coverage", description: "Series by month." };
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
    t.strictSame(
      steps.map(({ step }) => step),
      wanted,
      `${count} figures`,
    );
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
  const lines = readFileSync(join(projectFolder, "data/reference/counties.csv"), "utf8").trimEnd().split("\n").slice(1);
  const counties = lines.map((line) => line.split(","));
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
  const nodes = parseMarkup(renderTileGrid({ ...text, tiles, emptyLabel: "no price" }).text);
  t.match(textWithin(nodes), /NRB46\.39Mombasa: no priceMSAno price≥ 46\.39/);
  t.equal(findNodes(nodes, ({ attributes }) => attributes["class"] === "empty").length, 2);
});

t.test("a grid of tiles that lead somewhere is a group of links: within an image none is reached", async (t) => {
  const tile = { column: 0, row: 0, label: "NRB", value: 46, detail: "Nairobi: 46 KES per kg" };
  const chart = { ...text, emptyLabel: "no price" };
  const [plain] = parseMarkup(renderTileGrid({ ...chart, tiles: [tile] }).text) as [MarkupNode];
  t.equal(plain.attributes["role"], "img");
  const nodes = parseMarkup(renderTileGrid({ ...chart, tiles: [{ ...tile, href: "#nairobi" }] }).text);
  t.equal((nodes as [MarkupNode])[0].attributes["role"], "group");
  const links = findNodes(nodes, ({ name }) => name === "a").map(({ attributes }) => attributes);
  t.strictSame(links, [{ class: "spot", href: "#nairobi" }]);
});
