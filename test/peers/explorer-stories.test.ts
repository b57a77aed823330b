/** Three readers of the pages in a browser: a trader, a county officer, and a reader with a keyboard alone. */

import type { Page } from "puppeteer-core";
import t, { type Test } from "tap";
import { monthOf } from "../../src/engine/model/calendar.ts";
import { recordAt } from "../../src/engine/store/catalogue.ts";
import { dayOfRow } from "../../src/engine/store/periods.ts";
import type { Store } from "../../src/engine/store/store.ts";
import { bundledStore } from "../support/bundled-data.ts";
import { openWatchedPage, skipWithoutChromium, startChromium, startOnBundledData } from "./chromium.ts";

const turkana = 23;

t.test("in Chromium, on the bundled data", { skip: skipWithoutChromium }, async (t) => {
  const browser = await startChromium(t);
  const store = await bundledStore();
  const { base } = await startOnBundledData(t);
  const maize = store.catalogue.products.find(({ record }) => record.name === "Maize (white, dry)")?.record.uuid;
  const maizePath = `/explore/products/${maize}`;
  const open = async (t: Test, language: string, width: number): Promise<Page> => {
    const { page } = await openWatchedPage(t, browser);
    await page.setExtraHTTPHeaders({ "Accept-Language": language });
    await page.setViewport({ width, height: 800, isMobile: width < 700, hasTouch: width < 700 });
    return page;
  };
  const textOf = async (page: Page, selector: string): Promise<string> =>
    await page.$eval(selector, (node) => (node.textContent ?? "").replaceAll(/\s+/g, " ").trim());

  await t.test("a trader at 360 px finds in Swahili what maize costs in her county, on the first screen", async (t) => {
    const page = await open(t, "sw", 360);
    await page.goto(`${base}/sw/explore`);
    await page.type("#q", "mahindi turkana");
    await Promise.all([page.waitForNavigation(), page.click("form.search button")]);
    const [link] = await page.$$("main .results li a");
    await Promise.all([page.waitForNavigation(), link?.click()]);
    const uuid = /products\/([0-9a-f-]+)/.exec(page.url())?.[1] ?? "";
    t.match(page.url(), `county=${turkana}`);
    const { median, month } = newestRetail(store, uuid, turkana);
    const said = await textOf(page, ".headline");
    t.match(said, new RegExp(`^${median.toFixed(2)} KES kwa kilo Rejareja katika kaunti ya Turkana `), said);
    const monthSaid = new Intl.DateTimeFormat("sw", { month: "long", year: "numeric", timeZone: "UTC" });
    t.match(said, monthSaid.format(Date.UTC(Math.floor(month / 12), month % 12)));
    for (const part of [".bigNumber", ".headline"]) {
      const bottom = await page.$eval(part, (node) => node.getBoundingClientRect().bottom);
      t.ok(bottom > 0 && bottom <= 800, `${part} ends at ${bottom}`);
    }
    const form = await page.$eval("main form", (node) => node.getBoundingClientRect().top);
    const course = await page.$eval(".headline", (node) => node.getBoundingClientRect().bottom);
    t.ok(form > course, "controls come below");
  });

  await t.test("an officer prints a county on few pages of A4, with prices, markets and the address", async (t) => {
    const page = await open(t, "en", 1280);
    await page.goto(`${base}/explore`);
    await page.type("#q", "turkana");
    await Promise.all([page.waitForNavigation(), page.click("form.search button")]);
    await Promise.all([page.waitForNavigation(), page.click(`main a[href$="/counties/${turkana}"]`)]);
    // Its markets and its camps are apart: each has the changes of the county, and each product where it costs least.
    t.ok((await sheetsOf(page)) <= 5);
    await page.emulateMediaType("print");
    const printed = await page.evaluate("document.body.innerText");
    t.match(printed, "Turkana county");
    t.match(printed, /Beans \(dry\) retail\s+[\d.]+ KES a kg [^▲▼]*[A-Z][a-z]+ 20\d\d[^▲▼]*[▲▼]/);
    t.match(printed, "Lodwar Town");
    t.match(printed, page.url(), "the address");
    t.notMatch(printed, "For developers", "nothing that paper cannot lead to");
    await page.emulateMediaType();
    const limits = { "/explore/counties/47": 2, "/explore/counties/5": 2, "/explore": 3, [maizePath]: 4 };
    for (const [path, sheets] of Object.entries(limits)) {
      await page.goto(base + path);
      const found = await sheetsOf(page);
      t.ok(found <= sheets, `${path}: ${found} sheets`);
    }
  });

  await t.test("a reader reads a month's value by at most 12 keys from the top of a product page", async (t) => {
    const page = await open(t, "en", 1280);
    await page.goto(base + maizePath);
    const focused = async (): Promise<string> => {
      const found = await page.evaluate(
        "document.activeElement?.getAttribute('href') ?? document.activeElement?.getAttribute('class') ?? ''",
      );
      return String(found);
    };
    let keys = 0;
    const press = async (key: "Tab" | "Enter" | "End"): Promise<void> => {
      await page.keyboard.press(key);
      keys++;
    };
    const tabTo = async (wanted: RegExp): Promise<void> => {
      do await press("Tab");
      while (!wanted.test(await focused()) && keys < 40);
    };
    await tabTo(/^#/);
    await press("Enter");
    await tabTo(/^#months$/);
    await press("Enter");
    await tabTo(/lineChart/);
    await press("End");
    t.ok(keys <= 12, `${keys} keys`);
    const [header = "", ...rows] = await (await fetch(`${base}${maizePath}?table=months`))
      .text()
      .then((text) => text.trimEnd().split("\r\n"));
    // The name of the product may be quoted, with a comma in it: columns count from the end.
    const fromEnd = (name: string): number => header.split(",").indexOf(name) - header.split(",").length;
    const monthOf = (cells: readonly string[]): string => cells.at(fromEnd("period")) ?? "";
    const newest = rows.map((row) => row.split(",")).sort((a, b) => (monthOf(a) < monthOf(b) ? 1 : -1))[0] ?? [];
    const price = Number(newest.at(fromEnd("median_price"))).toFixed(2);
    const month = new Date(`${monthOf(newest)}-01T00:00:00Z`).toLocaleDateString("en", {
      ...({ month: "long", year: "numeric", timeZone: "UTC" } as const),
    });
    const read = await textOf(page, ".forWide .lineChart + .readout");
    t.ok(read.startsWith(month) && read.includes(`${price} KES a kg`), `${read}: expected ${month}, ${price}`);
  });

  for (const width of [360, 768]) {
    await t.test(`no table is wider than the screen on front, product and county pages at ${width} px`, async (t) => {
      const page = await open(t, "en", width);
      for (const path of [
        "/explore",
        maizePath,
        `${maizePath}?county=47`,
        "/explore/counties/23",
        "/explore/counties/5",
      ]) {
        for (const language of ["en", "sw"]) {
          await page.goto(`${base}${language === "sw" ? "/sw" : ""}${path}`);
          const wide = await page.evaluate(`(() => {
            for (const one of document.querySelectorAll("details")) one.open = true;
            const boxes = [...document.querySelectorAll(".wide")].filter((box) => box.scrollWidth > box.clientWidth);
            return boxes.map((box) => box.getAttribute("aria-label"));
          })()`);
          t.strictSame(wide, [], `${path} ${language}`);
        }
      }
    });
  }
});

/** The pages of A4 that a page prints on. */
async function sheetsOf(page: Page): Promise<number> {
  const pdf = Buffer.from(await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  return pdf.match(/\/MediaBox/g)?.length ?? 0;
}

/** The median of the retail prices per base unit of the newest month of a product in a county, from the columns. */
function newestRetail(store: Store, uuid: string, county: number): { median: number; month: number } {
  const { catalogue, prices, periods, suspicious } = store;
  const rows = Array.from({ length: prices.rowCount }, (_, row) => row).filter((row) => {
    const market = recordAt(catalogue.markets, prices.markets[row] as number);
    const product = recordAt(catalogue.products, prices.products[row] as number);
    return product.uuid === uuid && market.type === "Retail" && market.countyId === county && market.setting === null;
  });
  const known = rows.filter((row) => !suspicious.rows.includes(row));
  const monthAt = (row: number): number => monthOf(dayOfRow(periods, row));
  const month = Math.max(...known.map(monthAt));
  const values = known
    .filter((row) => monthAt(row) === month)
    .map((row) => {
      const unit = catalogue.units.get(prices.unitNames[prices.units[row] as number] as string);
      return (prices.prices[row] as number) / (unit?.conversionFactor ?? Number.NaN);
    })
    .sort((a, b) => a - b);
  const middle = [values[Math.floor((values.length - 1) / 2)], values[Math.ceil((values.length - 1) / 2)]];
  return { median: ((middle[0] as number) + (middle[1] as number)) / 2, month };
}
