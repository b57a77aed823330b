import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import t, { type Test } from "tap";
import { FolderTakenError } from "../../../../src/engine/files/whole-folder.ts";
import type { Instant } from "../../../../src/engine/model/calendar.ts";
import { readCandidate } from "../../../../src/engine/snapshots/read-candidate.ts";
import { importWfp } from "../../../../src/publishing/importers/wfp/import-wfp.ts";
import type { ImportReport } from "../../../../src/publishing/importers/wfp/wfp-report.ts";
import { runCommand } from "../../../cli/run-command.ts";

const fixtures = resolve(import.meta.dirname, "../../../fixtures/wfp");
const fixture = join(fixtures, "export.csv");
const script = resolve(import.meta.dirname, "../../../../scripts/import-wfp.ts");
const jsonFiles = ["counties.json", "crops.json", "market-types.json", "units.json"];
const recordFiles = [...jsonFiles, "markets.ndjson", "prices.ndjson", "products.ndjson"];
const now = Date.UTC(2026, 5, 1) as Instant;
const optionalFiles = ["exchange-rates.ndjson", "continuations.ndjson"];

const header =
  "date,admin1,admin2,market,market_id,latitude,longitude,category,commodity,commodity_id,unit,priceflag,pricetype,currency,price,usdprice";
const usableRow =
  "2024-03-15,Nairobi,Nairobi,Nairobi,184,-1.28,36.82,cereals and tubers,Maize,51,KG,actual,Retail,KES,60,0.5";

async function importText(t: Test, text: string | Uint8Array): Promise<{ report: ImportReport; out: string }> {
  const directory = t.testdir({ "prices.csv": text as string });
  const out = join(directory, "out");
  return { report: await importWfp({ csvPath: join(directory, "prices.csv"), outputPath: out, now }), out };
}

