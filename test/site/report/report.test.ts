import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import type { Dataset } from "../../../src/engine/model/dataset.ts";
import { findRow } from "../../../src/engine/model/ids.ts";
import { visibleText } from "../../../src/engine/model/visible-text.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { isSuspicious } from "../../../src/engine/store/suspicious-prices.ts";
import { publicationReport } from "../../../src/publishing/publish/read-publication-report.ts";
import {
  chartsMax,
  type MarkedPrice,
  type MonthMedian,
  type PriceChart,
} from "../../../src/site/report/collect-price-charts.ts";
import { collectReport, type SnapshotReport } from "../../../src/site/report/collect-report.ts";
import { renderReport, reportPolicy } from "../../../src/site/report/render-report.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { naiveSeries } from "../../support/naive-series.ts";
import {
  findNodes,
  hostileText,
  type MarkupNode,
  nodesOfClass,
  parseMarkup,
  textWithin,
} from "../../support/parse-markup.ts";
import { type PlainPrice, plainPrices } from "../../support/plain-prices.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { county, type TinyDatasetParts, type TinyPrice, tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

function reportOf(after: Store, before?: Store): SnapshotReport {
  return collectReport(publicationReport(after, before, before === undefined ? "There is none before." : ""));
}

function month(number: number): string {
  return `2025-${String(number).padStart(2, "0")}-15T06:00:00Z`;
}

function medians(months: readonly MonthMedian[]): unknown[] {
  return months.map(({ month, median, samples }) => [month, median, samples]);
}

const products = [
  { name: "Maize", commonUnits: ["kg", "90 kg bag"] },
  { name: "Kale", commonUnits: ["kg"] },
  { name: "Beans", commonUnits: ["kg"] },
];

const history: readonly Partial<TinyPrice>[] = Array.from({ length: 10 }, (_, at) => [
  { product: 0, price: 4500, unit: "90 kg bag", recordedAt: month(at + 1) },
  { product: 1, price: 40, recordedAt: month(at + 1) },
  { product: 2, price: 100, recordedAt: month(at + 1) },
]).flat();

t.test("a product has a chart only if its latest price moves far or a price of it has a warning", async (t) => {
  const before = buildStore(tinyDataset({ products, prices: history }));
  const added = [
    { product: 0, price: 45_000, unit: "90 kg bag", recordedAt: month(11) },
    { product: 1, price: 50, recordedAt: month(11) },
    { product: 2, price: 101, recordedAt: month(11) },
  ];
  const after = buildStore(tinyDataset({ products, prices: [...history, ...added] }));
  const { changes, charts, warnings, others } = reportOf(after, before);
  t.same(changes?.rows.prices, { added: 3, gone: 0, changed: 0 });
  t.equal(warnings.counts.get("suspicious"), 1);
  t.match(charts, [
    {
      product: "Maize",
      unit: "kg",
      currency: "KES",
      move: { before: { price: 4500 }, after: { price: 45_000 }, unit: "90 kg bag" },
      newCount: 1,
      newMonths: [],
      marks: [{ price: 500, kinds: ["suspicious"], suspicious: "decimal_slip" }],
    },
    { product: "Kale", move: { before: { price: 40 }, after: { price: 50 } }, marks: [], warnings: 0 },
  ]);
  t.equal(charts.length, 2);
  t.strictSame(others, []);
  t.equal(charts[0]?.marks[0]?.recorded.uuid, uuidOf("price", 31));
  const [maize, kale] = charts as [PriceChart, PriceChart];
  t.strictSame(
    medians(maize.monthsBefore),
    Array.from({ length: 10 }, (_, at) => [month(at + 1).slice(0, 7), 50, 1]),
    "the line before stays what it was, in the unit of the statistics",
  );
  t.strictSame(medians(kale.newMonths), [["2025-11", 50, 1]]);

  const alone = reportOf(after);
  t.equal(alone.changes, undefined);
  t.equal(alone.uncompared, "There is none before.");
  t.equal(alone.charts[0]?.product, "Maize");
  t.equal(alone.charts[0]?.move, undefined);
  t.equal(alone.charts[0]?.monthsBefore.length, 0);
  t.equal(alone.charts[0]?.newMonths.length, 10, "without a snapshot to compare with all prices are new");
});

