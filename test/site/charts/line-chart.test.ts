import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { axisTop } from "../../../src/site/charts/axes.ts";
import { linesMax } from "../../../src/site/charts/chart-style.ts";
import { spreadOut } from "../../../src/site/charts/end-labels.ts";
import {
  type LineChart,
  type LinePoint,
  renderLineChart,
  renderSparkline,
} from "../../../src/site/charts/line-chart.ts";
import type { Language } from "../../../src/site/pages/words.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { findNodes, type MarkupNode, nodesOfClass, parseMarkup, textWithin } from "../../support/parse-markup.ts";

const text = { title: "Maize", description: "Prices of maize.", unit: "KES per kg" };

function point(day: number, value: number, rest: Partial<LinePoint> = {}): LinePoint {
  return { day, period: `day ${day}`, value, low: value, high: value, readout: `${value}`, ...rest };
}

function draw(chart: Partial<LineChart>): (MarkupNode | string)[] {
  return parseMarkup(renderLineChart({ ...text, lines: [], ...chart }).text);
}

function isLegend({ attributes }: MarkupNode): boolean {
  return attributes["d"]?.endsWith("h16") === true;
}

/** The filled symbols along and at the end of the first line. */
function symbolsOf(nodes: readonly (MarkupNode | string)[]): number {
  const symbols = (within: readonly (MarkupNode | string)[]): number =>
    nodesOfClass(within, "fill-0").filter(({ name, attributes }) => name !== "text" && attributes["class"] === "fill-0")
      .length;
  const elsewhere = symbols(nodesOfClass(nodes, "endLabel")) + nodesOfClass(nodes, "line").filter(isLegend).length;
  return symbols(nodes) - elsewhere;
}

/** Where the subpaths of a path begin. */
function subpaths(node: MarkupNode | undefined): number {
  return (node?.attributes["d"] ?? "").split("M").length - 1;
}

t.test("gaps are never bridged: as many strokes and symbols as the distances between neighbours say", (t) => {
  const days = fc.uniqueArray(fc.integer({ min: -600, max: 600 }), { maxLength: 40 });
  fc.assert(
    fc.property(days, (unsorted) => {
      const sorted = unsorted.toSorted((a, b) => a - b);
      const points = sorted.map((day, at) => point(day, (at * 7) % 13, { low: 0, high: 14 }));
      const joined = (at: number): boolean =>
        at > 0 && at < sorted.length && (sorted[at] as number) - (sorted[at - 1] as number) <= 31;
      const isolated = sorted.filter((_, at) => !joined(at) && !joined(at + 1)).length;
      const strokes = sorted.filter((_, at) => !joined(at) && joined(at + 1)).length;
      const nodes = draw({ lines: [{ label: "Retail", points }] });
      const [stroke] = nodesOfClass(nodes, "line").filter((node) => !isLegend(node));
      const lastIsJoined = joined(sorted.length - 1);
      assert.equal(subpaths(stroke), strokes);
      assert.equal(symbolsOf(nodes), isolated + Number(lastIsJoined));
      assert.equal(subpaths(nodesOfClass(nodes, "band")[0]), strokes);
      assert.equal(subpaths(nodesOfClass(nodes, "stem")[0]), isolated);
      const sparkline = renderSparkline({ ...text, points, dayFirst: -600, dayLast: 600 });
      const drawn = parseMarkup(sparkline.text);
      assert.equal(subpaths(nodesOfClass(drawn, "line")[0]), strokes);
      assert.equal(symbolsOf(drawn), isolated + Number(lastIsJoined));
    }),
    { numRuns: runsOf(100) },
  );
  t.end();
});

