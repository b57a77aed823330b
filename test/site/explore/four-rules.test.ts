/**
 * The rules of pages, on every page of the bundled data in both languages: money is what was paid; a change is of the
 * markets that it names; the sample belongs to the figure; old is not now. All is computed from the rows of the store.
 */
import t from "tap";
import { languages, type Words } from "../../../src/contract/words.ts";
import { getOrInsert } from "../../../src/engine/model/get-or-insert.ts";
import { marketTypes } from "../../../src/engine/model/vocabulary.ts";
import type { JudgedSubject } from "../../../src/engine/query/measures/find-judged.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { countyPage } from "../../../src/site/explore/county-page.ts";
import type { Page, Section } from "../../../src/site/explore/explorer-page.ts";
import { renderPage } from "../../../src/site/explore/explorer-page.ts";
import { startPage } from "../../../src/site/explore/front-page.ts";
import { marketPage } from "../../../src/site/explore/market-page.ts";
import type { PriceRow } from "../../../src/site/explore/place-prices.ts";
import { productPage } from "../../../src/site/explore/product-page.ts";
import type { PageRequest } from "../../../src/site/explore/request.ts";
import { Markup } from "../../../src/site/pages/markup.ts";
import { bundledStore } from "../../support/bundled-data.ts";
import { targets as pageTargets } from "../../support/explorer-pages.ts";
import { explorerRequest, finish } from "../../support/explorer-request.ts";
import { isWhole, runsOf } from "../../support/fixed-seed.ts";
import {
  type NaivePrice,
  naiveChangeMonths,
  naiveChanges,
  naiveMedian,
  naivePrices,
  naiveValues,
} from "../../support/naive-pages.ts";
import { parseMarkup, textWithin } from "../../support/parse-markup.ts";

const makers = { products: productPage, markets: marketPage, counties: countyPage };

/** Every address of a page with prices of a product, a market or a county. A fast run takes one of eight. */
function targetsOf(store: Store, prices: readonly NaivePrice[]): string[] {
  const uuidOf = (code: number): string => store.catalogue.products[code]?.record.uuid ?? "";
  const marketOf = (code: number): string => store.catalogue.markets[code]?.record.uuid ?? "";
  const all = new Set<string>([""]);
  for (const { product, market, county } of prices) {
    all.add(`/products/${uuidOf(product)}`);
    all.add(`/products/${uuidOf(product)}?county=${county}`);
    all.add(`/products/${uuidOf(product)}?market=${marketOf(market)}`);
    all.add(`/markets/${marketOf(market)}`);
    all.add(`/counties/${county}`);
  }
  const places = [...all].filter((target) => target.includes("?")).length;
  return [...all].filter((target, at) => !target.includes("?") || at % Math.ceil(places / runsOf(40, places)) === 0);
}

function pageOf(request: PageRequest): Page {
  const [, , kind = "", id = ""] = request.path.split("/");
  const make = makers[kind as keyof typeof makers];
  return finish(make === undefined ? startPage(request) : make(request, id));
}

function shownText(shown: unknown): string {
  const text =
    shown instanceof Markup
      ? textWithin(
          parseMarkup(
            `<p>${shown.text.replaceAll(/<br>|<\/(?:p|li)>/g, "$& | ").replaceAll("<br> ", "")}</p>`,
            pageTargets,
          ),
        )
      : String(shown ?? "");
  return text.replaceAll(/\s+/g, " ").trim();
}

/** The tables of prices of a page, with their rows as the page shows them. */
function priceTables({
  sections,
}: Page): { section: Section; rows: readonly PriceRow[]; textsOf: (row: PriceRow) => string[] }[] {
  return sections.flatMap((section) => {
    const { table } = section;
    const rows = (table?.rows ?? []) as readonly PriceRow[];
    if (table === undefined || rows[0]?.judged === undefined) return [];
    return [{ section, rows, textsOf: (row: PriceRow) => table.columns.map((column) => shownText(column.show(row))) }];
  });
}

const store = await bundledStore();
const prices = naivePrices(store);
const byProduct = Map.groupBy(prices, ({ product }) => product);
const newestMonth = Math.max(...prices.map(({ month }) => month));
const targets = targetsOf(store, prices);

/** The prices that a row is of. */
function pricesOf({ judged: { newest }, population }: PriceRow): NaivePrice[] {
  return (byProduct.get(newest.product) ?? []).filter(({ type, market, county, isCamp }) => {
    if (newest.market !== undefined) return market === newest.market;
    const isThere = newest.countyId === undefined || county === newest.countyId;
    return isThere && type === marketTypes[newest.marketType] && isCamp === (population === "only");
  });
}

