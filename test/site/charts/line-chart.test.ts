import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import type { Language } from "../../../src/contract/words.ts";
import { linesMax } from "../../../src/site/charts/chart-style.ts";
import { type LineChart, renderLineChart } from "../../../src/site/charts/line-chart.ts";
import type { LinePoint } from "../../../src/site/charts/plot.ts";
import { axisTop } from "../../../src/site/charts/plot.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { type MarkupNode, nodesOfClass, parseMarkup, textWithin } from "../../support/parse-markup.ts";

const text = { title: "Maize", description: "Prices of maize.", unit: "KES per kg" };

function point(day: number, value: number, rest: Partial<LinePoint> = {}): LinePoint {
  return { day, value, ...rest };
}

function draw(chart: Partial<LineChart>): (MarkupNode | string)[] {
  return parseMarkup(renderLineChart({ ...text, lines: [], ...chart }).text);
}

function isLegend({ attributes }: MarkupNode): boolean {
  return attributes["d"]?.endsWith("h16") === true;
}

/** The dots of a path, which begin where the one before ended. */
function dotsOf(node: MarkupNode | undefined): number {
  return (node?.attributes["d"] ?? "").split("m").length - 1;
}

/** Where the subpaths of a path begin. */
function subpaths(node: MarkupNode | undefined): number {
  return (node?.attributes["d"] ?? "").split("M").length - 1;
}

t.test("two points are joined where their caller says so, and a point that nothing joins is a dot", async () => {
  const joins = fc.array(fc.boolean(), { maxLength: 40 });
  fc.assert(
    fc.property(joins, (isJoined) => {
      const points = isJoined.map((joined, at) => point(30 * at, 10 + ((at * 7) % 13), { isJoined: joined }));
      const joined = (at: number): boolean => at > 0 && isJoined[at] === true;
      const isolated = isJoined.filter((_, at) => !joined(at) && !joined(at + 1)).length;
      const strokes = isJoined.filter((_, at) => !joined(at) && joined(at + 1)).length;
      const stroke = (nodes: readonly (MarkupNode | string)[]): number =>
        nodesOfClass(nodes, "line")
          .filter((node) => !isLegend(node))
          .reduce((sum, node) => sum + subpaths(node), 0);
      const nodes = draw({ lines: [{ label: "Retail", points }] });
      assert.equal(stroke(nodes), strokes);
      assert.equal(dotsOf(nodesOfClass(nodes, "dots")[0]), isolated);
      const band = points.map(({ day, isJoined }) => ({ day, low: 5, high: 30, isJoined }));
      const banded = draw({ lines: [], band: { label: "usual", points: band } });
      assert.equal(
        subpaths(nodesOfClass(banded, "usual").find(({ attributes }) => attributes["d"]?.includes("Z"))),
        strokes,
      );
      assert.equal(subpaths(nodesOfClass(banded, "usualStem")[0]), isolated);
      const markets = [{ name: "Wakulima", points }];
      const thin = draw({ lines: [{ label: "Retail", points: [], markets }] });
      assert.equal(stroke(thin), strokes, "the line of a market");
      assert.equal(dotsOf(nodesOfClass(thin, "dots")[0]), isolated);
      if (strokes > 0) assert.match(textWithin(thin), /Wakulima/);
    }),
    { numRuns: runsOf(100) },
  );
});

t.test("of many markets a chart has a bar a month, one path of all dots, and a dot a median", async (t) => {
  const points = [10, 12, 11].map((value, at) => point(at * 90, value, { isJoined: at === 1 }));
  const bars = points.map(({ day, value }) => ({ day, low: value - 2, high: value + 2 }));
  const dots = points.flatMap(({ day, value }) => [-3, 0, 5].map((more) => ({ day, value: value + more })));
  const formLabels = { bars: "middle half", dots: "a market" };
  const nodes = draw({ formLabels, lines: [{ label: "Retail", points, bars, dots }] });
  const [legendBar, drawnBars] = nodesOfClass(nodes, "bars");
  t.strictSame([subpaths(legendBar), subpaths(drawnBars)], [1, 3]);
  const [, cloud] = nodesOfClass(nodes, "cloud");
  t.equal(dotsOf(cloud), 9);
  t.equal(dotsOf(nodesOfClass(nodes, "medians")[0]), 3);
  t.match(textWithin(nodes), /Retail.*middle half.*a market/);
  const far = Array.from({ length: 20 }, (_, at) => ({ day: at, value: at === 7 ? 5000 : 50 }));
  const beyond = draw({ formLabels, lines: [{ label: "Retail", points, bars, dots: far }] });
  t.equal(dotsOf(nodesOfClass(beyond, "cloud")[1]), 19, "a dot beyond the axis is the triangle at its edge");
  t.match(textWithin(beyond), "5,000");
});

