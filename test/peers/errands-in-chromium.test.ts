/**
 * Seven errands on a phone, of people who came for one answer, on the bundled data: what the pages say on the way is
 * compared with the prices themselves. One runs without scripts.
 */
import type { Page } from "puppeteer-core";
import t, { type Test } from "tap";
import { type Language, wordsOf } from "../../src/contract/words.ts";
import { type MonthNumber, monthOf } from "../../src/engine/model/calendar.ts";
import type { MarketRecord, ProductRecord } from "../../src/engine/model/records.ts";
import { dayOfRow } from "../../src/engine/store/periods.ts";
import { isSuspicious } from "../../src/engine/store/suspicious-prices.ts";
import { bundledStore } from "../support/bundled-data.ts";
import { openWatchedPage, skipWithoutChromium, startChromium, startOnBundledData, violationsOf } from "./chromium.ts";

/** The answer of a page begins above this, in pixels. */
const answerTopMax = 220;

t.test("seven errands at 360 pixels", { skip: skipWithoutChromium }, async (t) => {
  const browser = await startChromium(t);
  const store = await bundledStore();
  const { base } = await startOnBundledData(t);
  const { prices, periods, catalogue, suspicious } = store;

  /** A price that counts, as it was recorded. */
  interface Recorded {
    readonly product: ProductRecord;
    readonly market: MarketRecord;
    readonly month: MonthNumber;
    /** In its own unit. */
    readonly price: number;
    readonly unit: string;
  }
  const recorded = Array.from({ length: prices.rowCount }, (_, row): Recorded | undefined => {
    if (isSuspicious(suspicious, row)) return undefined;
    return {
      product: (catalogue.products[prices.products[row] as number] as { record: ProductRecord }).record,
      market: (catalogue.markets[prices.markets[row] as number] as { record: MarketRecord }).record,
      month: monthOf(dayOfRow(periods, row)),
      price: prices.prices[row] as number,
      unit: prices.unitNames[prices.units[row] as number] as string,
    };
  }).filter((price) => price !== undefined);
  const newestMonth = Math.max(...recorded.map(({ month }) => month));
  const isCurrent = ({ month }: Recorded): boolean => month >= newestMonth - 6;
  const newest = (some: readonly Recorded[]): MonthNumber => Math.max(...some.map(({ month }) => month)) as MonthNumber;

  /** Errors and warnings of each page. */
  const watched: Set<string>[] = [];
  async function openPhone(t: Test, path: string, hasScripts = true): Promise<Page> {
    const { page, problems } = await openWatchedPage(t, browser);
    watched.push(problems);
    await page.setJavaScriptEnabled(hasScripts);
    await page.setViewport({ width: 360, height: 740 });
    await page.goto(base + path);
    return page;
  }
  /** What the page says, blanks as one. Every page on the way fits its screen. */
  async function said(t: Test, page: Page, selector = "main"): Promise<string> {
    t.equal(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0, page.url());
    return await page.$eval(selector, (node) =>
      ((node as { innerText?: string }).innerText ?? "").replace(/\s+/g, " "),
    );
  }
  async function rowsOf(page: Page, id: string): Promise<string[]> {
    return await page.$$eval(`section[aria-labelledby="${id}"] tbody tr`, (rows) =>
      rows.map((row) => ((row as { innerText?: string }).innerText ?? "").replace(/\s+/g, " ")),
    );
  }
  async function follow(page: Page, click: () => Promise<unknown>): Promise<void> {
    await Promise.all([page.waitForNavigation(), click()]);
  }
  async function search(page: Page, text: string): Promise<void> {
    await page.type("#q", text);
    await follow(page, () => page.click("form.search button"));
  }
  const choose = (page: Page, name: string, value: string) => page.select(`select[name="${name}"]`, value);

  await t.test("a bag of maize in Nakuru, without scripts: since when there is none, and the nearest", async (t) => {
    const page = await openPhone(t, "/explore", false);
    await search(page, "90 kg bag maize nakuru");
    t.match(await said(t, page, ".results li"), /^Maize \(white, dry\) in Nakuru/);
    await follow(page, () => page.click(".results li a"));
    const ofNakuru = recorded.filter(
      ({ product, market }) => product.name === "Maize (white, dry)" && market.countyId === 32,
    );
    const text = await said(t, page);
    t.match(text, `No price from Nakuru since ${wordsOf("en").month(newest(ofNakuru))}.`);
    const [first = ""] = await rowsOf(page, "nearest");
    const name = first.slice(0, first.indexOf(" ", first.indexOf(")")));
    const there = recorded.filter(
      ({ product, market }) => product.name === "Maize (white, dry)" && market.name === name.trim(),
    );
    t.ok(there.some(isCurrent), `${first}: current`);
    const month = newest(there);
    const [ofMonth] = there.filter((price) => price.month === month);
    t.equal(ofMonth?.unit, "90 kg bag");
    const words = wordsOf("en");
    t.match(first, words.priceOf(ofMonth?.price ?? 0, "KES", "90 kg bag"), "what was paid for a bag");
    t.match(first, words.priceOf((ofMonth?.price ?? 0) / 90, "KES", "kg"));
    t.match(first, words.month(month));
    t.match(first, /\d+ km/);
  });

  await t.test("the cheapest onion in reach: every market with a current price, and none at retail", async (t) => {
    const page = await openPhone(t, "/explore");
    await search(page, "price of onions near nakuru");
    const isOnion = ({ product }: Recorded): boolean => product.name === "Onions (dry)";
    const current = recorded.filter((price) => isOnion(price) && isCurrent(price));
    const names = [...new Set(current.map(({ market }) => market.name))];
    t.ok(names.length > 0 && names.length < 5, "as the data is today");
    t.ok(current.every(({ market }) => market.type === "Wholesale"));
    const rows = await page.$$eval(".results tbody tr", (all) =>
      all.map((row) => ((row as { innerText?: string }).innerText ?? "").replace(/\s+/g, " ")),
    );
    const now = rows.filter((row) => !/ older /.test(`${row} `));
    t.strictSame(now.map((row) => names.find((name) => row.startsWith(name))).sort(), names.sort());
    const kilos = now.map((row) => Number(/([\d.]+) KES a kg/.exec(row)?.[1]));
    const paid = names.map((name) => {
      const there = current.filter(({ market }) => market.name === name);
      return Math.min(...there.filter(({ month }) => month === newest(there)).map(({ price }) => price / 13));
    });
    t.equal(Math.min(...kilos).toFixed(2), Math.min(...paid).toFixed(2), "the cheapest");
    t.match(await said(t, page), "Onions (dry), retail: the nearest markets No other market");
  });

  await t.test("what changed: each with its months and at least five markets, outside camps first", async (t) => {
    const page = await openPhone(t, "/explore");
    const rows = await rowsOf(page, "moved");
    t.ok(rows.length > 0);
    const percents = rows.map((row) => {
      t.match(row, /(?:since|from) [A-Z][a-z]+ \d{4}/, row);
      t.ok(Number(/at (\d+) markets/.exec(row)?.[1]) >= 5, row);
      return Number(/([+-−]\d+)%/.exec(row)?.[1]?.replace("−", "-"));
    });
    const distances = percents.map((percent) => Math.abs(Math.log(1 + percent / 100)));
    const steps = distances.slice(1).map((distance, at) => distance - (distances[at] as number));
    t.ok(
      steps.every((step) => step < 0.02),
      `the greatest first: ${percents}`,
    );
    const text = await said(t, page);
    const link = "In refugee camps, ";
    t.ok(text.indexOf("What moved most") > text.indexOf(link) && text.includes(link), "camps are one line with a link");
    await page.click('a[href="#moved-in-camps"]');
    t.match(page.url(), /#moved-in-camps$/);
    t.ok((await rowsOf(page, "moved-in-camps")).length > 0);
  });

  await t.test("Turkana over ten years: markets of the county, and camps apart", async (t) => {
    const page = await openPhone(t, "/explore");
    await search(page, "beans turkana");
    await follow(page, () => page.click(".results li a"));
    await choose(page, "period", "10y");
    await follow(page, () => page.click("form.choices button"));
    t.match(page.url(), /county=23.*period=10y/);
    const text = await said(t, page);
    t.match(text, "Beans in Turkana");
    const months = recorded
      .filter(({ product, market }) => product.name === "Beans" && market.countyId === 23 && market.setting === null)
      .map(({ month }) => month);
    const shown = months.filter((month) => month > newestMonth - 120);
    t.ok(shown.length > 0);
    const charts = await page.$$eval("svg.lineChart title, .chart title", (all) => all.map((one) => one.textContent));
    t.ok(charts.length > 0, "a chart");
    await page.$$eval("details", (all) => {
      for (const one of all) one.open = true;
    });
    const [table] = await page.$$eval('section[aria-labelledby="months"] tbody', (all) =>
      all.map((one) => [...one.querySelectorAll("tr")].map((row) => row.querySelector("th,td")?.textContent?.trim())),
    );
    const words = wordsOf("en");
    t.match(table?.[0], words.month(Math.max(...shown) as MonthNumber), "the newest month first");
    t.match(table?.at(-1), words.month(Math.min(...shown) as MonthNumber), "to the oldest of ten years");
  });

  await t.test("beans in Swahili: the words, the price and its month", async (t) => {
    const page = await openPhone(t, "/sw/explore");
    await search(page, "bei ya maharagwe");
    t.match(await said(t, page, ".results li"), /^Maharagwe – Beans/);
    await follow(page, () => page.click(".results li a"));
    t.equal(await page.evaluate("document.documentElement.lang"), "sw");
    const ofRetail = recorded.filter(
      ({ product, market, unit }) =>
        product.name === "Beans" && market.type === "Retail" && market.setting === null && unit === "kg",
    );
    const month = newest(ofRetail);
    const paid = ofRetail.filter((price) => price.month === month).map(({ price }) => price);
    paid.sort((a, b) => a - b);
    const [low, high] = [paid[Math.floor((paid.length - 1) / 2)], paid[Math.floor(paid.length / 2)]];
    const words = wordsOf("sw");
    const [top, form] = await page.$$eval(".bigNumber, main form", (all) =>
      all.map((one) => one.getBoundingClientRect().top),
    );
    t.ok((top ?? Infinity) < answerTopMax && (form ?? 0) > (top ?? 0), `the price at ${top}, the controls below it`);
    const text = await said(t, page);
    t.match(text, words.price(((low as number) + (high as number)) / 2));
    t.match(text, words.month(month));
    t.match(
      text,
      `katika masoko ${new Set(ofRetail.filter((one) => one.month === month).map(({ market }) => market.uuid)).size}`,
    );
  });

  await t.test("two counties in one chart, by name", async (t) => {
    const product = catalogue.products.find(({ record }) => record.name === "Maize (white, dry)")?.record.uuid;
    const page = await openPhone(t, `/explore/products/${product}?county=47`);
    await follow(page, () => page.click(`main a[href^="/explore/compare"]`));
    await choose(page, "series", `${product}:Wholesale:42`);
    await follow(page, () => page.click("form.choices button"));
    const text = await said(t, page);
    for (const county of ["Nairobi", "Kisumu"]) t.match(text, `Maize (white, dry), wholesale in ${county} county`);
    t.equal((await page.$$("a.remove")).length, 2);
    t.ok((await page.$$(".lineChart")).length > 0);
    t.strictSame(await violationsOf(page), []);
  });

  await t.test("which data is old: counties by the age of their newest price, and what looks wrong", async (t) => {
    const page = await openPhone(t, "/explore/data");
    await page.$$eval("details", (all) => {
      for (const one of all) one.open = true;
    });
    const rows = await rowsOf(page, "freshness");
    const words = wordsOf("en");
    for (const [name, id] of [
      ["Nakuru", 32],
      ["Nairobi", 47],
    ] as const) {
      const month = newest(recorded.filter(({ market }) => market.countyId === id));
      const row = rows.find((one) => one.startsWith(`${name} `)) ?? "";
      t.match(row, words.month(month));
      t.match(row, ` ${newestMonth - month} `, `${name}: months before the newest`);
    }
    t.match(await said(t, page), /Suspicious prices.*far from its neighbours/);
    await page.goto(`${base}/explore/counties/32`);
    const since = words.month(newest(recorded.filter(({ market }) => market.countyId === 32)));
    t.match(await said(t, page), `No price from Nakuru since ${since}.`);
  });

  await t.test("an address that leads nowhere offers the search, in its language", async (t) => {
    for (const [path, text, first] of [
      ["/explore", "sugar", /^Sugar/],
      ["/sw/explore", "bei ya sukari", /^Sukari – Sugar/],
    ] as const) {
      const { page } = await openWatchedPage(t, browser);
      await page.setViewport({ width: 360, height: 740 });
      await page.goto(`${base}${path}/nothing`);
      t.strictSame(await violationsOf(page), []);
      await search(page, text);
      t.match(await said(t, page, ".results li"), first);
    }
  });

  await t.test("the answer begins near the top, below one line of header, and no title is there twice", async (t) => {
    for (const [language, path] of [
      ["en", "/explore"],
      ["sw", "/sw/explore"],
    ] as const satisfies readonly (readonly [Language, string])[]) {
      const page = await openPhone(t, path);
      const top = await page.$eval('section[aria-labelledby="short-list"] tbody td', (node) => {
        return node.getBoundingClientRect().top;
      });
      t.ok(top < answerTopMax, `${path}: ${top}`);
      t.ok((await page.$eval(".site", (node) => node.getBoundingClientRect().height)) < 50, "one line of header");
      const name = wordsOf(language).say("siteName");
      t.equal((await page.$$eval("h1", (all) => all.map((one) => one.textContent))).join(), name);
      const brand = await page.evaluate("getComputedStyle(document.querySelector('.brand')).fontSize");
      t.equal(brand, "0px", "the title alone says the name of the site");
      t.strictSame(await violationsOf(page), []);
    }
  });

  t.strictSame(
    watched.flatMap((problems) => [...problems]),
    [],
    "no page reports a problem",
  );
});
