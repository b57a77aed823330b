/** The recipes, run as an analyst runs them, against the bundled data; and what they print, worked out here. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { cp, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import { parse } from "csv-parse/sync";
import { linearRegression, mean, median, sampleCorrelation, sampleStandardDeviation, sum } from "simple-statistics";
import t, { type Test } from "tap";
import { loadDuckDb } from "../../bench/contenders/duckdb-api.ts";
import { dayText } from "../../src/engine/model/calendar.ts";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import type { SnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";
import { makeDownloads } from "../../src/publishing/publish/make-downloads.ts";
import { DownloadFiles } from "../../src/service/serve/download-files.ts";
import { bundledDataset, bundledFolder } from "../support/bundled-data.ts";
import { valuesOf } from "../support/fields-of.ts";
import { monthOf, suspiciousReasonsOf } from "../support/naive-suspicious.ts";
import { type PlainPrice, plainPrices } from "../support/plain-prices.ts";
import { publicKey, secretKey } from "../support/signed-request.ts";
import { type RunningApp, startApp } from "../support/start-app.ts";
import { projectFolder } from "../support/test-files.ts";

const run = promisify(execFile);
const folder = join(projectFolder, "scripts/recipes");
const queryFile = "monthly-median.sql";

interface Recipe {
  readonly file: string;
  readonly command: string;
  /** Arguments that find out whether all that it needs is installed. */
  readonly probe: readonly string[];
}

const probeOfR = ["-e", "stopifnot(requireNamespace('curl'), requireNamespace('openssl'))"];

const recipes: readonly Recipe[] = [
  { file: "monthly-median.sh", command: "sh", probe: ["-c", "command -v curl && command -v openssl && command -v jq"] },
  { file: "monthly-median.py", command: "python3", probe: ["--version"] },
  // The Python of the system has the packages of the system.
  { file: "monthly-median-pandas.py", command: "/usr/bin/python3", probe: ["-c", "import pandas"] },
  { file: "monthly-median.R", command: "Rscript", probe: probeOfR },
  { file: "monthly-median.php", command: "php", probe: ["--version"] },
];

/** What recipes share; those who use them copy one beside their own scripts. */
const helpers = ["farm_prices.py", "farm-prices.R"];

const recipesOfMeasures: readonly Recipe[] = [
  { file: "is-it-unusual.py", command: "python3", probe: ["--version"] },
  { file: "is-it-unusual.R", command: "Rscript", probe: probeOfR },
];

const recipesOfComparablePrices: readonly Recipe[] = [
  { file: "comparable-prices.py", command: "python3", probe: ["--version"] },
  { file: "comparable-prices.R", command: "Rscript", probe: probeOfR },
];

const recipesOfTwoSeries: readonly Recipe[] = [
  { file: "two-series.py", command: "python3", probe: ["--version"] },
  { file: "two-series.R", command: "Rscript", probe: probeOfR },
];

/** A month with its median and how many prices it is of; no median where there is none. */
type Month = readonly [month: string, median: number | undefined, prices: number];

const manual = readFileSync(join(folder, "README.md"), "utf8");

t.test("every recipe is run here, and named in the manual", async (t) => {
  const files = [
    ...[...recipes, ...recipesOfMeasures, ...recipesOfComparablePrices, ...recipesOfTwoSeries].map(({ file }) => file),
    ...helpers,
    queryFile,
  ];
  t.strictSame(readdirSync(folder).sort(), [...files, "README.md"].sort());
  for (const file of files) t.ok(manual.includes(`| ${file} |`), file);
});