t.test("a correction stands in the line of new prices, and as it was in the line before", async (t) => {
  const before = buildStore(tinyDataset({ products, prices: history }));
  const corrected = history.map((price, at) => (at === 1 ? { ...price, price: 60 } : price));
  const latest = { product: 1, price: 80, recordedAt: month(11) };
  const { charts } = reportOf(buildStore(tinyDataset({ products, prices: [...corrected, latest] })), before);
  const kale = charts.find(({ product }) => product === "Kale") as PriceChart;
  t.strictSame(medians(kale.monthsBefore)[0], ["2025-01", 40, 1]);
  t.strictSame(medians(kale.newMonths), [
    ["2025-01", 60, 1],
    ["2025-11", 80, 1],
  ]);
  t.equal(kale.newCount, 2);
});

t.test("a chart goes back to the last prices before, however old they are", async (t) => {
  const old = { price: 40, recordedAt: "2012-03-15T06:00:00Z" };
  const before = buildStore(tinyDataset({ prices: [old] }));
  const after = buildStore(tinyDataset({ prices: [old, { price: 80, recordedAt: "2025-03-15T06:00:00Z" }] }));
  t.match(reportOf(after, before).charts, [
    { monthsBefore: [{ month: "2012-03" }], newMonths: [{ month: "2025-03" }] },
  ]);
});

t.test("prices before the first day of a chart are counted", async (t) => {
  // Five prices in the last month: enough to judge the slip by.
  const years = Array.from({ length: 18 }, (_, at) => {
    return { price: 40, recordedAt: `${Math.min(2010 + at, 2023)}-03-15T06:00:00Z` };
  });
  const slip = { price: 4000, recordedAt: "2023-04-15T06:00:00Z" };
  const before = buildStore(tinyDataset({ prices: years }));
  const after = buildStore(tinyDataset({ prices: [...years, slip] }));
  // Three years back from the newest price: those of 2021, 2022 and 2023 are drawn.
  t.match(reportOf(after, before).charts, [{ earlierCount: 11, newCount: 1, monthsBefore: { length: 3 } }]);
  const alone = reportOf(after);
  t.match(alone.charts, [{ earlierCount: 11, newCount: 19, newMonths: { length: 3 } }]);
  const pageOf = (report: SnapshotReport): string => textWithin(parseMarkup(renderReport(report))).replace(/\s+/g, " ");
  t.match(pageOf(alone), /19 prices\. 11 prices before 2020-04: not drawn\./);
  t.match(pageOf(alone), /Prices from 2020-04 on: 3 months/);
  t.match(pageOf(reportOf(after, before)), /11 prices of the snapshot compared with before 2020-04: not drawn\./);
});

t.test("a new price in another currency is counted and marked, not drawn", async (t) => {
  const shillings = Array.from({ length: 12 }, (_, at) => ({ price: 100, recordedAt: month(at + 1) }));
  const dollars = shillings.slice(0, 6).map((price) => ({ ...price, price: 1, currency: "USD" }));
  const slip = { price: 1000, currency: "USD", recordedAt: "2025-12-20T06:00:00Z" };
  const before = buildStore(tinyDataset({ prices: [...shillings, ...dollars] }));
  const { charts } = reportOf(buildStore(tinyDataset({ prices: [...shillings, ...dollars, slip] })), before);
  t.match(charts, [
    {
      currency: "KES",
      newCount: 1,
      unconvertedCount: 1,
      newMonths: [],
      marks: [{ price: undefined, recorded: { price: 1000, currency: "USD" } }],
    },
  ]);
});

t.test("the charts of a page are bounded, and the products without one are named", async (t) => {
  const many = Array.from({ length: chartsMax + 2 }, (_, at) => ({ name: `Product ${100 + at}` }));
  const first = many.map((_, product) => ({ product, price: 100, recordedAt: month(1) }));
  const second = many.map((_, product) => ({ product, price: 200 + product, recordedAt: month(2) }));
  const before = buildStore(tinyDataset({ products: many, prices: first }));
  const { charts, others } = reportOf(
    buildStore(tinyDataset({ products: many, prices: [...first, ...second] })),
    before,
  );
  t.equal(charts.length, chartsMax);
  t.equal(charts[0]?.product, `Product ${100 + chartsMax + 1}`, "the greatest move first");
  t.strictSame(others, ["Product 101, Wholesale", "Product 100, Wholesale"]);
});

/** All by which a price is judged. */
function priceTexts(dataset: Dataset): ReadonlyMap<PlainPrice, string> {
  const { grades, gradeNames } = dataset.prices;
  const entries = plainPrices(dataset).map((plain, row): [PlainPrice, string] => {
    const { recordedAt, price, unit, currency, product, market, source } = plain;
    const grade = gradeNames[grades[row] as number] ?? null;
    return [plain, JSON.stringify([recordedAt, price, unit.name, currency, product.uuid, market.uuid, source, grade])];
  });
  return new Map(entries);
}

