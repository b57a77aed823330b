import { existsSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import type { Instant } from "../../../../src/engine/model/calendar.ts";
import { DatasetError, problemText } from "../../../../src/engine/snapshots/problem.ts";
import { kilometresFromCounty } from "../../../../src/publishing/importers/wfp/distance-from-kenya.ts";
import { importWfp } from "../../../../src/publishing/importers/wfp/import-wfp.ts";
import { runCommand } from "../../../cli/run-command.ts";
import { bundledFolder, bundledStore } from "../../../support/bundled-data.ts";

const header =
  "date,admin2,market,market_id,latitude,longitude,category,commodity,commodity_id,unit,priceflag,pricetype,currency,price,usdprice";

interface Cells {
  readonly date?: string;
  readonly county?: string;
  readonly market?: string;
  readonly marketId?: number;
  readonly point?: string;
  readonly good?: string;
  readonly goodId?: number;
  readonly type?: string;
  readonly price?: number;
  readonly usd?: number;
}

/** A row; of maize at Kathonzweni, as the bundled data has them, where nothing else is said. */
function row({ usd = 34.88, price = 4500, type = "Wholesale", ...cells }: Cells = {}): string {
  const { date = "2026-05-15", county = "Makueni", market = "Kathonzweni (Makueni)", marketId = 5666 } = cells;
  const { point = "-1.91,37.73", good = '"Maize (white)"', goodId = 67 } = cells;
  return `${date},${county},${market},${marketId},${point},cereals,${good},${goodId},90 KG,actual,${type},KES,${price},${usd}`;
}

/** The warnings of an import beside the bundled snapshot, or what refuses it, as texts without the name of the file. */
async function read(t: Test, rows: readonly string[], dataDirectory: string = bundledFolder): Promise<string[]> {
  const folder = t.testdir({ "f.csv": [header, ...rows, ""].join("\n") });
  const outputPath = join(folder, "out");
  let found: string[] = [];
  const now = Date.UTC(2026, 6, 1) as Instant;
  const onWarnings: Parameters<typeof importWfp>[0]["onWarnings"] = ({ problems }) => {
    found = problems.map((warning) => `${warning.kind} ${problemText(warning)}`);
  };
  await importWfp({ csvPath: join(folder, "f.csv"), outputPath, dataDirectory, now, onWarnings }).catch((error) => {
    if (!(error instanceof DatasetError)) throw error;
    t.notOk(existsSync(outputPath), "nothing is written");
    found = error.list.problems.map((problem) => `refused ${problemText(problem)}`);
  });
  return found;
}

t.test("an id with two names is refused, unless they differ in spelling alone", async (t) => {
  t.same(await read(t, [row({ good: "Quinoa", date: "2026-04-15" }), row()]), [
    'refused f.csv:3: "commodity" is "Maize (white)", expected the one name of commodity_id 67, which is "Quinoa" in line 2',
  ]);
  t.same(await read(t, [row(), row({ market: "Emali", date: "2026-04-15" }), row({ market: "Emali" })]), [
    'refused f.csv:3: "market" is "Emali", expected the one name of market_id 5666, which is "Kathonzweni (Makueni)" in line 2',
  ]);
  const spellings = ["Kathonzweni (Makueni)", "Kathonzweni", "KATHONZWENI"];
  t.same(await read(t, spellings.map((market) => row({ market })).reverse()), []);
});

t.test("a name that another record has is refused", async (t) => {
  const bean = '"Beans (dry)"';
  t.same(await read(t, [row({ good: bean })]), [
    'refused f.csv: "commodity" is "Beans (dry)", WFP:67, expected another name than that of WFP:262 in the snapshot',
  ]);
  t.match((await read(t, [row({ goodId: 9001, good: "Teff" }), row({ goodId: 9002, good: "TEFF" })]))[0], /WFP:900\d/);
});

t.test("a second market of a name, type and county is refused; another type or county is another market", async (t) => {
  t.same(await read(t, [row({ marketId: 99_999 })]), [
    'refused f.csv: "market" is "Kathonzweni", Makueni, Wholesale, WFP:99999, expected another name than that of WFP:5666 in the snapshot',
  ]);
  const twins = [90_001, 90_002].map((marketId) => row({ marketId, market: "Emali" }));
  t.match(await read(t, twins), [/WFP:9000\d, expected another name than that of WFP:9000\d in the export$/]);
  const kitui = { marketId: 90_002, market: "Emali", county: "Kitui", point: "-1.37,38.01" };
  t.same(await read(t, [row({ marketId: 90_001, market: "Emali" }), row(kitui)]), []);
  t.same(await read(t, [row({ marketId: 99_999, type: "Retail" })]), []);
});

t.test("a new name of a known market or product is warned of", async (t) => {
  t.same(await read(t, [row({ market: "Kathonzweni Market" })]), [
    'renamed f.csv: "market" is "Kathonzweni Market", expected "Kathonzweni" (WFP:5666)',
  ]);
  t.same(await read(t, [row({ good: "Quinoa" })]), [
    'renamed f.csv: "commodity" is "Quinoa", expected "Maize (white)" (WFP:67)',
  ]);
  t.same(await read(t, [row({ market: "Kathonzweni Market" })], t.testdirName), [], "nothing without a snapshot");
});

t.test("a point far from its county is warned of, a point beside it is not", async (t) => {
  t.match(await read(t, [row({ county: "Kisumu", marketId: 90_001, market: "Ahero", point: "-1.91,37.73" })]), [
    /^point-outside-county f\.csv:2: .* is -1\.91, 37\.73, 32\d km outside Kisumu, expected a point of "Ahero" \(market_id 90001\)/,
  ]);
  t.equal(kilometresFromCounty({ latitude: -1.91, longitude: 37.73 }, 17), 0, "Makueni");
  const markets = (await bundledStore()).catalogue.markets.map(({ record }) => record);
  const distances = markets.flatMap(({ location, countyId }) =>
    location ? kilometresFromCounty(location, countyId) : [],
  );
  t.equal(distances.length, 229);
  t.ok(
    Math.max(...distances) <= 10,
    `no market of the bundled data is ${Math.max(...distances)} km outside its county`,
  );
});

t.test("a rate far from those beside it is warned of, in the export and in the snapshot", async (t) => {
  t.same(await read(t, [row({ price: 4500, usd: 4500 })]), [
    'rate-jump f.csv: "KES per USD" is 1 in 2026-05, expected at most 20 % from the 129.1948 of 2026-04 in the snapshot',
  ]);
  const old = (month: string, usd: number): string => row({ date: `${month}-15`, price: 1000, usd });
  // Rates of 100, 119 and 143 before the first of the snapshot, which is 71.9 in 2006-01.
  t.match(await read(t, [old("2005-10", 10), old("2005-11", 8.4), old("2005-12", 7)], t.testdirName), []);
  t.match(await read(t, [old("2005-10", 10), old("2005-11", 8.4), old("2005-12", 6.9)], t.testdirName), [
    /is 144\.9275 in 2005-12, expected at most 20 % from the 119\.0476 of 2005-11$/,
  ]);
  t.same(await read(t, [old("2004-12", 7), old("2005-12", 10)], t.testdirName).then((found) => found.length), 1);
  t.same(await read(t, [old("2004-11", 7), old("2005-12", 10)], t.testdirName), [], "more than a year apart");
  t.match(await read(t, [old("2005-12", 7)]), [/is 142\.8571 in 2005-12, .* of 2006-01 in the snapshot$/]);
  t.match(await read(t, [old("2010-06", 1000)]), [/is 1 in 2010-06, .* of 2010-06 in the snapshot$/]);
});

t.test("--strict refuses kinds of warnings before anything is written", async (t) => {
  const folder = t.testdir({ "f.csv": `${header}\n${row({ market: "Kathonzweni Market", usd: 4500 })}\n` });
  const out = join(folder, "out");
  const run = (...options: string[]) =>
    runCommand("import-wfp", ["f.csv", "--out", out, "--data-dir", bundledFolder, ...options], folder);
  const refused = await run("--strict", "rate-jump");
  t.match(refused, { code: 1, stderr: /"KES per USD" is 1 in 2026-05/ });
  t.match(refused.stderr, /warning: renamed \(1\)/);
  t.match(refused.stderr, /1 problem, refused: 1 exchange rate far from the one before/);
  t.notOk(existsSync(out));
  t.equal((await run("--strict", "all")).code, 1);
  const expected = /Found "decimal-slip", expected all or some of renamed,point-outside-county,rate-jump/;
  t.match(await run("--strict", "decimal-slip"), { code: 2, stderr: expected });
  const warned = /warning: rate-jump \(1\): exchange rates far/;
  t.match(await run("--strict", "point-outside-county"), { code: 0, stderr: warned });
  t.ok(existsSync(out));
});
