import { mkdtempSync, rmSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import t, { type Test } from "tap";
import type { SnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";
import { openSnapshot } from "../support/open-snapshots.ts";
import { currentOf, daysLater } from "../support/published-data.ts";
import { ndjson, testUuid } from "../support/snapshot-files.ts";
import { startApp } from "../support/start-app.ts";
import { projectFolder } from "../support/test-files.ts";
import { runCommand } from "./run-command.ts";
import type { ScriptResult } from "./run-script.ts";

interface PriceRow {
  uuid: string;
  product_uuid: string;
  market_uuid: string;
  price: number;
  unit: string;
  currency: string;
  recorded_at: string;
  source: string;
  created_at: string;
  updated_at: string;
  notes?: string;
}

/** Report of a command, as `--json` prints it, with its exit status. */
interface Report {
  readonly code: number;
  // biome-ignore lint/suspicious/noExplicitAny: what a report has is what the stories test
  readonly [field: string]: any;
}

interface Team {
  readonly root: string;
  readonly data: string;
  /** Prices of the part, by uuid. */
  readonly base: ReadonlyMap<string, PriceRow>;
  run(...args: string[]): Promise<ScriptResult>;
  json(...args: string[]): Promise<Report>;
  /** Writes a file of prices and appends it. */
  append(name: string, rows: readonly object[], ...args: string[]): Promise<Report>;
  file(name: string, rows: readonly object[]): Promise<string>;
  /** What readers get: all served prices by uuid. */
  served(): Promise<Map<string, Record<string, unknown>>>;
  current(): Promise<string>;
  /** Variables of all commands that follow. */
  readonly env: Record<string, string>;
}

const bundled = join(
  projectFolder,
  "data/snapshots",
  (await readFile(join(projectFolder, "data/CURRENT"), "utf8")).trim(),
);
const ifo = "8a005339-8cc4-5dce-87d9-2cf776b7e2e6";
const hagadera = "1bee8651-cbbc-5236-89b6-921c4763a048";
const markets = [ifo, hagadera, "f47e9860-8aa8-57cc-b4d0-13321a591bd0", "a059ab02-94fc-5b7c-abd1-61dd62418986"];
const text = await readFile(join(bundled, "prices.ndjson"), "utf8");
const rowsOfPart: PriceRow[] = text
  .trimEnd()
  .split("\n")
  .filter((line) => markets.some((uuid) => line.includes(uuid)))
  .map((line) => JSON.parse(line) as PriceRow)
  .filter(({ recorded_at: at }) => at >= "2024");
const products = new Map(
  (await readFile(join(bundled, "products.ndjson"), "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { uuid: string; name: string })
    .map(({ uuid, name }) => [name, uuid]),
);
const maize = String(products.get("Maize"));
const beans = String(products.get("Beans (dry)"));
const sugar = String(products.get("Sugar"));

/** The published part, made once. */
let made: Promise<string> | undefined;
async function makePart(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), "stories-"));
  process.on("exit", () => rmSync(root, { recursive: true, force: true }));
  const candidate = join(root, "candidate");
  await cp(bundled, candidate, { recursive: true });
  for (const name of ["withdrawals.ndjson", "changes.csv.gz", "manifest.json", "market-continuations.ndjson"]) {
    await rm(join(candidate, name), { force: true });
  }
  await writeFile(join(candidate, "prices.ndjson"), ndjson(rowsOfPart));
  const args = ["publish", "candidate", "--data-dir", "data", "--no-downloads"];
  const { code, stderr } = await runCommand("snapshot", args, root, {}, daysLater(0));
  if (code !== 0) throw new Error(stderr);
  return join(root, "data");
}

async function team(t: Test): Promise<Team> {
  made ??= makePart();
  const root = t.testdir({});
  const data = join(root, "data");
  await cp(await made, data, { recursive: true, preserveTimestamps: true });
  let day = 1;
  const env: Record<string, string> = { DATA_DIR: data };
  const run: Team["run"] = (...args) => runCommand("snapshot", args, root, env, daysLater(day++ / 100));
  const json: Team["json"] = async (...args) => {
    const { code, stdout, stderr } = await run(...args, "--json");
    try {
      return { ...JSON.parse(stdout), code, stderr };
    } catch {
      return { code, stderr, stdout };
    }
  };
  const file: Team["file"] = async (name, rows) => {
    await writeFile(join(root, name), ndjson(rows));
    return name;
  };
  return {
    ...{ root, data, run, json, file, env },
    base: new Map(rowsOfPart.map((row) => [row.uuid, row])),
    append: async (name, rows, ...args) => json("append", await file(name, rows), "--no-downloads", ...args),
    async served() {
      const out = join(root, "served.ndjson");
      const { code, stderr } = await run("export", "--format", "ndjson", "--out", out);
      if (code !== 0) throw new Error(stderr);
      const rows = (await readFile(out, "utf8")).split("\n").filter((line) => line.startsWith("{"));
      await rm(out);
      return new Map(
        rows.map((line) => JSON.parse(line) as Record<string, unknown>).map((row) => [String(row["uuid"]), row]),
      );
    },
    current: () => currentOf(data),
  };
}

let nextUuid = 10_000;
function row(fields: Partial<PriceRow> & Pick<PriceRow, "product_uuid" | "price">): PriceRow {
  return {
    uuid: testUuid(nextUuid++),
    market_uuid: ifo,
    unit: "kg",
    currency: "KES",
    recorded_at: "2026-05-02T06:00:00Z",
    source: "WFP",
    created_at: "2026-05-02T12:00:00Z",
    updated_at: "2026-05-02T12:00:00Z",
    ...fields,
  };
}

function rowsAt(market: string, product: string, unit = "kg"): PriceRow[] {
  return rowsOfPart.filter((it) => it.market_uuid === market && it.product_uuid === product && it.unit === unit);
}
function lastAt(market: string, product: string): PriceRow {
  return rowsAt(market, product).at(-1) as PriceRow;
}
function pricesOf(served: Map<string, Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries([...served].map(([uuid, { price }]) => [uuid, price]));
}
/** The warnings of a report of a kind, by uuid of the price. */
function warned(report: Report, kind = "suspicious"): string[] {
  const problems: { kind: string; price?: { uuid: string } }[] =
    report["warnings"]?.problems ?? report["problems"] ?? [];
  return problems.filter((it) => it.kind === kind).map((it) => it.price?.uuid ?? "");
}

/** The warning of a price in a report. */
function warningOf(report: Report, uuid: string): { found: string; usual_price: number; slip_factor: number | null } {
  return report["warnings"].problems.find((it: { price?: { uuid: string } }) => it.price?.uuid === uuid);
}

const quick = "--no-downloads";

t.test(
  "a slip at a known market warns, is refused by every name of the kind, and is marked if published",
  async (t) => {
    const it = await team(t);
    const before = await it.current();
    const slip = row({ product_uuid: sugar, price: 1250 });
    const bag = row({ product_uuid: beans, price: Math.round(lastAt(ifo, beans).price * 90) });
    const low = row({ product_uuid: sugar, market_uuid: hagadera, price: 12.5 });
    const right = row({ product_uuid: maize, market_uuid: hagadera, price: lastAt(hagadera, maize).price });
    const rows = [slip, bag, low, right];
    for (const name of ["suspicious", "decimal-slip", "unit-slip", "outlier", "all"]) {
      const refused = await it.run("append", await it.file("slips.ndjson", rows), "--strict", name);
      t.match(refused, { code: 1, stderr: /^slips\.ndjson:1: "price" is 1250, .*\n/ }, name);
      t.match(refused.stderr, /slips\.ndjson:3: /, name);
    }
    t.equal(await it.current(), before, "nothing is published");
    const report = await it.append("slips.ndjson", rows);
    t.match(report, { code: 0, ok: true, outcome: "appended", added: 4 });
    t.strictSame(new Set(warned(report)), new Set([slip.uuid, bag.uuid, low.uuid]));
    t.strictSame(report["warnings"].counts, { suspicious: 3 });
    t.match(warningOf(report, slip.uuid), { slip_factor: 10, found: /looks 10 times too high/ });
    t.ok(Math.abs(warningOf(report, slip.uuid).usual_price - 120) < 10);
    t.match(warningOf(report, bag.uuid), { slip_factor: 90, found: /looks like the price per 90 kg bag/ });
    t.match(warningOf(report, low.uuid), { found: /looks 10 times too low/ });
    const served = await it.served();
    for (const { uuid, price } of [slip, bag, low]) t.match(served.get(uuid), { price, suspicious: true });
    t.match(served.get(right.uuid), { suspicious: false });
    const far = row({ product_uuid: sugar, price: 418, recorded_at: "2026-05-03T06:00:00Z" });
    t.strictSame(warned(await it.append("far.ndjson", [far], "--dry-run")), [far.uuid], "3.48 times a stable series");
  },
);

t.test("42,000 for a bag at a new market does not pass the strict line of the manual", async (t) => {
  const it = await team(t);
  const market = { ...(await marketOf(ifo)), uuid: testUuid(7001), name: "Garissa Lodge", type: "Wholesale" };
  await writeFile(join(it.root, "markets.ndjson"), ndjson([{ ...market, source_ids: undefined }]));
  const before = await it.served();
  const bags = rowsAt("a059ab02-94fc-5b7c-abd1-61dd62418986", String(products.get("Maize (white, dry)")), "90 kg bag");
  const usual = bags.at(-1) as PriceRow;
  const known = { ...usual, notes: undefined, recorded_at: "2025-07-02T06:00:00Z", market_uuid: market.uuid };
  const wrong = { ...known, uuid: testUuid(7002), price: 42_000 };
  const name = await it.file("bag.ndjson", [wrong]);
  const strict = "suspicious,new-currency";
  const refused = await it.run("append", "markets.ndjson", name, "--strict", strict);
  t.match(refused, { code: 1, stderr: /^bag\.ndjson:1: "price" is 42000/ });
  t.strictSame(pricesOf(await it.served()), pricesOf(before));
  const right = { ...known, uuid: testUuid(7002), price: 4200 };
  await it.file("bag.ndjson", [right]);
  t.match(await it.json("append", "markets.ndjson", name, "--strict", strict, quick), { code: 0, added: 1 });
  t.match((await it.served()).get(testUuid(7002)), { price: 4200, market: "Garissa Lodge", suspicious: false });
});

t.test(
  "a correction that is a slip warns; older prices that become marked are counted and refuse nothing",
  async (t) => {
    const it = await team(t);
    const last = lastAt(ifo, sugar);
    const report = await it.append("slip.ndjson", [{ ...last, price: 1250 }]);
    t.strictSame(warned(report), [last.uuid]);
    t.match((await it.served()).get(last.uuid), { price: 1250, suspicious: true });
    const back = await it.append("right.ndjson", [last], "--strict", "all");
    t.match(back, { code: 0, replaced: 1, warnings: { total: 0 } });
    t.match((await it.served()).get(last.uuid), { price: 125, suspicious: false });
    t.match(await it.append("right.ndjson", [last]), { code: 0, outcome: "unchanged" });
    // Two prices of a new series support one another, until its other prices say otherwise.
    const camel = String(products.get("Millet (finger)"));
    const days = (first: number, count: number, price: number): PriceRow[] =>
      Array.from({ length: count }, (_, at) =>
        row({ product_uuid: camel, price, recorded_at: `2026-05-0${first + at}T06:00:00Z` }),
      );
    const alone = days(1, 1, 900);
    const first = await it.append("alone.ndjson", alone);
    t.equal(first["warnings"].counts["not-judged"], 1, "too few others");
    t.match((await it.served()).get(String(alone[0]?.uuid)), { suspicious: false });
    const others = await it.append("others.ndjson", days(2, 6, 90), "--strict", "suspicious");
    t.match(others, { code: 0, added: 6 }, "beside an older price that becomes marked");
    t.equal(others["warnings"].counts["newly-marked"], 1);
    t.match((await it.served()).get(String(alone[0]?.uuid)), { suspicious: true });
  },
);

t.test("an accepted price is warned of no more, also where its notes change", async (t) => {
  const it = await team(t);
  const slip = row({ product_uuid: sugar, price: 520 });
  t.strictSame(warned(await it.append("slip.ndjson", [slip])), [slip.uuid]);
  t.match(await it.json("accept-price", slip.uuid, "--reason", "Receipt", quick), { code: 0 });
  t.match((await it.served()).get(slip.uuid), { price: 520, suspicious: false });
  const noted = await it.append("noted.ndjson", [{ ...slip, notes: "Receipt 12" }], "--strict", "all");
  t.match(noted, { code: 0, replaced: 1, lapsed: [], warnings: { total: 0 } });
  t.match((await it.served()).get(slip.uuid), { suspicious: false, notes: "Receipt 12" });
  t.match(await it.json("accept-price", slip.uuid, "--undo", quick), { code: 0 });
  t.match((await it.served()).get(slip.uuid), { price: 520, suspicious: true });
});

t.test("an acceptance holds for price, unit, currency, product and market, and again when they are back", async (t) => {
  const it = await team(t);
  const first = row({ product_uuid: sugar, price: 520 });
  await it.append("first.ndjson", [first]);
  await it.json("accept-price", first.uuid, "--reason", "Receipt", quick);
  const accepted = (await readFile(join(it.data, "snapshots", await it.current(), "accepted.ndjson"), "utf8")).trim();
  const { uuid, product_uuid, market_uuid, price, unit, currency } = first;
  t.match(JSON.parse(accepted), { uuid, product_uuid, market_uuid, price, unit, currency, reason: "Receipt" });

  const slip = await it.run("append", await it.file("slip.ndjson", [{ ...first, price: 5200 }]), quick);
  t.match(slip, { code: 0, stdout: /1 acceptance no longer holds: 520 → 5200/ });
  t.match(slip.stderr, /suspicious \(1\)/);
  t.match((await it.served()).get(uuid), { price: 5200, suspicious: true });
  t.match((await it.run("log")).stdout, /1 acceptance no longer holds/);
  t.strictSame(await answered(t, it, uuid), { status: 200, price: 5200, suspicious: true });
  t.match(await it.append("back.ndjson", [first]), { code: 0, lapsed: [] });
  t.match(await it.run("rollback"), { code: 0, stdout: /1 acceptance no longer holds: 520 → 5200/ });
  t.match(await it.run("rollback"), { code: 0, stdout: /^(?![\s\S]*no longer holds)/ });
  t.match((await it.served()).get(uuid), { price: 520, suspicious: false });
  t.strictSame(await answered(t, it, uuid), { status: 200, price: 520, suspicious: false });

  for (const change of [
    { unit: "90 kg bag" },
    { currency: "USD" },
    { product_uuid: maize },
    { market_uuid: hagadera },
  ]) {
    const moved = await it.append("moved.ndjson", [{ ...first, ...change }]);
    t.match(moved, { code: 0, lapsed: [{ uuid }] }, JSON.stringify(change));
    t.same(Object.keys(moved["lapsed"][0].changed), Object.keys(change));
    t.match(await it.append("back.ndjson", [first]), { code: 0, lapsed: [] });
    t.match((await it.served()).get(uuid), { price: 520, suspicious: false }, "holds again");
  }
  const kept = (await readFile(join(it.data, "snapshots", await it.current(), "accepted.ndjson"), "utf8")).trim();
  t.equal(kept, accepted, "the list is as it was");
  await it.append("slip.ndjson", [{ ...first, price: 5200 }]);
  t.match(await it.json("accept-price", uuid, "--reason", "A sack", quick), { code: 0 }, "accepted once more");
  t.match((await it.served()).get(uuid), { price: 5200, suspicious: false });
});

t.test("a right price for a withdrawn one is kept, and reinstate serves it", async (t) => {
  const it = await team(t);
  const last = lastAt(ifo, sugar);
  await it.json("withdraw", last.uuid, "--reason", "Typing error", quick);
  const before = await it.served();
  t.notOk(before.has(last.uuid));
  const right = { ...last, price: 127 };
  const name = await it.file("right.ndjson", [right]);
  for (const args of [["--dry-run"], [quick]]) {
    const said = await it.run("append", name, ...args);
    t.match(said, { code: 0, stdout: new RegExp(`${last.uuid}`) });
    t.match(said.stdout, /reinstate/);
  }
  t.strictSame(pricesOf(await it.served()), pricesOf(before), "nothing changes for readers");
  t.match(await it.append("right.ndjson", [right]), { code: 0, outcome: "unchanged" }, "the same once more");
  t.match(await it.append("righter.ndjson", [{ ...last, price: 128 }]), { code: 0, kept_withdrawn: [last.uuid] });
  t.match(await it.json("reinstate", last.uuid, quick), { code: 0 });
  t.match((await it.served()).get(last.uuid), { price: 128 }, "the newest");
  await it.json("withdraw", last.uuid, "--reason", "Again", quick);
  t.match(await it.json("undo", "prices/righter.ndjson", quick), { code: 0 });
  t.notOk((await it.served()).has(last.uuid), "a withdrawal holds through an undo");
  await it.json("reinstate", last.uuid, quick);
  t.match((await it.served()).get(last.uuid), { price: 127 }, "what the files below say");

  const importTable = async (price: number, ...args: string[]): Promise<ScriptResult> => {
    const lines = ["Date,Market,County,Type,Commodity,Price,Unit,Currency"];
    lines.push(`2026-05-02,Ifo (Dadaab),Garissa,Retail,Sugar,${price},kg,KES`);
    lines.push("2026-05-02,Ifo (Dadaab),Garissa,Retail,Maize,66,kg,KES", "");
    await writeFile(join(it.root, "table.csv"), lines.join("\n"));
    const importing = ["table.csv", "--mapping", "map.json", ...args];
    return await runCommand("import-csv", importing, it.root, it.env, daysLater(1));
  };
  t.match(await importTable(1250, "--init", "--source", "Garissa"), { code: 0 });
  t.match(await importTable(1250, "--out", "records"), { code: 0 });
  t.match(await it.json("append", "records", quick), { code: 0, added: 2, warnings: { counts: { suspicious: 1 } } });
  const imported = [...(await it.served()).values()].find(
    ({ source, price }) => source === "Garissa" && price === 1250,
  );
  const uuid = String(imported?.["uuid"]);
  await it.json("withdraw", uuid, "--reason", "Typing error", quick);
  const importAgain = await importTable(125, "--out", "records", "--force");
  t.match(importAgain, { code: 0, stdout: new RegExp(`1250 → 125.*reinstate ${uuid}`) });
  t.match(await it.json("append", "records", quick), { code: 0, added: 0, kept_withdrawn: [uuid] });
  t.notOk((await it.served()).has(uuid));
  t.match(await it.json("reinstate", uuid, quick), { code: 0 });
  t.match((await it.served()).get(uuid), { price: 125, suspicious: false });
});

t.test("undo of an append by its id: all is served as before, and the same or a right table is appended", async (t) => {
  const it = await team(t);
  const last = lastAt(ifo, sugar);
  const before = await it.served();
  const rows = [
    row({ product_uuid: sugar, price: 126 }),
    row({ product_uuid: maize, price: 65 }),
    { ...last, price: 130 },
  ];
  const day = await it.append("day.ndjson", rows);
  const withDay = await it.served();
  const later = row({ product_uuid: maize, market_uuid: hagadera, price: 66 });
  await it.append("later.ndjson", [later]);
  const undone = await it.run("undo", String(day["id"]), quick, "--note", "Another county");
  t.match(undone, { code: 0, stdout: /^published .*: prices\/day\.ndjson taken back: 2 prices gone, 1 restored\n/ });
  const after = await it.served();
  t.strictSame(pricesOf(after), { ...pricesOf(before), [later.uuid]: 66 });
  t.match(await it.run("verify"), { code: 0 });
  t.match(await it.json("show", await it.current()), { note: "Another county" });
  t.notMatch(JSON.stringify(await it.json("show", await it.current())), "prices/day.ndjson");
  t.match(await it.append("day.ndjson", rows), { code: 0, outcome: "appended", added: 2, replaced: 1 });
  t.strictSame(pricesOf(await it.served()), { ...pricesOf(withDay), [later.uuid]: 66 });
  t.match(await it.json("undo", "prices/day.ndjson", quick), { code: 0 });
  const right = rows.map((it) => ({ ...it, price: it.price + 1 }));
  t.match(await it.append("day.ndjson", right), { code: 0, added: 2, replaced: 1 });
  t.match((await it.served()).get(last.uuid), { price: 131 });
});

t.test("after gc the id is refused, and the file takes the append back", async (t) => {
  const it = await team(t);
  const before = await it.served();
  const day = await it.append("day.ndjson", [row({ product_uuid: sugar, price: 126 })]);
  const later = row({ product_uuid: maize, price: 66 });
  await it.append("later.ndjson", [later]);
  t.match(await it.run("gc", "--keep", "1", "--min-age", "0s"), { code: 0 });
  const refused = await it.run("undo", String(day["id"]), quick);
  t.match(refused, { code: 1, stderr: /show/ }, "and names the way by the file");
  t.match((await it.run("show", await it.current())).stdout, /prices\/day\.ndjson/);
  t.match(await it.json("undo", "prices/day.ndjson", quick), { code: 0, outcome: "undone", gone: 1 });
  t.strictSame(pricesOf(await it.served()), { ...pricesOf(before), [later.uuid]: 66 });
  t.match(await it.run("verify"), { code: 0 });
});

t.test("rows that a later file has too stay as that says, and are listed", async (t) => {
  const it = await team(t);
  const last = lastAt(ifo, sugar);
  const before = await it.served();
  const added = row({ product_uuid: sugar, price: 126 });
  const alone = row({ product_uuid: maize, price: 66 });
  const first = await it.append("first.ndjson", [{ ...last, price: 121 }, added, alone]);
  const second = await it.append("second.ndjson", [
    { ...last, price: 122 },
    { ...added, price: 127 },
  ]);
  const report = await it.run("undo", String(first["id"]), quick);
  t.equal(report.code, 0);
  for (const { uuid } of [last, added]) t.match(report.stdout, uuid, "is listed");
  t.notMatch(report.stdout, alone.uuid);
  const pairs = { ...pricesOf(before), [last.uuid]: 122, [added.uuid]: 127 };
  t.strictSame(pricesOf(await it.served()), pairs);
  const back = await it.json("undo", String(second["id"]), quick);
  t.match(back, { code: 0, gone: 1, restored: 1, stays: [] });
  t.strictSame(pricesOf(await it.served()), pricesOf(before), "down to what the folder says");
  t.match(await it.run("verify"), { code: 0 });

  const corrected = await it.append("corrected.ndjson", [{ ...last, price: 131 }, added]);
  await mkdir(join(it.root, "feed"));
  const feed = rowsOfPart.map((it) => (it.uuid === last.uuid ? { ...it, price: 140 } : it));
  await it.file("feed/prices.ndjson", feed);
  t.match(await it.json("publish", "feed", "--replace-source", "WFP", "--prefer", "own", quick), { code: 0 });
  t.match((await it.served()).get(last.uuid), { price: 131 }, "own");
  t.match(await it.json("undo", String(corrected["id"]), quick), { code: 0, gone: 1, restored: 1 });
  t.strictSame(pricesOf(await it.served()), { ...pricesOf(before), [last.uuid]: 140 }, "what the new feed says");
  t.match(await it.run("verify"), { code: 0 });
});

t.test("a feed, a folder, a rollback, a decision and tables alone are refused with what to use", async (t) => {
  const it = await team(t);
  const folder = await it.current();
  const slip = row({ product_uuid: sugar, price: 520 });
  const own = await it.append("own.ndjson", [slip]);
  await mkdir(join(it.root, "feed"));
  await it.file("feed/prices.ndjson", rowsOfPart.slice(1));
  const ids: [string, string, RegExp][] = [["a whole folder", folder, /a whole folder.*rollback/]];
  const note = async (what: string, wanted: RegExp, ...args: string[]): Promise<void> => {
    const report = await it.json(...args);
    t.match(report, { code: 0 }, `${what}: ${report["stderr"]}`);
    ids.push([what, await it.current(), wanted]);
  };
  await note("a feed", /--replace-source/, "publish", "feed", "--replace-source", "WFP", quick);
  await note("a withdrawal", /reinstate/, "withdraw", slip.uuid, "--reason", "wrong", quick);
  await note("a reinstatement", /withdraw/, "reinstate", slip.uuid, quick);
  await note("an acceptance", /accept-price .*--undo/, "accept-price", slip.uuid, "--reason", "right", quick);
  await note("an undone acceptance", /accept-price UUID --reason/, "accept-price", slip.uuid, "--undo", quick);
  const market = { ...(await marketOf(ifo)), name: "Ifo" };
  await writeFile(join(it.root, "markets.ndjson"), ndjson([market]));
  await note("tables alone", /append the record as it should be/, "append", "markets.ndjson", quick);
  await it.json("withdraw", lastAt(ifo, maize).uuid, "--reason", "wrong", quick);
  await note("a rollback", /a rollback.*rollback/, "rollback", String(own["id"]));
  const served = pricesOf(await it.served());
  const current = await it.current();
  for (const [what, id, wanted] of ids) {
    const refused = await it.run("undo", id, quick);
    t.match(refused, { code: 1, stdout: "", stderr: wanted }, what);
    t.equal(refused.stderr.trim().split("\n").length, 1, `${what}: one line`);
  }
  const file = await it.run("undo", "prices.ndjson", quick);
  t.match(file, { code: 1, stderr: /was not appended, expected an append: publish --replace-source/ });
  t.equal(await it.current(), current);
  t.strictSame(pricesOf(await it.served()), served);
});

t.test("undone already is said with 0; what is not in what is served with 1", async (t) => {
  const it = await team(t);
  const before = await it.current();
  const day = await it.append("day.ndjson", [row({ product_uuid: sugar, price: 126 })]);
  const id = String(day["id"]);
  await it.json("rollback");
  const gone = await it.run("undo", id, quick);
  t.match(gone, { code: 1, stderr: /found none of its files in what is served, .* undo FILE/ });
  const none = { code: 1, stderr: /no prices file of what is served, expected the name of one, as show / };
  t.match(await it.run("undo", "prices/day.ndjson", quick), none);
  t.equal(await it.current(), before);
  await it.json("rollback", id);
  t.match(await it.json("undo", id, quick), { code: 0, outcome: "undone" });
  const undone = await it.current();
  for (const named of [id, "prices/day.ndjson"]) {
    t.match(await it.json("undo", named, quick), { code: 0, outcome: "unchanged" }, "twice");
    const said = await it.run("undo", named, quick);
    t.match(said, { code: 0, stdout: /nothing published/ });
  }
  t.equal(await it.current(), undone);
  t.match(await it.run("undo", "prices/none.ndjson", quick), none);
  const unknown = await it.run("undo", "20261120T083000Z-000000000000", quick);
  t.match(unknown, { code: 1, stderr: /cannot be read, .* undo FILE takes back one of the files that show / });
  t.equal(await it.current(), undone);
  t.match(await it.run("undo", "day", quick), { code: 1 });
  t.match(await it.run("undo"), { code: 2 });
  await it.json("rollback", id);
  t.match(await it.json("undo", id, quick), { code: 0, outcome: "undone" }, "served again, so undone again");
  t.equal((await it.served()).size, it.base.size);
});

t.test("undoing an undo is the table again", async (t) => {
  const it = await team(t);
  const last = lastAt(ifo, sugar);
  const rows = [row({ product_uuid: sugar, price: 126 }), { ...last, price: 130 }];
  const day = await it.append("day.ndjson", rows);
  const withDay = await it.served();
  const undo = await it.json("undo", String(day["id"]), quick);
  const refused = await it.run("undo", String(undo["id"]), quick);
  t.match(refused, { code: 1, stderr: /an undo, expected an append: append the table again, .*prices\/day/ });
  t.match(await it.append("day.ndjson", rows), { code: 0, added: 1, replaced: 1 });
  t.strictSame(pricesOf(await it.served()), pricesOf(withDay));
});

t.test("a dry run changes nothing, a draft is served once approved, and one on an old parent is refused", async (t) => {
  const it = await team(t);
  const before = await it.served();
  const day = await it.append("day.ndjson", [row({ product_uuid: sugar, price: 126 })]);
  const id = String(day["id"]);
  const names = async (): Promise<string[]> => (await readdir(it.data, { recursive: true })).sort();
  const files = await names();
  t.match(await it.json("undo", id, "--dry-run"), { code: 0, outcome: "would-undo", gone: 1 });
  t.strictSame(await names(), files);
  t.equal(await it.current(), id);
  const old = await it.append("old.ndjson", [row({ product_uuid: maize, price: 66 })], "--draft");
  const draft = await it.json("undo", id, "--draft", "--by", "Garissa office");
  t.match(draft, { code: 0, outcome: "drafted" });
  t.equal(await it.current(), id, "not yet");
  t.match((await it.run("drafts")).stdout, String(draft["id"]));
  t.match(await it.json("approve", String(draft["id"]), "--by", "Achieng"), { code: 0, outcome: "approved" });
  t.strictSame(pricesOf(await it.served()), pricesOf(before));
  const late = await it.run("approve", String(old["id"]), "--by", "Achieng");
  t.equal(late.code, 1, "on an old parent");
  t.match(late.stdout + late.stderr, /draft/);
  t.strictSame(pricesOf(await it.served()), pricesOf(before));
  t.match((await it.run("log")).stdout, /approve/);
});

t.test("an undo that would leave no price is refused", async (t) => {
  const it = await team(t);
  const day = await it.append("day.ndjson", [row({ product_uuid: sugar, price: 126 })]);
  const uuids = [...it.base.keys()];
  await writeFile(join(it.root, "uuids.txt"), `${uuids.join("\n")}\n`);
  const all = await it.json("withdraw", "--file", "uuids.txt", "--reason", "Not ours", quick);
  t.match(all, { code: 0 }, String(all["stderr"]));
  t.equal((await it.served()).size, 1);
  const current = await it.current();
  t.match(await it.run("undo", String(day["id"]), quick), { code: 1, stderr: /no price would be left/ });
  t.equal(await it.current(), current);
  t.equal((await it.served()).size, 1);
});

t.test("small tables stay and are listed with before and after; decisions on its prices stay, counted", async (t) => {
  const it = await team(t);
  const before = await it.served();
  const known = await marketOf(ifo);
  const added = { ...known, uuid: testUuid(7201), name: "Modogashe", source_ids: undefined };
  await writeFile(join(it.root, "markets.ndjson"), ndjson([{ ...known, name: "Ifo Camp" }, added]));
  const slip = row({ product_uuid: sugar, price: 520 });
  const gone = row({ product_uuid: maize, price: 66, market_uuid: added.uuid });
  const rows = [slip, gone, row({ product_uuid: maize, price: 65 })];
  const day = await it.json("append", "markets.ndjson", await it.file("day.ndjson", rows), quick);
  t.match(day, { code: 0, added: 3 });
  await it.json("accept-price", slip.uuid, "--reason", "Receipt", quick);
  await it.json("withdraw", gone.uuid, "--reason", "Wrong", quick);
  t.match(await it.json("undo", String(day["id"]), "--dry-run"), {
    outcome: "would-undo",
    undone: ["prices/day.ndjson"],
    stays: [],
    withdrawals: 1,
    acceptances: 1,
    lapsed: [],
    kept_changes: [
      { kind: "markets", change: "changed" },
      { change: "added", name: "Modogashe" },
    ],
  });
  const said = await it.run("undo", String(day["id"]), quick);
  t.match(said, { code: 0, stdout: /Ifo \(Dadaab\).*Ifo Camp/ });
  t.match(said.stdout, /Modogashe/);
  t.match(said.stdout, /1 withdrawal/);
  t.match(said.stdout, /1 acceptance/);
  t.notMatch(said.stdout, /in force/);
  const served = await it.served();
  t.strictSame(pricesOf(served), pricesOf(before));
  t.equal(served.get(lastAt(ifo, sugar).uuid)?.["market"], "Ifo Camp", "the name stays");
  t.match(await it.append("day.ndjson", rows), { code: 0 }, "the market is there for the table");
  const again = await it.served();
  t.notOk(again.has(gone.uuid), "withdrawn still");
  t.match(again.get(slip.uuid), { suspicious: false }, "accepted still");
  t.match(await it.run("verify"), { code: 0 });
});

t.test("rollback and approve go on beside an undo, and keep withdrawals", async (t) => {
  const it = await team(t);
  const before = await it.served();
  const day = await it.append("day.ndjson", [row({ product_uuid: sugar, price: 126 })]);
  const withDay = await it.served();
  t.match(await it.json("undo", String(day["id"]), quick), { code: 0 });
  t.match(await it.json("rollback"), { code: 0 }, "takes the undo back");
  t.strictSame(pricesOf(await it.served()), pricesOf(withDay));
  const wrong = lastAt(ifo, maize).uuid;
  await it.json("withdraw", wrong, "--reason", "Wrong", quick);
  t.match(await it.json("rollback", String(day["parent"])), { code: 0 });
  const { [wrong]: _gone, ...rest } = pricesOf(before) as Record<string, number>;
  t.strictSame(pricesOf(await it.served()), rest, "the withdrawal is kept");
  t.match(await it.json("rollback", String(day["id"]), "--without-withdrawals"), { code: 0 });
  t.strictSame(pricesOf(await it.served()), pricesOf(withDay), "exactly");
  const draft = await it.append("next.ndjson", [row({ product_uuid: maize, price: 66 })], "--draft");
  const broken = await it.run("approve", "20261120T083000Z-000000000000", "--by", "Achieng");
  t.equal(broken.code, 1);
  t.match(await it.json("approve", String(draft["id"]), "--by", "Achieng"), { code: 0 });
  t.equal((await it.served()).size, withDay.size + 1);
  t.match(await it.json("undo", String(draft["id"]), quick), { code: 0, gone: 1 }, "an approved append");
  t.strictSame(pricesOf(await it.served()), pricesOf(withDay));
  t.match(await it.run("verify"), { code: 0 });
});

t.test("an undo is in the log, in the changes of its snapshot, and pushed", async (t) => {
  const it = await team(t);
  it.env["PUSH_TO"] = join(it.root, "origin");
  const last = lastAt(ifo, sugar);
  const added = row({ product_uuid: sugar, price: 126 });
  const day = await it.append("day.ndjson", [added, { ...last, price: 130 }]);
  t.equal(day.code, 0);
  t.match(await answered(t, it, added.uuid), { status: 200, price: 126 });
  t.match(await answered(t, it, last.uuid), { status: 200, price: 130 });
  const undo = await it.json("undo", String(day["id"]), quick, "--by", "Garissa office", "--note", "Other county");
  t.equal(undo.code, 0);
  const current = await it.current();
  t.equal(undo["id"], current);
  t.match(await answered(t, it, added.uuid), { status: 404, suspicious: undefined });
  t.match(await answered(t, it, last.uuid), { status: 200, price: 125 });
  const changes = gunzipSync(await readFile(join(it.data, "snapshots", current, "changes.csv.gz"))).toString();
  t.match(changes, new RegExp(`^${added.uuid},.*,gone,126,`, "m"));
  t.match(changes, new RegExp(`^${last.uuid},.*,corrected,130,125,`, "m"));
  t.equal(changes.trim().split("\r\n").length, 3);
  const joined = await it.run("changes", String(day["parent"]), current, "--out", "joined.csv");
  t.equal(joined.code, 0);
  t.notMatch(await readFile(join(it.root, "joined.csv"), "utf8"), added.uuid, "it came and went");
  t.match((await it.run("log")).stdout, /Garissa office \S+ +undo .* 1 price restored.*Other county/);
  t.match((await it.run("log", "--price", added.uuid)).stdout, /undo/);
  t.match(await readFile(join(it.root, "origin/announcement.json"), "utf8"), current);
  const pushed = await readdir(it.env["PUSH_TO"], { recursive: true });
  t.ok(pushed.some((name) => name.includes(current)));
  const life = (await it.run("show", "--price", last.uuid)).stdout;
  t.match(life, /125/);
});

/** What the service answers about a price of sugar, over the current snapshot. */
async function answered(t: Test, it: Team, uuid: string): Promise<Record<string, unknown>> {
  const { store } = await openSnapshot(it.data, (await it.current()) as SnapshotId);
  const app = await startApp(t, undefined, { deps: { currentStore: () => store } });
  const { status, body } = await app.get(`/api/v1/prices/${uuid}`);
  const { data } = body as { data?: Record<string, unknown> };
  const question = { product_uuid: sugar, start_date: "2026-04-01", page_size: 100, detail: true };
  const found = await app.signedPost("/api/v1/prices/search", question);
  const prices = (found.body as { data: Record<string, unknown>[] }).data;
  const suspicious = prices.find((price) => price["uuid"] === uuid)?.["suspicious"];
  return { status, price: data?.["price"], suspicious };
}

async function marketOf(uuid: string): Promise<Record<string, unknown> & { uuid: string }> {
  const lines = (await readFile(join(bundled, "markets.ndjson"), "utf8")).trimEnd().split("\n");
  return JSON.parse(lines.find((line) => line.includes(uuid)) as string);
}