function monthName(words: Words, month: number): string {
  return words.month(`${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}`);
}

/** A fast run has each page in one of the languages. */
const allPages = languages.flatMap((language, at) =>
  targets.flatMap((target, position) => {
    if (!isWhole && position % languages.length !== at) return [];
    const request = explorerRequest(store, target, { language });
    return [{ target: `${language} ${target}`, request, page: pageOf(request) }];
  }),
);

/** All money that a page may name of a product: prices, and medians of a month at a market or a place. */
function paid(product: number): Set<number> {
  const own = byProduct.get(product) ?? [];
  const found = new Set(own.map(({ price }) => price));
  const keys = [
    (one: NaivePrice) => `${one.market}`,
    (one: NaivePrice) => `${one.type} ${one.isCamp} ${one.county}`,
    (one: NaivePrice) => `${one.type} ${one.isCamp}`,
  ];
  for (const key of keys) {
    for (const group of Map.groupBy(own, (one) => `${key(one)} ${one.month}`).values()) {
      found.add(naiveMedian(group.map(({ price }) => price)));
    }
  }
  // The usual price of a market is a median of named months.
  for (const ofMarket of Map.groupBy(own, ({ market }) => market).values()) {
    const months = new Set(ofMarket.map(({ month }) => month));
    for (const month of months) {
      const years = [1, 2, 3, 4, 5].flatMap((year) => [...naiveValues(ofMarket, month - 12 * year).values()]);
      if (years.length >= 3) found.add(naiveMedian(years));
    }
  }
  return found;
}

const paidTexts = new Map<string, Set<string>>();

/** That money as pages of a language write it, in each unit that the product is sold in. */
function paidTextsOf(words: Words, product: number): Set<string> {
  return getOrInsert(paidTexts, `${words.language} ${product}`, () => {
    const { unit, currency } = store.statisticsUnits[product] as { unit: string; currency: string | null };
    const { units, products } = store.catalogue;
    const base = units.get(unit)?.baseUnit;
    const sold = [...units.values()].filter((one) => one.baseUnit === base).map(({ name }) => name);
    const wanted = sold.filter((name) => name === unit || products[product]?.record.commonUnits.includes(name));
    const factorOf = (name: string): number => units.get(name)?.conversionFactor ?? 1;
    const values = [...paid(product)];
    return new Set(
      wanted.flatMap((name) =>
        values.map((value) => words.priceOf((value / factorOf(unit)) * factorOf(name), currency, name)),
      ),
    );
  });
}

t.test("money is what was paid", async (t) => {
  let found = 0;
  for (const { target, request, page } of allPages) {
    const { words } = request;
    const text = textWithin(parseMarkup(renderPage(request, page), pageTargets)).replaceAll(/\s+/g, " ");
    const lead = shownText(page.lead);
    t.notMatch(text, /comparable price|bei linganishi/i, target);
    for (const { rows, textsOf } of priceTables(page)) {
      for (const row of rows) {
        const allowed = paidTextsOf(words, row.judged.newest.product);
        const [money = ""] = textsOf(row).filter((cell) => cell.includes("KES"));
        const texts = moneyOf(words, money);
        found += texts.length;
        const other = texts.find((one) => !allowed.has(one));
        if (other !== undefined || texts.length === 0) t.fail(`${target}: ${other} was never paid`, { money });
      }
    }
    if (!target.includes("/products/")) continue;
    const code = store.catalogue.productCodes.get(page.subject?.uuid as never) as number;
    const elsewhere = new Set(
      [...byProduct.keys()].flatMap((product) => (isAlike(product, code) ? [...paidTextsOf(words, product)] : [])),
    );
    for (const one of moneyOf(words, `${lead} ${page.description ?? ""}`)) {
      found++;
      if (!elsewhere.has(one)) t.fail(`${target}: ${one} was never paid`);
    }
  }
  t.ok(found > 1000, `${found} amounts`);
});

function isAlike(product: number, code: number): boolean {
  const categoryOf = (one: number): string | undefined => store.catalogue.products[one]?.record.category;
  return categoryOf(product) === categoryOf(code);
}

/** The amounts of a text. */
function moneyOf({ language }: Words, text: string): string[] {
  const parts = text.split(/ \| | · |: |; |, (?!\d)|\. | in (?=\p{Lu})| mwezi wa | at | kutokana na /u);
  const money = language === "en" ? /[\d.,]+ KES a [\w ]+/ : /KES [\d.,]+ kwa [\w ]+/;
  return parts.flatMap((part) => money.exec(part)?.[0].trim() ?? []);
}

