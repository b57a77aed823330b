import t from "tap";
import { visibleText } from "../../../src/engine/model/visible-text.ts";
import { cutText, shortNumber, textWidth } from "../../../src/site/charts/chart-frame.ts";
import { linesMax, rampSteps } from "../../../src/site/charts/chart-style.ts";
import { renderCountyMap, renderCountyPoints, renderTileGrid } from "../../../src/site/charts/county-map.ts";
import { renderLineChart } from "../../../src/site/charts/line-chart.ts";
import { renderSeasonalChart } from "../../../src/site/charts/seasonal-chart.ts";
import { colourStyle } from "../../../src/site/pages/style.ts";
import { findNodes, hostileText, nodesOfClass, parseMarkup, textWithin } from "../../support/parse-markup.ts";

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
  const before = process.threadCpuUsage();
  for (const text of long) for (let time = 0; time < 1000; time++) cutText(text, 200);
  const { user, system } = process.threadCpuUsage(before);
  t.ok(user + system < 2e6, `${user + system} µs; measuring each text once takes 0.1 s`);
});
