import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { writeXlsx } from "hucre/xlsx";
import t, { type Test } from "tap";
import { FolderTakenError } from "../../../../src/engine/files/whole-folder.ts";
import type { Instant } from "../../../../src/engine/model/calendar.ts";
import { csvRow } from "../../../../src/engine/model/csv-text.ts";
import type { Uuid } from "../../../../src/engine/model/ids.ts";
import { DatasetError, ProblemList } from "../../../../src/engine/snapshots/problem.ts";
import { importSheet, type SheetOutcome } from "../../../../src/publishing/importers/sheet/import-sheet.ts";
import { proposeDateFormats } from "../../../../src/publishing/importers/sheet/inspect-dates.ts";
import { inspectTables } from "../../../../src/publishing/importers/sheet/inspect-table.ts";
import { indexNames, type KnownRecords } from "../../../../src/publishing/importers/sheet/known-names.ts";
import { readMapping, writeMapping } from "../../../../src/publishing/importers/sheet/mapping.ts";
import { readAnswers } from "../../../../src/publishing/importers/sheet/match-answers.ts";
import { readTables } from "../../../../src/publishing/importers/sheet/read-sheet-tables.ts";
import { readerLimits } from "../../../../src/publishing/importers/sheet/reader-limits.ts";
import { NameResolver } from "../../../../src/publishing/importers/sheet/resolve-names.ts";
import { appendPrices } from "../../../../src/publishing/publish/append-prices.ts";
import { decidePrices } from "../../../../src/publishing/publish/decide-prices.ts";
import { valuesOf } from "../../../support/fields-of.ts";
import { publishCandidate, publishTables } from "../../../support/published-data.ts";
import { readSheetHere } from "../../../support/read-sheet-here.ts";
import { countyRow, marketRow, priceRow, productRow, testUuid, writeRecords } from "../../../support/snapshot-files.ts";

type Inspection = ReturnType<typeof inspectTables>;

const now = Date.UTC(2026, 5, 1, 8) as Instant;
const counties = [countyRow(), countyRow({ id: 15, code: "015", name: "Kitui", capital: "Kitui", sub_counties: [] })];
const products = [
  productRow(),
  productRow({ uuid: testUuid(3), name: "Beans (dry)", alternative_names: ["Maharagwe"] }),
];
const [maize, beans] = [`Maize ${testUuid(1)}`, `Beans (dry) ${testUuid(3)}`];
const kitui = `Kitui Town, Kitui, Retail ${testUuid(4)}`;
const markets = [marketRow(), marketRow({ uuid: testUuid(4), name: "Kitui Town", county_id: 15 })];

/** A folder with a dataset directory, and a table with the mapping that is proposed for it. */
async function prepare(t: Test, text?: string) {
  const root = t.testdir();
  await publishTables(root, { counties, products, markets, prices: [priceRow()] }, now);
  const at = (name: string): string => join(root, name);
  const run = (file: string, at_ = now, replacesImport = false): Promise<SheetOutcome> =>
    importSheet({
      path: at(file),
      mappingPath: at("mapping.json"),
      dataDirectory: at("data"),
      outputPath: at("out"),
      replacesImport,
      now: at_,
      runReader: readSheetHere,
    });
  const inspectAt = async (file: string, source?: string): Promise<Inspection> => {
    const inspection = await inspect(at(file), source);
    rmSync(at("mapping.json"), { force: true });
    await writeMapping(at("mapping.json"), inspection.mapping);
    return inspection;
  };
  if (text !== undefined) {
    writeFileSync(at("prices.csv"), text);
    await inspectAt("prices.csv", "Survey");
  }
  return { root, at, run, inspect: inspectAt };
}