/** The new prices of a subject, found price by price. */
function newPrices(after: Dataset, before: Dataset | undefined, { productUuid, marketType }: PriceChart): PlainPrice[] {
  const known = new Map(before && [...priceTexts(before)].map(([{ uuid }, text]) => [uuid, text]));
  const isOfSubject = ({ product, market }: PlainPrice): boolean =>
    product.uuid === productUuid && market.type === marketType;
  return [...priceTexts(after)].flatMap(([price, text]) =>
    isOfSubject(price) && known.get(price.uuid) !== text ? price : [],
  );
}

t.test("the new prices of a chart equal the slow comparison, and each warning has a chart", async () => {
  fc.assert(
    fc.property(randomDataset(), fc.option(randomDataset()), (dataset, other) => {
      const store = buildStore(dataset);
      const report = reportOf(store, other === null ? undefined : buildStore(other));
      assert.equal(report.counts.prices, dataset.prices.rowCount);
      assert.equal(report.counts.series, naiveSeries(dataset, {}, "name").length);
      for (const chart of report.charts) {
        const wanted = newPrices(dataset, other ?? undefined, chart);
        assert.equal(chart.newCount, wanted.length);
        const drawn = chart.newMonths.reduce((sum, { samples }) => sum + samples, 0);
        const suspicious = wanted.filter(({ uuid }) => {
          return isSuspicious(store.suspicious, findRow(store.rowByUuid, store.prices.uuids, uuid) as number);
        }).length;
        const isBoth = ({ price, suspicious: reason }: MarkedPrice): boolean => price === undefined && reason !== null;
        const notDrawn = suspicious + chart.unconvertedCount - chart.marks.filter(isBoth).length;
        const earlier = other === null ? chart.earlierCount : 0;
        assert.equal(drawn + earlier + notDrawn, wanted.length, "each price is drawn, marked or counted");
        for (const { min, median, max } of chart.newMonths) assert.ok(min <= median && median <= max);
      }
      const charted = new Set(report.charts.map(({ productUuid }) => productUuid));
      const wanted = [
        ...report.warnings.problems.flatMap(({ price }) => price?.productUuid ?? []),
        ...(report.changes?.latestPriceMoves.map(({ uuid }) => uuid) ?? []),
      ];
      assert.deepEqual([...charted].sort(), [...new Set(wanted)].sort());
    }),
    { numRuns: runsOf(60) },
  );
});

/** What data files hold may be anything; lone surrogates and control characters come no further than reading. */
const hostile = hostileText.toWellFormed();

const parts: TinyDatasetParts = {
  snapshot: { note: hostile, attribution: [hostile] },
  counties: [county(47, { name: hostile })],
  products: [1, 2].map((number) => ({ name: `${number} ${hostile}`, description: hostile })),
  markets: [{ name: hostile }, { name: `2 ${hostile}`, type: "Wholesale" }],
};

const hostileHistory = Array.from({ length: 10 }, (_, at) => ({
  price: 40,
  source: hostile,
  notes: hostile,
  qualityGrade: hostile,
  recordedAt: month(at + 1),
}));

t.test("text from files is text on the page, which has no scripts, loads nothing, and says so", async (t) => {
  const before = buildStore(tinyDataset({ ...parts, prices: hostileHistory }));
  const added = [
    { price: 400, source: hostile, recordedAt: month(11) },
    { price: 50, market: 1, source: `2 ${hostile}`, recordedAt: month(11) },
  ];
  const after = buildStore(tinyDataset({ ...parts, prices: [...hostileHistory, ...added] }));
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
  const store = buildStore(tinyDataset({ ...parts, prices: hostileHistory }));
  const text = textWithin(parseMarkup(renderReport(collectReport(publicationReport(store, store, "")))));
  t.ok(text.includes("No price has a warning, and no latest price moves by more than 20 %."));
});

t.test("a chart has the prices before and the new ones as two lines, with all of it in a table", async (t) => {
  const prices = hostileHistory.map((price) => ({ ...price, source: "WFP" }));
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
  const before = buildStore(tinyDataset({ prices: hostileHistory }));
  const after = buildStore(
    tinyDataset({ prices: [...hostileHistory, { price: 400, source: hostile, recordedAt: month(11) }] }),
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