t.test('"Maize" and "Maize (white)" disagree as often as the manual says', async (t) => {
  const monthly = (name: string): Map<string, number> => {
    const ofName = prices.filter(({ product, unit, currency, market }) => {
      return product.name === name && unit.baseUnit === "kg" && currency === "KES" && market.type === "Wholesale";
    });
    const groups = Map.groupBy(ofName, ({ market, day }) => `${market.uuid} ${dayText(day).slice(0, 7)}`);
    const perKilogram = ({ price, unit }: PlainPrice): number => price / unit.conversionFactor;
    return new Map([...groups].map(([key, found]) => [key, median(found.map(perKilogram))]));
  };
  const prices = plainPrices(await bundledDataset());
  const [maize, white] = [monthly("Maize"), monthly("Maize (white)")];
  const ratios = [...maize].flatMap(([key, price]) => {
    const other = white.get(key);
    return other === undefined ? [] : [other / price];
  });
  const apart = ratios.filter((ratio) => Math.abs(ratio - 1) > 0.15).length;
  const share = Math.round((100 * apart) / ratios.length);
  t.match(
    manual.replaceAll(/\s+/g, " "),
    `more than 15 % off that of "Maize" in ${share} % of the cases (${apart} of ${ratios.length})`,
  );
});

t.test("each recipe prints the same medians and gaps", async (t) => {
  const dataset = await bundledDataset();
  const wanted = monthlyMedians(dataset);
  const gaps = wanted.filter(([, , count]) => count === 0);
  t.equal(wanted.length, 132);
  t.ok(gaps.length > 10 && gaps.length < 40, `${gaps.length} gaps`);
  const [example = ""] = /^month,median,prices\n(?:2.+\n)+/m.exec(manual) ?? [];
  t.strictSame(readMonths(example), wanted.slice(0, 2), "the manual shows them");

  await runRecipes(t, recipes, dataset, (t, printed) => expectMonths(t, readMonths(printed), wanted));
});

t.test("the recipes of measures print what the service answers", async (t) => {
  const dataset = await bundledDataset();
  const app = await startApp(t, dataset);
  const question = "product_uuid=8279063d-b290-5e29-a97f-e7b9ef6a7e2a&market_type=Wholesale";
  const anomalies = await app.signedGet(`/api/v1/prices/anomalies?${question}&month=2017-05`);
  const { data: entries } = JSON.parse(anomalies.text) as { readonly data: readonly AnswerEntry[] };
  const wanted: Figure[] = [];
  for (const { market, year_before: before, previous, five_years: usual, alps } of entries) {
    const seasonality = await app.signedGet(`/api/v1/prices/seasonality?${question}&market_uuid=${market.uuid}`);
    const { data: season } = JSON.parse(seasonality.text) as { readonly data: AnswerSeason };
    const ofMarket: [measure: string, month: string, value: number | undefined][] = [
      ["year_before", "2017-05", before?.change_percent],
      ["previous", "2017-05", previous?.change_percent],
      ["five_years", "2017-05", usual?.percent_of_usual],
      ["alps", "2017-05", alps?.value],
      ...Array.from({ length: 12 }, (_, at): [string, string, number | undefined] => [
        "seasonality",
        String(at + 1).padStart(2, "0"),
        season.months?.[at]?.index,
      ]),
    ];
    wanted.push(...ofMarket.map(([measure, month, value]) => ({ measure, market: market.name, month, value })));
  }
  t.equal(wanted.length, 5 * (4 + 12));
  const known = wanted.filter(({ value }) => value !== undefined);
  t.equal(known.length, 4 + 5 + 3 + 4 + 3 * 12, "some cannot be computed");

  await runRecipes(t, recipesOfMeasures, dataset, (t, printed) => {
    const found = readFigures(printed);
    t.strictSame(found.map(withoutValue), wanted.map(withoutValue));
    t.strictSame(
      found.filter(({ value }, at) => !isNear(value, wanted[at]?.value)),
      [],
    );
  });
  const [example = ""] = /^measure,market,month,value\n(?:\w.+\n)+/m.exec(manual) ?? [];
  const shown = readFigures(example);
  t.equal(shown.length, 3);
  const isShownRight = (line: Figure): boolean =>
    wanted.some(
      (figure) => isDeepStrictEqual(withoutValue(figure), withoutValue(line)) && isNear(figure.value, line.value),
    );
  t.ok(shown.every(isShownRight), "the manual shows some");
});

