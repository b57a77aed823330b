import fc from "fast-check";
import t from "tap";
import { visibleText } from "../../../src/engine/model/visible-text.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { publicationReport } from "../../../src/publishing/publish/read-publication-report.ts";
import { collectReport } from "../../../src/site/report/collect-report.ts";
import { renderReport, reportPolicy } from "../../../src/site/report/render-report.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import {
  findNodes,
  hostileText,
  type MarkupNode,
  nodesOfClass,
  parseMarkup,
  textWithin,
} from "../../support/parse-markup.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { county, type TinyDatasetParts, tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

/** What data files hold may be anything; lone surrogates and control characters come no further than reading. */
const hostile = hostileText.toWellFormed();

function month(number: number): string {
  return `2025-${String(number).padStart(2, "0")}-15T06:00:00Z`;
}

const parts: TinyDatasetParts = {
  snapshot: { note: hostile, attribution: [hostile] },
  counties: [county(47, { name: hostile })],
  products: [1, 2].map((number) => ({ name: `${number} ${hostile}`, description: hostile })),
  markets: [{ name: hostile }, { name: `2 ${hostile}`, type: "Wholesale" }],
};

const history = Array.from({ length: 10 }, (_, at) => ({
  price: 40,
  source: hostile,
  notes: hostile,
  qualityGrade: hostile,
  recordedAt: month(at + 1),
}));

t.test("text from files is text on the page, which has no scripts, loads nothing, and says so", async (t) => {
  const before = buildStore(tinyDataset({ ...parts, prices: history }));
  const added = [
    { price: 400, source: hostile, recordedAt: month(11) },
    { price: 50, market: 1, source: `2 ${hostile}`, recordedAt: month(11) },
  ];
  const after = buildStore(tinyDataset({ ...parts, prices: [...history, ...added] }));
  const page = renderReport(collectReport(publicationReport(after, before, "")));
  const nodes = parseMarkup(page);
  const used = new Set(findNodes(nodes, () => true).map(({ name }) => name));
  for (const name of ["script", "link", "form", "input"]) t.notOk(used.has(name), name);
  const [policy] = findNodes(nodes, ({ attributes }) => attributes["http-equiv"] !== undefined);
  t.equal(policy?.attributes["content"], reportPolicy);
  t.equal(reportPolicy, "default-src 'none'; style-src 'unsafe-inline'");
  t.notMatch(page, /[^\P{Cc}\n]|\p{Bidi_Control}/u);
  const all = textWithin(nodes);
  for (const wanted of [
    visibleText(`1 ${hostile}`),
    `Published 2026-11-20: ${visibleText(hostile)}`,
    "Suspicious prices: 1",
    "suspicious price",
    "1 warning. 1 new or corrected price.",
    "1 product at a market with prices for the first time",
  ]) {
    t.ok(all.includes(wanted), wanted);
  }
  t.equal(nodesOfClass(nodes, "lineChart").length, 2);
});

t.test("where nothing has moved and nothing has a warning the page says so", async (t) => {
  const store = buildStore(tinyDataset({ ...parts, prices: history }));
  const text = textWithin(parseMarkup(renderReport(collectReport(publicationReport(store, store, "")))));
  t.ok(text.includes("No price has a warning, and no latest price moves by more than 20 %."));
});

t.test("a chart has the prices before and the new ones as two lines, with all of it in a table", async (t) => {
  const prices = history.map((price) => ({ ...price, source: "WFP" }));
  const before = buildStore(tinyDataset({ prices }));
  const after = buildStore(tinyDataset({ prices: [...prices, { price: 60, source: "WFP", recordedAt: month(11) }] }));
  const nodes = parseMarkup(renderReport(collectReport(publicationReport(after, before, ""))));
  const [chart] = nodesOfClass(nodes, "lineChart");
  const strokes = nodesOfClass([chart as MarkupNode], "stroke-0").filter(
    ({ attributes }) => attributes["class"] === "line stroke-0" && attributes["d"]?.includes("L"),
  );
  t.equal(strokes.length, 1, "the months before, joined");
  const text = textWithin(nodes).replace(/\s+/g, " ");
  t.match(text, /Latest price 40 → 60 \(KES per kg\)\. 1 new or corrected price\./);
  t.match(text, /before ?new and corrected prices/);
  t.match(text, /2025-11 ?– ?– ?– ?60 ?60 to 60 ?1/);
});

t.test("a warning names the row of the table that its price was imported from", async (t) => {
  const before = buildStore(tinyDataset({ prices: history }));
  const after = buildStore(
    tinyDataset({ prices: [...history, { price: 400, source: hostile, recordedAt: month(11) }] }),
  );
  const publication = publicationReport(after, before, "");
  const origin = { uuid: uuidOf("price", 11), file: `${hostile}.xlsx`, sheet: "Nakuru", row: 12, importedAt: null };
  const warnings = publication.warnings.map((warning) => ({ ...warning, origin }));
  const text = textWithin(parseMarkup(renderReport(collectReport({ ...publication, warnings }))));
  t.ok(text.includes(visibleText(`${hostile}.xlsx, sheet Nakuru, row 12`)));
});

t.test("a page of any data is whole: every element ended, every id once, every link to one of them", async (t) => {
  await fc.assert(
    fc.asyncProperty(randomDataset(), fc.option(randomDataset()), async (dataset, other) => {
      const before = other === null ? undefined : buildStore(other);
      const page = renderReport(collectReport(publicationReport(buildStore(dataset), before, "There is none before.")));
      const nodes = parseMarkup(page);
      const ids = findNodes(nodes, ({ attributes }) => attributes["id"] !== undefined).map(
        ({ attributes }) => attributes["id"],
      );
      t.equal(new Set(ids).size, ids.length);
      for (const { attributes } of findNodes(nodes, ({ name }) => name === "a")) {
        t.ok(ids.includes(attributes["href"]?.slice(1)));
      }
      t.notMatch(page, /NaN|Infinity|undefined|\[object/);
    }),
    { numRuns: runsOf(40) },
  );
});

t.test("where a source gives months, the report says the month of a price", async (t) => {
  const prices = [{ recordedAt: "2026-04-15T06:00:00Z" }, { recordedAt: "2026-04-14T06:00:00Z", source: "Farm" }];
  const store = buildStore(tinyDataset({ prices, snapshot: { periods: { WFP: "month" } } }));
  const text = textWithin(
    parseMarkup(renderReport(collectReport(publicationReport(store, undefined, "There is none before.")))),
  );
  t.match(text, /Newest priceApril 2026/);
  t.match(text, /oldest 2026-04-14/);
  t.notMatch(text, /2026-04-15/);
});

t.test("the page leads to the pages of a service where its address is given, and nowhere else", async (t) => {
  const report = collectReport(publicationReport(buildStore(tinyDataset()), undefined, "There is none before."));
  const linksOf = (page: string): (string | undefined)[] =>
    findNodes(parseMarkup(page, /^(?:#|https:)/), ({ name }) => name === "a")
      .map(({ attributes }) => attributes["href"])
      .filter((href) => href?.startsWith("#") !== true);
  t.strictSame(linksOf(renderReport(report)), []);
  const base = "https://prices.example";
  t.strictSame(linksOf(renderReport(report, { serviceUrl: `${base}/` })), [
    ...[`${base}/explore`, `${base}/explore/compare`, `${base}/explore/data`, `${base}/docs`],
  ]);
});
