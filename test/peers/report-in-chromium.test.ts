/**
 * The report in a browser: it fits the screen, its policy refuses nothing of its own, and axe finds nothing to hinder a
 * reader.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import t from "tap";
import { readCurrent } from "../../src/engine/snapshots/current-snapshot.ts";
import { openSnapshotStore } from "../../src/publishing/publish/open-published.ts";
import { publicationReport } from "../../src/publishing/publish/read-publication-report.ts";
import { collectReport } from "../../src/site/report/collect-report.ts";
import { renderReport } from "../../src/site/report/render-report.ts";
import { projectFolder } from "../support/test-files.ts";
import { skipWithoutChromium, startChromium, violationsOf } from "./chromium.ts";

t.test("in Chromium, wide and on a phone, light and dark", { skip: skipWithoutChromium }, async (t) => {
  const data = join(projectFolder, "data");
  const store = await openSnapshotStore(data, await readCurrent(data));
  const page = renderReport(collectReport(publicationReport(store, undefined, "There is none before.")));
  const folder = t.testdir({});
  writeFileSync(join(folder, "report.html"), page);
  const browser = await startChromium(t);
  // The tables that a reader opens are many cells, which axe looks at one by one.
  for (const [width, scheme, isOpened] of [
    [1200, "light", false],
    [360, "dark", true],
  ] as const) {
    const tab = await browser.newPage();
    const problems: string[] = [];
    tab.on("console", (message) => problems.push(message.text()));
    await tab.setViewport({ width, height: 900 });
    await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await tab.goto(pathToFileURL(join(folder, "report.html")).href);
    t.equal(await tab.evaluate("document.documentElement.scrollWidth - innerWidth"), 0, `${width} ${scheme}`);
    if (isOpened) {
      await tab.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
      t.equal(await tab.evaluate("document.documentElement.scrollWidth - innerWidth"), 0, "with all details open");
    }
    t.strictSame(problems, []);
    t.strictSame(await violationsOf(tab), []);
    await tab.close();
  }
});