t.test("the recipes of comparable prices print what the service answers", async (t) => {
  const dataset = await bundledDataset();
  const app = await startApp(t, dataset);
  const path = "/api/v1/prices/index?product_uuid=8279063d-b290-5e29-a97f-e7b9ef6a7e2a&market_type=Wholesale";
  const { data: wanted } = JSON.parse((await app.signedGet(path)).text) as { readonly data: readonly AnswerMonth[] };
  t.equal(wanted.length, 171);
  const isSame = (line: Readonly<Record<string, string>> | undefined, month: AnswerMonth): boolean =>
    line?.["month"] === month.month &&
    Number(line["markets"]) === month.markets &&
    Number(line["component"]) === month.component &&
    isNear(Number(line["comparable_price"]), month.comparable_price);
  await runRecipes(t, recipesOfComparablePrices, dataset, (t, printed) => {
    const lines: Record<string, string>[] = parse(printed, { columns: true });
    t.equal(lines.length, wanted.length);
    t.strictSame(
      wanted.filter((month, at) => !isSame(lines[at], month)),
      [],
    );
  });
  const [example = ""] = /^month,comparable_price,markets,component\n(?:\d.+\n)+/m.exec(manual) ?? [];
  const shown: Record<string, string>[] = parse(example, { columns: true });
  t.ok(shown.length > 0 && shown.every((line, at) => isSame(line, wanted[at] as AnswerMonth)), "the manual shows some");
});

t.test("the recipes of two series print what the medians say", async (t) => {
  const dataset = await bundledDataset();
  const suspicious = suspiciousReasonsOf(dataset);
  const monthly = (county: string): Map<number, number> => {
    const found = plainPrices(dataset).filter(
      ({ uuid, product, market, county: { name }, unit, currency }) =>
        product.name === "Maize (white)" &&
        market.type === "Wholesale" &&
        name === county &&
        unit.baseUnit === "kg" &&
        currency === "KES" &&
        !suspicious.has(uuid),
    );
    const groups = Map.groupBy(found, monthOf);
    return new Map([...groups].map(([month, of]) => [month, median(of.map((p) => p.price / p.unit.conversionFactor))]));
  };
  const [a, b] = [monthly("Nairobi"), monthly("Mombasa")];
  const months = [...a.keys()].filter((month) => b.has(month)).sort((x, y) => x - y);
  const of = (series: Map<number, number>, month: number): number => series.get(month) as number;
  const [one, other] = [months.map((month) => of(a, month)), months.map((month) => of(b, month))];
  const { m: slope, b: intercept } = linearRegression(months.map((m) => [Math.log(of(b, m)), Math.log(of(a, m))]));
  const residual = (m: number): number => Math.log(of(a, m)) - intercept - slope * Math.log(of(b, m));
  const steps = months.filter((month) => months.includes(month - 1));
  const change = (series: Map<number, number>) => steps.map((m) => Math.log(of(series, m) / of(series, m - 1)));
  const lagged = steps.map((month) => residual(month - 1));
  const moved = steps.map((month) => residual(month) - residual(month - 1));
  const squares = sum(lagged.map((value) => value ** 2));
  const rate = sum(lagged.map((value, at) => value * (moved[at] as number))) / squares;
  const errors = sum(lagged.map((value, at) => ((moved[at] as number) - rate * value) ** 2)) / (steps.length - 1);
  const spread = one.map((value, at) => value - (other[at] as number));
  const variation = (values: readonly number[]) => sampleStandardDeviation([...values]) / mean([...values]);
  const wanted: Record<string, number> = {
    months: months.length,
    spread_mean: mean(spread),
    spread_deviation: sampleStandardDeviation(spread),
    correlation_of_changes: sampleCorrelation(change(a), change(b)),
    engle_granger_slope: slope,
    engle_granger_t: rate / Math.sqrt(errors / squares),
    variation_one: variation(one),
    variation_other: variation(other),
    terms_of_trade: median(one.map((value, at) => value / (other[at] as number))),
  };
  t.ok(months.length > 50 && steps.length < months.length, `${months.length} months with gaps`);
  const expectLines = (t: Test, lines: readonly Record<string, string>[]): void => {
    for (const { measure = "", value } of lines) {
      t.ok(Math.abs(Number(value) - (wanted[measure] ?? NaN)) < 1e-4, `${measure}: ${value} ${wanted[measure]}`);
    }
  };
  await runRecipes(t, recipesOfTwoSeries, dataset, (t, printed) => {
    const lines: Record<string, string>[] = parse(printed, { columns: true });
    t.strictSame(valuesOf(lines, "measure"), Object.keys(wanted));
    expectLines(t, lines);
  });
  const [example = ""] = /^measure,value\n(?:\w.+\n)+/m.exec(manual) ?? [];
  const shown: Record<string, string>[] = parse(example, { columns: true });
  t.equal(shown.length, Object.keys(wanted).length);
  expectLines(t, shown);
});

