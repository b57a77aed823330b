import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import {
  suspectKinds,
  type Warning,
  type WarningKind,
  type WarningList,
  warningKinds,
} from "../../../../src/contract/publication-report.ts";
import { type Day, dayMilliseconds, dayText, type Instant } from "../../../../src/engine/model/calendar.ts";
import { problemText } from "../../../../src/engine/snapshots/problem.ts";
import { type AppendReport, appendPrices } from "../../../../src/publishing/publish/append-prices.ts";
import { checkCandidate } from "../../../../src/publishing/publish/check-candidate.ts";
import { PublicationRefusedError } from "../../../../src/publishing/publish/publish-problem.ts";
import { publishSnapshot } from "../../../../src/publishing/publish/publish-snapshot.ts";
import { reportsExactly } from "../../../support/dataset-problems.ts";
import { sampleOf } from "../../../support/fixed-seed.ts";
import { publishTables } from "../../../support/published-data.ts";
import {
  marketRow,
  ndjson,
  priceRow,
  priceRows,
  productRow,
  type TestTables,
  testUuid,
  writeRecords,
} from "../../../support/snapshot-files.ts";
import { sourcesFixture } from "../../../support/sources-fixture.ts";

const now = Date.UTC(2026, 0, 20, 12) as Instant;
const yesterday = (now - dayMilliseconds) as Instant;
const today = Math.floor(now / dayMilliseconds);

/** A price of Maize at Wakulima so many days before the publication. */
function daysAgo(days: number, fields: object = {}) {
  return priceRow({ recorded_at: `${dayText((today - days) as Day)}T06:00:00Z`, ...fields });
}

/** A price of each of twenty weeks, numbered from 100, the newest a week ago: 58 to 62. */
const history = Array.from({ length: 20 }, (_, week) =>
  daysAgo(7 * (week + 1), { uuid: testUuid(100 + week), price: 58 + (week % 5) }),
);

const tables: TestTables = {
  products: [productRow(), productRow({ uuid: testUuid(7), name: "Rice" })],
  markets: [marketRow(), marketRow({ uuid: testUuid(3), name: "Gikomba" })],
  prices: history,
};

/** Appends prices to the history. */
async function append(
  t: Test,
  rows: readonly object[],
  strict?: readonly WarningKind[],
  known: TestTables = tables,
): Promise<AppendReport> {
  const root = t.testdir({});
  await publishTables(root, known, yesterday);
  await writeFile(join(root, "day.ndjson"), ndjson(rows));
  const request = { dataDirectory: join(root, "data"), files: [join(root, "day.ndjson")], now, dryRun: false };
  return await appendPrices({ ...request, strict: strict && new Set(strict) });
}

/** The same with a price a week of two years. */
const historyOfTwoYears: TestTables = {
  ...tables,
  prices: Array.from({ length: 104 }, (_, week) =>
    daysAgo(7 * (week + 1), { uuid: testUuid(100 + week), price: 58 + (week % 5) }),
  ),
};

function suspectsOf({ problems }: Pick<WarningList, "problems">): readonly Warning[] {
  return problems.filter(({ kind }) => suspectKinds.includes(kind));
}

/** The warnings of appending prices: `kind line: text`. */
async function reports(t: Test, rows: readonly object[], patterns: readonly (string | RegExp)[]): Promise<void> {
  const problems = suspectsOf((await append(t, rows)).warnings);
  reportsExactly(
    t,
    problems.map((warning) => `${warning.kind} ${problemText(warning).replace(/^.*?\/day\.ndjson:/, "")}`),
    patterns,
  );
}

const added = (number: number, days: number, fields: object = {}) =>
  daysAgo(days, { uuid: testUuid(900 + number), ...fields });

t.test("prices of up to three times the median of their neighbours are let pass, up and down", async (t) => {
  await reports(t, [added(1, 0, { price: 177 })], []);
  await reports(
    t,
    [added(1, 0, { price: 177.01 })],
    [
      'suspicious 1: "price" is 177.01, expected 19.67 to 177, about 59, by 7 other prices of Maize at Wakulima, KES per ' +
        "kg (suspicious-2)",
    ],
  );
  await reports(
    t,
    [added(1, 0, { price: 19.66 })],
    [/^suspicious 1: "price" is 19\.66, expected 19.67 to 177, about 59/],
  );
});