function linesOf(path: string): Record<string, unknown>[] {
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** As `inspectFile`, without a process for each file. */
async function inspect(path: string, source?: string): Promise<Inspection> {
  return inspectTables(await readTables(path, {}, readerLimits, readSheetHere), path, source);
}

const plain =
  "Date,County,Market,Commodity,Unit,Price " +
  "(KES),Remarks\n2026-05-02,Nairobi,Wakulima,Maize,kg,62.50,\n2026-05-02,Kitui,Kitui town,Maharagwe,90 kg " +
  'bag,"9,500",rainy day\n';

const headLine = plain.slice(0, plain.indexOf("\n") + 1);

t.test("a table with obvious headings needs no editing", async (t) => {
  const { at, run, inspect } = await prepare(t);
  writeFileSync(at("prices.csv"), plain);
  const { missing } = await inspect("prices.csv", "Survey");
  t.strictSame(missing, []);
  const outcome = await run("prices.csv");
  t.match(outcome, {
    outcome: "imported",
    report: { rowCount: 2, priceCount: 2, dayFirst: "2026-05-02", dayLast: "2026-05-02", source: "Survey" },
  });
  t.strictSame(readdirSync(at("out")), ["manifest.json", "prices.ndjson", "prices.origins.ndjson"]);
  t.match(
    linesOf(at("out/prices.ndjson")).sort((a, b) => Number(a["price"]) - Number(b["price"])),
    [
      {
        product_uuid: testUuid(1),
        market_uuid: testUuid(2),
        price: 62.5,
        unit: "kg",
        currency: "KES",
        recorded_at: "2026-05-02T06:00:00.000Z",
        source: "Survey",
      },
      { product_uuid: testUuid(3), market_uuid: testUuid(4), price: 9500, unit: "90 kg bag", notes: "rainy day" },
    ],
  );
  t.notOk(existsSync(at("matches.csv")));
});

t.test("importing a table twice gives the same bytes apart from timestamps", async (t) => {
  const { at, run } = await prepare(t, plain);
  const bytesOf = async (later: number): Promise<string> => {
    await run("prices.csv", (now + later) as Instant, true);
    return readFileSync(at("out/prices.ndjson"), "utf8");
  };
  const [first, second] = [await bytesOf(0), await bytesOf(86_400_000)];
  t.not(second, first);
  t.equal(second.replaceAll("2026-06-02T08:00:00.000Z", "2026-06-01T08:00:00.000Z"), first);
});

t.test("a table gives the same prices as CSV and as a workbook with dates and numbers", async (t) => {
  const { at, run } = await prepare(t, plain);
  await run("prices.csv");
  const prices = readFileSync(at("out/prices.ndjson"), "utf8");
  const [header = "", first = "", second = ""] = plain.split("\n");
  const day = new Date(Date.UTC(2026, 4, 2));
  const rows = [
    header.split(","),
    [day, ...first.split(",").slice(1, 5), 62.5],
    [day, ...second.split(",").slice(1, 5), 9500, "rainy day"],
    [day, ...second.split(",").slice(1, 5), 0, "none on offer"],
  ];
  const mapping = readFileSync(at("mapping.json"), "utf8");
  writeFileSync(at("mapping.json"), mapping.replace('"empty_texts": [', '"empty_texts": ["0",'));
  writeFileSync(at("prices.xlsx"), await writeXlsx({ sheets: [{ name: "May", rows }], dateSystem: "1904" }));
  t.match(await run("prices.xlsx", now, true), { outcome: "imported", report: { leftOut: [{ reason: "no_price" }] } });
  t.equal(readFileSync(at("out/prices.ndjson"), "utf8"), prices);
});

t.test("a messy workbook goes from file to published prices", async (t) => {
  const { root, at, run, inspect } = await prepare(t);
  const day = (dayOfMonth: number): Date => new Date(Date.UTC(2026, 4, dayOfMonth));
  const rows = [
    ["KITUI COUNTY — market prices, May 2026", null, null, null, null, null, null],
    [],
    ["Tarehe", "Soko", "Kaunti", "Bidhaa", "Bei (KSh)", "Kipimo", "Maelezo"],
    [day(2), "Kitui Twon", "KITUI", "maize", "1.250,50", "90kg bag", null],
    [null, "Kitui Twon", "KITUI", "Maharagwe", 95.1 + 0.2, "KG", "ya njano"],
    ["3/5/2026", "Wakulima", "Nairobi County", "MAIZE", "KSh 62,50", "kg", null],
    ["4 May 2026", "Kitui town", "Kitui", "Ndengu", "110,00", "kg", null],
    ["4 May 2026", "Mutomo", "Kitui", "Ndengu", null, "kg", null],
    ["5 May 2026", "Mutomo", "Kitui", "Ndengu", "-", "kg", "no stock"],
    [],
    ["Average", null, null, null, 200, null, null],
  ];
  const cells = new Map([["7,4", { value: 112.5, formula: "E7+2.5", formulaResult: 112.5 }]]);
  const merges = [
    { startRow: 0, endRow: 0, startCol: 0, endCol: 6 },
    { startRow: 3, endRow: 4, startCol: 0, endCol: 0 },
  ];
  const other = { name: "Read me", rows: [["Collected by the county office"]] };
  writeFileSync(at("may.xlsx"), await writeXlsx({ sheets: [other, { name: "Prices", rows, cells, merges }] }));

  const { mapping, missing, notes } = await inspect("may.xlsx", "Kitui County");
  t.strictSame(missing, []);
  t.match(mapping, {
    sheet: "Prices",
    header_row: 3,
    values: { currency: "KES" },
    date_formats: ["dd/MM/yyyy", "d MMM yyyy"],
    decimal: ".",
    thousands: ",",
  });
  t.match(notes, ['not read: sheet "Read me"']);

  writeFileSync(
    at("mapping.json"),
    readFileSync(at("mapping.json"), "utf8")
      .replace('"values": {', '"values": { "market_type": "retail",')
      .replace(/"decimal": .*\n.*"thousands": .*\n/, '"decimal": ",", "thousands": ".",\n'),
  );
  const refused = await run("may.xlsx");
  t.match(refused, { outcome: "refused", problems: { total: 0 } });
  t.notOk(existsSync(at("out")));
  t.strictSame(
    readdirSync(root).filter((name) => name.includes("partial")),
    [],
  );
  const matches = readFileSync(at("matches.csv"), "utf8");
  t.equal(
    matches,
    [
      "\ufeffkind,found,county,market_type,rows,first_row,candidates,use,new_name,new_category,new_county,new_market_type",
      `market,Kitui Twon,Kitui,Retail,2,4,"${kitui}",,,,,`,
      `market,Mutomo,Kitui,Retail,1,8,"${kitui}",,,,,`,
      `product,Ndengu,,,2,7,${beans} | ${maize},,,,,`,
      "",
    ].join("\r\n"),
  );

  // A row that a person has begun stays, also where "use" is still empty.
  writeFileSync(at("matches.csv"), matches.replace(`${maize},,,,,`, `${maize},,Green grams,,,`));
  await run("may.xlsx");
  t.match(readFileSync(at("matches.csv"), "utf8"), `${maize},,Green grams,,,`);

  // As a spreadsheet program saves it in a country with decimal commas.
  const completed = matches
    .slice(1)
    .split("\r\n")
    .map((line) => line.replaceAll(/"[^"]*"|,/g, (part) => (part === "," ? ";" : part)))
    .join("\r\n")
    .replace(`market;Kitui Twon;Kitui;Retail;2;4;"${kitui}";`, `$&"${kitui}"`)
    .replace(/market;Mutomo.*?";/, "$&new")
    .replace(
      `product;Ndengu;;;2;7;${beans} | ${maize};;;`,
      `product;Ndengu;;;2;7;${beans} | ${maize};new;Green grams – café;Pulses`,
    );
  writeFileSync(at("matches.csv"), Buffer.from(completed.replace("–", "\x96"), "latin1"));

  const outcome = await run("may.xlsx");
  t.match(outcome, {
    outcome: "imported",
    report: {
      priceCount: 5,
      dayFirst: "2026-05-02",
      dayLast: "2026-05-04",
      newProducts: ["Green grams – café"],
      newMarkets: ["Mutomo"],
      leftOut: [
        { reason: "no_price", rowCount: 1, lineFirst: 9 },
        { reason: "skipped_row", rowCount: 1, lineFirst: 11 },
      ],
    },
  });
  t.equal(readFileSync(at("matches.csv"), "latin1"), completed.replace("–", "\x96"), "what a person wrote stays");
  const prices = linesOf(at("out/prices.ndjson"));
  t.strictSame(prices.map(({ price }) => price).sort(), [110, 112.5, 1250.5, 62.5, 95.3].sort());
  t.match(linesOf(at("out/products.ndjson")), [{ common_units: ["kg"], category: "Pulses" }]);
  t.match(linesOf(at("out/markets.ndjson")), [{ type: "Retail", county_id: 15 }]);

  // Merged with the tables of the snapshot they pass every check of publishing.
  await writeRecords(join(root, "candidate"), {
    counties,
    products: [...products, ...linesOf(at("out/products.ndjson"))],
    markets: [...markets, ...linesOf(at("out/markets.ndjson"))],
    prices: [priceRow(), ...prices],
  });
  t.match(await publishCandidate(root, now), { outcome: "published", rows: { prices: 6, products: 3, markets: 3 } });

  // The new records are known now: the same table gives the same prices, and no new records.
  writeFileSync(at("matches.csv"), Buffer.from(completed.replace("–", "\x96"), "latin1"));
  t.match(await run("may.xlsx", now, true), { outcome: "imported", report: { newProducts: [], newMarkets: [] } });
  t.strictSame(linesOf(at("out/prices.ndjson")), prices);
  t.strictSame(readdirSync(at("out")), ["manifest.json", "prices.ndjson", "prices.origins.ndjson"]);
});

t.test("names match however apostrophes and letters are written", async (t) => {
  const problems = new ProblemList();
  const resolverOf = (names: readonly string[], answers: Readonly<Record<string, string>> = {}) => {
    const known = {
      counties: [],
      markets: [],
      unitCategories: [],
      products: names.map((name, at) => ({ uuid: testUuid(at + 1), name, alternativeNames: null })),
    } as unknown as KnownRecords;
    const empty = {
      ...{ county: "", market_type: "", rows: "", first_row: "", candidates: "" },
      ...{ new_name: "", new_category: "", new_county: "", new_market_type: "" },
    };
    const about = { ...empty, kind: "product" as const };
    const rows = Object.entries(answers).map(([found, use], at) => ({ ...about, found, use, line: at + 2 }));
    const indexes = indexNames(known);
    const resolver = new NameResolver(indexes, readAnswers(rows, indexes, "matches.csv", problems).answers);
    return (found: string): string | undefined => {
      const resolution = resolver.resolve("product", found, 1);
      return typeof resolution === "object" ? resolution.shown : resolution;
    };
  };
  const spelled = ["Ng'ombe", "Ng’ombe", "Ngʼombe", "ng\u200bombe", "ＮＧ＇ＯＭＢＥ", "Ngꞌombe"];
  const one = resolverOf(["Ng'ombe", "Maize"]);
  for (const name of spelled) t.equal(one(name), "Ng'ombe", name);
  const answered = resolverOf(["Beef"], { "Ng'ombe": "Beef" });
  for (const name of spelled) t.equal(answered(name), "Beef", `${name} by an answer`);

  const both = resolverOf(["Ng'ombe", "Ngʼombe"]);
  t.equal(both("NG’OMBE"), undefined, "one that may be either");
  t.equal(problems.total, 0);
  resolverOf(["Beef", "Cow"], { "Ng'ombe": "Beef", Ngʼombe: "Cow" });
  t.match(problems.problems, [{ line: 3, field: "use", found: '"Cow"', wanted: /line 2 has another/ }]);
  resolverOf(["Beef", "Cow"], { "Ng'ombe": "Beef", Ngʼombe: `BEEF ${testUuid(1)}` });
  t.equal(problems.total, 1, "the same record, in other words");
  const known = resolverOf(["Ngombe", "Cow"], { Ngʼombe: "Cow" });
  t.equal(known("Ng'ombe"), "Cow", "an answer before a name of the snapshot");
});

t.test("spellings of a name without a match are listed once, and what is new keeps its identifier", async (t) => {
  const rows = ["Ng'ombe", "Ngʼombe", "Ｎｇ’ｏｍｂｅ"].map((name) => `2026-05-02,Nairobi,Wakulima,${name},kg,60,\n`);
  const { run } = await prepare(t, headLine + rows.join(""));
  t.match(await run("prices.csv"), {
    outcome: "refused",
    unmatched: { length: 1, 0: { found: "Ng'ombe", rowCount: 3 } },
  });
});

t.test("matches.csv of a table with semicolons has semicolons, and is read back", async (t) => {
  const heading = headLine.replaceAll(",", ";");
  const { at, run } = await prepare(t, `${heading}2026-05-02;Kitui;Kitui Twon;"Maize; white";kg;60,5;\n`);
  await run("prices.csv");
  const matches = readFileSync(at("matches.csv"), "utf8");
  t.match(matches, `\nmarket;Kitui Twon;Kitui;;1;2;${kitui};;;;;\r\n`);
  t.match(matches, `\nproduct;"Maize; white";;;1;2;${maize} | ${beans};;;;;\r\n`);
  writeFileSync(
    at("matches.csv"),
    matches.replace(`${kitui};;`, `${kitui};Kitui Town;`).replace(`${beans};;`, `${beans};Maize;`),
  );
  t.match(await run("prices.csv"), { outcome: "imported", report: { priceCount: 1 } });
  // Answers have the uuid beside the name as soon as they are read.
  const named = readFileSync(at("matches.csv"), "utf8");
  t.match(named, `;1;2;${kitui};${kitui};;;;\r\n`);
  await run("prices.csv", now, true);
  t.equal(readFileSync(at("matches.csv"), "utf8"), named);

  writeFileSync(at("prices.csv"), `${readFileSync(at("prices.csv"), "utf8")}2026-05-02;Kitui;Emali;Maize;kg;60,5;\n`);
  await run("prices.csv", now, true);
  t.match(readFileSync(at("matches.csv"), "utf8"), `;1;2;${kitui};${kitui};;;;\r\n`);
});

t.test("matches.csv holds no formula, and its answers are those of the names as they stand", async (t) => {
  const starts = ["=", "+", "-", "@", "＝", "﹢", "\u2212", "\u2060=", "'=", "''@", "'", ""];
  const names = starts.map((start, at) => `${start}crop ${at}`);
  const rows = names.map((name) => `2026-05-02,Nairobi,Wakulima,"${name}",kg,60,\n`);
  const { at, run } = await prepare(t, headLine + rows.join(""));
  const refused = await run("prices.csv");
  t.equal(refused.outcome === "refused" && refused.unmatched.length, names.length);
  const [header = [], ...written] = parse(readFileSync(at("matches.csv"), "utf8"), { bom: true }) as string[][];
  t.equal(written.length, names.length);
  const [found, use] = [header.indexOf("found"), header.indexOf("use")];
  for (const row of written) t.notMatch(row[found], /^[\s\u2060]*[=+\-@＝﹢\u2212]/u);
  const answered = written.map((row) => row.with(use, "Maize"));
  writeFileSync(at("matches.csv"), [header, ...answered].map((row) => csvRow(row)).join(""));
  t.match(await run("prices.csv"), { outcome: "imported", report: { priceCount: names.length } });

  writeFileSync(at("matches.csv"), `${csvRow(header)}market,Nairobi Twon,,,1,2,,Kitui Town, Kitui, Retail,,,,\r\n`);
  await t.rejects(run("prices.csv", now, true), {
    message: /^matches\.csv: found 14 cells in line 2, expected at most 12/,
  });
  writeFileSync(at("matches.csv"), `${csvRow(header)}shop,Nairobi Twon,,,1,2,,skip,,,,\r\n`);
  await t.rejects(run("prices.csv", now, true), {
    message:
      'matches.csv: found "kind" "shop" in line 2, expected county, or market_type, or market, or product, or unit',
  });
});

t.test("every bad row is listed with line, heading, what was found and expected; nothing is written", async (t) => {
  const { root, at, run } = await prepare(t, plain);
  const rows = [
    "2026-02-30,Nairobi,Wakulima,Maize,kg,60,",
    "2026-05-02,Nairobi,Wakulima,,kg,sixty,",
    ...Array.from({ length: 30 }, () => "x,Nairobi,Wakulima,Maize,kg,0,"),
  ];
  writeFileSync(at("prices.csv"), `${plain}${rows.join("\n")}\n`);
  const outcome = await run("prices.csv");
  t.match(outcome, { outcome: "refused", unmatched: [], problems: { total: 63 } });
  t.match((outcome as { problems: DatasetError["list"] }).problems.problems.slice(0, 4), [
    { file: "prices.csv", line: 4, field: "Date", found: '"2026-02-30"', wanted: "a date of the form yyyy-MM-dd" },
    { line: 5, field: "Commodity", found: "empty", wanted: "the name of a product" },
    { line: 5, field: "Price (KES)", found: '"sixty"', wanted: /"decimal": "\.", "thousands": "," in the mapping/ },
    { line: 6, field: "Date", found: '"x"' },
  ]);
  t.equal((outcome as { problems: DatasetError["list"] }).problems.problems.length, 20);
  t.strictSame(readdirSync(root).sort(), ["candidate", "data", "mapping.json", "prices.csv"]);
});

t.test("texts that a snapshot may not have are refused by row and heading, or by field of the mapping", async (t) => {
  const { root, at, run, inspect } = await prepare(t);
  writeFileSync(at("day.csv"), plain.replace("rainy day", "x".repeat(2001)));
  await inspect("day.csv");
  const refused = await run("day.csv");
  t.match(refused, {
    outcome: "refused",
    problems: { problems: [{ line: 3, field: "Remarks", found: /2001 characters/ }] },
  });
  const mapping = JSON.parse(readFileSync(at("mapping.json"), "utf8"));
  const unfit = { ...mapping, source: "s".repeat(201), attribution: ["a".repeat(2001)] };
  writeFileSync(at("mapping.json"), JSON.stringify(unfit));
  await t.rejects(run("day.csv"), { message: /2 problems, the first: mapping\.json: "source" is .*201 characters/ });
  t.notOk(existsSync(join(root, "out")));
});

t.test("reading ends where there are too many problems", async (t) => {
  const { at, run } = await prepare(t, plain);
  writeFileSync(at("prices.csv"), `${plain}${"x,Nairobi,Wakulima,Maize,kg,0,\n".repeat(6000)}`);
  await t.rejects(run("prices.csv"), { name: "DatasetError", list: { total: 10_000, isCut: true } });
});

t.test("a folder that is not an import is never replaced, an import only when that is wanted", async (t) => {
  const { at, run } = await prepare(t, plain);
  await run("prices.csv");
  await t.rejects(run("prices.csv"), FolderTakenError);
  t.match(await run("prices.csv", now, true), { outcome: "imported" });
  mkdirSync(at("out/notes"));
  await t.rejects(run("prices.csv", now, true), FolderTakenError);
  rmSync(at("out/notes"), { recursive: true });
  rmSync(at("out/prices.origins.ndjson"));
  await t.rejects(run("prices.csv", now, true), {
    message: /no "prices\.origins\.ndjson", which an earlier import has/,
  });
});

t.test("a mapping is a new file", async (t) => {
  const { at, inspect } = await prepare(t);
  writeFileSync(at("prices.csv"), plain);
  const { mapping } = await inspect("prices.csv");
  for (const file of ["prices.csv", "mapping.json"]) {
    const before = readFileSync(at(file), "utf8");
    await t.rejects(writeMapping(at(file), mapping), { name: "FolderTakenError", message: /is there already/ });
    t.equal(readFileSync(at(file), "utf8"), before);
  }
});

t.test("a mapping names every fault by its field", async (t) => {
  const path = join(t.testdir(), "mapping.json");
  const faultsOf = async (mapping: object): Promise<readonly (string | undefined)[]> => {
    writeFileSync(path, JSON.stringify(mapping));
    const error = await readMapping(path).then(
      () => t.fail("the mapping was accepted"),
      (error: unknown) => error,
    );
    if (!(error instanceof DatasetError)) throw error;
    return error.list.problems.map(({ field }) => field);
  };
  const columns = { date: "Date", market: "Market", product: "Crop", price: "Price" };
  t.strictSame(await faultsOf({ columns: { dat: "Date" }, decimal: ";", header_row: -1, date_formats: [], extra: 1 }), [
    "source",
    "extra",
    "header_row",
    "columns.dat",
    "date_formats",
    "decimal",
  ]);
  t.strictSame(await faultsOf({ source: "S", columns: {} }), [
    "columns.date",
    "columns.market",
    "columns.product",
    "columns.price",
  ]);
  t.strictSame(
    await faultsOf({
      source: "S",
      columns,
      values: { unit: "kg" },
      currencies: { "€": "EUR" },
      date_formats: ["yyyy-MM-dd", "DD/MM/YYYY"],
      decimal: ",",
      thousands: ",",
    }),
    ["date_formats[1]", "thousands"],
  );
  writeFileSync(path, Buffer.from("\ufeff{}", "utf16le"));
  await t.rejects(readMapping(path), { message: /is in utf-16le, expected utf-8; save it in that/ });
  writeFileSync(path, '{"source": "S", "source": "T", "columns": {}}');
  await t.rejects(readMapping(path), { message: /"source" is given twice/ });
  writeFileSync(path, "{");
  await t.rejects(readMapping(path), { message: /not JSON/ });
  await t.rejects(readMapping(join(t.testdir(), "none.json")), {
    name: "ImportRefusedError",
    message: /--init makes one/,
  });
});

t.test("inspection recognises headings, styles and forms of dates, and says what is missing", async (t) => {
  const path = join(t.testdir(), "prices.csv");
  const inspectText = async (text: string): Promise<Inspection> => {
    writeFileSync(path, text);
    return await inspect(path);
  };
  t.match(
    await inspectText(
      "Price Date;Market Name;Commodity;Wholesale price (KSh per 90 kg bag);Retail\n13.05.2026;Thika;Maize;3.500;60\n",
    ),
    {
      form: { encoding: "utf-8", delimiter: ";" },
      mapping: {
        source: "prices",
        columns: {
          date: "Price Date",
          market: "Market Name",
          product: "Commodity",
          price: "Wholesale price (KSh per 90 kg bag)",
        },
        values: { market_type: "Wholesale", unit: "90 kg bag", currency: "KES" },
        date_formats: ["dd.MM.yyyy"],
      },
      missing: [],
      notes: [/"source" is the name of the file/, /all prices count as KES/],
    },
  );
  const numbers = async (delimiter: string, ...prices: string[]) => {
    const rows = prices.map((price) => `2026-05-13${delimiter}"${price}"\n`);
    const { mapping } = await inspectText(`Date${delimiter}Price\n${rows.join("")}`);
    return [mapping.decimal, mapping.thousands];
  };
  t.strictSame(await numbers(";", "1.234", "90"), [",", "."]);
  t.strictSame(await numbers(",", "1.234", "90"), [".", ","]);
  t.match(await inspectText("05/13/2026,5,x\n05/02/2026,6,y\n"), {
    mapping: { header_row: 0 },
    headings: ["A", "B", "C"],
    missing: ["date", "market", "product", "price", "unit"],
  });
  t.match(
    await inspectText('Commodity,Market,Wholesale,County,Date\nMaize,Thika,"3,500.00/90 kg bag",Kiambu,2026-05-13\n'),
    {
      mapping: { columns: { price: "Wholesale" }, values: { market_type: "Wholesale" }, decimal: ".", thousands: "," },
      missing: [],
    },
  );
  const dates = async (...texts: string[]): Promise<readonly string[] | undefined> =>
    (await inspectText(`Date,Price\n${texts.map((text) => `"${text}",1\n`).join("")}`)).mapping.date_formats;
  t.strictSame(await dates("05/13/2026", "05/02/2026"), ["MM/dd/yyyy"]);
  t.strictSame(await dates("03/05/2026", "13/05/2026"), ["dd/MM/yyyy"]);
  t.strictSame(await dates("2026-05-03", "13/05/2026", "4-May-26"), ["yyyy-MM-dd", "dd/MM/yyyy", "d-MMM-yy"]);
  t.strictSame(await dates("46144", "46145.5"), ["serial"]);
  t.strictSame(await dates("soon"), ["yyyy-MM-dd"]);
  t.strictSame(await dates("Jan-26", "Mei-26"), ["MMM-yy"]);
  t.strictSame(await dates("January 2026", "May 2026", "Sept 2026"), ["MMM yyyy"]);
  t.strictSame(await dates("2026-01", "2026-12"), ["yyyy-MM"]);
  t.strictSame(await dates("Dec-25", "Jan-26", "Feb-26"), ["MMM-yy"]);
  t.strictSame(await dates("01/2026", "03/05/2026"), ["dd/MM/yyyy"], "a month among days may be a slip");
  t.strictSame(await dates("5-Jan-26", "Jan-26"), ["d-MMM-yy"]);
  t.strictSame(await dates("2026-01", "2026-02-01 10:00"), ["yyyy-MM-dd HH:mm"]);
  const daysOfMonth = [5, 6, 12, 19, 26].map((day) => `Jan-${String(day).padStart(2, "0")}`);
  t.strictSame(await dates(...daysOfMonth), ["yyyy-MM-dd"], "several days of one month are no years");
  const years = [24, 25].flatMap((year) =>
    ["Jan", "Apr", "Aug", "Sep", "Oct", "Nov", "Dec"].map((m) => `${m}-${year}`),
  );
  t.strictSame(await dates(...years), ["MMM-yy"]);
  const mixed = (day: number) => proposeDateFormats(["Jan 2026", { clock: Date.UTC(2026, 1, day) }], 1900);
  t.strictSame(mixed(1).value, ["MMM yyyy"], "a spreadsheet program keeps a month as its first day");
  t.match(mixed(2), {
    value: ["yyyy-MM-dd"],
    notes: ['no form of dates fits "Jan 2026": complete "date_formats"'],
  });
  t.strictSame(await dates("Jan 14", "01/26", "Jan-5"), ["yyyy-MM-dd"], "the digits may be a day");
  t.strictSame(await dates("13/05/2026", "05-14-2026"), ["dd/MM/yyyy", "MM-dd-yyyy"]);
  t.strictSame(await dates("5/2/2026 2:05:00 PM", "5/13/2026 9:00:00 AM"), ["MM/dd/yyyy h:mm:ss a"]);
  t.strictSame(await dates("2026-05-02T21:30:00Z", "2026-05-02T08:11:02.000+0300"), ["yyyy-MM-dd'T'HH:mm:ssXXX"]);
  t.match(await inspectText("Date,Price\n2023,1\n2024,1\n"), {
    mapping: { date_formats: ["yyyy-MM-dd"] },
    notes: { 2: 'no form of dates fits "2023": complete "date_formats"' },
  });
});

t.test("currencies and units of number formats count as if they stood in the cells of a sheet", async (t) => {
  const { at, run, inspect } = await prepare(t);
  const headings = ["Date", "Market", "Commodity", "Unit", "Price"];
  const write = async (
    ...prices: readonly (readonly [unit: string | number, unitFormat: string, price: number, format: string])[]
  ) => {
    const rows = prices.map(([unit, , price], day) => [`2026-05-0${day + 1}`, "Kitui Town", "Maize", unit, price]);
    const cells = new Map(
      prices.flatMap(([, unitFormat, , numFmt], row) => [
        [`${row + 1},3`, { style: { numFmt: unitFormat } }],
        [`${row + 1},4`, { style: { numFmt } }],
      ]),
    );
    const sheet = { name: "Prices", rows: [headings, ...rows], cells };
    writeFileSync(at("prices.xlsx"), await writeXlsx({ sheets: [sheet] }));
  };
  const pricesOf = async (outcome: SheetOutcome) =>
    outcome.outcome === "imported" ? linesOf(at("out/prices.ndjson")) : outcome.problems.problems;
  await write(["kg", "@", 60, "[$KSh-441] #,##0.00"], [90, '0" kg bag"', 4100, '"Kshs" #,##0']);
  t.match(await inspect("prices.xlsx", "Survey"), { mapping: { values: {} }, missing: [] });
  t.match(await pricesOf(await run("prices.xlsx", now, true)), [
    { price: 60, unit: "kg", currency: "KES" },
    { price: 4100, unit: "90 kg bag", currency: "KES" },
  ]);
  await write(["kg", "@", 60, '"KSh" 0'], ["kg", "@", 2000, '"UGX" #,##0'], ["kg", "@", 1.05, "$#,##0.00"]);
  const { mapping } = await inspect("prices.xlsx", "Survey");
  t.equal(mapping.values?.currency, undefined, "each price states its own");
  const asked = await pricesOf(await run("prices.xlsx", now, true));
  t.match(asked, [{ line: 4, field: "Price", wanted: /"currencies": \{ "\$": … \} in the mapping/ }]);
  writeFileSync(at("mapping.json"), JSON.stringify({ ...mapping, currencies: { $: "USD" } }));
  t.match(await pricesOf(await run("prices.xlsx", now, true)), [
    { price: 60, currency: "KES" },
    { price: 2000, currency: "UGX" },
    { price: 1.05, currency: "USD" },
  ]);
  writeFileSync(at("mapping.json"), JSON.stringify({ ...mapping, values: { currency: "KES" } }));
  t.match(await pricesOf(await run("prices.xlsx", now, true)), [{ line: 3 }, { line: 4 }]);
  await write(["kg", "@", 9800, '"KSh" #,##0" per 90 kg bag"'], ["kg", "@", 127, '"d" 0']);
  t.match(await pricesOf(await run("prices.xlsx", now, true)), [
    { line: 2, found: '"KSh 9800 per 90 kg bag"', wanted: "a price per kg, the unit of the row" },
    { line: 3, found: '"d 127"' },
  ]);
  await write(["kg", "@", 60, '0" per visit"'], ["kg", "@", 61, '0 "d"'], ["kg", "@", 62, '0" per KG"']);
  const other = await run("prices.xlsx", now, true);
  t.match(other, {
    problems: { problems: [{ line: 3, found: '"61 d"' }] },
    unmatched: [{ kind: "unit", found: "visit" }],
  });
  await write(
    ["kg", "@", 0.6, "0%"],
    ["kg", "@", 4200, "#,##0,"],
    ["kg", "@", 4, '#,##0",000"'],
    ["kg", "@", 5, ";;;"],
  );
  t.match(await pricesOf(await run("prices.xlsx", now, true)), [
    { line: 2, found: '0.6 shown as "60%"' },
    { line: 3, found: '4200 shown as "4.2"' },
    { line: 4, found: '4 shown as "4,000"' },
    { line: 5, found: '5 shown as ""' },
  ]);
});

t.test("inspection takes the currency of a title or heading, and asks where it can be several", async (t) => {
  const path = join(t.testdir(), "prices.csv");
  const inspectText = async (text: string): Promise<Inspection> => {
    writeFileSync(path, text);
    return await inspect(path, "Survey");
  };
  const rest = "Date,Market,Commodity,Unit,Price\n2026-05-02,Thika,Maize,kg,60\n";
  const titled = await inspectText(`All prices in UGX\n${rest}`);
  t.match(titled, { mapping: { values: { currency: "UGX" } }, missing: [] });
  t.match(titled.notes.join("\n"), /all prices count as UGX: "UGX" in row 1 "All prices in UGX"/);
  t.match(await inspectText(rest.replace("Price", "Price (TSh)")), { mapping: { values: { currency: "TZS" } } });
  t.match(await inspectText(rest.replace(",60", ",60/=")), { mapping: { values: { currency: undefined } } });
  t.match(await inspectText(rest.replace(",60", ",UGX 60")), { mapping: { values: { currency: undefined } } });
  const open = await inspectText(rest.replace("Price", "Price ($)"));
  t.strictSame([open.mapping.values?.currency, open.missing], [undefined, []]);
  t.match(open.notes.join("\n"), /"\$" in the heading "Price \(\$\)", which can be USD, .*"values.currency"/);
});

t.test("a day after today in Kenya is refused, in a table and in a sheet, also a moment before midnight", async (t) => {
  const { at, run } = await prepare(t);
  const mapping = {
    source: "Survey",
    columns: { date: "Date", market: "Market", product: "Commodity", price: "Price" },
  };
  const values = { unit: "kg", currency: "KES" };
  const formats = { date_formats: ["yyyy-MM-dd", "yyyy-MM-dd HH:mm"] };
  writeFileSync(at("mapping.json"), JSON.stringify({ ...mapping, values, ...formats }));
  const headings = ["Date", "Market", "Commodity", "Price"];
  const write = async (...days: (string | Date)[]): Promise<void> => {
    const rows = days.map((day) => [day, "Kitui Town", "Maize", 60]);
    writeFileSync(at("prices.xlsx"), await writeXlsx({ sheets: [{ name: "Prices", rows: [headings, ...rows] }] }));
    writeFileSync(at("prices.csv"), [headings, ...rows].map((row) => `${row.join(",")}\n`).join(""));
  };
  const midnight = Date.UTC(2026, 5, 1, 21) as Instant;
  await write("2026-06-01", "2026-06-01 23:59", "2026-06-02");
  const wanted = /^a day up to today, 2026-06-01 in Kenya/;
  const early = { line: 4, field: "Date", found: '"2026-06-02"', wanted };
  for (const file of ["prices.csv", "prices.xlsx"]) {
    const refused = await run(file, (midnight - 1) as Instant, true);
    t.match(refused, { problems: { total: 1, problems: [early] } }, file);
    t.match(await run(file, midnight, true), { outcome: "imported", report: { priceCount: 3 } }, file);
  }
  await write(new Date(Date.UTC(2026, 5, 1)), new Date(Date.UTC(2026, 5, 3)));
  t.match(await run("prices.xlsx", midnight, true), { problems: { total: 1, problems: [{ line: 3 }] } });
});

t.test("rows whose prices are withdrawn are left out and counted", async (t) => {
  const { at, run } = await prepare(t, plain);
  await run("prices.csv");
  const day = at("out/prices.ndjson");
  const rows = linesOf(day);
  const common = { dataDirectory: at("data"), dryRun: false };
  await appendPrices({ ...common, files: [day], now: (now + 1000) as Instant });
  const withdraw = async (uuids: readonly unknown[]): Promise<void> => {
    const decision = { reason: "wrong", by: null };
    await decidePrices({
      ...common,
      kind: "withdrawals",
      uuids: uuids as Uuid[],
      decision,
      now: (now + 2000) as Instant,
    });
  };
  await withdraw([rows[0]?.["uuid"]]);
  t.match(await run("prices.csv", now, true), {
    outcome: "imported",
    report: { rowCount: 2, priceCount: 1, leftOut: [{ reason: "withdrawn", rowCount: 1 }] },
  });
  t.same(valuesOf(linesOf(day), "uuid"), [rows[1]?.["uuid"]]);
  writeFileSync(at("prices.csv"), plain.replace('"9,500"', "950"));
  t.match(await run("prices.csv", now, true), {
    report: { priceCount: 2, leftOut: [], replaced: [{ withdrawn: true, changes: [{ before: 9500, after: 950 }] }] },
  });
  writeFileSync(at("prices.csv"), plain);
  await withdraw([rows[1]?.["uuid"]]);
  await t.rejects(run("prices.csv", now, true), { message: /withdrawn/ });
});

t.test("units that a mapping declares come with the prices that need them", async (t) => {
  const { root, at, run } = await prepare(t);
  const debe = { base_unit: "kg", factor: 18 };
  const columns = { date: "Date", market: "Market", product: "Commodity", unit: "Unit", price: "Price" };
  const write = (units: object): void => {
    const mapping = { source: "Survey", columns, values: { currency: "KES" }, units, attribution: ["Survey, Kitui"] };
    writeFileSync(at("mapping.json"), JSON.stringify(mapping));
  };
  writeFileSync(at("a.csv"), "Date,Market,Commodity,Unit,Price\n2026-05-02,Wakulima,Maize,Debe,900\n");
  write({ Debe: debe, gorogoro: { base_unit: "kg", factor: 2 } });
  t.match(await run("a.csv"), { outcome: "imported" });
  const units = JSON.parse(readFileSync(at("out/units.json"), "utf8"));
  const wanted = { name: "Debe", abbreviation: "Debe", base_unit: "kg", conversion_factor: 18 };
  t.match(units, [{ units: [wanted] }]);
  t.equal(units[0].units.length, 1, "the others are not needed");
  const { id } = await appendPrices({
    ...{ dataDirectory: at("data"), files: [at("out")], now: (now + 60_000) as Instant, dryRun: false },
  });
  const folder = join(root, "data", "snapshots", id);
  const published = JSON.parse(readFileSync(join(folder, "units.json"), "utf8"));
  t.match(published[0].units.at(-1), wanted);
  t.match(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")).attribution.at(-1), "Survey, Kitui");

  write({ Debe: { ...debe, factor: 20 }, bottle: { base_unit: "bottle", factor: 1 } });
  const refused = await run("a.csv", now, true);
  t.match(refused, { outcome: "refused" });
  t.match(
    refused.outcome === "refused"
      ? refused.problems.problems.map(({ field, found, wanted }) => [field, found, wanted])
      : [],
    [
      ["units.Debe", "20 kg", "18 kg, as in the current snapshot, or another name"],
      ["units.bottle.base_unit", '"bottle"', /^one of .*kg/],
    ],
  );
});

t.test("totals are left out in any spelling, and a type of market that is called like one is none", async (t) => {
  const row = (day: string): string => `${day},Nairobi,Wakulima,Maize,kg,62.50,\n`;
  const totals = "Grand Total,,,,,99,\nJUMLA,,,,,99,\nTOTAL,,,,,99,\n";
  const [headings = ""] = plain.split("\n");
  const { at, run } = await prepare(t, `${headings}\n${row("2026-05-02")}${totals}`);
  const today = Date.UTC(2026, 4, 2, 12) as Instant;
  t.match(await run("prices.csv", today), {
    outcome: "imported",
    report: { priceCount: 1, leftOut: [{ reason: "skipped_row", rowCount: 3 }] },
  });
  const first = "Type,Date,Market,Commodity,Unit,Price\nJumla,2026-05-02,Wakulima,Maize,kg,62.50\nJumla,,,,,62.50\n";
  writeFileSync(at("prices.csv"), first);
  writeFileSync(
    at("mapping.json"),
    JSON.stringify({
      source: "Survey",
      columns: {
        ...{ date: "Date", market: "Market", market_type: "Type", product: "Commodity" },
        ...{ unit: "Unit", price: "Price" },
      },
      values: { currency: "KES" },
    }),
  );
  const asked = await run("prices.csv", today, true);
  t.match(
    asked,
    { outcome: "refused", unmatched: [{ kind: "market", found: "Wakulima", marketType: "Wholesale" }] },
    "wholesale, not a total",
  );
});
