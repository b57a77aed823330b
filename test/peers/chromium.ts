/** Chromium, where it is installed, for what has to be seen in a browser. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import type { Test } from "tap";
import { endpoints } from "../../src/service/http/endpoint-table.ts";
import { createPages } from "../../src/site/explore/pages.ts";
import { bundledStore } from "../support/bundled-data.ts";
import { noCards, type RunningApp, startApp } from "../support/start-app.ts";

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

/** Option of a test that needs Chromium: why it is skipped, or false. */
export const skipWithoutChromium: string | false = executablePath === undefined ? "Chromium is not installed" : false;

/** Starts Chromium; it ends with the test. */
export async function startChromium(t: Test): Promise<Browser> {
  const browser = await puppeteer.launch({
    executablePath: executablePath as string,
    // Containers offer no sandbox to root; only pages of the tests are opened.
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  t.teardown(() => browser.close());
  return browser;
}

/** The service with its pages, over the bundled data. */
export async function startOnBundledData(t: Test): Promise<RunningApp & { readonly base: string }> {
  const store = await bundledStore();
  const explorer = { pages: createPages(endpoints), listPublications: async () => [], readCard: noCards };
  const app = await startApp(t, undefined, { deps: { currentStore: () => store, explorer } });
  return { ...app, base: `http://127.0.0.1:${app.port}` };
}

/** The file that the browser saves after a click. */
export async function savedFile(t: Test, page: Page, selector: string): Promise<{ name: string; content: Buffer }> {
  const folder = t.testdir({});
  const session = await page.createCDPSession();
  await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder, eventsEnabled: true });
  const { promise, resolve } = Promise.withResolvers<void>();
  session.on("Browser.downloadProgress", ({ state }) => {
    if (state === "completed") resolve();
  });
  await page.bringToFront();
  await page.click(selector);
  await promise;
  const [name = ""] = readdirSync(folder);
  return { name, content: readFileSync(join(folder, name)) };
}

export interface WatchedPage {
  readonly page: Page;
  /** Errors and warnings of the page; violations of its policy are among the messages of the console. */
  readonly problems: Set<string>;
  /** Hosts of all that it requests. */
  readonly hosts: Set<string>;
}

/** Opens a page, which is closed with the test. */
export async function openWatchedPage(t: Test, browser: Browser): Promise<WatchedPage> {
  const page = await browser.newPage();
  t.teardown(() => page.close());
  const problems = new Set<string>();
  const hosts = new Set<string>();
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) problems.add(message.text());
  });
  page.on("pageerror", (error) => problems.add(String(error)));
  page.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol !== "data:") hosts.add(host);
  });
  return { page, problems, hosts };
}

/** What axe-core finds, as rule and first element. It runs outside the policy of the page, as an extension does. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  // The size of targets is a rule that axe does not run by itself.
  const found = (await page.evaluate('axe.run({ rules: { "target-size": { enabled: true } } })')) as {
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  return found.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.length} × ${nodes[0]?.html}: ${nodes[0]?.failureSummary}`,
  );
}
