/**
 * The documentation in a browser: nothing is loaded from elsewhere, nothing is refused.
 */
import t from "tap";
import { groupPaths, guideNames, pageLinks } from "../../src/site/docs/menu.ts";
import { startApp } from "../support/start-app.ts";
import { openWatchedPage, skipWithoutChromium, startChromium, violationsOf } from "./chromium.ts";

t.test("in Chromium", { skip: skipWithoutChromium }, async (t) => {
  const browser = await startChromium(t);
  const app = await startApp(t);
  const base = `http://127.0.0.1:${app.port}`;

  await t.test("every page is accessible, as wide as the screen, and asks nothing elsewhere", async (t) => {
    const linked = pageLinks.map(({ target }) => target).filter((path) => path.startsWith("/docs"));
    const pages = [
      "/docs",
      "/docs/changelog",
      ...linked,
      ...groupPaths,
      ...guideNames.map((name) => `/docs/${name}?code=r`),
    ];
    for (const [width, scheme, paths] of [
      [1280, "light", ["/docs", "/docs/reference/prices?code=python", "/docs/signing", "/docs/changelog"]],
      [360, "dark", pages],
    ] as const) {
      const { page, problems, hosts } = await openWatchedPage(t, browser);
      await page.setViewport({ width, height: 900 });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      for (const path of paths) {
        await page.goto(base + path);
        const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        t.equal(overflow, 0, `${path} at ${width}`);
        t.strictSame(await violationsOf(page), [], `${path} at ${width}`);
      }
      t.strictSame([...problems], []);
      t.strictSame([...hosts], [`127.0.0.1:${app.port}`]);
    }
  });

  await t.test("the search leads to an operation, and a button copies its request", async (t) => {
    const { page, problems } = await openWatchedPage(t, browser);
    await browser.defaultBrowserContext().overridePermissions(base, ["clipboard-read", "clipboard-sanitized-write"]);
    await page.goto(`${base}/docs?code=python`);
    await page.locator("#q").fill("newest prices");
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    t.equal(page.url(), `${base}/docs/search?q=newest+prices&code=python`);
    t.strictSame(await violationsOf(page), []);
    await Promise.all([page.waitForNavigation(), page.locator(".results a").click()]);
    t.equal(page.url(), `${base}/docs/reference/prices?code=python#getLatestPrices`);
    await page.bringToFront();
    const button = await page.waitForSelector("#code-getLatestPrices + .code button");
    await button?.click();
    await page.waitForFunction((shown) => shown?.textContent === "Copied", {}, button);
    t.match(await page.evaluate("navigator.clipboard.readText()"), /^import json, os, urllib.request\n\npath = /);
    t.strictSame([...problems], []);

    await page.setJavaScriptEnabled(false);
    await page.goto(`${base}/docs/signing`);
    t.equal((await page.$$("main button")).length, 0, "no button without scripts");
  });
});
