import t from "tap";
import { dayText, firstDayOf, type MonthNumber, monthText } from "../../../src/engine/model/calendar.ts";
import type { CountyId } from "../../../src/engine/model/ids.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { answerOf, linksOf, nodesOf, targets } from "../../support/explorer-pages.ts";
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
  t.notMatch(textWithin(short), "Usual year", "an empty section is left out");
  t.equal(nodesOfClass(short, "seasonalChart").length, 0);
});

t.test("the title of a chart as a file says what, where, unit, population and markets", async (t) => {
  const store = storeOf([...monthly(0, 2022, 2025), ...monthly(1, 2022, 2025), ...monthly(2, 2024, 2024)]);
  const titleOf = async (path: string): Promise<string> => {
    const [svg] = parseMarkup((await answerOf(store, path)).text, targets) as [MarkupNode];
    return textWithin(findNodes(svg.children, ({ name }) => name === "title").slice(0, 1));
  };
  const page = `/products/${product}`;
  t.strictSame(
    [
      await titleOf(`${page}?chart=months&period=all`),
      await titleOf(`${page}?chart=months&period=1y&county=47`),
      await titleOf(`${page}?chart=months&period=1y&market=${uuidOf("market", 2)}`),
      await titleOf(`${page}?chart=usual-year`),
      await titleOf(`/compare?chart=months&period=1y&series=${product}:Retail:47&series=${product}:Retail:1`),
    ].map((title) => title.replace(/^[^:]*: /, "")),
    [
      "Prices, KES per kg, retail outside refugee camps, 3 markets, January 2022 – December 2025",
      "Prices, KES per kg, retail in County 47 county, 1 market, January 2025 – December 2025",
      "Prices, KES per kg, retail at Market 2, 1 market, January 2025 – December 2025",
      "Usual year (retail), outside refugee camps, 3 years, 3 markets, % of the mean of the year",
      "Prices, KES per kg, retail in County 47 county; retail in County 1 county, 2 markets, " +
        "January 2025 – December 2025",
    ],
  );
  t.match(await titleOf(`${page}?chart=months&county=47`), /^Milk in County 47: /);
});

/** A market in each of some counties, with a price in 2025; the first ones in a refugee camp. */
function inCounties(count: number, camps: number, year = 2025): Store {
  const ids = Array.from({ length: count }, (_, at) => (at + 1) as CountyId);
  return buildStore(
    tinyDataset({
      counties: ids.map((id) => county(id, { name: `County ${id}` })),
      products: [{ name: "Milk" }],
      markets: ids.map((countyId, at) => ({
        name: `Market ${at + 1}`,
        type: "Retail",
        countyId,
        setting: at < camps ? "refugee_camp" : null,
      })),
      prices: [
        ...ids.flatMap((_, market) => monthly(market, year, year)),
        { market: count - 1, recordedAt: "2025-12-15T09:00:00+03:00" },
      ],
    }),
  );
}

t.test("a map is of at least six counties with a price that is not old, outside camps", async (t) => {
  const mapsOf = async (store: Store): Promise<MarkupNode[]> =>
    nodesOfClass(await nodesOf(store, `/products/${product}`), "countyMap");
  const [map, ...others] = await mapsOf(inCounties(7, 1));
  t.equal(others.length, 0);
  t.equal(
    findNodes(map === undefined ? [] : [map], ({ name }) => name === "path").length,
    47,
    "all counties are drawn",
  );
  t.strictSame(
    linksOf(map === undefined ? [] : [map]).sort(),
    [2, 3, 4, 5, 6, 7].map((id) => `/counties/${id}`),
  );
  t.strictSame(await mapsOf(inCounties(6, 1)), [], "five outside camps");
  t.strictSame(await mapsOf(inCounties(7, 0, 2023)), [], "old prices");
});

t.test("a map of tiles links counties with prices", async (t) => {
  const store = storeOf([...monthly(0, 2025, 2025), ...monthly(2, 2020, 2020)]);
  const tiles = nodesOfClass(await nodesOf(store, "/data"), "tileGrid");
  t.strictSame(linksOf(tiles).sort(), ["/counties/32", "/counties/47"]);
});

