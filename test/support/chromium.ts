/** Chromium, where it is installed, for what has to be seen in a browser. */
import { existsSync } from "node:fs";
import puppeteer, { type Browser } from "puppeteer-core";
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