t.test("a change is of the markets that it names", async (t) => {
  let [ofPlaces, ofMarkets, named] = [0, 0, 0];
  for (const { target, request, page } of allPages) {
    const { words } = request;
    for (const { rows, textsOf } of priceTables(page)) {
      for (const row of rows) {
        const own = pricesOf(row);
        const newest = Math.max(...own.map(({ month }) => month));
        const texts = textsOf(row);
        const isOld = newest < newestMonth - 6;
        const isMarket = row.judged.newest.market !== undefined;
        const shown = texts.filter((cell) => /(since|from \w+ 20|tangu|kuanzia)/.test(cell) && /\d%/.test(cell));
        const wanted = isOld
          ? []
          : (["yearBefore", "previous"] as const).flatMap((kind) => expected(words, own, kind, isMarket, newest));
        const missing = shown.find((cell) => !wanted.some(({ text }) => text === cell));
        if (missing !== undefined) t.fail(`${target}: ${missing}`, { wanted });
        for (const { count } of wanted) {
          if (isMarket) ofMarkets++;
          else if (count >= 5) ofPlaces++;
          else named++;
        }
      }
    }
  }
  t.ok(
    ofPlaces > 10 && ofMarkets > 100 && named > 10,
    `${ofPlaces} of places, ${ofMarkets} of markets, ${named} named`,
  );
});

/** A change as a page of a language writes it, without its arrow's space. */
function expected(
  words: Words,
  own: readonly NaivePrice[],
  kind: "yearBefore" | "previous",
  isMarket: boolean,
  newest: number,
) {
  const months = naiveChangeMonths(own, kind, isMarket);
  if (months === undefined) return [];
  const [month, since] = months;
  const changes = naiveChanges(own, month, since);
  const percentText = (percent: number): string => {
    const arrow = Math.abs(percent) < 0.5 ? "" : percent > 0 ? "▲ " : "▼ ";
    return `${arrow}${words.change(percent)}`;
  };
  const isOfPlace = isMarket || changes.size >= 5;
  const names = [...changes]
    .sort(([a], [b]) => a - b)
    .map(([market, percent]) => `${store.catalogue.markets[market]?.record.name} ${percentText(percent)}`);
  const said = isOfPlace ? percentText(naiveMedian([...changes.values()])) : names.join(", ");
  const [first, last] = [monthName(words, since), monthName(words, month)];
  const span = words.say(month === newest ? "sinceMonth" : "fromMonthTo", { first, last });
  const at = isOfPlace && !isMarket ? ` ${words.say("atMarkets", { count: changes.size })}` : "";
  return [{ text: `${said} | ${span}${at}`, count: changes.size }];
}

/** Product, type and place: price, month, and the number of markets; a change. */
const englishForm = new RegExp(
  "^.+, (?:wholesale|retail|rural|urban) (?:outside refugee camps|in refugee camps.*?|in .+? county.*?|at .+?): " +
    "[\\d,.]+ KES an? .+ in \\w+ \\d{4}(?: at [\\d,]+ markets?)?(?:, .+)?\\.$",
);
const swahiliForm = new RegExp(
  "^.+, \\w+ (?:nje ya kambi za wakimbizi|katika .+?): " +
    "KES [\\d,.]+ kwa .+ mwezi wa \\w+ \\d{4}(?: katika (?:soko|masoko) [\\d,]+)?(?:, .+)?\\.$",
);

t.test("the sample belongs to the figure", async (t) => {
  let sentences = 0;
  for (const { target, request, page } of allPages) {
    const { words } = request;
    for (const { rows, textsOf } of priceTables(page)) {
      for (const row of rows) {
        const own = pricesOf(row);
        const newest = Math.max(...own.map(({ month }) => month));
        const markets = new Set(own.filter(({ month }) => month === newest).map(({ market }) => market)).size;
        const cell = textsOf(row).find((text) => text.includes("KES")) ?? "";
        const sample =
          row.judged.newest.market === undefined ? `, ${words.say("marketsShort", { count: markets })}` : "";
        if (!cell.endsWith(`${monthName(words, newest)}${sample}`)) t.fail(`${target}: ${cell}`, { newest, markets });
      }
    }
    if (!target.includes("/products/") || page.description === undefined) continue;
    sentences++;
    const form = words.language === "en" ? englishForm : swahiliForm;
    t.match(page.description, form, target);
    const isOfMarket = target.includes("market=");
    if (!isOfMarket) t.match(page.description, / (?:at [\d,]+ market|katika (?:soko|masoko) \d)/, target);
  }
  t.ok(sentences > 50, `${sentences} sentences`);
});