t.test("slips of the decimal point and of the unit are named", async (t) => {
  const prices = [6, 590, 0.61, 5900, 5400, 300];
  const rows = [...prices.map((price, at) => added(at, at, { price })), added(6, 6, { price: 60, unit: "90 kg bag" })];
  const { warnings } = await append(t, rows);
  const far = warnings.problems.filter(({ field }) => field === "price");
  reportsExactly(
    t,
    far.map((warning) => `${warning.kind} ${problemText(warning)}`),
    [
      /^suspicious .*:1: "price" is 6, which looks 10 times too low, expected 19.67 to 177, about 59, by 7 other prices/,
      /^suspicious .*:2: "price" is 590, which looks 10 times too high, /,
      /^suspicious .*:3: "price" is 0\.61, which looks 100 times too low, /,
      /^suspicious .*:4: "price" is 5900, which looks 100 times too high, /,
      /^suspicious .*:5: "price" is 5400, which looks like the price per 90 kg bag, /,
      /^suspicious .*:6: "price" is 300, expected/,
      // A new series: compared with the product at all markets of the type, in its own unit.
      /^suspicious .*:7: "price" is 60, which looks like the price per kg, expected 900 to 32400, about 5400, by 20 other prices of Maize at Retail markets, KES per 90 kg bag \(suspicious-2\)$/,
    ],
  );
  t.match(far[4]?.deviation, { slipFactor: 90, usualPrice: 59 });
});

t.test("a table in a wrong unit does not support itself, at a known and at a new market", async (t) => {
  const tablesOf = [{}, { market_uuid: testUuid(3) }].flatMap((market) =>
    [10, 0.1, 90].flatMap((factor) => [1, 4, 6, 8, 12].map((dates) => ({ market, factor, dates }))),
  );
  for (const { market, factor, dates } of sampleOf(tablesOf)) {
    const rows = Array.from({ length: dates }, (_, at) =>
      added(at, 7 * at - 0.1, { ...market, price: (58 + (at % 5)) * factor }),
    );
    const { warnings } = await append(t, rows, undefined, historyOfTwoYears);
    t.equal(warnings.counts.get("suspicious"), dates, JSON.stringify({ market, factor, dates }));
  }
});

t.test("readers' marks are warned of, and a correction of what supported another is counted", async (t) => {
  // Two prices of 600 among those of 60: each is marked, and stays so.
  const { warnings } = await append(t, [added(1, 3, { price: 600 }), added(2, 10, { price: 600 })]);
  t.equal(warnings.counts.get("suspicious"), 2);
  t.notOk(warnings.counts.has("newly-marked"));
  // A series of 600, all of which but one are corrected: that one is marked then.
  const wrong = history.map((row) => ({ ...row, price: (row.price as number) * 10 }));
  const { warnings: corrected } = await append(t, history.slice(1), undefined, { ...tables, prices: wrong });
  t.equal(corrected.counts.get("newly-marked"), 1);
  t.notOk(
    corrected.problems.some(({ kind }) => kind === "newly-marked"),
    "it is counted alone",
  );
  t.notOk(suspectKinds.includes("newly-marked"));
});

t.test("what nothing can judge is counted", async (t) => {
  const rows = [4250, 42500].map((price, at) => added(at, at, { product_uuid: testUuid(7), unit: "90 kg bag", price }));
  const { warnings } = await append(t, rows, ["suspicious"]);
  t.same(warnings.counts.get("not-judged"), 2);
  t.notOk(warnings.problems.some(({ kind }) => kind === "not-judged"));
  t.notOk(suspectKinds.includes("not-judged"));
});