/** The parts of the answers that the recipes print. */
interface AnswerMonth {
  readonly month: string;
  readonly comparable_price: number;
  readonly markets: number;
  readonly component: number;
}

interface AnswerEntry {
  readonly market: { readonly uuid: string; readonly name: string };
  readonly year_before: { readonly change_percent: number } | null;
  readonly previous: { readonly change_percent: number } | null;
  readonly five_years: { readonly percent_of_usual: number } | null;
  readonly alps: { readonly value: number } | null;
}

interface AnswerSeason {
  readonly months: readonly { readonly month: number; readonly index: number }[] | null;
}

/** A line of a recipe of measures; no value where it cannot be computed. */
interface Figure {
  readonly measure: string;
  readonly market: string;
  readonly month: string;
  readonly value: number | undefined;
}

/** The service rounds figures to 6 decimals, and prices per kilogram of its export as well. */
function isNear(value: number | undefined, expected: number | undefined): boolean {
  return value === undefined || expected === undefined ? value === expected : Math.abs(value - expected) < 5e-6;
}

function withoutValue({ measure, market, month }: Figure): object {
  return { measure, market, month };
}

function readFigures(text: string): Figure[] {
  const rows: Record<string, string>[] = parse(text, { columns: true });
  return rows.map(({ measure = "", market = "", month = "", value = "" }) => {
    return { measure, market, month, value: value === "" ? undefined : Number(value) };
  });
}

/** @param keys Those that scripts read. */
function environmentOf({ port }: RunningApp, keys: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  // Python would leave what it compiles beside the recipes.
  return { ...process.env, BASE_URL: `http://127.0.0.1:${port}`, PYTHONDONTWRITEBYTECODE: "1", ...keys };
}

/** Runs those whose language is installed here. */
async function runRecipes(
  t: Test,
  recipesToRun: readonly Recipe[],
  dataset: Dataset,
  expectPrinted: (t: Test, printed: string) => void,
): Promise<void> {
  const app = await startApp(t, dataset, { deps: { now: Date.now } });
  const env = environmentOf(app, { SIGNING_KEY: secretKey });
  for (const { file, command, probe } of recipesToRun) {
    const isInstalled = await run(command, probe).then(
      () => true,
      () => false,
    );
    await t.test(file, { skip: !isInstalled && `${command}, or a package of it, is not installed` }, async (t) => {
      const { stdout, stderr } = await run(command, [join(folder, file)], { env });
      expectPrinted(t, stdout);
      t.equal(stderr, "");
      await t.rejects(run(command, [join(folder, file)], { env: { ...env, SIGNING_KEY: "svc_sec_wrong" } }), {
        code: 1,
      });
    });
  }
}