t.test("changes lie above and below a line at 0", async (t) => {
  const points = [-30, 40].map((value, at) => point(at * 30, value, { isJoined: false }));
  const nodes = draw({ hasNegative: true, lines: [{ label: "Retail", points }] });
  const labels = nodesOfClass(nodes, "end").map(({ children }) => textWithin(children));
  t.ok(labels.includes("-40") || labels.includes("-20"), `${labels}`);
  t.ok(labels.includes("0"));
});

t.test("whatever the values, all that is drawn lies within the view box", async (t) => {
  const values = fc.oneof(fc.double({ min: 0, max: 1e300, noNaN: true }), fc.constantFrom(0, 1e-300, 1, 1.7e308));
  const points = fc.array(fc.tuple(fc.integer({ min: -700_000, max: 2_900_000 }), values), { maxLength: 12 });
  fc.assert(
    fc.property(points, fc.integer({ min: 200, max: 900 }), (pairs, width) => {
      const sorted = pairs.toSorted(([a], [b]) => a - b).map(([day, value]) => point(day, value));
      const marks = sorted
        .slice(0, 2)
        .map(({ day, value }) => ({ day, value: Math.min(value * 10, 1e308), reason: "far" }));
      const [svg] = draw({
        lines: [{ label: "Retail", points: sorted }],
        marks,
        markLabel: "suspicious",
        width,
        readouts: sorted.map(({ day, value }) => ({ day, texts: [`${value}`] })),
        hasTexts: false,
      });
      const { attributes } = svg as MarkupNode;
      const height = Number(attributes["height"]);
      t.equal(attributes["viewBox"], `0 0 ${width} ${height}`);
      for (const { attributes } of nodesOfClass([svg as MarkupNode], "line").slice(1)) {
        for (const [, x, y] of (attributes["d"] as string).matchAll(/[ML]([^,]+),([^ML]+)/g)) {
          t.ok(Number(x) >= 0 && Number(x) <= width && Number(y) >= 0 && Number(y) <= height, `${x}, ${y}`);
        }
      }
      t.notMatch(
        renderLineChart({ ...text, lines: [{ label: "a", points: sorted }], marks }).text,
        /NaN|Infinity|undefined/,
      );
    }),
    { numRuns: runsOf(100) },
  );
});

t.test("the axis reaches three times above most values; a slip of the point does not flatten it", async (t) => {
  t.equal(axisTop([]), 1);
  t.equal(axisTop([0, 0]), 1);
  t.equal(axisTop([50]), 50);
  t.equal(axisTop([40, 50, 60, 55, 52, 51, 48, 49, 47, 150]), 150);
  t.equal(axisTop([40, 50, 60, 55, 52, 51, 48, 49, 47, 5000]), 60);
  const points = Array.from({ length: 20 }, (_, at) => point(at, at === 7 ? 5000 : 50 + at));
  const nodes = draw({ lines: [{ label: "Retail", points }] });
  t.match(textWithin(nodes), /5,000/, "what lies beyond is named at the edge");
  t.notMatch(textWithin(nodes), /10,000/);
  const dotsWith = (last: number): number => {
    const ending = points.map((one, at) => ({ ...one, value: at === 19 ? last : 50, isJoined: false }));
    return dotsOf(nodesOfClass(draw({ lines: [{ label: "Retail", points: ending }] }), "dots")[0]);
  };
  t.equal(dotsWith(50) - dotsWith(5000), 1, "beyond the axis is no dot, which would stand at the edge");
  const marks = [9000, 8000].map((value) => ({ day: 15, value, reason: `is ${value}` }));
  const all = textWithin(draw({ lines: [{ label: "Retail", points }], marks, width: 700 }));
  t.match(all, /is 9000\nis 80009,000 \(2\)/, "marks of a day share a triangle");
});

