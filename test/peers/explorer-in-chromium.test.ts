/**
 * The pages for people in a browser: nothing is refused or asked elsewhere, axe-core finds no violation, and the script
 * helps.
 */

import type { Browser } from "puppeteer-core";
import t, { type Test } from "tap";
import { pathIn } from "../../src/site/pages/frame.ts";
import { bundledStore } from "../support/bundled-data.ts";
import {
  openWatchedPage,
  skipWithoutChromium,
  startChromium,
  startOnBundledData,
  violationsOf,
  type WatchedPage,
} from "./chromium.ts";

t.test("in Chromium, on the bundled data", { skip: skipWithoutChromium }, async (t) => {
  const browser = await startChromium(t);
  const store = await bundledStore();
  const { base, port } = await startOnBundledData(t);
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
    [360, "dark", "sw"],
    [768, "light", "en"],
  ] as const) {
    await t.test(`every page is accessible and as wide as the screen at ${width} pixels, ${scheme}`, async (t) => {
      const { page, problems, hosts } = await openPage(t, browser, language);
      await page.setViewport({ width, height: 900 });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      for (const path of paths) {
        await page.goto(base + pathIn(language, path));
        // What is folded up is checked as well.
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
      t.strictSame([...hosts], [`127.0.0.1:${port}`]);
    });
  }

  await t.test("what does maize cost in Nakuru, and is that much: three clicks, without JavaScript", async (t) => {
    const { page } = await openPage(t, browser, "en");
    await page.setJavaScriptEnabled(false);
    await page.goto(`${base}/explore`);
    await page.type("#q", "maize nakuru");
    await Promise.all([page.waitForNavigation(), page.click("form.search button")]);
    await Promise.all([page.waitForNavigation(), page.click(".results li a")]);
    const lead = await page.$eval("main", (node) => node.textContent);
    t.match(lead, /No price from Nakuru since [A-Z][a-z]+ 20\d\d|in Nakuru county, [A-Z][a-z]+ 20\d\d, at \d+ market/);
  });

  await t.test(
    "the map says a county's figure on hover and focus without a script, and on a tap with one",
    async (t) => {
      const shown = `[...document.querySelectorAll(".countyMap .detail")]
      .filter((text) => getComputedStyle(text).opacity === "1" && text.textContent.includes(":"))
      .map((text) => text.textContent.split(":")[0])`;
      const area = (county: number): string => `.countyMap a[href$="/counties/${county}"]`;
      const { page } = await openPage(t, browser, "en");
      await page.setViewport({ width: 1280, height: 1200 });
      await page.setJavaScriptEnabled(false);
      await page.goto(`${base}/explore/products/${uuidOf("Salt")}`);
      t.strictSame(await page.evaluate(shown), []);
      await page.$eval(area(10), (node) => (node as unknown as { focus(): void }).focus());
      t.strictSame(await page.evaluate(shown), ["Marsabit"]);
      await page.hover(`${area(23)} path`);
      t.strictSame(await page.evaluate(shown), ["Turkana"], "the pointer goes before the focus");
      const touch = await openPage(t, browser, "en");
      await touch.page.setViewport({ width: 1280, height: 1200, hasTouch: true });
      await touch.page.goto(`${base}/explore/products/${uuidOf("Salt")}`);
      await touch.page.tap(`${area(23)} path`);
      t.strictSame(await touch.page.evaluate(shown), ["Turkana"]);
      t.match(touch.page.url(), uuidOf("Salt"));
      await Promise.all([touch.page.waitForNavigation(), touch.page.tap(`${area(23)} path`)]);
      t.match(touch.page.url(), /\/explore\/counties\/23$/);
    },
  );

  await t.test("results come while someone types, in the language of the page", async (t) => {
    const { page, problems } = await openPage(t, browser, "sw");
    await page.goto(`${base}/sw/explore`);
    await page.type("#q", "mahindi nak");
    // While it is typed, results of a part of the text can come before.
    await page.waitForFunction('/Mahindi.*Nakuru/.test(document.querySelector("#results").textContent)');
    t.ok(await page.$("#results li a"));
    await page.$eval("#q", (node) => {
      node.value = "";
      node.dispatchEvent(new Event("input"));
    });
    await page.waitForFunction('document.querySelector("#results").childNodes.length === 0');
    t.strictSame([...problems], []);
  });

  await t.test("a month is read by pointer, by keys and by touch, and drawing takes a period in place", async (t) => {
    const { page, problems } = await openPage(t, browser, "en");
    const readout = ".forWide .lineChart + .readout";
    await page.setViewport({ width: 1280, height: 1200 });
    await page.goto(base + maize);
    const boxOf = async (at: number) => {
      const box = await (await page.$$(".forWide .lineChart .strip"))[at]?.boundingBox();
      if (!box) throw new Error(`the chart has no month ${at}`);
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const monthOf = async (at: number) =>
      await page.$$eval(
        ".forWide .lineChart .strip",
        (strips, number) => (strips[number] as unknown as { dataset: { month: string } }).dataset.month,
        at,
      );
    const textOf = async (selector: string) => await page.$eval(selector, (node) => node.textContent ?? "");
    await page.$eval("#months", (node) => node.scrollIntoView());
    const [first, last] = [await boxOf(10), await boxOf(20)];
    await page.mouse.move(first.x, first.y);
    const months = /^[A-Z][a-z]+ 20\d\d(?:\n(?:.+: )?median [\d.]+ KES a kg, \d+ markets?(?:, lowest .*)?)+$/;
    const read = await textOf(readout);
    t.match(read, months);
    await page.$eval(".forWide .lineChart", (node) => (node as unknown as { focus(): void }).focus());
    await page.keyboard.press("ArrowRight");
    t.match(await textOf(readout), months);
    t.not(await textOf(readout), read, "the month after it");
    const top = await page.$eval("#months", (node) => node.getBoundingClientRect().top);
    await page.mouse.move(first.x, first.y);
    await page.mouse.down();
    await page.mouse.move(last.x, last.y, { steps: 5 });
    await page.mouse.up();
    await page.waitForFunction("location.search.includes('from=')");
    await page.waitForFunction("document.querySelectorAll('.forWide .lineChart .strip').length <= 12");
    t.match(page.url(), /from=20\d\d-\d\d&to=20\d\d-\d\d/);
    const moved = Math.abs((await page.$eval("#months", (node) => node.getBoundingClientRect().top)) - top);
    t.ok(moved < 2, `the chart stays where it is, moved by ${moved}`);
    const exact = await page.$eval("footer a[href*=snapshot]", (node) => node.getAttribute("href"));
    t.match(exact, new URL(page.url()).searchParams.get("from") ?? "no month", "the foot of the page follows");
    const again = await boxOf(3);
    await page.mouse.move(again.x, again.y);
    t.match(await textOf(readout), months, "what came can be read as well");
    await page.goBack();
    await page.waitForFunction("document.querySelectorAll('.forWide .lineChart .strip').length > 30");
    const ends = [await monthOf(8), await monthOf(12)];
    await page.$eval(".forWide .lineChart", (node) => (node as unknown as { focus(): void }).focus());
    for (const key of ["Home", ...Array(8).fill("ArrowRight"), "Enter"]) await page.keyboard.press(key);
    t.match(await textOf(readout), `${ends[0]} – …`, "the beginning is said");
    t.equal((await page.$$(".begun")).length, 1);
    for (const key of [...Array(4).fill("ArrowRight"), "Enter"]) await page.keyboard.press(key);
    await page.waitForFunction("location.search.includes('from=')");
    t.match(page.url(), `from=${ends[0]}&to=${ends[1]}`, "the same by keys alone");
    t.strictSame([...problems], []);
  });

  await t.test(
    "on a phone a tap reads months, seasons and counties; the second tap on a county leads to it",
    async (t) => {
      const { page } = await openPage(t, browser, "en");
      await page.setViewport({ width: 360, height: 800, isMobile: true, hasTouch: true });
      await page.goto(base + maize);
      const tapped = async (chart: string, part: string): Promise<string> => {
        const spot = await page.$(`${chart} ${part}`);
        await spot?.evaluate((node) => node.scrollIntoView({ block: "center" }));
        await spot?.tap();
        return await page.$eval(`${chart} + .readout`, (node) => node.textContent ?? "");
      };
      t.match(await tapped(".forNarrow .lineChart", ".strip"), /^[A-Z][a-z]+ 20\d\d\n.*KES a kg/);
      await page.goto(`${base}/explore/products/${uuidOf("Maize")}?type=Wholesale`);
      const december = await tapped(".forNarrow .seasonalChart", ".strip:last-of-type");
      t.match(december, /^December: [\d.]+, \d+ years, lowest/);
      await page.goto(`${base}/explore/products/${uuidOf("Salt")}`);
      const county = ".countyMap a path";
      await page.$eval(county, (node) => node.scrollIntoView({ block: "center" }));
      await (await page.$(county))?.tap();
      const opacity = 'getComputedStyle(document.querySelector(".countyMap a .detail")).opacity';
      t.equal(await page.evaluate(opacity), "1");
      const [navigation] = await Promise.all([page.waitForNavigation(), (await page.$(county))?.tap()]);
      t.match(navigation?.url(), /counties\/\d+/);
    },
  );

  await t.test("a first view is at most 60 kB, and shows after the page and one style are there", async (t) => {
    for (const path of ["/explore", maize, `${maize}?period=all`, "/explore/compare", "/explore/data", "/docs"]) {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      const devTools = await page.createCDPSession();
      let received = 0;
      devTools.on("Network.loadingFinished", ({ encodedDataLength }) => {
        received += encodedDataLength;
      });
      await devTools.send("Network.enable");
      const [bytesPerSecond, latency] = [400_000 / 8, 400];
      await page.emulateNetworkConditions({ download: bytesPerSecond, upload: bytesPerSecond, latency });
      await page.goto(base + path, { waitUntil: "networkidle0" });
      const painted = Number(
        await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity"),
      );
      t.ok(received <= 60_000, `${path}: ${received} bytes`);
      t.comment(`${path}: first content after ${Math.round(painted)} ms`);
      const blocking = await page.evaluate(
        "performance.getEntriesByType('resource').filter((entry) => entry.renderBlockingStatus === 'blocking').length",
      );
      t.ok(Number(blocking) <= 1, `${path}: requests that the first content waits for`);
      await context.close();
    }
  });

  await t.test("pages print on A4 within its width, without what only a screen needs", async (t) => {
    const { page } = await openPage(t, browser, "en");
    for (const path of ["/explore", maize]) {
      await page.goto(base + path);
      const pdf = Buffer.from(await page.pdf({ preferCSSPageSize: true })).toString("latin1");
      const boxes = [...pdf.matchAll(/\/MediaBox \[([\d. ]+)\]/g)].map(([, box = ""]) => box.split(" ").map(Number));
      t.ok(boxes.length >= 1 && boxes.length <= 12, `${path}: ${boxes.length} sheets`);
      for (const [, , width = 0, height = 0] of boxes) t.match([Math.round(width), Math.round(height)], [595, 842]);
      await page.emulateMediaType("print");
      await page.setViewport({ width: 680, height: 900 });
      t.equal(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0, `${path} fits`);
      const shown = await page.$$eval("form, .sources, .forNarrow", (nodes) =>
        nodes.filter((node) => node.getBoundingClientRect().height > 0).map((node) => node.className),
      );
      t.strictSame(shown, [], path);
      await page.emulateMediaType("screen");
    }
  });
});

async function openPage(t: Test, browser: Browser, language: string): Promise<WatchedPage> {
  const watched = await openWatchedPage(t, browser);
  await watched.page.setExtraHTTPHeaders({ "Accept-Language": language });
  return watched;
}
