/**
 * The pages for people in a browser: nothing is refused or asked elsewhere, axe-core finds no violation, and the script
 * helps.
 */

import { join } from "node:path";
import type { Browser } from "puppeteer-core";
import t, { type Test } from "tap";
import { readCurrent } from "../../src/dataset/current-snapshot.ts";
import { explorerRoutes } from "../../src/http/resources/explorer/routes.ts";
import { openSnapshotStore } from "../../src/publish/open-published.ts";
import {
  openWatchedPage,
  skipWithoutChromium,
  startChromium,
  violationsOf,
  type WatchedPage,
} from "../support/chromium.ts";
import { startApp } from "../support/start-app.ts";
import { testAdmission } from "../support/test-admission.ts";
import { projectFolder } from "../support/test-files.ts";

const bundledData = join(projectFolder, "data");

t.test("in Chromium, on the bundled data", { skip: skipWithoutChromium }, async (t) => {
  const browser = await startChromium(t);
  const store = await openSnapshotStore(bundledData, await readCurrent(bundledData));
  const routes = explorerRoutes({ admission: testAdmission(), docsUrl: "/docs", listPublications: async () => [] });
  const app = await startApp(t, undefined, { deps: { currentStore: () => store, explorerRoutes: () => routes } });
  const base = `http://127.0.0.1:${app.port}`;
  const uuidOf = (name: string): string => {
    const found = [...store.catalogue.products, ...store.catalogue.markets].find(({ record }) => record.name === name);
    if (found === undefined) throw new Error(`nothing is called ${name}`);
    return found.record.uuid;
  };
  const maize = `/explore/products/${uuidOf("Maize (white, dry)")}`;
  const series = `series=${uuidOf("Maize (white)")}:Wholesale&series=${uuidOf("Maize (white, dry)")}:Wholesale:32`;
  const paths = [
    ...[
      "/explore",
      "/explore?map=age&window=all",
      "/explore?q=nakuru",
      "/explore/counties/32",
      "/explore/counties/23",
      "/explore?q=maize+nakuru",
      "/explore?q=what+maize+xyzzy",
      "/explore?q=xyzzy",
      maize,
      `${maize}?county=32`,
    ],
    ...[`/explore/products/${uuidOf("Onions (red)")}`, `/explore/markets/${uuidOf("Nakuru")}`, "/explore/data"],
    ...[`/explore/compare?product=${uuidOf("Maize")}`, `/explore/compare?${series}`, `${maize}?period=2y`],
  ];

  for (const [width, scheme, language] of [
    [1280, "light", "en"],
    [390, "dark", "sw"],
  ] as const) {
    await t.test(`every page is accessible and as wide as the screen at ${width} pixels, ${scheme}`, async (t) => {
      const { page, problems, hosts } = await openPage(t, browser, language);
      await page.setViewport({ width, height: 900 });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      for (const path of paths) {
        await page.goto(base + path);
        // What is folded up is looked at as well.
        await page.$$eval("details", (all) => {
          for (const one of all) one.open = true;
        });
        t.equal(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0, path);
        t.equal(await page.evaluate("document.documentElement.lang"), language);
        t.strictSame(await violationsOf(page), [], path);
      }
      t.strictSame(
        [...problems].filter((text) => !/status of 400/.test(text)),
        [],
      );
      t.strictSame([...hosts], [`127.0.0.1:${app.port}`]);
    });
  }

  await t.test("what does maize cost in Nakuru, and is that much: three clicks, without JavaScript", async (t) => {
    const { page } = await openPage(t, browser, "en");
    await page.setJavaScriptEnabled(false);
    await page.goto(`${base}/explore`);
    await page.type("#q", "maize nakuru");
    await Promise.all([page.waitForNavigation(), page.click("form.search button")]);
    await Promise.all([page.waitForNavigation(), page.click(".results li a")]);
    t.match(
      await page.$eval(".sentence", (node) => node.textContent),
      /^Maize.*Nakuru county: median [\d.]+ KES per kg in /,
    );
    t.match(await page.$eval(".judgement", (node) => node.textContent), /^Is that much\?/);
  });

  await t.test(
    "the map says a county's figure on hover and focus without a script, and on a tap with one",
    async (t) => {
      const shown = `[...document.querySelectorAll(".countyMap .detail")]
      .filter((text) => getComputedStyle(text).opacity === "1").map((text) => text.textContent.split(":")[0])`;
      const area = (county: number): string => `.countyMap a[href$="/counties/${county}"]`;
      const { page } = await openPage(t, browser, "en");
      await page.setViewport({ width: 1280, height: 1200 });
      await page.setJavaScriptEnabled(false);
      await page.goto(`${base}/explore?window=all`);
      t.strictSame(await page.evaluate(shown), []);
      await page.$eval(area(10), (node) => (node as unknown as { focus(): void }).focus());
      t.strictSame(await page.evaluate(shown), ["Marsabit"]);
      await page.hover(`${area(23)} path`);
      t.strictSame(await page.evaluate(shown), ["Turkana"], "the pointer goes before the focus");
      const touch = await openPage(t, browser, "en");
      await touch.page.setViewport({ width: 1280, height: 1200, hasTouch: true });
      await touch.page.goto(`${base}/explore?window=all`);
      await touch.page.tap(`${area(23)} path`);
      t.strictSame(await touch.page.evaluate(shown), ["Turkana"]);
      t.match(touch.page.url(), /window=all$/);
      await Promise.all([touch.page.waitForNavigation(), touch.page.tap(`${area(23)} path`)]);
      t.match(touch.page.url(), /\/explore\/counties\/23$/);
    },
  );

  await t.test("results come while someone types, in the language of the page", async (t) => {
    const { page, problems } = await openPage(t, browser, "sw");
    await page.goto(`${base}/explore`);
    await page.type("#q", "mahindi nak");
    await page.waitForSelector("#results li a");
    const links = await page.$$eval("#results li a", (nodes) => nodes.map((node) => node.textContent));
    t.ok(
      links.some((text) => /Mahindi.*Nakuru/.test(text)),
      String(links),
    );
    await page.$eval("#q", (node) => {
      node.value = "";
      node.dispatchEvent(new Event("input"));
    });
    await page.waitForFunction('document.querySelector("#results").childNodes.length === 0');
    t.strictSame([...problems], []);
  });

  await t.test(
    "the figures of a month show under the pointer, and drawing across the chart takes a period",
    async (t) => {
      const { page } = await openPage(t, browser, "en");
      await page.setViewport({ width: 1280, height: 1200 });
      await page.goto(base + maize);
      const strips = await page.$$(".forWide .lineChart .strip");
      const [first, last] = [await strips[10]?.boundingBox(), await strips[20]?.boundingBox()];
      if (!first || !last) throw new Error("the chart has no months");
      await page.mouse.move(first.x + first.width / 2, first.y + first.height / 2);
      await page.waitForFunction('/^20\\d\\d-\\d\\d\\n/.test(document.querySelector(".readout").textContent)');
      await page.mouse.down();
      await page.mouse.move(last.x + last.width / 2, last.y + last.height / 2, { steps: 5 });
      await Promise.all([page.waitForNavigation(), page.mouse.up()]);
      t.match(page.url(), /from=20\d\d-\d\d&to=20\d\d-\d\d/);
      t.ok((await page.$$(".forWide .lineChart .strip")).length <= 12);
    },
  );
});

async function openPage(t: Test, browser: Browser, language: string): Promise<WatchedPage> {
  const watched = await openWatchedPage(t, browser);
  await watched.page.setExtraHTTPHeaders({ "Accept-Language": language });
  return watched;
}
