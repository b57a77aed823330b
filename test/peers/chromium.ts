/** Chromium, where it is installed, for what has to be seen in a browser. */
import { existsSync } from "node:fs";
import axe from "axe-core";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import type { Test } from "tap";

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