t.test("a line is dashed around hollow points, and joins no points of two stretches", (t) => {
  const shapes = fc.array(
    fc.record({ gap: fc.boolean(), isHollow: fc.boolean(), stretch: fc.integer({ min: 1, max: 2 }) }),
    { minLength: 1, maxLength: 40 },
  );
  fc.assert(
    fc.property(shapes, (made) => {
      let day = 0;
      const points = made.map(({ gap, isHollow, stretch }) => {
        day += gap ? 70 : 30;
        return { ...point(day, 5, { isHollow, stretch, low: 1, high: 9 }), gap };
      });
      const isJoined = (at: number): boolean => {
        const [before, here] = [points[at - 1], points[at]];
        return before !== undefined && here !== undefined && !here.gap && here.stretch === before.stretch;
      };
      const isPart = (at: number): boolean => isJoined(at) || isJoined(at + 1);
      // A part begins where a stretch does, or where points before are drawn in the other way.
      const partsOf = (wanted: boolean): number =>
        points.filter(({ isHollow }, at) => {
          const begins = !isJoined(at) || points[at - 1]?.isHollow !== isHollow;
          return isHollow === wanted && isPart(at) && begins;
        }).length;
      const isMarked = (at: number): boolean => !isPart(at) || at === points.length - 1;
      const marksOf = (wanted: boolean): number =>
        points.filter(({ isHollow }, at) => isHollow === wanted && isMarked(at)).length;
      for (const nodes of [
        parseMarkup(renderSparkline({ ...text, points, dayFirst: 0, dayLast: 3000 }).text),
        draw({ lines: [{ label: "Retail", points }] }),
      ]) {
        const strokes = nodesOfClass(nodes, "line").filter((node) => !isLegend(node));
        const isDashed = ({ attributes }: MarkupNode): boolean => attributes["class"]?.includes("dashed") === true;
        assert.equal(subpaths(strokes.find((node) => !isDashed(node))), partsOf(false), "whole");
        assert.equal(subpaths(strokes.find(isDashed)), partsOf(true), "dashed");
        assert.equal(nodesOfClass(nodes, "hollow").length, marksOf(true), "hollow marks");
        assert.equal(symbolsOf(nodes), marksOf(false), "filled marks");
      }
    }),
    { numRuns: runsOf(100) },
  );
  t.end();
});

t.test("the dashes of two points meet those of their neighbours halfway", (t) => {
  const points = [true, false].map((isHollow, at) => point(at * 30, 10 + 10 * at, { isHollow, low: 0, high: 20 }));
  const nodes = draw({ lines: [{ label: "Retail", points }] });
  const [dashed] = nodesOfClass(nodes, "dashed");
  const whole = nodesOfClass(nodes, "line").find(
    ({ attributes }) => attributes["class"] === "line stroke-0" && attributes["d"]?.includes("L"),
  );
  const pairs = [dashed, whole].map((node) => (node?.attributes["d"] ?? "").slice(1).split("L"));
  t.equal(pairs[0]?.[1], pairs[1]?.[0]);
  const [x0, x1, x2] = [pairs[0]?.[0], pairs[0]?.[1], pairs[1]?.[1]].map((pair) => Number(pair?.split(",")[0]));
  t.ok(Math.abs((x1 as number) - ((x0 as number) + (x2 as number)) / 2) < 0.2);
  t.end();
});

t.test("dots lie behind the line, and the legend names dots and dashes where there are some", (t) => {
  const labels = { dotLabel: "median of all", hollowLabel: "fewer than 3 markets" };
  const points = [10, 12, 11].map((value, at) => point(at * 30, value, { dot: value + 1, high: value + 1 }));
  const markupText = renderLineChart({ ...text, ...labels, lines: [{ label: "Retail", points }] }).text;
  const nodes = parseMarkup(markupText);
  const [, dots] = nodesOfClass(nodes, "dots");
  t.equal(dots?.attributes["d"]?.split("m").length, 4);
  t.ok(markupText.indexOf('class="dots stroke-0"') < markupText.indexOf('class="line stroke-0" d="M', 900));
  t.match(textWithin(nodes), "median of all");
  t.notMatch(textWithin(nodes), "fewer than 3 markets");
  const plain = points.map((one) => ({ ...one, dot: undefined, isHollow: true }));
  const hollow = textWithin(draw({ ...labels, lines: [{ label: "Retail", points: plain }] }));
  t.match(hollow, "fewer than 3 markets");
  t.notMatch(hollow, "median of all");
  const beyond = [...Array.from({ length: 20 }, (_, at) => point(at, 50)), point(20, 50, { dot: 5000, high: 5000 })];
  const far = draw({ ...labels, lines: [{ label: "Retail", points: beyond }] });
  t.equal(nodesOfClass(far, "dots").length, 1, "a dot beyond the axis is the triangle at its edge");
  t.match(textWithin(far), "5,000");
  t.end();
});

t.test("whatever the values, all that is drawn lies within the view box", (t) => {
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
        strips: "positions",
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
  t.end();
});

