import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import type { Language } from "../../../src/contract/words.ts";
import { visibleText } from "../../../src/engine/model/visible-text.ts";
import { renderChartFile } from "../../../src/site/charts/chart-file.ts";
import { cutText, shortNumber, textWidth } from "../../../src/site/charts/chart-frame.ts";
import { linesMax, rampSteps } from "../../../src/site/charts/chart-style.ts";
import { renderCountyMap, renderCountyPoints, renderTileGrid } from "../../../src/site/charts/county-map.ts";
import { type LineChart, renderLineChart } from "../../../src/site/charts/line-chart.ts";
import { axisTop, type LinePoint } from "../../../src/site/charts/plot.ts";
import { renderSeasonalChart } from "../../../src/site/charts/seasonal-chart.ts";
import { colourStyle, lightColours } from "../../../src/site/pages/style.ts";
import { chartsOfAllKinds } from "../../support/charts-of-all-kinds.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import {
  findNodes,
  hostileText,
  type MarkupNode,
  nodesOfClass,
  parseMarkup,
  textWithin,
} from "../../support/parse-markup.ts";
import { processorMilliseconds } from "../../support/processor-time.ts";

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

const file = {
  title: "Maize (white, dry)",
  subtitle: `Month by month: comparable price, KES per kg, all of Kenya, ${"up to 34 markets, ".repeat(12)}`,
  notes: ["Source: a test."],
};

