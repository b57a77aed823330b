import { readFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import type { Instant } from "../../../../src/engine/model/calendar.ts";
import { kilometresFromKenya } from "../../../../src/publishing/importers/wfp/distance-from-kenya.ts";
import { importWfp } from "../../../../src/publishing/importers/wfp/import-wfp.ts";
import { type ImportReport, reportText } from "../../../../src/publishing/importers/wfp/wfp-report.ts";
import { bundledStore } from "../../../support/bundled-data.ts";

const header =
  "date,admin2,market,market_id,latitude,longitude,category,commodity,commodity_id,unit,priceflag,pricetype," +
  "currency,price";

/** A row of maize. */
const row = (place: string, currency = "KES"): string =>
  `2024-03-15,${place},cereals,Maize,51,KG,actual,Retail,${currency},60`;

async function importLines(t: Test, lines: readonly string[]): Promise<{ report: ImportReport; markets: string }> {
  const folder = t.testdir({ "prices.csv": `${lines.join("\n")}\n` });
  const out = join(folder, "out");
  const report = await importWfp({
    csvPath: join(folder, "prices.csv"),
    outputPath: out,
    now: Date.UTC(2026, 5, 1) as Instant,
  });
  return { report, markets: readFileSync(join(out, "markets.ndjson"), "utf8") };
}

const nairobi = "Nairobi,Nairobi,184,-1.28,36.82";

t.test("rows of other countries are left out by country, currency and point, and counted", async (t) => {
  const { report, markets } = await importLines(t, [
    `iso3,${header}`,
    `#country+code,#date,#adm2+name,#loc+name,#loc+code,#geo+lat,#geo+lon,#item,#item,#item,#item,#item,#item,#item,#value`,
    `KEN,${row(nairobi)}`,
    `TZA,${row("Mombasa,Namanga,7001,-2.55,36.79")}`,
    `TZA,${row("Mombasa,Namanga,7001,,")}`,
    `,${row("Busia,Malaba,7002,0.65,34.25", "UGX")}`,
    `ken,${row("Busia,Malaba,7003,,", "SSP")}`,
    `Kenya,${row("Garissa,Dobley,7004,0.41,41.1")}`,
    `,${row("Marsabit,Mega,7005,4.06,38.32")}`,
    `,${row("Marsabit,Mega,7005,4.06,38.32", "USD")}`,
  ]);
  t.equal(report.priceCount, 2);
  t.same(
    [...markets.matchAll(/"name":"(\w+)"/g)].map(([, name]) => name),
    ["Dobley", "Nairobi"],
    "Dobley is near",
  );
  t.same(report.otherCountries, [
    { sign: "country TZA", rowCount: 2, lineFirst: 4 },
    { sign: 'market 7005 "Mega" at 4.06, 38.32', rowCount: 2, lineFirst: 9 },
    { sign: "currency SSP", rowCount: 1, lineFirst: 7 },
    { sign: "currency UGX", rowCount: 1, lineFirst: 6 },
  ]);
  t.same(
    report.leftOut.map(({ reason, rowCount }) => [reason, rowCount]),
    [
      ["other_country", 2],
      ["other_currency", 2],
      ["other_point", 2],
      ["tag_row", 1],
    ],
  );
  const text = reportText(report);
  t.match(text, /^Read 9 rows, of which 6 are not of Kenya, 2024-03-15 to 2024-03-15\.\n/);
  t.match(text, '\n  market 7005 "Mega" at 4.06, 38.32: 2 rows (first at line 9)\n');
});

t.test("a missing point says nothing, nor does one within 25 km of the border or known to be wrong", async (t) => {
  const { report } = await importLines(t, [
    header,
    row("Nairobi,Nairobi,184,,"),
    row("Turkana,Nadapal,7006,4.62,34.2"),
    // wfp-markets.csv calls the point of market 6903 misplaced.
    row("Turkana,Letea,6903,3.6,30.1"),
    row("Nairobi,Eastleigh,7007,-1.28,36.85", "USD"),
  ]);
  t.equal(report.priceCount, 4);
  t.same(report.otherCountries, []);
  t.match(reportText(report), /^Read 4 rows, 2024/);
});

t.test("a file of another country is refused, and its line says so first", async (t) => {
  const message =
    /prices\.csv: a file of another country \(currency TZS and 1 more\), expected one of Kenya; it holds no usable price/;
  const far = row("Nakuru,Nakuru,7008,-6.8,39.28");
  await t.rejects(importLines(t, [header, row(nairobi, "TZS"), row(nairobi, "TZS"), far]), { message });
});

t.test("distances are those of the map", async (t) => {
  const kilometres = (latitude: number, longitude: number): number =>
    Math.round(kilometresFromKenya({ latitude, longitude }));
  t.equal(kilometres(-1.28, 36.82), 0, "Nairobi");
  t.equal(kilometres(-2.27, 40.9), 0, "Lamu, on an island");
  t.equal(kilometres(0.32, 32.57), 151, "Kampala");
  t.equal(kilometres(-3.37, 36.69), 85, "Arusha");
  const markets = (await bundledStore()).catalogue.markets.flatMap(({ record }) => record.location ?? []);
  t.ok(markets.length > 200);
  t.ok(
    markets.every((location) => kilometresFromKenya(location) < 1),
    "no market of the bundled data is outside",
  );
});

t.test("a file that a spreadsheet program has saved names its separator", async (t) => {
  const saved = (sign: string, quote = ""): string[] =>
    [header, row(nairobi)].map((line) =>
      line
        .split(",")
        .map((cell) => `${quote}${cell}${quote}`)
        .join(sign),
    );
  const refused = async (lines: string[], message: RegExp): Promise<void> => {
    await t.rejects(importLines(t, lines), { name: "ImportRefusedError", message });
  };
  await refused(saved(";"), /prices\.csv:1: the cells are separated by ";", expected ","; save it as CSV with commas/);
  await refused(saved(";", '"'), /separated by ";"/);
  await refused(saved("\t"), /separated by "\\t"/);
  await refused(saved("|"), /separated by "\|"/);
  await refused(["sep=,", header, row(nairobi)], /prices\.csv:1: the first line is "sep=,", expected the header/);
});