t.test("the CSV of a page has neither averages nor prices by model", async (t) => {
  const names = new Set<string>();
  for (const { page } of allPages) {
    for (const { table } of page.sections) {
      const [header = ""] = table?.csv?.write(store).split("\r\n", 1) ?? [];
      for (const name of header.split(",")) names.add(name);
    }
  }
  t.ok(names.has("median_price") && names.has("year_before_change_percent"));
  const money = [...names].filter((name) => /price$|_price_|per_base_unit|average|deviation/.test(name)).sort();
  const paid = ["max_price", "median_price", "min_price", "previous_price", "price", "price_per_base_unit"];
  t.strictSame(money, [...paid, "year_before_price"], "what was paid alone");
});

t.test("national figures are of one population, and those of a county with camps as well", async (t) => {
  for (const { target, page } of allPages) {
    for (const { section, rows } of priceTables(page)) {
      const inCamps = rows.map((row) => pricesOf(row).some(({ isCamp }) => isCamp));
      const outside = rows.map((row) => pricesOf(row).some(({ isCamp }) => !isCamp));
      const isMixed = inCamps.some((isCamp, at) => isCamp && outside[at]);
      if (isMixed) t.fail(`${target}: ${section.id} has a figure of both populations`);
      const isOfArea = ["markets", "sold", "camp-markets", "camps"].includes(section.id) && !target.includes("market=");
      const isOfCamps = section.id.startsWith("camp");
      if (isOfArea && (isOfCamps ? outside : inCamps).some(Boolean))
        t.fail(`${target}: ${section.id} has the other population`);
    }
  }
  const turkana = explorerRequest(store, "/counties/23");
  const ids = pageOf(turkana).sections.map(({ id }) => id);
  t.ok(ids.indexOf("sold") !== -1 && ids.indexOf("sold") < ids.indexOf("camps"), `${ids}`);
});

t.test("old is not now", async (t) => {
  let [old, leads] = [0, 0];
  for (const { target, request, page } of allPages) {
    const { words } = request;
    const isOld = ({ judged }: { readonly judged: JudgedSubject }): boolean => judged.newest.month < newestMonth - 6;
    for (const { section, rows, textsOf } of priceTables(page)) {
      const { shown = [], folded = [] } = section.table ?? {};
      const current = shown as readonly PriceRow[];
      if (!section.id.startsWith("nearest") && current.some(isOld))
        t.fail(`${target}: ${section.id} shows an old price among the others`);
      const foldedNow = (folded.flatMap(({ rows }) => rows) as readonly PriceRow[]).filter((row) => !isOld(row));
      for (const { judged } of foldedNow) {
        const cheaper = current.some(({ judged: { newest } }) => {
          return newest.product === judged.newest.product && newest.median <= judged.newest.median;
        });
        if (!cheaper) t.fail(`${target}: a current price is folded up, and none of the product is shown`);
      }
      const orders = folded.map(({ rows }) => (rows as readonly PriceRow[]).filter(isOld).length / rows.length);
      t.strictSame(orders, orders.map(Math.round).sort(), `${target}: older prices have a list of their own, the last`);
      for (const row of rows.filter(isOld)) {
        old++;
        if (/[▲▼%]/.test(textsOf(row).join(" "))) t.fail(`${target}: an old price has a change`);
      }
      if (section.id === "markets" || section.id === "camp-markets") {
        const medians = current.map(({ judged }) => judged.newest.median);
        t.strictSame(
          medians,
          medians.toSorted((a, b) => a - b),
          `${target}: the cheapest first`,
        );
      }
    }
    if (!target.includes("/products/")) continue;
    const code = store.catalogue.productCodes.get(page.subject?.uuid as never) as number;
    const { countyId, marketUuid } = request.place().conditions;
    const market = marketUuid && store.catalogue.marketCodes.get(marketUuid);
    const there = (byProduct.get(code) ?? []).filter(
      (one) => (market === undefined || one.market === market) && (countyId === undefined || one.county === countyId),
    );
    const newest = Math.max(...there.map(({ month }) => month));
    if (newest >= newestMonth - 6) continue;
    leads++;
    const lead = shownText(page.lead);
    t.match(lead, words.language === "en" ? /No price .+ since \w+ \d{4}/ : /Hakuna bei .+ tangu \w+ \d{4}/, target);
    t.notMatch(lead, /[▲▼]|% of usual|% ya kawaida|ALPS/, target);
  }
  t.ok(old > 100 && leads > 10, `${old} old prices, ${leads} pages of places without a current one`);
});