t.test("months that equal another market's, or the month before", async (t) => {
  const products = Array.from({ length: 6 }, (_, at) => productRow({ uuid: testUuid(20 + at), name: `Product ${at}` }));
  const month = (market: number, days: number, first: number) =>
    products.map(({ uuid }, at) =>
      daysAgo(days, { uuid: testUuid(first + at), product_uuid: uuid, market_uuid: testUuid(market), price: 50 + at }),
    );
  const known = { ...tables, products: [...(tables.products ?? []), ...products], prices: month(2, 40, 300) };
  const kindsOf = async (rows: readonly object[]) => {
    const { warnings } = await append(t, rows, undefined, known);
    return warnings.problems
      .filter(({ kind }) => kind.startsWith("copied"))
      .map((one) => `${one.kind} ${problemText(one)}`);
  };
  reportsExactly(t, await kindsOf(month(3, 40, 400)), [
    /^copied-market .*: found 6 prices of "(Gikomba|Wakulima)" in 2025-12 that are those of "(Gikomba|Wakulima)" in 2025-12, expected/,
  ]);
  reportsExactly(t, await kindsOf(month(2, 10, 400)), [
    /^copied-month .*: found 6 prices of "Wakulima" in 2026-01 that are those of "Wakulima" in 2025-12, expected/,
  ]);
  t.same(await kindsOf(month(3, 40, 400).slice(1)), [], "five products may be equal by chance");
  t.same(await kindsOf([...month(3, 40, 400).slice(1), { ...month(3, 40, 400)[0], price: 51 }]), [], "one differs");
});

t.test("a series and day that is there under another uuid", async (t) => {
  await reports(
    t,
    [
      added(1, 7, { price: 58 }),
      added(2, 7, { price: 59 }),
      added(3, 7, { price: 60, quality_grade: "A" }),
      added(4, 0, { price: 61 }),
      added(5, 0, { price: 61 }),
    ],
    [
      /^repeated-price 1: "price" is 58, beside 58 of WFP \(uuid 0{8}.*100\), expected one price of Maize at Wakulima on 2026-01-13 per unit, currency and grade$/,
      /^repeated-price 5: "price" is 61, beside 61 of WFP \(uuid 0{8}.*904\)/,
      /^second-price 2: "price" is 59, beside 58 of WFP/,
    ],
  );
});

t.test("a correction may change the price, but not product, market or day", async (t) => {
  await reports(
    t,
    [
      { ...history[1], product_uuid: testUuid(7) },
      { ...history[2], market_uuid: testUuid(3) },
      // Another hour of the same day.
      { ...history[4], recorded_at: history[4]?.recorded_at.replace("T06", "T07") },
    ],
    [
      /^moved-correction 1: "product_uuid" is that of Rice at Wakulima on 2026-01-06, expected that of Maize at Wakulima on 2026-01-06, which/,
      /^moved-correction 2: "market_uuid" is that of Maize at Gikomba on 2025-12-30, expected that of Maize at Wakulima/,
    ],
  );
  await reports(
    t,
    [{ ...history[3], recorded_at: daysAgo(1).recorded_at }],
    [
      /^moved-correction 1: "recorded_at" is that of Maize at Wakulima on 2026-01-19, expected that of .* on 2025-12-23/,
    ],
  );
});

t.test("dates in the future, and before the data starts", async (t) => {
  const day = Array.from({ length: 7 }, (_, at) => added(at, 10 - at - (at > 2 ? 1 : 0)));
  await reports(
    t,
    [
      ...day,
      added(50, -0.5, { recorded_at: "2026-01-20T12:00:01Z" }),
      added(51, 0, { recorded_at: "1906-01-20T06:00:00Z" }),
    ],
    [
      /^future-date 8: "recorded_at" is 2026-01-20T12:00:01\.000Z, expected a time before the publication, 2026-01-20T12:00:00\.000Z$/,
      /^early-date 9: "recorded_at" is 1906-01-20T06:00:00\.000Z, of 1906-01-20, expected a day from 2025-09-02 on, when the data starts$/,
    ],
  );
});

