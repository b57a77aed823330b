/**
 * A journalist looks a product up, copies its sentence and takes the picture of its chart; the figures in both are
 * recomputed from the interface. And a page of another site shows the chart in a frame, and no other page.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "puppeteer-core";
import t, { type Test } from "tap";
import { type Picture, readPng } from "../support/read-png.ts";
import type { RunningApp } from "../support/start-app.ts";
import { openWatchedPage, savedFile, skipWithoutChromium, startChromium, startOnBundledData } from "./chromium.ts";

const months = "January February March April May June July August September October November December".split(" ");

/** As the sentence writes it: the price, its place, month and markets, and a change with its months and markets. */
const sentenceForm =
  /^(?<name>.+), (?<type>retail|wholesale) outside refugee camps: (?<price>[\d.,]+) KES a kg in (?<month>[A-Z][a-z]+) (?<year>\d{4}) at (?<markets>\d+) markets?(?:, (?<percent>[+-]?\d+)% (?:since [A-Z][a-z]+ \d{4}|from [A-Z][a-z]+ \d{4} to (?<changeMonth>[A-Z][a-z]+) (?<changeYear>\d{4})) at (?<matched>\d+) markets)?\. Source: (?<source>.+)\. (?<link>http:\S+)$/;

/** `2025-12` of `December` and `2025`. */
function monthOf(name = "", year = ""): string {
  return `${year}-${String(months.indexOf(name) + 1).padStart(2, "0")}`;
}

/** The English page of the first product that a search finds. */
async function openProduct(t: Test, browser: Browser, app: RunningApp, text: string): Promise<Page> {
  const base = `http://127.0.0.1:${app.port}`;
  await browser
    .defaultBrowserContext()
    .overridePermissions(base, ["clipboard-read", "clipboard-write", "clipboard-sanitized-write"]);
  const { page } = await openWatchedPage(t, browser);
  await page.setExtraHTTPHeaders({ "Accept-Language": "en" });
  await page.setViewport({ width: 1280, height: 1200 });
  await page.goto(`${base}/explore`);
  await page.type("#q", text);
  await Promise.all([page.waitForNavigation(), page.click("form.search button")]);
  await Promise.all([page.waitForNavigation(), page.click('.results a[href*="/products/"]')]);
  return page;
}

/** That of the first chart. */
const menu = '[aria-labelledby="months"] details.actions';

async function openMenu(page: Page): Promise<void> {
  if ((await page.$(`${menu}[open]`)) === null) await page.click(`${menu} summary`);
}

/** The text that a button of the first chart copies. */
async function copied(page: Page, name: string): Promise<string> {
  await page.bringToFront();
  await openMenu(page);
  await page.click(`${menu} button[aria-label^="${name}"]`);
  await page.waitForFunction('document.querySelector(".actions")?.textContent.includes("Copied")');
  const text = (await page.evaluate("navigator.clipboard.readText()")) as string;
  await page.waitForFunction('!document.querySelector(".actions")?.textContent.includes("Copied")');
  return text;
}

interface MonthlyAnswer {
  readonly data: {
    readonly statistics: readonly {
      readonly period: string;
      readonly median_price: number;
    }[];
  };
}

interface AnomalyAnswer {
  readonly data: readonly {
    readonly market_type: string;
    readonly markets: number;
    readonly year_before: { readonly change_percent: number; readonly matched_markets: number } | null;
  }[];
}

t.test("a sentence and a picture are copied with figures of an answer", { skip: skipWithoutChromium }, async (t) => {
  const app = await startOnBundledData(t);
  const browser = await startChromium(t);
  for (const text of ["maize flour", "sugar"]) {
    const page = await openProduct(t, browser, app, text);
    const uuid = new URL(page.url()).pathname.split("/").at(-1) as string;
    const sentence = await copied(page, "Copy sentence");
    const found = sentenceForm.exec(sentence)?.groups ?? {};
    t.ok(found["price"], sentence);
    t.match(sentence, (await page.$eval("h1", (node) => node.textContent)) as string);
    t.equal(found["link"], await copied(page, "Copy link"));
    t.equal(found["link"], `${page.url()}#months`);
    const marketType = found["type"] === "retail" ? "Retail" : "Wholesale";
    const month = monthOf(found["month"], found["year"]);

    await t.test(`the sentence about ${text}`, async (t) => {
      const { body } = await app.signedPost("/api/v1/prices/statistics", {
        ...{
          product_uuid: uuid,
          market_type: marketType,
          group_by: "month",
          suspicious: false,
          unit: "kg",
          refugee_camps: "exclude",
        },
        ...{ start_date: `${month}-01`, end_date: `${month}-28` },
      });
      const [ofMonth] = (body as MonthlyAnswer).data.statistics;
      t.equal(found["price"], ofMonth?.median_price.toFixed(2));
      const judgedOf = async (monthJudged: string) => {
        const answer = await app.signedGet(
          `/api/v1/prices/anomalies?refugee_camps=exclude&product_uuid=${uuid}&level=country&recorded_since=1990-01-01&page_size=50&month=${monthJudged}`,
        );
        t.equal(answer.status, 200, answer.text.slice(0, 500));
        return (answer.body as AnomalyAnswer).data.find(({ market_type: type }) => type === marketType);
      };
      // "from A to B" has the month of the change; "since A" is of the month of the price.
      const changed = found["changeMonth"] === undefined ? month : monthOf(found["changeMonth"], found["changeYear"]);
      t.equal(Number(found["markets"]), (await judgedOf(month))?.markets);
      const change = (await judgedOf(changed))?.year_before;
      t.equal(found["percent"]?.replace("+", ""), change?.change_percent.toFixed(0));
      t.equal(Number(found["matched"]), change?.matched_markets);
    });

    await t.test(`the picture of ${text}`, async (t) => {
      const picture = await savePicture(t, page);
      const svg = await app.send({
        method: "GET",
        path: `/explore/products/${uuid}?type=${marketType}&chart=months`,
      });
      const shown = endOfLine(t, picture, svg.text);
      const price = Number(found["price"]);
      t.ok(Math.abs(shown - price) < 0.02 * price, `the line ends at ${shown.toFixed(2)}, the price is ${price}`);
    });
  }
});