t.test(
  "the axis reaches three times above most values; one misplaced decimal point does not flatten the chart",
  (t) => {
    t.equal(axisTop([]), 1);
    t.equal(axisTop([0, 0]), 1);
    t.equal(axisTop([50]), 50);
    t.equal(axisTop([40, 50, 60, 55, 52, 51, 48, 49, 47, 150]), 150);
    t.equal(axisTop([40, 50, 60, 55, 52, 51, 48, 49, 47, 5000]), 60);
    const points = Array.from({ length: 20 }, (_, at) => point(at, at === 7 ? 5000 : 50 + at));
    const nodes = draw({ lines: [{ label: "Retail", points }] });
    t.match(textWithin(nodes), /5,000/, "what lies beyond is named at the edge");
    t.notMatch(textWithin(nodes), /10,000/);
    const symbolsWith = (last: number): number => {
      const ending = points.map((one, at) => (at === 19 ? { ...one, value: last } : { ...one, value: 50 }));
      return symbolsOf(draw({ lines: [{ label: "Retail", points: ending }] }));
    };
    t.equal(symbolsWith(50) - symbolsWith(5000), 1, "beyond the axis is no symbol, which would stand at the edge");
    const banded = points.map((one) => ({ ...one, value: 50, low: 40, high: one.value }));
    const marks = [9000, 8000].map((value) => ({ day: 15, value, reason: `is ${value}` }));
    const all = textWithin(draw({ lines: [{ label: "Retail", points: banded }], marks, width: 700 }));
    t.match(all, /is 9000\nis 80009,000 \(2\)/, "marks of a day share a triangle");
    t.match(all, /5,000$/, "the end of a band that lies beyond is named as well");
    t.end();
  },
);

t.test("legend, unit, hover texts and marks say what is shown", (t) => {
  const points = [
    point(20_454, 46.389, {
      period: "2026-01",
      low: 40,
      high: 52.5,
      readout: "46.39 KES per kg, 12 prices",
      month: "2026-01",
    }),
    point(20_485, 1234.5, { period: "2026-02" }),
  ];
  const marks = [{ day: 20_460, value: 460, reason: "ten times the usual price" }];
  const lines = [
    { label: "Wholesale", points },
    { label: "Retail", points: [] },
  ];
  const nodes = draw({ lines, marks, markLabel: "suspicious", bandLabel: "least to greatest", strips: "texts" });
  const all = textWithin(nodes);
  for (const wanted of ["Wholesale", "Retail", "suspicious", "least to greatest", "KES per kg", "Prices of maize."]) {
    t.ok(all.includes(wanted), wanted);
  }
  t.match(all, "2026-01\nWholesale: 46.39 KES per kg, 12 prices");
  t.match(all, "2026-02\nWholesale: 1234.5");
  t.strictSame(
    nodesOfClass(nodes, "strip").map(({ attributes }) => attributes["data-month"]),
    ["2026-01", undefined],
  );
  const single = draw({ lines: lines.slice(0, 1), strips: "texts", breaks: [{ day: 20_470, reason: "now Maize" }] });
  t.match(textWithin(single), "2026-01: 46.39 KES per kg, 12 prices");
  t.match(textWithin(single), "now Maize");
  t.equal(nodesOfClass(single, "break").length, 1);
  const positions = draw({ lines, strips: "positions" });
  t.equal(nodesOfClass(positions, "strip").length, 2);
  t.notMatch(textWithin(positions), "12 prices");
  t.match(all, "ten times the usual price");
  const [svg] = nodes as MarkupNode[];
  t.equal(svg?.attributes["role"], "img");
  t.strictSame(
    svg?.children.slice(0, 2).map((child) => (child as MarkupNode).name),
    ["title", "desc"],
  );
  t.end();
});

t.test("the time axis names years, months or days, in the language asked for", (t) => {
  const labels = (dayFirst: number, dayLast: number, language: Language = "en"): string =>
    textWithin(nodesOfClass(draw({ dayFirst, dayLast, language, width: 500 }), "middle"));
  t.match(labels(13_149, 20_454), /2006.*2010.*2024/);
  t.match(labels(20_270, 20_454), /Jul.*Sep.*2026/);
  t.match(labels(20_270, 20_454, "sw"), /Jul.*Nov.*2026/);
  t.match(labels(20_463, 20_473), /10 Jan 2026.*18 Jan/);
  t.equal(labels(20_463, 20_463), "2026-01-10");
  t.equal(labels(20_454, 20_454), "Jan 2026", "a month is no day");
  t.match(labels(20_514, 20_605), /8 Mar 2026.*Apr/);
  t.end();
});