/** Prints the same facts by each helper: of JSON answers, of pages, of an export, and of what is refused. */
const useOfHelpers = [
  {
    command: "/usr/bin/python3",
    probe: ["-c", "import pandas"],
    flag: "-c",
    script: `
import sys; sys.path.insert(0, FOLDER)
import farm_prices as f
maize = "8279063d-b290-5e29-a97f-e7b9ef6a7e2a"
print(f.ask("/api/v1/products", search="mahindi & co", detail=True)["meta"]["total"])
print(len(list(f.pages("/api/v1/markets", county_id=47, page_size=7))))
prices = f.frame("/api/v1/exports/prices.csv", product_uuids=[maize], county_id=47, start_date="2019-01-01")
print(len(prices), prices["date"].dt.year.min(), str(prices["recorded_at"].dt.tz))
assert len(f.rows("/api/v1/exports/prices.csv", product_uuids=[maize], county_id=47, start_date="2019-01-01")) == len(prices)
search = {"product_uuid": maize, "county_id": 47, "start_date": "2019-01-01"}
assert len(list(f.pages("/api/v1/prices/search", search))) == len(prices)
days = {"start_date": "2020-01-01", "end_date": "2020-12-31"}
assert f.ask("/api/v1/prices/statistics", {"product_uuid": maize, **days})["data"]["overall"]["total_samples"] > 0
assert f.ask("/api/v1/markets", county_id=47, search=None) == f.ask("/api/v1/markets", county_id=47)
try:
    f.ask("/api/v1/markets", county_id=48)
except f.ServiceError as error:
    print(error.status, error.code)
`,
    printed: /^\d+\n\d+\n(\d+) 2019 UTC\n400 VALIDATION_ERROR\n$/,
  },
  {
    command: "Rscript",
    probe: ["-e", "stopifnot(requireNamespace('curl'), requireNamespace('openssl'), requireNamespace('jsonlite'))"],
    flag: "-e",
    script: `
source(file.path(FOLDER, "farm-prices.R"))
maize <- "8279063d-b290-5e29-a97f-e7b9ef6a7e2a"
cat(fp_ask("/api/v1/products", search = "mahindi & co", detail = TRUE)$meta$total, "\\n", sep = "")
cat(nrow(fp_pages("/api/v1/markets", county_id = 47, page_size = 7)), "\\n", sep = "")
prices <- fp_frame("/api/v1/exports/prices.csv", product_uuids = c(maize, maize), county_id = 47, start_date = "2019-01-01")
cat(nrow(prices), min(substr(prices$date, 1, 4)), "UTC\\n")
stopifnot(is.logical(prices$suspicious), is.logical(fp_frame("/api/v1/exports/markets.csv")$is_active))
refused <- tryCatch(fp_ask("/api/v1/markets", county_id = 48), error = conditionMessage)
stopifnot(grepl("county_id is 48, expected an integer from 1 to 47", refused, fixed = TRUE))
cat(substr(refused, 1, 20), "\\n", sep = "")
`,
    printed: /^\d+\n\d+\n(\d+) 2019 UTC\n400 VALIDATION_ERROR\n$/,
  },
] as const;

t.test("the helpers ask, page and make data frames, with a secret key and with a public one", async (t) => {
  const dataset = await bundledDataset();
  const markets = dataset.markets.filter(({ countyId }) => countyId === 47).length;
  const prices = plainPrices(dataset).filter(
    ({ product, county, day }) =>
      product.name === "Maize (white)" && county.name === "Nairobi" && dayText(day) >= "2019-01-01",
  ).length;
  t.ok(markets > 7 && prices > 10, `${markets} markets, ${prices} prices`);
  for (const { command, probe, flag, script, printed } of useOfHelpers) {
    const isInstalled = await run(command, probe).then(
      () => true,
      () => false,
    );
    await t.test(command, { skip: !isInstalled && `${command}, or a package of it, is not installed` }, async (t) => {
      const closed = await startApp(t, dataset, { deps: { now: Date.now } });
      const open = await startApp(t, dataset, { deps: { now: Date.now, exportAccess: "public" } });
      const text = script.replaceAll("FOLDER", JSON.stringify(folder));
      const { stdout } = await run(command, [flag, text], { env: environmentOf(closed, { SIGNING_KEY: secretKey }) });
      t.match(stdout, printed);
      t.strictSame(stdout.split(/\s/).slice(1, 3), [String(markets), String(prices)]);
      // Without the requests that need a signature whatever the operator has opened.
      const ofPublicKey = text.replace(/^.*\/prices\/(?:search|statistics).*$/gm, "");
      const env = environmentOf(open, { SIGNING_KEY: "", PUBLIC_KEY: publicKey });
      t.equal((await run(command, [flag, ofPublicKey], { env })).stdout, stdout);
    });
  }
});