/** Retail prices of some markets, with a price in each of some months. */
function markets(count: number, months: readonly string[], camps = 0): Store {
  return buildStore(
    tinyDataset({
      products: [{ name: "Milk" }],
      markets: Array.from({ length: count }, (_, at) => ({
        name: `Market ${at}`,
        type: "Retail" as const,
        setting: at < camps ? "refugee_camp" : null,
      })),
      prices: months.flatMap((month) =>
        Array.from({ length: count }, (_, market) => ({
          market,
          price: 50 + market,
          recordedAt: `${month}-15T09:00:00+03:00`,
        })),
      ),
    }),
  );
}

const quarters = ["2025-03", "2025-06", "2025-09", "2025-12"];

t.test("up to twelve markets are thin lines by name; more are the middle half, the median and dots", async (t) => {
  const wide = async (store: Store): Promise<MarkupNode[]> => {
    const page = await nodesOf(store, `/products/${product}`);
    return nodesOfClass(nodesOfClass(page, "forWide"), "lineChart");
  };
  const lines = (chart: readonly MarkupNode[], className: string): number =>
    nodesOfClass(chart, className).filter(({ attributes }) => (attributes["d"] ?? "").includes("L")).length;
  const few = await wide(markets(12, quarters));
  t.equal(lines(few, "thin"), 12);
  t.match(textWithin(few), /Market 11/);
  const many = await wide(markets(13, quarters));
  t.equal(lines(many, "thin"), 0);
  const [, bars] = nodesOfClass(many, "bars");
  t.equal(bars?.attributes["d"]?.split("V").length, 5, "a bar for each month");
  const [, cloud] = nodesOfClass(many, "cloud");
  t.equal(cloud?.attributes["d"]?.split("m").length, 53, "a dot for each market and month, in one path");
  t.match(textWithin(many), "median 56.00 KES a kg, 13 markets, lowest 50.00, highest 62.00");
  const [outside, camps] = await wide(markets(20, quarters, 13));
  t.match(textWithin(outside === undefined ? [] : [outside]), "retail outside refugee camps");
  t.equal(lines([outside as MarkupNode], "stroke-0"), 7);
  t.match(textWithin(camps === undefined ? [] : [camps]), "retail in refugee camps");
  t.ok(nodesOfClass([camps as MarkupNode], "stroke-1").length > 0, "in another colour");
  t.equal(nodesOfClass([camps as MarkupNode], "stroke-0").length, 0);
});

t.test("a line joins values at most three months apart, a median's where half of the markets go on", async (t) => {
  const pathOf = async (store: Store): Promise<string> => {
    const [chart] = nodesOfClass(await nodesOf(store, `/products/${product}?period=all`), "lineChart");
    const paths = nodesOfClass(chart === undefined ? [] : [chart], "line").map(
      ({ attributes }) => attributes["d"] ?? "",
    );
    return paths.filter((path) => path.includes("L")).join("");
  };
  t.equal((await pathOf(markets(1, quarters))).split("L").length, 4, "quarters are joined");
  t.equal(await pathOf(markets(1, ["2025-03", "2025-07"])), "", "four months are not");
  const leaving = (staying: number): Store =>
    buildStore(
      tinyDataset({
        products: [{ name: "Milk" }],
        markets: Array.from({ length: 28 }, () => ({ type: "Retail" as const })),
        prices: [
          ...Array.from({ length: 14 }, (_, market) => ({ market, recordedAt: "2025-03-15T09:00:00+03:00" })),
          ...Array.from({ length: 14 }, (_, at) => ({
            market: at < staying ? at : at + 14,
            recordedAt: "2025-06-15T09:00:00+03:00",
          })),
        ],
      }),
    );
  t.not(await pathOf(leaving(7)), "");
  t.equal(await pathOf(leaving(6)), "");
});

t.test("one market has the range of the same months of the five years before, from three years on", async (t) => {
  const bandOf = async (years: readonly number[]): Promise<number> => {
    const store = storeOf(years.flatMap((year) => monthly(0, year, year)));
    const page = await nodesOf(store, `/products/${product}?market=${uuidOf("market", 1)}&period=1y`);
    return nodesOfClass(page, "usual").length;
  };
  t.ok((await bandOf([2020, 2022, 2024, 2025])) > 0);
  t.equal(await bandOf([2019, 2020, 2024, 2025]), 0, "two of the five years before");
});