t.test(
  "a line keeps its colour and symbol whatever else is drawn, and is told from others by symbols along it",
  (t) => {
    const lines = ["Wholesale", "Retail", "Rural"].map((label, colour) => {
      return { label, colour, points: Array.from({ length: 36 }, (_, at) => point(30 * at, 10 * (colour + 1))) };
    });
    const partsOf = (shown: typeof lines, colour: number): string[] => {
      const nodes = draw({ lines: shown, width: 720 });
      const strokes = nodesOfClass(nodes, `stroke-${colour}`).filter((node) => !isLegend(node));
      const symbols = nodesOfClass(nodes, `fill-${colour}`).filter(({ attributes }) => attributes["transform"]);
      if (shown.length > 1 && strokes.length > 0) t.ok(symbols.length >= 5, `${symbols.length} symbols of ${colour}`);
      const text = nodesOfClass(nodes, "endLabel").map(({ children }) => textWithin(children));
      t.strictSame(text.toSorted(), shown.map(({ label }) => label).toSorted(), "each label once, at an end");
      return [...new Set([...strokes, ...symbols].map(({ attributes }) => attributes["class"] ?? ""))];
    };
    for (const [colour, line] of lines.entries()) {
      for (const shown of [
        lines,
        lines.toReversed(),
        [line],
        lines.filter((other) => other === line || other !== lines[0]),
      ]) {
        if (shown.includes(line)) t.match(partsOf(shown, colour), [`line stroke-${colour}`, `fill-${colour}`]);
      }
    }
    const shapes = [0, 1, 2].map((colour) => {
      const [symbol] = nodesOfClass(draw({ lines }), `fill-${colour}`).filter(
        ({ attributes }) => attributes["transform"],
      );
      return symbol?.attributes["d"];
    });
    t.equal(new Set(shapes).size, 3, "each line has a symbol of its own");
    t.end();
  },
);

t.test("labels stand at the ends of their lines, never one over another, and a cut one is named by the legend", (t) => {
  const ends = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: linesMax });
  fc.assert(
    fc.property(ends, (values) => {
      const lines = values.map((value, at) => ({ label: `Line ${at}`, points: [point(0, value), point(30, value)] }));
      const nodes = draw({ lines, width: 720 });
      const labels = nodesOfClass(nodes, "endLabel");
      assert.equal(labels.length, values.length);
      const heights = labels.map(({ children }) => {
        const texts = findNodes(children, ({ name }) => name === "text");
        return texts.reduce((sum, { attributes }) => sum + Number(attributes["y"]) / texts.length, 0);
      });
      const distances = heights.slice(1).map((height, at) => height - (heights[at] as number));
      assert.ok(
        distances.every((distance) => distance >= 14.9),
        `${heights}`,
      );
      assert.ok(
        heights.every((height) => height > 0 && height <= Number((nodes[0] as MarkupNode).attributes["height"])),
      );
    }),
    { numRuns: runsOf(100) },
  );
  const wanted = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { maxLength: linesMax });
  fc.assert(
    fc.property(wanted, (unsorted) => {
      const sorted = unsorted.toSorted((a, b) => a - b);
      const found = spreadOut(sorted, 15, { first: 0, last: 100 });
      for (const [at, position] of found.entries()) {
        assert.ok(position >= -1e-9 && position <= 100 + 1e-9, `${found}`);
        if (at > 0) assert.ok(position - (found[at - 1] as number) >= 15 - 1e-9, `${found}`);
      }
      const isFree = sorted.every((value, at) => at === 0 || value - (sorted[at - 1] as number) >= 15);
      if (isFree) assert.deepEqual(found, sorted, "nothing moves that need not");
    }),
    { numRuns: runsOf(200) },
  );
  t.strictSame(spreadOut([50, 50], 15, { first: 0, last: 100 }), [42.5, 57.5], "both move by as little");
  const long = "Maize (white, dry), wholesale, in Elgeyo-Marakwet county";
  const legendOf = (label: string): string[] =>
    nodesOfClass(draw({ lines: [{ label, points: [point(0, 1), point(30, 2)] }] }), "line")
      .filter(isLegend)
      .map(({ name }) => name);
  const two = "Maize (white, dry), wholesale";
  t.strictSame([legendOf("Retail"), legendOf(two), legendOf(long)], [[], [], ["path"]]);
  const [label] = nodesOfClass(draw({ lines: [{ label: two, points: [point(0, 1)] }] }), "endLabel");
  const linesOfText = findNodes(label?.children ?? [], ({ name }) => name === "text");
  t.ok(linesOfText.length > 1, "a label that is too wide is broken into lines");
  t.equal(linesOfText.map(({ children }) => textWithin(children)).join(" "), two);
  t.match(textWithin(draw({ lines: [{ label: long, points: [point(0, 1)] }] })), `${long}Maize`);
  t.end();
});

t.test("more lines than colours are refused", (t) => {
  const lines = Array.from({ length: linesMax + 1 }, (_, at) => ({ label: `${at}`, points: [] }));
  t.throws(() => draw({ lines }), { name: "RangeError", message: /7 lines, expected at most 6/ });
  t.end();
});