/** The picture that the browser saves from the menu under the first chart. */
async function savePicture(t: Test, page: Page): Promise<Picture> {
  const { name, content } = await savedFile(t, page, `${menu} button[aria-label^="Picture (PNG)"]`);
  t.match(name, /^months-\d{8}T\d{6}Z-[0-9a-f]{12}\.png$/);
  return readPng(content);
}

/**
 * The value at which a line of a chart ends, by the pixels of its picture.
 *
 * @param svg The same chart, for where its axis has which numbers, and which colour its first line has.
 */
function endOfLine(t: Test, picture: Picture, svg: string): number {
  const [, top = Number.NaN] = /<g transform="translate\(16 ([\d.]+)\)"/.exec(svg)?.map(Number) ?? [];
  const ticks = [...svg.matchAll(/<text x="[\d.]+" y="([\d.]+)" class="quiet end">([\d.,]+)<\/text>/g)]
    .map(([, y, number = ""]) => ({ y: Number(y), value: Number(number.replaceAll(",", "")) }))
    .sort((a, b) => a.value - b.value);
  const [lowest, highest] = [ticks[0], ticks.at(-1)];
  if (lowest === undefined || highest === undefined) throw new Error("the chart has no axis");
  t.equal(lowest.value, 0, "axes begin at 0");
  const colour = /\.stroke-0 \{\s*stroke: (#\w{6})/.exec(svg)?.[1] ?? "";
  const [, left = 0, right = 0] =
    /translate\(([\d.]+) [\d.]+\)" font-size="12">.*?<path class="grid" d="M[\d. ]+H([\d.]+)"/s
      .exec(svg)
      ?.map(Number) ?? [];
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const isLine = (x: number, y: number): boolean => {
    const pixel = picture.pixelAt(x, y);
    return pixel[0] === red && pixel[1] === green && pixel[2] === blue;
  };
  // The numbers stand four units below the lines that they name; a unit has two pixels.
  const [bottomLine, topLine] = [lowest, highest].map(({ y }) => 2 * (y + top - 4)) as [number, number];
  const rows = Array.from({ length: Math.round(bottomLine - topLine) + 24 }, (_, at) => Math.round(topLine) - 20 + at);
  // Half of a mark stands beyond the last month; what follows is the name of the line.
  for (let x = Math.ceil(2 * (left + right)) + 8; x > 0; x--) {
    const ends = rows.filter((y) => isLine(x, y));
    if (ends.length === 0) continue;
    // The rightmost column of the mark is in its middle.
    const middle = ends.reduce((sum, y) => sum + y + 0.5, 0) / ends.length;
    return (highest.value * (bottomLine - middle)) / (bottomLine - topLine);
  }
  throw new Error("the picture has no line");
}

t.test("another site shows the chart in a frame, and no page", { skip: skipWithoutChromium }, async (t) => {
  const app = await startOnBundledData(t);
  const browser = await startChromium(t);
  const page = await openProduct(t, browser, app, "maize flour");
  const frame = await copied(page, "Copy frame");
  const host = createServer((_request, response) => {
    response.writeHead(200, { "Content-Type": "text/html" });
    response.end(`<!doctype html><title>News</title>${frame}<iframe name="page" src="${page.url()}"></iframe>`);
  });
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  t.teardown(() => host.close());
  const news = await browser.newPage();
  t.teardown(() => news.close());
  await news.goto(`http://localhost:${(host.address() as AddressInfo).port}`);
  const shown = news.frames().find((one) => one.url().includes("embed=1"));
  t.equal(await shown?.$eval("h1", (node) => node.textContent), "Maize flour (white)");
  t.ok(await shown?.$eval(".forWide svg", (node) => node.getBoundingClientRect().width > 300));
  t.ok(await shown?.evaluate("document.documentElement.scrollWidth <= innerWidth"));
  t.match(await shown?.$eval("main", (node) => node.textContent ?? ""), /Source: World Food Programme/);
  t.equal(await shown?.evaluate("self.origin"), "null", "the frame is sandboxed");
  t.equal(
    await shown?.evaluate('getComputedStyle(document.querySelector(".forNarrow")).display'),
    "none",
    "it has its style",
  );
  const opening = browser.waitForTarget((target) => target.opener() === news.target());
  await shown?.click("h1 a");
  const opened = await (await opening).page();
  await opened?.waitForSelector("nav");
  t.not(await opened?.evaluate("self.origin"), "null", "its link leads out of the sandbox");
  t.notOk(
    news.frames().some((one) => one.url() === page.url()),
    "the page itself is refused",
  );
});