t.test("currencies and units new to a product, sources new to all", async (t) => {
  await reports(
    t,
    [
      added(1, 0, { currency: "KSH" }),
      added(2, 0, { currency: "KSH", market_uuid: testUuid(3) }),
      added(3, 0, { unit: "90 kg bag", price: 5400, source: "Own" }),
      // Rice has no prices yet, and kilograms are among its common units.
      added(4, 0, { product_uuid: testUuid(7) }),
    ],
    [
      /^new-currency [12]: "currency" is "KSH", of 2 prices of Maize, expected a currency that the product has had: KES$/,
      /^new-unit 3: "unit" is "90 kg bag", of a price of Maize, expected a unit that the product has had: kg$/,
      /^new-source 3: "source" is "Own" for the first time, of a price, expected a source of the current snapshot$/,
    ],
  );
});

t.test("markets and sources that went silent", async (t) => {
  const root = t.testdir({});
  const old = (days: number, market: number, source: string) =>
    daysAgo(days, { uuid: testUuid(800 + market), market_uuid: testUuid(market), source });
  const prices = [old(55, 2, "WFP"), old(50, 3, "WFP"), old(58, 4, "KAMIS")];
  const markets = [2, 3, 4, 5].map((number) => marketRow({ uuid: testUuid(number), name: `Market ${number}` }));
  await publishTables(root, { markets, prices }, yesterday);
  const candidateDirectory = join(root, "candidate");
  const publishWith = async (rows: readonly object[]) => {
    await writeRecords(candidateDirectory, { markets, prices: rows });
    const { warnings } = await publishSnapshot({
      dataDirectory: join(root, "data"),
      candidateDirectory,
      now: (now + 7 * dayMilliseconds) as Instant,
      allowShrink: true,
      allowLoss: true,
      dryRun: true,
    });
    return suspectsOf(warnings).map((warning) => `${warning.kind} ${problemText(warning)}`);
  };
  // Market 3 has 57 days. Nothing of its source is newer than the price of market 4, so the source is silent, not the
  // market.
  reportsExactly(t, await publishWith([...prices, old(-7, 5, "WFP")]), [
    'silent-market markets.ndjson:1: found "Market 2" without a price since 2025-11-26, expected a price within 60 ' +
      "days",
    'silent-source prices: "source" is "KAMIS" without a price since 2025-11-23, expected a price within 60 days',
  ]);
  reportsExactly(t, await publishWith([prices[1] as object]), [
    /^silent-market markets\.ndjson:1: found "Market 2" without any price left, /,
    /^silent-market markets\.ndjson:3: found "Market 4" without any price left, /,
    /^silent-source prices: "source" is "KAMIS" without any price left, /,
  ]);
});

t.test("kinds given to --strict refuse, and the other warnings are shown beside", async (t) => {
  const rows = [added(1, 0, { price: 590 }), added(2, 1, { source: "Own" })];
  const error = await append(t, rows, ["suspicious"]).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PublicationRefusedError))
    throw new Error(`expected a PublicationRefusedError, found ${error}`);
  reportsExactly(t, error.list.problems.map(problemText), [/"price" is 590/]);
  reportsExactly(t, error.warnings.problems.map(problemText), [/"source" is "Own"/]);
  t.equal((await readdir(join(t.testdirName, "data", "snapshots"))).length, 1, "nothing is published");
  t.equal((await append(t, rows, ["new-unit"])).outcome, "published");
});