t.test("legend, unit, hover texts and marks say what is shown", async (t) => {
  const points = [point(20_454, 46.389), point(20_485, 1234.5)];
  const readouts = [
    { day: 20_454, month: "2026-01", texts: ["January 2026", "46.39 KES a kg, 12 prices"] },
    { day: 20_485, texts: ["2026-02", "1234.5"] },
  ];
  const marks = [{ day: 20_460, value: 460, reason: "ten times the usual price" }];
  const lines = [
    { label: "Wholesale", points },
    { label: "Retail", points: [] },
  ];
  const nodes = draw({ lines, marks, markLabel: "suspicious", readouts });
  const all = textWithin(nodes);
  for (const wanted of ["Wholesale", "Retail", "suspicious", "KES per kg", "Prices of maize."]) {
    t.ok(all.includes(wanted), wanted);
  }
  t.match(all, "January 2026\n46.39 KES a kg, 12 prices");
  t.match(all, "2026-02\n1234.5");
  t.strictSame(
    nodesOfClass(nodes, "strip").map(({ attributes }) => attributes["data-month"]),
    ["2026-01", undefined],
  );
  const single = draw({
    lines: lines.slice(0, 1),
    breakLabel: "goes on",
    breaks: [{ day: 20_470, reason: "now Maize" }],
  });
  t.match(textWithin(single), "now Maize");
  t.equal(nodesOfClass(single, "break").length, 2, "with its legend");
  const positions = draw({ lines, readouts, hasTexts: false });
  t.equal(nodesOfClass(positions, "strip").length, 2);
  t.notMatch(textWithin(positions), "12 prices");
  t.match(all, "ten times the usual price");
  const [svg] = nodes as MarkupNode[];
  t.equal(svg?.attributes["role"], "img");
  t.strictSame(
    svg?.children.slice(0, 2).map((child) => (child as MarkupNode).name),
    ["title", "desc"],
  );
});

t.test("the time axis names years, months or days, in the language asked for", async (t) => {
  const labels = (dayFirst: number, dayLast: number, language: Language = "en"): string =>
    textWithin(nodesOfClass(draw({ dayFirst, dayLast, language, width: 500 }), "middle"));
  t.match(labels(13_149, 20_454), /2006.*2010.*2024/);
  t.match(labels(20_270, 20_454), /Jul.*Sep.*2026/);
  t.match(labels(20_270, 20_454, "sw"), /Jul.*Nov.*2026/);
  t.match(labels(20_463, 20_473), /10 Jan 2026.*18 Jan/);
  t.equal(labels(20_463, 20_463), "2026-01-10");
  t.equal(labels(20_454, 20_454), "Jan 2026", "a month is no day");
  t.match(labels(20_514, 20_605), /8 Mar 2026.*Apr/);
});

t.test("a line keeps its colour, and the symbols along it, whatever else is drawn", async (t) => {
  const lines = ["Wholesale", "Retail", "Rural"].map((label, colour) => {
    return { label, colour, points: Array.from({ length: 36 }, (_, at) => point(30 * at, 10 * (colour + 1))) };
  });
  const partsOf = (shown: typeof lines, colour: number): string[] => {
    const nodes = draw({ lines: shown, width: 720 });
    const strokes = nodesOfClass(nodes, `stroke-${colour}`).filter((node) => !isLegend(node));
    const symbols = nodesOfClass(nodes, `fill-${colour}`).filter(({ attributes }) => attributes["transform"]);
    if (shown.length > 1 && strokes.length > 0) t.ok(symbols.length >= 5, `${symbols.length} symbols of ${colour}`);
    for (const { label } of shown) t.equal(textWithin(nodes).split(label).length, 2, "each label once");
    return [...new Set([...strokes, ...symbols].map(({ attributes }) => attributes["class"] ?? ""))];
  };
  for (const [colour, line] of lines.entries()) {
    for (const shown of [
      lines,
      lines.toReversed(),
      [line],
      lines.filter((other) => other === line || other !== lines[0]),
    ]) {
      if (!shown.includes(line)) continue;
      t.ok(partsOf(shown, colour).includes(`line stroke-${colour}`));
      if (shown.length > 1) t.ok(partsOf(shown, colour).includes(`fill-${colour}`));
    }
  }
  const shapes = [0, 1, 2].map((colour) => {
    const [symbol] = nodesOfClass(draw({ lines }), `fill-${colour}`).filter(
      ({ attributes }) => attributes["transform"],
    );
    return symbol?.attributes["d"];
  });
  t.equal(new Set(shapes).size, 3, "each line has a symbol of its own");
});

t.test("more lines than colours are refused", async (t) => {
  const lines = Array.from({ length: linesMax + 1 }, (_, at) => ({ label: `${at}`, points: [] }));
  t.throws(() => draw({ lines }), { name: "RangeError", message: /7 lines, expected at most 6/ });
});