t.test("so does the query for DuckDB, from the Parquet file that the service serves", async (t) => {
  const duckDb = await loadDuckDb().catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    t.comment("DuckDB is not installed beside the benchmarks: its recipe is not run");
  });
  if (duckDb === undefined) return;
  const dataset = await bundledDataset();
  const { id } = dataset.snapshot;
  const place = t.testdir({});
  const data = join(place, "data");
  await cp(bundledFolder, data, { recursive: true, filter: (path) => basename(path) !== "downloads" });
  await makeDownloads(data, id as SnapshotId);
  const app = await startApp(t, dataset, { deps: { downloads: new DownloadFiles(data) } });
  const { status, bytes } = await app.signedGet(`/api/v1/downloads/${id}/prices.parquet`);
  t.equal(status, 200);
  await writeFile(join(place, "prices.parquet"), bytes);

  const connection = await (await duckDb.DuckDBInstance.create(":memory:")).connect();
  await connection.run(`SET file_search_path = '${place}'`);
  const query = await connection.prepare(readFileSync(join(folder, queryFile), "utf8"));
  const rows = (await query.runAndReadAll()).getRows();
  expectMonths(
    t,
    rows.map(([month, median, count]) => [String(month), median === null ? undefined : Number(median), Number(count)]),
    monthlyMedians(dataset),
  );
});

function expectMonths(t: Test, found: readonly Month[], wanted: readonly Month[]): void {
  t.strictSame(
    found.map(([month, , count]) => [month, count]),
    wanted.map(([month, , count]) => [month, count]),
  );
  // Languages write 32.123889000000005 with 15 to 17 digits.
  const different = found.filter(([, median], at) => {
    const expected = wanted[at]?.[1];
    return median === undefined || expected === undefined
      ? median !== expected
      : Math.abs(median - expected) > 1e-9 * expected;
  });
  t.strictSame(different, []);
}

function readMonths(text: string): Month[] {
  const [head, ...lines] = text.trimEnd().split("\n");
  if (head !== "month,median,prices") throw new Error(`the header is ${head}, expected month,median,prices`);
  return lines.map((line) => {
    const [month = "", median = "", count = ""] = line.split(",");
    return [month, median === "" ? undefined : Number(median), Number(count)];
  });
}

/** The slow and obvious way. */
function monthlyMedians(dataset: Dataset): Month[] {
  const names = ["Maize", "Maize (white)", "Maize (white, dry)"];
  const prices = plainPrices(dataset).filter(
    ({ product, market, county, currency, unit }) =>
      names.includes(product.name) &&
      market.type === "Wholesale" &&
      county.name === "Nairobi" &&
      currency === "KES" &&
      unit.baseUnit === "kg",
  );
  return Array.from({ length: 11 * 12 }, (_, at) => {
    const month = `${2015 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, "0")}`;
    const values = prices
      .filter(({ day }) => dayText(day).startsWith(month))
      .map(({ price, unit }) => Math.round((price / unit.conversionFactor) * 1e6) / 1e6)
      .sort((a, b) => a - b);
    const [low, high] = [values[Math.ceil(values.length / 2) - 1], values[Math.floor(values.length / 2)]];
    return [month, low === undefined || high === undefined ? undefined : (low + high) / 2, values.length];
  });
}