t.test("a directory by itself: what is rare in it counts as new, and problems do not hide warnings", async (t) => {
  const directory = t.testdir({});
  const rows = [
    ...history,
    added(1, 0, { price: 590 }),
    added(2, 0, { market_uuid: testUuid(3), currency: "KSH" }),
    added(3, 0, { market_uuid: testUuid(3), recorded_at: "1906-01-01T06:00:00Z" }),
  ];
  await writeRecords(directory, { ...tables, prices: rows });
  const { warnings } = await checkCandidate(directory, now);
  const wanted = [
    /^suspicious prices\.ndjson:21: "price" is 590/,
    /^early-date prices\.ndjson:23: /,
    /^new-currency prices\.ndjson:22: "currency" is "KSH"/,
  ];
  const textsOf = (list: typeof warnings | undefined) =>
    list === undefined ? [] : suspectsOf(list).map((one) => `${one.kind} ${problemText(one)}`);
  reportsExactly(t, textsOf(warnings), [...wanted, /^no-prices products\.ndjson:2: found "Rice" without any price/]);

  const bad = [
    ...rows,
    { ...added(4, 0), price: -1 },
    added(5, 0, { product_uuid: testUuid(77) }),
    added(6, 0, { unit: "bucket", product_uuid: testUuid(7) }),
    added(1, 3, { market_uuid: testUuid(3) }),
  ];
  await writeRecords(directory, { ...tables, prices: bad });
  const error = await checkCandidate(directory, now).catch((thrown: unknown) => thrown);
  if (!(error instanceof PublicationRefusedError))
    throw new Error(`expected a PublicationRefusedError, found ${error}`);
  reportsExactly(t, error.list.problems.map(problemText), [
    /^prices\.ndjson:24: "price" is -1, expected a number above 0 and at most 1e12$/,
    /^prices\.ndjson:25: "product_uuid"/,
    /^prices\.ndjson:26: "unit"/,
    /^prices\.ndjson:27: "uuid"/,
  ]);
  reportsExactly(t, textsOf(error.warnings as typeof warnings), wanted, "as without the bad rows");
});

t.test("beside bad rows too, prices that the snapshot has are not warned of again", async (t) => {
  const { data, folder, publish, append, replace } = await sourcesFixture(t);
  const far = { price: 6000, recorded_at: "2026-02-15T06:00:00Z" };
  const known = priceRow({ uuid: testUuid(300), ...far });
  await append({ "day.ndjson": [known] });
  const rows = [priceRow({ uuid: testUuid(301), ...far, price: 9000 }), known, priceRow({ price: -1 })];
  const whole = [...priceRows(19, 101), ...rows];
  const current = await readdir(join(data, "snapshots"));
  const tableFiles = [
    "counties.json",
    "crops.json",
    "units.json",
    "market-types.json",
    "products.ndjson",
    "markets.ndjson",
  ];
  const copied = await Promise.all(
    tableFiles.map(async (name) => [name, await readFile(join(data, "snapshots", current[0] as string, name), "utf8")]),
  );
  const directory = await folder("whole", { ...Object.fromEntries(copied), "prices.ndjson": whole });
  const attempts = {
    append: () => append({ "day.ndjson": rows }),
    replace: () => replace({ "prices.ndjson": whole }),
    publish: () => publish(directory),
  };
  for (const [name, attempt] of Object.entries(attempts)) {
    const error = await attempt().catch((thrown: unknown) => thrown);
    if (!(error instanceof PublicationRefusedError))
      throw new Error(`expected a PublicationRefusedError, found ${error}`);
    t.match(error.list.problems.map(problemText), [/"price" is -1/], name);
    const far = [...error.warnings.problems].filter(({ field }) => field === "price");
    t.match(far.map(problemText), [/"price" is 9000/, /"price" is 9000, beside 6000/], name);
    t.equal(far.length, 2, name);
  }
});

t.test("warnings are counted whole and kept by kind, the first by file and line", async (t) => {
  const rows = Array.from({ length: 30 }, (_, at) => added(at, at % 7, { price: 6, market_uuid: testUuid(3) }));
  const { warnings } = await append(t, rows);
  t.equal(warnings.counts.get("repeated-price"), 23);
  const kept = warnings.problems.filter(({ kind }) => kind === "repeated-price");
  t.equal(kept.length, 20);
  t.same(
    kept,
    kept.toSorted((a, b) => (a.line as number) - (b.line as number)),
  );
  t.match(kept[0]?.price, {
    product: "Maize",
    market: "Gikomba",
    price: 6,
    unit: "kg",
    currency: "KES",
    source: "WFP",
  });
  const kinds = [...warnings.counts.keys()];
  t.same(
    kinds,
    warningKinds.filter((kind) => kinds.includes(kind)),
    "in the order of the kinds",
  );
});