function linesOf(path: string): Record<string, unknown>[] {
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

t.test("the fixture becomes exactly the expected records", async (t) => {
  const out = join(t.testdir(), "out");
  await importWfp({ csvPath: fixture, outputPath: out, now });
  for (const name of readdirSync(join(fixtures, "expected"))) {
    t.equal(readFileSync(join(out, name), "utf8"), readFileSync(join(fixtures, "expected", name), "utf8"), name);
  }
  t.same(readdirSync(out).sort(), [...recordFiles, ...optionalFiles, "manifest.json", "prices.origins.ndjson"].sort());
});

t.test("the rate of a month is the median of price by price in dollars, over its five of most dollars", async (t) => {
  const ratesOf = async (text: string): Promise<unknown> =>
    linesOf(join((await importText(t, text)).out, "exchange-rates.ndjson"));
  const row = (day: string, price: number, usdPrice: string, market = 184): string =>
    usableRow
      .replace("2024-03-15", day)
      .replace(",60,0.5", `,${price},${usdPrice}`)
      .replace(",Nairobi,184,", `,Market ${market},${market},`);
  const rows = [
    row("2024-03-15", 100, "1"),
    row("2024-03-15", 1310, "10", 185),
    // Of two prices of as many dollars the first in the export counts.
    row("2024-03-15", 1200, "9", 186),
    row("2024-03-15", 1900, "9", 187),
    row("2024-03-15", 6510, "50", 188),
    row("2024-03-15", 2640, "20", 189),
    row("2024-03-15", 1330, "10", 190),
    row("2024-02-15", 145, "1"),
    row("2024-02-15", 300, "2", 185),
    row("2023-11-15", 4, "0.03"),
    row("2024-01-15", 145, ""),
    row("2024-01-15", 145, "0", 185),
    row("2024-01-15", 145, "-1", 186),
    row("2023-12-15", 145, "about 1"),
  ];
  t.same(await ratesOf(`${header}\n${rows.join("\n")}\n`), [
    { month: "2023-11", currency: "KES", rate: 133.3333, source: "implied by WFP" },
    { month: "2024-02", currency: "KES", rate: 147.5, source: "implied by WFP" },
    // Of 130.2, 132, 131, 133 and 133.3333.
    { month: "2024-03", currency: "KES", rate: 132, source: "implied by WFP" },
  ]);
});

t.test("an export without prices in dollars gives no rates, and nothing continues what has no price", async (t) => {
  const text = `${header.replace(",usdprice", "")}\n${usableRow.replace(/,0\.5$/, "")}\n`;
  const { out } = await importText(t, text);
  t.same(readdirSync(out).sort(), [...recordFiles, "manifest.json", "prices.origins.ndjson"].sort());
});

t.test("prices stand for a month where all are dated on the 15th", async (t) => {
  const periodsOf = async (text: string): Promise<unknown> => {
    const { out } = await importText(t, text);
    return JSON.parse(readFileSync(join(out, "manifest.json"), "utf8")).periods;
  };
  const otherDay = usableRow.replace("2024-03-15", "2024-03-16");
  t.same(await periodsOf(`${header}\n${usableRow}\n`), { WFP: "month" });
  t.same(await periodsOf(`${header}\n${usableRow}\n${otherDay}\n`), {});
});

t.test("publishing accepts the output, and the report counts every row of the fixture", async (t) => {
  const out = join(t.testdir(), "out");
  const report = await importWfp({ csvPath: fixture, outputPath: out, now });
  const { header, files } = await readCandidate(out, Date.UTC(2026, 10, 21) as Instant);
  t.equal(header.timeZone, "Africa/Nairobi");
  t.match(header.sources, { WFP: { url: /^https:\/\/data\.humdata\.org\//, licence: { id: "CC BY 3.0 IGO" } } });
  t.equal(files.find(({ kind }) => kind === "prices")?.rows, report.priceCount);
  t.same(Object.fromEntries(report.leftOut.map(({ reason, rowCount, lineFirst }) => [reason, [rowCount, lineFirst]])), {
    tag_row: [1, 2],
    id_unreadable: [2, 38],
    name_missing: [1, 40],
    date_unreadable: [1, 37],
    forecast: [2, 27],
    price_not_a_number: [2, 31],
    price_not_positive: [2, 29],
    price_type_unknown: [1, 33],
    unit_unknown: [2, 34],
    currency_unreadable: [1, 36],
    market_without_county: [2, 41],
    duplicate_identical: [1, 24],
    duplicate_replaced: [1, 6],
  });
  const leftOutCount = report.leftOut.reduce((sum, { rowCount }) => sum + rowCount, 0);
  t.equal(report.rowCount, 42);
  t.equal(report.priceCount + leftOutCount, report.rowCount);
  t.equal(report.retailPriceCount + report.wholesalePriceCount, report.priceCount);
  t.same([report.dayFirst, report.dayLast], ["2020-12-15", "2024-03-15"]);
  t.same(report.productsWithoutText, ["Candles", "Cumin", "Milk powder"]);
  t.same(report.marketsWithoutCounty, [{ marketId: 99002, name: "Border post", admin2: "Meru North" }]);
  t.same(report.placesWithoutLocation, ["Hola (Tana River)", "Kitengela (Kajiado)"]);
  const judged = report.judgedPlaces.map(({ marketId, county }) => `${marketId} ${county}`);
  t.same(judged, ["1854 Tana River", "4238 Mombasa", "5697 Kajiado"]);
});

t.test("order of columns and rows, a byte order mark, CRLF and a missing last line end change nothing", async (t) => {
  const later = usableRow.replace("2024-03-15", "2024-04-15");
  const pricesOf = async (text: string): Promise<string> =>
    readFileSync(join((await importText(t, text)).out, "prices.ndjson"), "utf8");
  const expected = await pricesOf(`${header}\n${usableRow}\n${later}\n`);
  const reversed = [header, later, usableRow].map((line) => line.split(",").reverse().join(",")).join("\n");
  t.equal(await pricesOf(reversed), expected);
  t.equal(await pricesOf(`\uFEFF${header}\r\n${usableRow}\r\n${later}`), expected);
});

t.test("a price exactly a year before the newest keeps its market active, a day earlier does not", async (t) => {
  const rowOf = (day: string, at: number): string =>
    usableRow.replace("2024-03-15", day).replace(",Nairobi,184,", `,Market ${at + 1},${at + 1},`);
  const activeOf = async (...days: string[]): Promise<unknown[]> => {
    const { report, out } = await importText(t, [header, ...days.map(rowOf)].join("\n"));
    const markets = linesOf(join(out, "markets.ndjson"));
    t.equal(report.activeMarketCount, markets.filter((market) => market["is_active"]).length);
    return markets.filter((market) => market["is_active"]).map((market) => market["name"]);
  };
  t.same((await activeOf("2025-03-15", "2024-03-15", "2024-03-14")).sort(), ["Market 1", "Market 2"]);
  // The year before 29 February begins on 1 March.
  t.same(await activeOf("2024-02-29", "2023-02-28"), ["Market 1"]);
  t.same((await activeOf("2024-02-29", "2023-03-01")).sort(), ["Market 1", "Market 2"]);
});

t.test("a newer export keeps the identifiers of facts that persist", async (t) => {
  const { out: older } = await importText(t, `${header}\n${usableRow}\n`);
  const [before] = linesOf(join(older, "prices.ndjson"));
  const renamed = usableRow.replace("2024-03-15", "2024-04-15").replace(",Nairobi,184,", ",Nairobi City Market,184,");
  const { out: newer } = await importText(t, `${header}\n${renamed}\n${renamed.replace("2024-04-15", "2024-03-15")}\n`);
  const [after] = linesOf(join(newer, "prices.ndjson"));
  t.same(after, before);
  t.equal(linesOf(join(newer, "markets.ndjson"))[0]?.["name"], "Nairobi City Market");
});

t.test("what cannot be imported is refused in one clear line", async (t) => {
  const refused = async (text: string | Uint8Array, message: RegExp): Promise<void> => {
    await t.rejects(importText(t, text), { name: "ImportRefusedError", message });
  };
  await refused("", /prices\.csv: the file is empty, expected a header line/);
  await refused("<html>\n", /the header has no column "date", .*found "<html>"/);
  await refused(`${header}\n`, /holds no usable price \(rows: 0\)$/);
  await refused(
    `${header}\n${usableRow.replace(",60,", ",0,")}\n`,
    /holds no usable price \(rows: 1; 1 × price is 0 or less\)/,
  );
  await refused(
    `${header.replace(",market_id", "").replace(",commodity_id", "")}\n`,
    /no column "market_id", "commodity_id", .*exports of 2023 and before have no ids/,
  );
  for (const gone of [",market_id", ",commodity_id", ",price,usdprice,market_id"]) {
    const columns = gone.split(",").reduce((left, name) => left.filter((column) => column !== name), header.split(","));
    await refused(`${columns.join()}\n`, /no column "\w+"(?:, "\w+")*, found [^;]*$/);
  }
  await refused(`${header},price\n`, /column "price" twice/);
  await refused(`${header}\n${usableRow}\n2024-03-15,Nairobi\n`, /prices\.csv:3: not a whole CSV file/);
  await refused(`${header}\n${usableRow}\n"2024-03-15,Nai\n`, /prices\.csv:3: .* a quote opens a cell in the row/);
  await refused(
    `${header}\n${usableRow}\n${usableRow.replace("Maize", '"Maize')}\n${usableRow.replace("Maize", 'Maize"')}\n`,
    /prices\.csv:3: a quote opens a cell .* stands inside a cell but looks like a row/,
  );
  await refused(
    Buffer.from(`${header}\n${usableRow.replace("Maize", "Ma\xefs")}\n`, "latin1"),
    /:2: is not UTF-8 text/,
  );
  await refused(`${header}\n${`${usableRow}\n`.repeat(2000)}"Nai\n`, /prices\.csv:2002: .* a quote opens a cell/);
  const large = `${header}\n${`${usableRow}\n`.repeat(2000)}`;
  await refused(Buffer.from(`${large}\xef\n${large}`, "latin1"), /:2002: is not UTF-8 text/);
});

t.test("a missing file and a folder are named", async (t) => {
  const directory = t.testdir();
  const outputPath = join(directory, "out");
  await t.rejects(importWfp({ csvPath: join(directory, "none.csv"), outputPath, now }), {
    name: "ImportRefusedError",
    message: /none\.csv: no such file/,
  });
  await t.rejects(importWfp({ csvPath: directory, outputPath, now }), { message: /is a folder, expected a CSV file/ });
  t.same(readdirSync(directory), [], "nothing half-done is left");
});

t.test("an output folder that holds something is left alone", async (t) => {
  const directory = t.testdir({ used: { "thesis.txt": "years of work" } });
  const used = join(directory, "used");
  for (const replacesImport of [false, true]) {
    await t.rejects(importWfp({ csvPath: fixture, outputPath: used, replacesImport, now }), FolderTakenError);
  }
  t.same(readdirSync(used), ["thesis.txt"]);
});

t.test("two runs give the same bytes, in another time zone and locale too", async (t) => {
  const directory = t.testdir();
  const here = join(directory, "here");
  const there = join(directory, "there");
  await importWfp({ csvPath: fixture, outputPath: here, now });
  const { status, stderr } = spawnSync(process.execPath, [script, fixture, "--out", there], {
    env: { ...process.env, TZ: "America/New_York", LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8" },
    encoding: "utf8",
  });
  t.equal(status, 0, stderr);
  for (const name of [...recordFiles, "manifest.json"]) {
    t.ok(readFileSync(join(here, name)).equals(readFileSync(join(there, name))), name);
  }
});

t.test("the command reports on stdout and speaks through its exit code", async (t) => {
  const directory = t.testdir();
  const run = (...args: string[]) => runCommand("import-wfp", args, directory);
  const done = await run(fixture, "--out", "out", "--json");
  t.match(done, { code: 0, stderr: "" });
  t.equal(JSON.parse(done.stdout).row_count, 42);
  const again = await run(fixture, "--out", "out");
  t.match(again, { code: 1, stderr: /out: holds an earlier import already, .*--force/ });
  t.equal(again.stderr.trimEnd().split("\n").length, 1, "one line");
  t.equal((await run(fixture)).code, 2, "--out is needed");
  t.match((await run("--help")).stdout, /Examples:\n {2}npm run import:wfp -- /);
});

// The whole export is no part of the project: WFP_CSV names a copy for this one check.
const wholeExport = process.env["WFP_CSV"];
if (wholeExport === undefined) {
  t.comment("WFP_CSV is not set: the committed snapshot is not compared with an import of the whole export");
} else {
  t.test("the committed snapshot is a byte-for-byte import of the whole export", async (t) => {
    const data = resolve(import.meta.dirname, "../../../../data");
    const id = readFileSync(join(data, "CURRENT"), "utf8").trim();
    const out = join(t.testdir(), "out");
    await importWfp({ csvPath: wholeExport, outputPath: out, now });
    for (const name of recordFiles) {
      t.ok(readFileSync(join(out, name)).equals(readFileSync(join(data, "snapshots", id, name))), name);
    }
  });
}