for (const [kind, chart] of Object.entries(chartsOfAllKinds)) {
  t.test(`a file of a ${kind} is as large as its parts, names all it shows and has no rule on its place`, async (t) => {
    const text = renderChartFile(file, chart);
    const [svg] = parseMarkup(text) as [MarkupNode];
    const [, , width, height] = (svg.attributes["viewBox"] ?? "").split(" ").map(Number);
    const [drawing] = findNodes(svg.children, ({ name }) => name === "svg") as [MarkupNode];
    const placed = findNodes(svg.children, ({ children }) => children.includes(drawing))[0] as MarkupNode;
    const [, left, top] = /^translate\((\d+) (\d+)\)$/.exec(placed.attributes["transform"] ?? "")?.map(Number) ?? [];
    t.equal(drawing.attributes["viewBox"], `0 0 ${drawing.attributes["width"]} ${drawing.attributes["height"]}`);
    t.ok((left ?? 0) + chart.size.width <= (width ?? 0));
    t.ok((top ?? 0) + chart.size.height <= (height ?? 0));
    t.equal(
      textWithin(findNodes(svg.children, ({ name }) => name === "title").slice(0, 1)),
      `${file.title}: ${file.subtitle}`,
    );
    const shown = findNodes(svg.children, ({ name }) => name === "text").map(({ children }) => textWithin(children));
    t.match(shown.join(" "), file.subtitle.trim(), "a long subtitle is wrapped, not cut");
    const ys = findNodes(svg.children, ({ name, attributes }) => name === "text" && attributes["class"] === "quiet");
    t.ok(ys.length > 2);
    const rules = textWithin(findNodes(svg.children, ({ name }) => name === "style"));
    t.notMatch(
      rules,
      /var\(|(?:^|[\s;{])(?:width|height|max-width|display|margin|float):/,
      "CSS sizes win over attributes",
    );
    t.match(rules, lightColours.get("chart-line-0"));
  });
}

const schemes = ["light", "dark"] as const;

type Colour = Readonly<Record<(typeof schemes)[number], string>>;

const lists = colourStyle
  .split("@media screen and (prefers-color-scheme: dark)", 2)
  .map(
    (list) => new Map([...list.matchAll(/--([\w-]+): (#\w{6});/g)].map(([, name = "", found = ""]) => [name, found])),
  );
const [light, dark] = lists as [Map<string, string>, Map<string, string>];
const colours = new Map(
  [...light].map(([name, found]): [string, Colour] => [name, { light: found, dark: dark.get(name) ?? "" }]),
);

function colour(name: string): Colour {
  const found = colours.get(name);
  if (found === undefined) throw new Error(`the style sheets have no colour ${name}`);
  return found;
}

function coloursOf(name: string, count: number): Colour[] {
  if (colours.has(`${name}-${count}`)) throw new Error(`the style sheets have more than ${count} colours ${name}`);
  return Array.from({ length: count }, (_, at) => colour(`${name}-${at}`));
}

const lineColours = coloursOf("chart-line", linesMax);
const rampFills = coloursOf("chart-ramp", rampSteps);
const rampTexts = coloursOf("chart-on-ramp", rampSteps);

/** Relative luminance. Source: WCAG 2.2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

t.test("text and lines, whose labels have their colour, stand out by 4.5 to 1, light and dark", async (t) => {
  t.equal(Math.round(contrast("#ffffff", "#000000")), 21);
  for (const scheme of schemes) {
    const page = colour("page")[scheme];
    const onPage = (shown: Colour, least: number): void => {
      t.ok(contrast(shown[scheme], page) >= least, `${shown[scheme]} on ${page}: ${contrast(shown[scheme], page)}`);
    };
    for (const name of ["ink", "quiet", "link", "alert", "stress", "rise", "fall"]) {
      onPage(colour(name), 4.5);
      const onSoft = contrast(colour(name)[scheme], colour("soft")[scheme]);
      t.ok(onSoft >= 4.5, `${name} on a soft background: ${onSoft}`);
    }
    for (const line of lineColours) onPage(line, 4.5);
    for (const [at, fill] of rampFills.entries()) {
      const text = (rampTexts[at] as Colour)[scheme];
      const found = contrast(fill[scheme], text);
      t.ok(found >= 4.5, `${text} on ${fill[scheme]}: ${found}`);
    }
  }
});

t.test("the ramp goes away from the page, each step clearly lighter or darker than the one before", async (t) => {
  for (const scheme of schemes) {
    const steps = rampFills.map((fill) => contrast(fill[scheme], colour("page")[scheme]));
    for (const [at, step] of steps.entries()) {
      if (at > 0) t.ok(step / (steps[at - 1] as number) > 1.15, `${scheme} step ${at}: ${step}`);
    }
  }
});

const drawingElements = ["svg", "g", "title", "desc", "path", "rect", "circle", "text", "defs", "pattern", "mask"];

t.test("text from files is text in every chart, never a tag, an attribute or a control character", async (t) => {
  const text = { title: hostileText, description: hostileText };
  const points = [1, 2, 90].map((day) => ({ day, value: day }));
  const markets = [{ name: hostileText, points }];
  const charts = {
    line: renderLineChart({
      ...text,
      lines: [1, 2].map(() => ({ label: hostileText, points, markets, bars: [{ day: 1, low: 1, high: 2 }] })),
      formLabels: { bars: hostileText, dots: hostileText },
      band: { label: hostileText, points: [] },
      marks: [{ day: 3, value: 3, reason: hostileText }],
      markLabel: hostileText,
      unit: hostileText,
      readouts: [{ day: 1, texts: [hostileText] }],
      breaks: [{ day: 2, reason: hostileText }],
      breakLabel: hostileText,
    }),
    tileGrid: renderTileGrid({
      ...text,
      tiles: [{ column: 0, row: 0, label: hostileText, value: 5, detail: hostileText }],
      emptyLabel: hostileText,
    }),
    countyMap: renderCountyMap({
      ...text,
      areas: [{ id: 47, value: 1, detail: hostileText }],
      emptyLabel: hostileText,
    }),
    countyPoints: renderCountyPoints({ ...text, points: [{ name: hostileText, latitude: 0, longitude: 37 }] }, 47),
    seasonal: renderSeasonalChart({
      ...text,
      label: hostileText,
      bandLabel: hostileText,
      months: Array.from({ length: 12 }, (_, value) => ({ value, low: 0, high: 9 })),
      readouts: [[hostileText]],
      unit: hostileText,
    }),
  };
  for (const [name, chart] of Object.entries(charts)) {
    const nodes = parseMarkup(chart.text);
    const titles = findNodes(nodes, (node) => ["title", "desc"].includes(node.name)).map(({ children }) =>
      textWithin(children),
    );
    t.ok(titles.includes(visibleText(hostileText)), name);
    t.strictSame(
      findNodes(nodes, (node) => !drawingElements.includes(node.name)),
      [],
    );
    t.notMatch(chart.text, /[^\P{Cc}\n]|\p{Bidi_Control}/u, name);
    t.ok(chart.text.isWellFormed(), name);
  }
});

t.test("a chart without data is drawn, empty", async (t) => {
  const text = { title: "Nothing", description: "No prices." };
  const charts = [
    renderLineChart({ ...text, lines: [], unit: "KES per kg" }),
    renderTileGrid({ ...text, tiles: [], emptyLabel: "none" }),
    renderCountyMap({ ...text, areas: [], emptyLabel: "none" }),
    renderCountyPoints({ ...text, points: [] }, 99),
    renderSeasonalChart({ ...text, months: [], label: "median", bandLabel: "range", unit: "%" }),
  ];
  for (const chart of charts) {
    t.equal(parseMarkup(chart.text).length, 1);
    t.notMatch(chart.text, /NaN|Infinity|undefined/);
  }
});

t.test("the axis of a usual year lies round 100, not from 0, and goes below 0 for no season", async (t) => {
  const ticksOf = (lows: readonly number[], highs: readonly number[]): number[] => {
    const months = lows.map((low, at) => ({
      value: (low + (highs[at] as number)) / 2,
      low,
      high: highs[at] as number,
    }));
    const text = { title: "Maize", description: "By month.", unit: "%", label: "median", bandLabel: "range" };
    const nodes = parseMarkup(renderSeasonalChart({ ...text, months }).text);
    const [mean] = nodesOfClass(nodes, "average").map(
      ({ attributes }) => /^M\S+ (\S+)H/.exec(attributes["d"] ?? "")?.[1],
    );
    const labels = nodesOfClass(nodes, "end");
    const shown = labels.map(({ children }) => Number(textWithin(children).replaceAll(",", "")));
    const at100 = labels[shown.indexOf(100)]?.attributes["y"];
    if (at100 !== undefined) t.ok(Math.abs(Number(mean) + 4 - Number(at100)) <= 0.1, "the mean stands at 100");
    return shown;
  };
  const same = (value: number): number[] => Array.from({ length: 12 }, () => value);
  for (const [low, high, least, greatest] of [
    [90, 115, 80, 120],
    [100, 100, 80, 120],
    [40, 110, 40, 160],
    [90, 180, 0, 200],
    [50, 450, 0, 500],
  ] as const) {
    const ticks = ticksOf(same(low), same(high));
    t.strictSame([ticks[0], ticks.at(-1)], [least, greatest], `${low} to ${high}: ${ticks}`);
  }
});

t.test("numbers are short", async (t) => {
  const shown = [0, 0.00001, 0.0456, 0.5, 1, 46.388, 999.994, 1234.5, 99_999, 123_456, 1e12, 1.7e308];
  t.strictSame(
    shown.map((value) => shortNumber(value)),
    ["0", "1.0e-5", "0.046", "0.5", "1", "46.39", "999.99", "1,235", "99,999", "123K", "1T", "1.7e+308"],
  );
});

t.test("texts are cut where they do not fit", async (t) => {
  t.equal(cutText("Maize (white)", 100), "Maize (white)");
  const cut = cutText("Maize flour, fortified, in packets", 100);
  t.match(cut, /^Maize.*…$/);
  t.ok(textWidth(cut) <= 100);
  t.equal(cutText("👩‍🌾👩‍🌾", 1), "👩…");
});

t.test("a text is cut where taking one character after the other off its end would cut it", async (t) => {
  const takenOff = (text: string, widthMax: number): string => {
    if (textWidth(text) <= widthMax) return text;
    const characters = [...text];
    while (characters.length > 1 && textWidth(`${characters.join("")}…`) > widthMax) characters.pop();
    return `${characters.join("").trimEnd()}…`;
  };
  const texts = [
    "",
    "i",
    "MMM",
    "Maize (white, dry)",
    "a          b",
    "é́̂xi e\u0301",
    "👩‍🌾👩‍🌾 maize",
    "mwm%@ il",
    "漢字 and",
  ];
  for (const text of texts) {
    for (let width = 0; width < 130; width += 3)
      t.equal(cutText(text, width), takenOff(text, width), `${text} ${width}`);
  }
});

t.test("a cut costs what it keeps, however long the text is", async (t) => {
  const long = ["M".repeat(3e6), "i ".repeat(1e6), "e\u0301".repeat(1e6), "👩‍🌾".repeat(1e6)];
  const begun = processorMilliseconds();
  for (const text of long) for (let time = 0; time < 1000; time++) cutText(text, 200);
  const milliseconds = processorMilliseconds() - begun;
  t.ok(milliseconds < 2000, `${milliseconds} ms; measuring each text once takes 0.1 s`);
});