t.test("the change is a chart of its own where twelve months have five matched markets", async (t) => {
  const months = (years: number): string[] =>
    Array.from(
      { length: 12 * years },
      (_, at) => `${2023 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, "0")}`,
    );
  const linksTo = async (store: Store): Promise<string[]> =>
    linksOf(await nodesOf(store, `/products/${product}`)).filter((link) => link.includes("view=change"));
  t.equal((await linksTo(markets(5, months(2)))).length, 1);
  t.strictSame(await linksTo(markets(4, months(2))), [], "four markets");
  t.strictSame(await linksTo(markets(5, months(2).slice(1))), [], "eleven months");
  const page = await nodesOf(markets(5, months(2)), `/products/${product}?view=change`);
  t.match(textWithin(nodesOfClass(page, "lineChart")), "0% since December 2023 at 5 markets");
});

t.test("lines keep their colours in a comparison when others are removed, added or without prices", async (t) => {
  const store = storeOf(
    [0, 1, 2].flatMap((market) => monthly(market, market === 1 ? 2010 : 2025, market === 1 ? 2010 : 2025)),
  );
  const seriesOf = (id: number): string => `series=${product}:Retail:${id}`;
  const coloursOf = async (target: string): Promise<Record<string, string>> => {
    const [chart] = nodesOfClass(await nodesOf(store, target), "lineChart");
    const nodes = findNodes(chart === undefined ? [] : [chart], ({ name }) => name === "path" || name === "text");
    const legend = nodes
      .filter(({ name }) => name === "text")
      .flatMap((node, at, texts) => {
        const id = /County (\d+)/.exec(textWithin(node.children))?.[1];
        return id === undefined || at >= texts.length ? [] : [[id, node] as const];
      });
    return Object.fromEntries(
      legend.map(([id, node]) => [id, nodes[nodes.indexOf(node) - 1]?.attributes["class"] ?? ""]),
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

t.test("a currency of a chart is that of the rates", async (t) => {
  const prices = [50, 60].map((price, at) => ({ price, recordedAt: `2025-0${at + 1}-15T09:00:00+03:00` }));
  const exchangeRates = [1, 2].map((month) => ({ currency: "KES", month: `2025-0${month}`, rate: 100, source: "CBK" }));
  const store = buildStore(tinyDataset({ prices, exchangeRates }));
  const path = `/products/${uuidOf("product", 1)}?period=all`;
  const dollars = await answerOf(store, `${path}&currency=USD&table=months`);
  t.match(dollars.text, /,kg,USD,month,2025-02,.*,0\.6,0\.6,0\.6,/);
  const history = Array.from({ length: 10 }, (_, at) => ({
    price: 40,
    recordedAt: dayText(firstDayOf((24_300 + at) as MonthNumber)),
  }));
  const slip = { price: 400, recordedAt: `${monthText(24_305 as MonthNumber)}-20` };
  const rates = Array.from({ length: 12 }, (_, at) => ({
    currency: "KES",
    month: monthText((24_300 + at) as MonthNumber),
    rate: 100,
    source: "CBK",
  }));
  const marked = buildStore(
    tinyDataset({
      prices: [...history, slip].map((price) => ({ ...price, recordedAt: `${price.recordedAt}T09:00:00+03:00` })),
      exchangeRates: rates,
    }),
  );
  const chart = textWithin(await nodesOf(marked, `${path}&currency=USD`));
  t.match(chart, /4\.00 USD a .*10 or 100 times/, "a mark is in the currency of its chart");
  t.match(textWithin(await nodesOf(store, `${path}&currency=USD`)), "USD per");
  t.equal((await answerOf(store, `${path}&currency=EUR`)).status, 400);
});

t.test("a chart in dollars names the prices whose month has no rate, beside others that are in dollars", async (t) => {
  const months = ["2026-01", "2026-02", "2026-03"];
  const store = buildStore(
    tinyDataset({
      prices: months.flatMap((month) => [
        { price: 300, recordedAt: `${month}-05T06:00:00Z` },
        { price: 310, recordedAt: `${month}-06T06:00:00Z` },
        { price: 3, currency: "USD", recordedAt: `${month}-07T06:00:00Z` },
      ]),
      exchangeRates: ["2026-01", "2026-03"].map((month) => ({ currency: "KES", month, rate: 100, source: "CBK" })),
    }),
  );
  const path = `/products/${uuidOf("product", 1)}`;
  t.match(
    textWithin(await nodesOf(store, `${path}?currency=USD`)),
    /2 prices are not in the chart: for their months no exchange rate to USD/,
  );
});
