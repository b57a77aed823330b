import t from "tap";
import type { CountyId } from "../../../src/engine/model/ids.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { answerOf, linksOf, nodesOf } from "../../support/explorer-pages.ts";
import { findNodes, type MarkupNode, nodesOfClass, parseMarkup, textWithin } from "../../support/parse-markup.ts";
import { county, type TinyPrice, tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

const product = uuidOf("product", 1);

/** A price in each month of some years. */
function monthly(market: number, yearFirst: number, yearLast: number): Partial<TinyPrice>[] {
  return Array.from({ length: 12 * (yearLast - yearFirst + 1) }, (_, at) => {
    const month = String((at % 12) + 1).padStart(2, "0");
    const recordedAt = `${yearFirst + Math.floor(at / 12)}-${month}-15T09:00:00+03:00`;
    return { market, price: 50 + (at % 12), recordedAt };
  });
}

function storeOf(prices: readonly Partial<TinyPrice>[]): Store {
  const countyIds = [47, 1, 32] as CountyId[];
  return buildStore(
    tinyDataset({
      counties: countyIds.map((id) => county(id, { name: `County ${id}` })),
      products: [{ name: "Milk" }],
      markets: countyIds.map((countyId, at) => ({ name: `Market ${at + 1}`, type: "Retail", countyId })),
      prices,
    }),
  );
}

t.test("a usual year says the years, the months and the markets behind it, and no others", async (t) => {
  const store = storeOf([...monthly(0, 2006, 2010), ...monthly(1, 2015, 2015)]);
  const text = textWithin(await nodesOf(store, `/products/${product}`));
  t.match(
    text,
    "It uses 4 years of prices for each month, from January 2006 to December 2010, at 1 market (Market 1).",
  );
  t.notMatch(text, /in bold|\(Market 1, Market 2\)/, "years are no lines");
  t.match(
    textWithin(await nodesOf(store, `/products/${product}`, { language: "sw" })),
    "Inatokana na bei za miaka 4 kwa kila mwezi, kuanzia Januari 2006 hadi Desemba 2010, katika soko 1 (Market 1).",
  );
  const both = storeOf([...monthly(0, 2006, 2010), ...monthly(1, 2010, 2011), ...monthly(2, 2006, 2006).slice(0, 3)]);
  t.match(
    textWithin(await nodesOf(both, `/products/${product}`)),
    "from January 2006 to December 2011, at 3 markets (Market 1, Market 2, Market 3).",
  );
  const uneven = storeOf([...monthly(0, 2006, 2009), ...monthly(0, 2010, 2010).slice(0, 3)]);
  t.match(textWithin(await nodesOf(uneven, `/products/${product}`)), "It uses 3 to 4 years of prices");
  const short = await nodesOf(storeOf(monthly(0, 2024, 2025)), `/products/${product}`);
  t.match(textWithin(short), "Not enough years yet: 3 full ones are needed.");
  t.equal(nodesOfClass(short, "seasonalChart").length, 0);
  const csv = (await answerOf(store, `/products/${product}?table=season`)).text.split("\r\n");
  t.equal(csv[0], "month,index,index_min,index_max,index_years");
  t.equal(csv.length, 14);
});

t.test("the title of a chart as a file says what, where, unit, statistic and markets", async (t) => {
  const store = storeOf([...monthly(0, 2022, 2025), ...monthly(1, 2022, 2025), ...monthly(2, 2024, 2024)]);
  const titleOf = async (path: string): Promise<string> => {
    const [svg] = parseMarkup((await answerOf(store, path)).text) as [MarkupNode];
    return textWithin(findNodes(svg.children, ({ name }) => name === "title").slice(0, 1));
  };
  const page = `/products/${product}`;
  t.strictSame(
    [
      await titleOf(`${page}?chart=months&period=all`),
      await titleOf(`${page}?chart=months&period=1y&county=47`),
      await titleOf(`${page}?chart=months&period=1y&market=${uuidOf("market", 2)}`),
      await titleOf(`${page}?chart=usual-year`),
      await titleOf(`${page}?chart=counties&window=all`),
      await titleOf(`/compare?chart=months&period=1y&series=${product}:Retail:47&series=${product}:Retail:1`),
    ].map((title) => title.replace(/^[^:]*: /, "")),
    [
      "Month by month: Comparable price, KES per kg, all of Kenya, up to 3 markets, January 2022 – December 2025",
      "Month by month: Comparable price, KES per kg, County 47 county, 1 market, January 2025 – December 2025",
      "Month by month: Median, KES per kg, Market 2, 1 market, January 2025 – December 2025",
      "Usual year (retail), all of Kenya, 3 years, 3 markets, % of the mean of the year",
      "Price by county (retail), median, KES per kg, all of Kenya, 3 markets",
      "Month by month: Comparable price, KES per kg, County 47 county; County 1 county, 1 market, " +
        "January 2025 – December 2025",
    ],
  );
  t.match(await titleOf(`${page}?chart=months&county=47`), /^Milk in County 47: /);
});

t.test("a county without a price is no link of the map, and each county is one link at most", async (t) => {
  const store = storeOf([...monthly(0, 2025, 2025), ...monthly(2, 2020, 2020)]);
  const mapOf = async (target: string): Promise<string[]> => {
    const maps = nodesOfClass(await nodesOf(store, target), "countyMap");
    t.equal(maps.length, 1, "one map, and no tiles beside it");
    t.equal(nodesOfClass(await nodesOf(store, target), "tileGrid").length, 0);
    t.equal(findNodes(maps, ({ name }) => name === "path").length, 47, "all counties are drawn");
    return linksOf(maps);
  };
  t.strictSame(await mapOf(`/products/${product}`), ["/counties/47"]);
  t.strictSame((await mapOf(`/products/${product}?window=all`)).sort(), ["/counties/32", "/counties/47"]);
  t.strictSame(await mapOf("?window=1y"), ["/counties/47"]);
  const tiles = nodesOfClass(await nodesOf(store, "/data"), "tileGrid");
  t.strictSame(linksOf(tiles).sort(), ["/counties/32", "/counties/47"], "nor a link of the tiles of the data page");
});

t.test("where no county has a class, the map of classes is that of medians, and no choice", async (t) => {
  const nodes = await nodesOf(storeOf(monthly(0, 2025, 2025)), `/products/${product}?map=class`);
  t.notMatch(textWithin(nodes), /alert level: |not judged/);
  t.match(textWithin(nodesOfClass(nodes, "countyMap")), "≥ 61");
  t.notOk(linksOf(nodes).some((link) => link.includes("map=class&") && link.includes("#counties")));
});

t.test("lines keep their colours in a comparison when others are removed, added or without prices", async (t) => {
  const store = storeOf(
    [0, 1, 2].flatMap((market) => monthly(market, market === 1 ? 2010 : 2025, market === 1 ? 2010 : 2025)),
  );
  const seriesOf = (id: number): string => `series=${product}:Retail:${id}`;
  const coloursOf = async (target: string): Promise<Record<string, string>> => {
    const [chart] = nodesOfClass(await nodesOf(store, target), "lineChart");
    return Object.fromEntries(
      nodesOfClass([chart as MarkupNode], "endLabel").map(({ children }) => {
        const [text] = findNodes(children, ({ name }) => name === "text");
        return [/\d+/.exec(textWithin(children))?.[0] ?? "", text?.attributes["class"] ?? ""];
      }),
    );
  };
  const all = `/compare?${[47, 1, 32].map(seriesOf).join("&")}`;
  t.strictSame(await coloursOf(`${all}&period=all`), { 47: "fill-0", 1: "fill-1", 32: "fill-2" });
  t.strictSame(await coloursOf(`${all}&period=1y`), { 47: "fill-0", 32: "fill-2" }, "one has no prices in the period");
  const [removeFirst = ""] = findNodes(
    await nodesOf(store, all),
    ({ attributes }) => attributes["class"] === "remove",
  ).map(({ attributes }) => (attributes["href"] ?? "").replace(/^\/explore/, ""));
  t.strictSame(await coloursOf(`${removeFirst}&period=all`), { 1: "fill-1", 32: "fill-2" }, "the first is removed");
  t.strictSame(await coloursOf(`${removeFirst}&${seriesOf(47)}&period=all`), {
    1: "fill-1",
    32: "fill-2",
    47: "fill-3",
  });
  const holes = "series=-&".repeat(6);
  t.strictSame(await coloursOf(`/compare?${holes}${seriesOf(1)}&period=all`), { 1: "fill-0" }, "the first free one");
});

t.test("a type of market has the same colour wherever its line is drawn", async (t) => {
  const retail = storeOf(monthly(0, 2025, 2025));
  const [chart] = nodesOfClass(await nodesOf(retail, `/products/${product}`), "lineChart");
  t.equal(nodesOfClass([chart as MarkupNode], "stroke-0").length, 0);
  t.ok(nodesOfClass([chart as MarkupNode], "stroke-1").length > 0, "retail, without wholesale");
});
