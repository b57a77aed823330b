/**
 * The documentation in a browser: nothing is loaded from elsewhere, nothing is refused, and the viewer sends requests.
 */
import type { Page } from "puppeteer-core";
import t from "tap";
import { groupPaths, guideNames, pageLinks } from "../../src/site/docs/menu.ts";
import { openWatchedPage, skipWithoutChromium, startChromium, violationsOf } from "../support/chromium.ts";
import { publicKey, secretKey } from "../support/signed-request.ts";
import { startApp } from "../support/start-app.ts";

t.test("in Chromium", { skip: skipWithoutChromium }, async (t) => {
  const browser = await startChromium(t);
  const app = await startApp(t);
  const base = `http://127.0.0.1:${app.port}`;

  await t.test("every page is accessible, as wide as the screen, and asks nothing elsewhere", async (t) => {
    const linked = pageLinks.map(({ target }) => target).filter((path) => path.startsWith("/docs"));
    const pages = [...linked, ...groupPaths, ...guideNames.map((name) => `/docs/${name}?code=r`)];
    for (const [width, scheme, paths] of [
      [1280, "light", ["/docs", "/docs/reference/prices?code=python", "/docs/signing", "/docs/try"]],
      [360, "dark", pages],
    ] as const) {
      const { page, problems, hosts } = await openWatchedPage(t, browser);
      await page.setViewport({ width, height: 900 });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      for (const path of paths) {
        await page.goto(base + path);
        if (path === "/docs/try") await page.waitForSelector(".opblock-summary-path");
        const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        t.equal(overflow, 0, `${path} at ${width}`);
        t.strictSame(await violationsOf(page), [], `${path} at ${width}`);
        if (path !== "/docs/try") continue;
        const sections = await page.$$(".opblock-tag-section");
        t.equal(sections.length, (await page.$$(".opblock-tag-section:has(.opblock)")).length, "none is empty");
        for (const index of [1, 5]) await (await page.$$(".opblock-summary-control"))[index]?.click();
        await page.waitForSelector("textarea[aria-label]");
        t.strictSame(await violationsOf(page), [], `opened operations at ${width}, ${scheme}`);
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

  await t.test("the viewer takes a public key, sends it and shows the answer; a secret one it refuses", async (t) => {
    const { page, problems } = await openWatchedPage(t, browser);
    await page.goto(`${base}/docs/try`);
    await page.waitForSelector(".opblock-summary-path");
    const paths = await page.$$eval(".opblock-summary-path", (nodes) =>
      nodes.map((node) => node.getAttribute("data-path")),
    );
    t.ok(paths.includes("/api/v1/counties"));
    t.notOk(paths.includes("/api/v1/prices/search"), "what needs a secret key is not there");

    await authorize(page, publicKey);
    await page.locator("#operations-Counties-listCounties .opblock-summary-control").click();
    await page.locator("#operations-Counties-listCounties .execute").click();
    const status = await page.waitForSelector(
      "#operations-Counties-listCounties .live-responses-table tbody .response-col_status",
    );
    t.match(await status?.evaluate((node) => node.textContent), /^200/);
    const answer = await page.$eval(
      "#operations-Counties-listCounties .live-responses-table .highlight-code",
      (node) => node.textContent,
    );
    t.match(answer, /"data":.*"sub_counties"/s);
    t.strictSame(await page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]"), [0, 0, ""]);
    t.strictSame([...problems], []);

    const linesBefore = app.logLines.length;
    await page.locator("button.authorize").click();
    await page.locator(".auth-btn-wrapper .modal-btn.auth").click();
    await fillKey(page, secretKey);
    await page.locator("#operations-Counties-listCounties .execute").click();
    await page.waitForFunction('document.body.innerText.includes("This is a secret key")');
    t.equal(app.logLines.length, linesBefore, "nothing was sent");
  });
});

async function authorize(page: Page, key: string): Promise<void> {
  await page.locator("button.authorize").click();
  await fillKey(page, key);
}

async function fillKey(page: Page, key: string): Promise<void> {
  await page.locator(".auth-container input").fill(key);
  await page.locator(".auth-btn-wrapper button[type=submit]").click();
  await page.locator(".auth-btn-wrapper .btn-done").click();
}
