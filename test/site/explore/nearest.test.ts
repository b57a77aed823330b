/** The nearest markets, and the short list, computed from the prices of the bundled data one by one. */
import t, { type Test } from "tap";
import { type Language, wordsOf } from "../../../src/contract/words.ts";
import { type MonthNumber, monthOf } from "../../../src/engine/model/calendar.ts";
import type { MarketRecord, ProductRecord } from "../../../src/engine/model/records.ts";
import { dayOfRow } from "../../../src/engine/store/periods.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { isSuspicious } from "../../../src/engine/store/suspicious-prices.ts";
import { bundledStore } from "../../support/bundled-data.ts";
import { answerOf, nodesOf, targets } from "../../support/explorer-pages.ts";
import { kilometresBetween } from "../../support/naive-now.ts";
import { findNodes, type MarkupNode, parseMarkup, textWithin } from "../../support/parse-markup.ts";

const store = await bundledStore();

/** The newest month of a product at a market, and the median of its prices. */
interface Newest {
  readonly market: MarketRecord;
  readonly month: MonthNumber;
  readonly median: number;
}

/** The newest months of a product by market, by a look at every price of the store. */
function newestByMarket({ prices, periods, catalogue, suspicious, statisticsUnits }: Store, product: number): Newest[] {
  const factor = (unit: string): number => catalogue.units.get(unit)?.conversionFactor ?? 1;
  const unit = statisticsUnits[product]?.unit ?? "";
  const found = new Map<number, { month: MonthNumber; values: number[] }>();
  for (let row = 0; row < prices.rowCount; row++) {
    if (prices.products[row] !== product || isSuspicious(suspicious, row)) continue;
    const name = prices.unitNames[prices.units[row] as number] as string;
    // A head of cabbage is no weight.
    if (catalogue.units.get(name)?.baseUnit !== catalogue.units.get(unit)?.baseUnit) continue;
    const value = ((prices.prices[row] as number) / factor(name)) * factor(unit);
    const month = monthOf(dayOfRow(periods, row));
    const known = found.get(prices.markets[row] as number);
    const market = prices.markets[row] as number;
    if (known === undefined || month > known.month) found.set(market, { month, values: [value] });
    else if (month === known.month) known.values.push(value);
  }
  return [...found].map(([market, { month, values }]) => {
    values.sort((a, b) => a - b);
    const [low, high] = [values[Math.floor((values.length - 1) / 2)], values[Math.floor(values.length / 2)]];
    const record = (catalogue.markets[market] as { record: MarketRecord }).record;
    return { market: record, month, median: ((low as number) + (high as number)) / 2 };
  });
}

const newestMonth = Math.max(...Array.from(store.prices.prices, (_, row) => monthOf(dayOfRow(store.periods, row))));
const isOld = (month: number): boolean => month < newestMonth - 6;

/** What the rows of a page must begin with, and their order. */
function expectedRows(product: number, type: string, from: { latitude: number; longitude: number }, own?: string) {
  const { unit = "", currency = null } = store.statisticsUnits[product] ?? {};
  const order = ({ market, month }: Newest): number => 2 * Number(isOld(month)) + Number(market.setting !== null);
  const kilometresTo = ({ market }: Newest): number =>
    market.location === null ? Number.NaN : kilometresBetween(from, market.location);
  const near = newestByMarket(store, product)
    .filter(({ market }) => market.type === type && market.location !== null && market.uuid !== own)
    .sort((a, b) => order(a) - order(b) || kilometresTo(a) - kilometresTo(b))
    .slice(0, 5);
  return (language: Language) => {
    const words = wordsOf(language);
    return near.map((one) => ({
      name: one.market.name,
      parts: [
        `${words.integer(Math.round(kilometresTo(one)))} km`,
        words.priceOf(one.median, currency, unit),
        words.month(one.month),
        ...(one.market.setting === null ? [] : [words.say("inCamp")]),
        ...(isOld(one.month) ? [words.say("olderPrice")] : []),
      ],
    }));
  };
}

/** The rows of the sections of the nearest markets, as texts. */
function rowsOfSection(nodes: readonly (MarkupNode | string)[], id: string): string[] {
  const [section] = findNodes(nodes, ({ attributes }) => attributes["aria-labelledby"] === id);
  const [body] = findNodes(section?.children ?? [], ({ name }) => name === "tbody");
  return findNodes(body?.children ?? [], ({ name }) => name === "tr").map((row) => textWithin([row]));
}

type Expected = ReturnType<ReturnType<typeof expectedRows>>;

function checkRows(t: Test, rows: readonly string[], expected: Expected, text: string) {
  t.equal(rows.length, expected.length, text);
  for (const [at, { name, parts }] of expected.entries()) {
    const row = (rows[at] ?? "").replace(/\s+/g, " ");
    t.ok(row.trim().startsWith(name), `${text}: ${row} begins with ${name}`);
    for (const part of parts) t.ok(row.includes(part), `${text}: ${row} has ${part}`);
  }
}

