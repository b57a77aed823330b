/**
 * Four errands of people who take something with them: a picture with its citation, numbers for Excel, whether a price
 * is real, and news of prices; on the bundled data, on a phone.
 */
import type { Page } from "puppeteer-core";
import t, { type Test } from "tap";
import { wordsOf } from "../../src/contract/words.ts";
import { bundledStore } from "../support/bundled-data.ts";
import { darkPixels, readPng } from "../support/read-png.ts";
import {
  openWatchedPage,
  savedFile,
  skipWithoutChromium,
  startChromium,
  startOnBundledData,
  violationsOf,
} from "./chromium.ts";

t.test("four errands of people who take something with them", { skip: skipWithoutChromium }, async (t) => {
  const browser = await startChromium(t);
  const store = await bundledStore();
  const app = await startOnBundledData(t);
  const { base } = app;

  async function open(t: Test, path: string, search?: string): Promise<Page> {
    const { page } = await openWatchedPage(t, browser);
    await page.setViewport({ width: 360, height: 740 });
    await page.goto(base + path);
    if (search === undefined) return page;
    await page.type("#q", search);
    await Promise.all([page.waitForNavigation(), page.click("form.search button")]);
    await Promise.all([page.waitForNavigation(), page.click('.results a[href*="/products/"]')]);
    return page;
  }
  const menu = '[aria-labelledby="months"] details.actions';
  const textOf = (page: Page, selector: string): Promise<string> =>
    page.$eval(selector, (node) => ((node as { innerText?: string }).innerText ?? "").replace(/\s+/g, " "));

  await t.test("a picture with its citation, from one menu", async (t) => {
    const page = await open(t, "/sw/explore", "sukari");
    t.equal(await textOf(page, menu), "Shiriki au pakua", "one line until it is opened");
    await page.click(`${menu} summary`);
    const link = await page.$eval(`${menu} a[href*="chart="]`, (node) => String(node.getAttribute("href")));
    const svg = (await app.send({ method: "GET", path: link })).text;
    const { name, content } = await savedFile(t, page, `${menu} button[data-drawing]`);
    t.match(name, new RegExp(`^months-${store.snapshot.id}\\.png$`));
    const picture = readPng(content);
    const [, width = 0, height = 0] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg)?.map(Number) ?? [];
    t.strictSame([picture.width, picture.height], [2 * width, Math.floor(2 * height)], "twice the size");
    t.ok(darkPixels(picture, 32, 20, 300, 36) > 100, "its title");
    t.ok(darkPixels(picture, 32, picture.height - 90, 500, 60) > 100, "its source");
    t.match(svg, /Chanzo: World Food Programme/);
    t.strictSame(await violationsOf(page), []);
  });

  await t.test("numbers for Excel: a table of plain numbers, as the page shows them", async (t) => {
    const page = await open(t, "/explore", "sugar");
    await page.click(`${menu} summary`);
    const { name, content } = await savedFile(t, page, `${menu} a[href*="table="]`);
    t.match(name, /^months-.*\.csv$/);
    const [head = "", ...lines] = content.toString("utf8").trimEnd().split("\r\n");
    const columns = head.replace(/^\ufeff/, "").split(",");
    const rows = lines.map((line) => line.split(","));
    t.ok(rows.length > 12);
    const at = (column: string): number => columns.indexOf(column);
    t.ok(at("median_price") >= 0 && at("period") >= 0, head);
    for (const row of rows) {
      t.equal(row.length, columns.length);
      t.match(row[at("median_price")], /^\d+(?:\.\d+)?$/);
    }
    const newest = rows
      .map((row) => row[at("period")] as string)
      .sort()
      .at(-1) as string;
    const prices = rows.filter((row) => row[at("period")] === newest).map((row) => Number(row[at("median_price")]));
    const shown = Number((await textOf(page, ".bigNumber strong")).replaceAll(",", ""));
    t.ok(prices.includes(shown), `${shown} among ${prices} of ${newest}`);
  });

  await t.test("real or an error: the price is marked, in no figure, and the page says why", async (t) => {
    const [row = 0] = store.suspicious.rows;
    const { record } = store.catalogue.products[store.prices.products[row] as number] as {
      record: { uuid: string; name: string };
    };
    const page = await open(t, `/explore/products/${record.uuid}?period=all`);
    const text = await textOf(page, "main");
    t.match(text, "They look wrong beside their neighbours. They may be true, but no figure includes them.");
    const listed = await textOf(page, 'section[aria-labelledby="suspicious"] table');
    const price = wordsOf("en").price(store.prices.prices[row] as number);
    t.match(listed, price);
    t.match(listed, /far from its neighbours|10 or 100 times too high or too low/);
  });

  await t.test("tell me of new prices: a link that is seen leads to a feed", async (t) => {
    for (const [path, search, words] of [
      ["/explore", "sugar", "New prices: feed"],
      ["/sw/explore", "sukari", "Bei mpya: mlisho"],
    ] as const) {
      const page = await open(t, path, search);
      t.equal(await textOf(page, "p.feed"), words);
      t.ok(await page.$eval("p.feed a", (node) => node.getBoundingClientRect().height > 10));
      const link = await page.$eval("p.feed a", (node) => String(node.getAttribute("href")));
      const { status, text, headers } = await app.send({ method: "GET", path: link });
      t.equal(status, 200);
      t.match(headers["content-type"], /^application\/atom\+xml/);
      const [, first = "", ...others] = text.split("<entry>");
      const headline = await textOf(page, ".bigNumber strong");
      t.ok(
        [first, ...others].some((entry) => entry.includes(headline)),
        "what the page says is among them",
      );
      t.match(first, /<id>urn:uuid:[0-9a-f-]{36}<\/id>/);
      t.match(
        first,
        new RegExp(`<published>${new Date(store.snapshot.createdAt).toISOString()}`),
        "when it was published",
      );
    }
  });

  await t.test("a frame on a phone has every line, light or dark as its page says", async (t) => {
    const page = await open(t, "/explore", "maize nakuru");
    const address = new URL(page.url());
    for (const path of [address.pathname, `/sw${address.pathname}`]) {
      for (const [theme, colour] of [
        ["light", "rgb(255, 255, 255)"],
        ["dark", "rgb(18, 21, 19)"],
      ] as const) {
        for (const width of [328, 760]) {
          await page.setViewport({ width, height: 560 });
          await page.goto(`${base}${path}?embed=1&theme=${theme}`);
          const size = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]";
          t.strictSame(await page.evaluate(size), [width, 560], `${path} ${width}`);
          t.equal(await page.evaluate("getComputedStyle(document.body).backgroundColor"), colour);
        }
      }
    }
  });
});