const { products, markets, counties } = store.catalogue;
const priced = [...products.keys()].filter((code) => newestByMarket(store, code).length > 0);

t.test("the nearest of every product, from counties with camps and without, in both languages", async (t) => {
  for (const [at, code] of priced.entries()) {
    const language: Language = at % 2 === 0 ? "en" : "sw";
    const countyId = [32, 23, 47, 7, 1][at % 5] as number;
    const middle = counties.get(countyId as never)?.coordinates;
    if (!middle) throw new Error(`county ${countyId} has no middle`);
    const { uuid, name } = (products[code] as { record: ProductRecord }).record;
    const nodes = await nodesOf(store, `/products/${uuid}?county=${countyId}`, { language });
    for (const [id, type] of [
      ["nearest", "Wholesale"],
      ["nearest-retail", "Retail"],
    ] as const) {
      const expected = expectedRows(code, type, middle)(language);
      checkRows(t, rowsOfSection(nodes, id), expected, `${name}, ${type}, ${countyId}`);
    }
  }
});

t.test("from a market, whose own price is not among them; on its page and in a search with a place", async (t) => {
  const code = products.findIndex(({ record }) => record.name === "Maize (white, dry)");
  const kibuye = markets.find(({ record }) => record.name === "Kibuye")?.record as MarketRecord;
  const { uuid } = (products[code] as { record: ProductRecord }).record;
  const expected = expectedRows(code, "Wholesale", kibuye.location as never, kibuye.uuid)("en");
  for (const target of [`/products/${uuid}?market=${kibuye.uuid}`, `/markets/${kibuye.uuid}?product=${uuid}`]) {
    checkRows(t, rowsOfSection(await nodesOf(store, target), "nearest"), expected, target);
  }
  const chart = await answerOf(store, `/markets/${kibuye.uuid}?product=${uuid}`);
  t.match(chart.text, "April 2026\nmedian 58.34 KES a kg, 1 price in that month");
  const page = await answerOf(store, "?q=white+maize+kibuye&part=results");
  const [table] = findNodes(parseMarkup(page.text, targets), ({ name }) => name === "tbody");
  const rows = findNodes(table?.children ?? [], ({ name }) => name === "tr").map((row) => textWithin([row]));
  checkRows(t, rows, expected, "the search");
});

t.test("a market of a product that has ended has the nearest of its current namesake, and says so", async (t) => {
  const code = products.findIndex(({ record }) => record.name === "Maize (white, dry)");
  const lodwar = markets.find(({ record }) => record.name === "Lodwar")?.record as MarketRecord;
  const nodes = await nodesOf(store, `/markets/${lodwar.uuid}`);
  const expected = expectedRows(code, "Wholesale", lodwar.location as never, lodwar.uuid)("en");
  checkRows(t, rowsOfSection(nodes, "nearest"), expected, "Lodwar");
  t.match(textWithin(nodes), "No market has a current price of Maize (white). These are of Maize (white, dry)");
});

t.test("a county's own page has the nearest of the product that is chosen", async (t) => {
  const code = products.findIndex(({ record }) => record.name === "Onions (dry)");
  const { uuid } = (products[code] as { record: ProductRecord }).record;
  const nodes = await nodesOf(store, `/counties/32?product=${uuid}`);
  const middle = counties.get(32 as never)?.coordinates as { latitude: number; longitude: number };
  checkRows(t, rowsOfSection(nodes, "nearest"), expectedRows(code, "Wholesale", middle)("en"), "onions");
  t.match(textWithin(nodes), "No other market with a known location has prices of the type retail.");
  t.equal((await answerOf(store, "/counties/32?product=nothing")).status, 400);
});

t.test("the short list has the first current price of each entry, or says since when there is none", async (t) => {
  const nodes = await nodesOf(store, "");
  const rows = rowsOfSection(nodes, "short-list");
  t.equal(rows.length, 7);
  for (const row of rows) {
    const since = /no price since/.test(row);
    const month = /([A-Z][a-z]+ \d{4})/.exec(row)?.[1];
    const months = Array.from({ length: 7 }, (_, back) => wordsOf("en").month((newestMonth - back) as MonthNumber));
    t.equal(months.includes(month ?? ""), !since, row);
  }
  t.match(rows[0], /^\s*Maize/);
  t.match(rows[6], /^\s*Onions/);
});

t.test("a result of the search has a current price outside camps before a newer one in camps", async (t) => {
  const code = products.findIndex(({ record }) => record.name === "Salt");
  const newest = newestByMarket(store, code);
  const outside = Math.max(...newest.filter(({ market }) => market.setting === null).map(({ month }) => month));
  t.ok(!isOld(outside) && newest.some(({ market, month }) => market.setting !== null && month > outside));
  const { text } = await answerOf(store, "?q=salt&part=results");
  t.match(text, `retail outside refugee camps: `);
  t.match(text, wordsOf("en").month(outside as MonthNumber));
});
