/** The commands on a dataset directory, as they are typed. What they do is tested in test/publishing/publish. */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { bytesText } from "../../src/cli/bytes-text.ts";
import { daysLater, publishedData } from "../support/published-data.ts";
import { marketRow, ndjson, priceRow, priceRows, testUuid } from "../support/snapshot-files.ts";
import { lacksOtherDisk, otherDisk } from "../support/why-skipped.ts";
import { runCommand } from "./run-command.ts";
import type { ScriptResult } from "./run-script.ts";

t.test("a day is appended, compared, listed, taken back, verified and removed", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 2);
  const [first, second] = ids;
  const run = (...args: string[]): Promise<ScriptResult> =>
    runCommand("snapshot", args, root, { DATA_DIR: data }, daysLater(9));
  const json = async (...args: string[]): Promise<Record<string, unknown>> => {
    return JSON.parse((await run(...args, "--json")).stdout);
  };
  await writeFile(join(root, "day.ndjson"), ndjson([priceRow({ price: 90 }), ...priceRows(1, 900)]));

  const dryRun = await run("append", "day.ndjson", "--dry-run");
  t.match(dryRun, { code: 0, stdout: /^would publish .*: 1 price added, 1 replaced\n/ });
  t.match(dryRun.stderr, /^warning: repeated-price \(1\): prices that stand twice\n {2}day\.ndjson:2: "price" is 60, /);
  t.match(dryRun.stdout, /^prices: 1 added, 0 gone, 1 changed$/m);
  t.equal((await readFile(join(data, "CURRENT"), "utf8")).trimEnd(), second, "a dry run changes nothing");
  const appended = await json("append", "day.ndjson", "--note", "Day");
  t.match(appended, { ok: true, outcome: "appended", parent: second, added: 1, replaced: 1, compiled: true });
  const third = String(appended["id"]);
  t.ok((await readdir(join(data, "downloads", third))).includes("prices.parquet"), "with its downloads");
  t.match(await run("downloads"), { code: 0, stdout: /downloads\/.* is there already\n$/ });
  t.match(await json("downloads", String(second)), { ok: true, id: second, outcome: "made" });
  t.match(await run("append", "day.ndjson"), {
    code: 0,
    stdout: `${third} has everything already, nothing published\n`,
  });
  t.match(await run("append", "none.ndjson"), { code: 2, stderr: "none.ndjson: no such file\n" });
  await writeFile(join(root, "again.ndjson"), ndjson(priceRows(1, 901)));
  t.match(await run("append", "again.ndjson", "--strict", "repeated-price"), {
    code: 1,
    stderr: /^again\.ndjson:1: "price" is 60, beside 60 of WFP .*\n1 problem, refused: 1 price that stands twice; /,
  });

  t.match(await json("diff", String(second), third), {
    rows: { prices: { added: 1, gone: 0, changed: 1 } },
    series_appearing: [],
  });
  t.match(await run("diff", String(second), third), { code: 0, stdout: /^prices: 1 added, 0 gone, 1 changed$/m });
  const changes = await run("changes", String(second), third, "--out", "changes.csv");
  t.match(changes, {
    code: 0,
    stdout: /1 publication: 1 price added, 1 replaced, 0 withdrawn, 0 gone\nwrote changes/,
  });
  t.match(await readFile(join(root, "changes.csv"), "utf8"), /^uuid,product,.*\r\n.*,corrected,60,90,,\r\n/);
  t.match(await run("changes", third, String(second)), { code: 1, stderr: /expected one that descends from/ });
  t.match(await json("list"), { current: third, snapshots: [{ id: third, note: "Day" }, { generation: 1 }, {}] });
  t.match(await run("list"), { code: 0, stdout: new RegExp(`${third} .* current +Day\n${second} .* parent\n`) });
  t.match(await run("show", third), { code: 0, stdout: /prices\/day\.ndjson +2 +[0-9.]+ k?B +1 +1 / });
  t.match(await json("show", third), { id: third, rejected_rows: 0, files: { length: 8 } });
  await writeFile(join(data, "snapshots", third, "rejected.ndjson"), '{"file":"prices.ndjson","line":3}\n');
  t.match(await run("show", third), { code: 0, stdout: /^rejected: +1 row, in rejected\.ndjson$/m });
  t.match(await run("validate", join(data, "snapshots", third)), { code: 0 }, "readers pass over it");

  t.match(await run("rollback"), { code: 0, stdout: new RegExp(`^rolled back from ${third} to ${second} in`) });
  t.match(await json("rollback", String(second)), { ok: true, outcome: "already-current" });
  t.match(await run("verify"), {
    code: 0,
    stdout: new RegExp(`^${second} is as it was published, its compiled store`),
  });
  const removal = ["gc", "--keep", "1", "--min-age", "0s"];
  t.match(await json(...removal, "--dry-run"), { dry_run: true, removed: [third, first], kept: [second] });
  t.match(await run(...removal), {
    code: 0,
    stdout: `removed snapshot ${third}\nremoved snapshot ${first}\nkept 1 snapshot\n`,
  });
  t.match(await run("show", String(first)), { code: 1, stderr: /no snapshot .* there\n$/ });
  await rm(join(data, "snapshots", String(second), "crops.json"));
  t.match(await run("verify"), {
    code: 1,
    stderr: /^crops\.json: found no such file, expected a file\n1 problem, refused/,
  });
});

t.test(
  "a feed is published beside own prices: losses and conflicts are refused, and both versions shown",
  async (t) => {
    const root = t.testdir({ feed: { "prices.ndjson": ndjson([priceRow({ price: 65 }), ...priceRows(19, 101)]) } });
    const { data } = await publishedData(root, 1);
    const run = (...args: string[]): Promise<ScriptResult> => runCommand("snapshot", args, root, { DATA_DIR: data });
    const json = async (...args: string[]): Promise<Record<string, unknown>> => {
      return JSON.parse((await run(...args, "--no-downloads", "--json")).stdout);
    };
    await writeFile(join(root, "markets.ndjson"), ndjson([marketRow({ uuid: testUuid(3), name: "Gikomba" })]));
    const own = priceRow({ uuid: testUuid(900), market_uuid: testUuid(3), source: "Field team", notes: "dry\nwet" });
    await writeFile(join(root, "own.ndjson"), ndjson([own, priceRow({ price: 70, quality_grade: "A" })]));
    const appended = await run("append", "markets.ndjson", "own.ndjson", "--no-downloads");
    t.match(appended, { code: 0, stdout: new RegExp(`^markets: added Gikomba \\(${testUuid(3)}\\)$`, "m") });
    t.match(appended.stdout, "markets: kept 1 that the new table does not have: Wakulima\n");

    const candidate = join(root, "candidate");
    const lost = await run("publish", "candidate", "--allow-shrink");
    t.match(lost, { code: 1, stderr: /no price of source "Field team".*\n.*appended price that would be .*\n/ });
    t.match(lost.stderr, /3 problems, refused: 3 prices that would be lost/);

    const conflict = [
      `conflict: Maize at Wakulima, ${testUuid(100)}`,
      "  base: 60 KES per kg, 2026-01-15, WFP",
      "  own:  70 KES per kg, 2026-01-15, WFP, grade A (prices/own.ndjson:2)",
      "  feed: 65 KES per kg, 2026-01-15, WFP (prices.ndjson:1)",
      "conflicts: 1, nothing published; --prefer own keeps what was appended, --prefer feed takes what the feed says",
      "",
    ].join("\n");
    for (const dryRun of [["--dry-run"], []]) {
      const refused = await run("publish", "feed", "--replace-source", "WFP", ...dryRun);
      t.strictSame(refused, { code: 1, stdout: "", stderr: conflict });
    }
    t.match(await json("publish", "feed", "--replace-source", "WFP"), {
      ok: false,
      outcome: "conflicts",
      feed: { conflicts: 1, rows: 20, rows_before: 20, carried_over: 1, corrections_kept: 0 },
      conflicts: [{ base: { price: 60 }, own: { price: 70, quality_grade: "A" }, feed: { price: 65, line: 1 } }],
    });
    const kept = await run("publish", "feed", "--replace-source", "WFP", "--prefer", "own", "--no-downloads");
    t.match(kept, { code: 0, stderr: /^conflict, own kept: Maize at Wakulima/ });
    t.match(kept.stdout, /^feed WFP: 20 rows, 20 before: 0 added, 1 changed, 0 dropped$/m);
    t.match(kept.stdout, /^carried over: 1 price of other sources, 0 corrections and 0 additions to the feed$/m);
    t.match(await json("publish", "feed", "--replace-source", "WFP"), {
      ok: true,
      outcome: "already-current",
      feed: { corrections_kept: 1, conflicts: 0 },
    });
    await writeFile(join(candidate, "prices.ndjson"), ndjson(priceRows(20)));
    t.match(await json("publish", "candidate", "--allow-loss", "--allow-shrink"), {
      outcome: "published",
      sources: [{ source: "Field team", before: 1, after: 0 }],
      changes: { rows: { prices: { gone: 1, changed: 1 }, markets: { gone: 1 } } },
    });

    const wrong: [string[], RegExp][] = [
      [["--prefer", "own"], /^--prefer is given without --replace-source/],
      [["--replace-source", "WFP", "--allow-loss"], /^--allow-loss is given with --replace-source/],
      [["--replace-source", " "], /^--replace-source is empty/],
      [["--replace-source", "WFP", "--prefer", "both"], /Allowed choices are own, feed/],
    ];
    for (const [args, stderr] of wrong)
      t.match(await run("publish", "feed", ...args), { code: 2, stderr }, args.join(" "));
  },
);

t.test("prices are withdrawn, reinstated and accepted, each with a reason", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 1);
  const run = (...args: string[]): Promise<ScriptResult> => runCommand("snapshot", args, root, { DATA_DIR: data });
  const [a, b] = [testUuid(100), testUuid(101)];
  await writeFile(join(root, "wrong.ndjson"), `${ndjson([priceRow()])}\n${b}\r\n`);
  const withdraw = ["withdraw", "--file", "wrong.ndjson", "--reason", "twice", "--no-downloads"];
  const dry = await run(...withdraw, "--dry-run");
  t.match(dry, { code: 0, stdout: /^would publish .*: 2 prices withdrawn\nit would have .* 18 prices\n/ });
  t.match(dry.stdout, /^prices: 0 added, 2 gone, 0 changed$/m);
  t.match(await run(...withdraw), { code: 0, stdout: /^published .*: 2 prices withdrawn\nit has .* 18 prices\n$/ });
  t.match(await run(...withdraw), { code: 0, stdout: "2 prices are withdrawn already, nothing published\n" });
  await writeFile(join(root, "day.ndjson"), ndjson(priceRows(3)));
  const append = await run("append", "day.ndjson", "--no-downloads");
  t.match(append, {
    code: 0,
    stdout: /^\S+ has everything already, nothing published\nwithheld because they are withdrawn: 2 prices\n$/,
  });
  const back = await run("rollback", String(ids[0]));
  t.match(back, {
    code: 0,
    stdout: /differs from .* by withdrawals alone, .*\nrollback ID goes to another, see list; reinstate undoes/,
  });
  const reinstated = JSON.parse((await run("reinstate", a, b, "--no-downloads", "--json")).stdout);
  t.match(reinstated, { ok: true, outcome: "published", ruled: [a, b], missing: 0, rows: { prices: 20 } });
  t.match(await run("rollback", String(ids[0]), "--without-withdrawals"), { code: 0, stdout: /^rolled back from/ });
  t.match(await run("list"), { stdout: /twice/ });

  t.match(await run("accept-price", a, "--reason", "seen"), { code: 1, stderr: /expected a price that is marked as/ });
  t.match(await run("withdraw", testUuid(999), "--reason", "x"), {
    code: 1,
    stderr: /999, expected the uuid of a price of the current snapshot\n1 problem, refused: 1 reference to nothing/,
  });
  const wrong: [string[], RegExp][] = [
    [["withdraw", a], /^--reason is missing/],
    [["withdraw", a, "--reason", " "], /^--reason is empty/],
    [["withdraw", a, "--reason", "x".repeat(2001)], /^--reason is too long, expected at most 2000 characters/],
    [["withdraw", a, "--reason", "x", "--by", "y".repeat(201)], /^--by is too long, expected at most 200 characters/],
    [["withdraw", "--reason", "x"], /^no uuid is given/],
    [["withdraw", "maize", "--reason", "x"], /Expected the uuid of a price/],
    [["withdraw", "--file", "none.txt", "--reason", "x"], /^none\.txt: found no such file, expected a file\n$/],
    [["withdraw", "--file", ".", "--reason", "x"], /^\.: found a directory, expected a regular file\n$/],
    [["withdraw", "--file", "day.ndjson.txt", "--reason", "x"], /^day\.ndjson\.txt:2: no uuid, expected one/],
    [["accept-price", a], /^--reason is missing/],
  ];
  await writeFile(join(root, "day.ndjson.txt"), `${a}\n{"uuid":7}\n`);
  for (const [args, stderr] of wrong) t.match(await run(...args), { code: 2, stderr }, args.join(" "));
});

t.test("each change is logged with who made it, and the log is shown", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 1);
  const run = (...args: string[]): Promise<ScriptResult> => runCommand("snapshot", args, root, { DATA_DIR: data });
  t.match(await run("log"), { code: 0, stdout: "no entry\n", stderr: /^warning: log\.ndjson: no such file; the next/ });
  await writeFile(join(root, "day.ndjson"), ndjson(priceRows(2, 900, { source: "New" })));
  const by = ["--by", "Akinyi", "--note", "Day", "--no-downloads"];
  await run("append", "day.ndjson", ...by, "--dry-run");
  await run("append", "day.ndjson", ...by);
  await run("withdraw", testUuid(100), "--reason", "twice", "--no-downloads");
  await run("rollback", String(ids[0]), "--without-withdrawals");
  await run("gc", "--keep", "1", "--min-age", "0s");
  const shown = await run("log");
  t.match(shown, { code: 0, stderr: "" });
  t.match(shown.stdout.split("\n"), [
    /^TIME +WHO +COMMAND +FROM +TO +COUNTS +NOTE/,
    /^20\S+ +Akinyi \(\S+@\S+\) +append +\S+ +\S+ +2 prices added, \d warnings? +Day$/,
    /^20\S+ +\S+@\S+ +withdraw +\S+ +\S+ +1 price withdrawn +twice$/,
    /^20\S+ +\S+@\S+ +rollback /,
    /^20\S+ +\S+@\S+ +gc +\S+ +- +2 snapshots removed/,
  ]);
  const json = JSON.parse((await run("log", "--json", "--price", testUuid(100))).stdout);
  t.match(json, {
    ok: true,
    price: testUuid(100),
    faults: [],
    unknown: Number,
    entries: [{ command: "withdraw", arguments: [testUuid(100), "--reason", "twice", "--no-downloads"], by: null }],
  });
  t.match(await run("log", "--price", "maize"), { code: 2, stderr: /^--price is no uuid/ });
  await writeFile(join(data, "log.ndjson"), "half");
  t.match(await run("verify"), { code: 0, stderr: /^warning: log\.ndjson:1: no entry, or half of one\n$/ });
});

t.test("a snapshot is looked at as a page, and as data", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 2);
  const [first, second] = ids;
  const run = (...args: string[]): Promise<ScriptResult> =>
    runCommand("snapshot", ["report", ...args], root, { DATA_DIR: data });
  const written = await run("--out", "report.html");
  t.match(written, {
    code: 0,
    stdout: new RegExp(`^wrote the report on ${second} to report.html in .* kB, .* warning\\n$`),
  });
  t.match(
    await readFile(join(root, "report.html"), "utf8"),
    new RegExp(`^<!doctype html>[^]*Compared with ${first}[^]*</html>\\n$`),
  );
  t.match(await run("--out", "report.html"), { code: 1, stderr: /report\.html: is there already/ });
  t.match(await run(), { code: 2, stderr: /--out is missing/ });
  const json = async (...args: string[]): Promise<object> => JSON.parse((await run("--json", ...args)).stdout);
  t.match(await json(), {
    ok: true,
    id: second,
    against: first,
    counts: { prices: 21 },
    changes: { rows: { prices: { added: 1, gone: 0, changed: 0 } } },
    warnings: { total: Number },
    prices: [{ product: String, months_before: Array, new_months: Array, marks: Array, new_count: 1 }],
  });
  t.match(await json(String(first)), { id: first, against: null, uncompared: /no snapshot before it/, changes: null });
  t.match(await json(String(first), "--against", String(second), "--out", "other.html"), {
    id: first,
    against: second,
    changes: { rows: { prices: { added: 0, gone: 1 } } },
    out: "other.html",
    bytes: Number,
  });
  await rm(join(data, "snapshots", String(first)), { recursive: true });
  t.match(await json(), { against: null, uncompared: new RegExp(`Its parent ${first} cannot be opened`) });
  t.match(await run("--against", String(first), "--json"), { code: 1, stdout: /"ok": false/ });
});

t.test("a snapshot is exported; a condition that a table does not take is wrong use", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 1);
  const run = (...args: string[]): Promise<ScriptResult> =>
    runCommand("snapshot", ["export", ...args], root, { DATA_DIR: data });
  const written = await run("--format", "csv", "--out", "prices.csv", "--min-price", "1.5");
  t.match(written, { code: 0, stdout: new RegExp(`^wrote the prices of ${ids[0]} to prices.csv in .* kB\\n$`) });
  t.match(await readFile(join(root, "prices.csv"), "utf8"), /^uuid,date,recorded_at,.*\r\n/);
  t.match(await run("--format", "csv", "--out", "prices.csv"), { code: 1, stderr: /is there already/ });
  const report = JSON.parse((await run(String(ids[0]), "--format", "records", "--out", "records", "--json")).stdout);
  t.match(report, { ok: true, id: ids[0], format: "records", out: "records", bytes: Number });
  const wrong: [string[], RegExp][] = [
    [["--format", "csv"], /--out/],
    [["--out", "x"], /--format/],
    [["--format", "xml", "--out", "x"], /Allowed choices are csv, ndjson, parquet, records/],
    [
      ["--format", "csv", "--out", "x", "--table", "markets", "--unit", "kg"],
      /^--unit is given with --table markets, expected only --county-id, --market-type, --search\n/,
    ],
    [["--format", "records", "--out", "x", "--unit", "kg"], /expected no condition/],
    [["--format", "csv", "--out", "x", "--product-uuids", "maize"], /Expected a UUID/],
    [["--format", "csv", "--out", "x", "--start-date", "2026-02-30"], /Expected an existing day/],
    [
      ["--format", "csv", "--out", "x", "--start-date", "2026-02-02", "--end-date", "2026-02-01"],
      /--start-date is after/,
    ],
    [["--format", "csv", "--out", "x", "--min-price", "-1"], /Expected a number/],
    [["--format", "csv", "--out", "x", "--min-price", "3", "--max-price", "2"], /^--min-price is above --max-price/],
    [["--format", "csv", "--out", "x", "--table", "markets", "--search", " "], /Expected a text/],
  ];
  for (const [args, stderr] of wrong) t.match(await run(...args), { code: 2, stderr }, args.join(" "));
});

t.test("help shows examples, and what is typed wrongly exits with 2", async (t) => {
  const root = t.testdir({});
  const run = (...args: string[]): Promise<ScriptResult> => runCommand("snapshot", args, root, { DATA_DIR: root });
  t.match(await run("--help"), { code: 0, stdout: /Examples:\n {2}npm run snapshot -- validate new-records/ });
  t.match(await run("show", "latest"), { code: 2, stderr: /Expected the id of a snapshot/ });
  t.match(await run("gc", "--min-age", "week"), { code: 2, stderr: /Expected an age, as a number of s, m, h or d/ });
  t.match(await run("gc", "--keep", "0"), { code: 2 });
  t.match(await run("list"), { code: 1, stderr: /CURRENT: found no such file.*\n.*no snapshot there\n$/ });
  const empty = await run("list", "--json");
  t.equal(empty.code, 1);
  t.match(JSON.parse(empty.stdout), { ok: false, current: null, current_fault: /no such file/, snapshots: [] });
});

t.test("sizes are written as people do", async (t) => {
  t.same([0, 999, 1000, 9_530_000, 999_600, 2e12].map(bytesText), ["0 B", "999 B", "1 kB", "9.53 MB", "1 MB", "2 TB"]);
});

t.test("before the downloads are made it says that the snapshot is served, and the last line is the end", async (t) => {
  const root = t.testdir({});
  const { data } = await publishedData(root, 1);
  await writeFile(join(root, "day.ndjson"), ndjson(priceRows(1, 900)));
  const environment = { DATA_DIR: data };
  const { code, stdout } = await runCommand("snapshot", ["append", "day.ndjson"], root, environment, daysLater(9));
  t.equal(code, 0);
  const [first = "", ...others] = stdout.trimEnd().split("\n");
  const [, id = ""] = /^published (\S+) in [\d.]+ s: 1 price added/.exec(first) ?? [];
  const [, served = ""] = /^published (\S+) in [\d.]+ s, served now; making downloads$/.exec(others.at(-2) ?? "") ?? [];
  t.equal(served, id);
  t.match(others.at(-1), /^made downloads, [\d.]+ k?B, in [\d.]+ s in all$/);
});

t.test("a line that the log lacks is printed behind the report, with JSON too, and the status says so", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 2);
  const run = (...args: string[]): Promise<ScriptResult> =>
    runCommand("snapshot", args, root, { DATA_DIR: data }, daysLater(9));
  await rm(join(data, "log.ndjson"), { force: true });
  await mkdir(join(data, "log.ndjson"));
  await writeFile(join(root, "day.ndjson"), ndjson([priceRow({ price: 90 }), ...priceRows(1, 900)]));
  await writeFile(join(root, "next.ndjson"), ndjson(priceRows(1, 950)));
  /** Runs a command. @returns The line that it prints, to be added. */
  const runUnlogged = async (code: number, done: RegExp, ...args: string[]): Promise<object> => {
    const { stderr, stdout, code: found } = await run(...args);
    const command = args.join(" ");
    t.equal(found, code, command);
    const [line = "", said = ""] = stderr.trimEnd().split("\n").toReversed();
    t.match(said, done, command);
    t.match(said, /, its line is missing or not flushed in log\.ndjson: .* found a directory.*; add it:$/, command);
    if (args.includes("--json")) t.match(JSON.parse(stdout), { ok: false, unfinished: ["log"] });
    return JSON.parse(line);
  };
  const line = await runUnlogged(3, /^published \S+,/, "append", "day.ndjson");
  t.match(line, { command: "append", arguments: ["day.ndjson"], from: ids[1], counts: { added: 1, replaced: 1 } });
  await runUnlogged(3, /^published /, "append", "next.ndjson", "--json");
  await runUnlogged(3, /^published /, "rollback", "--json");
  await runUnlogged(1, /^pinned to /, "pin", String(ids[1]), "--reason", "Fair");
  await runUnlogged(1, /^unpinned,/, "unpin", "--json");
});

t.test("drafts on another disk are refused in a line", { skip: lacksOtherDisk }, async (t) => {
  const root = t.testdir({});
  const { data } = await publishedData(root, 1);
  const drafts = await mkdtemp(join(otherDisk, "drafts-"));
  t.teardown(() => rm(drafts, { recursive: true }));
  await symlink(drafts, join(data, "drafts"));
  await writeFile(join(root, "day.ndjson"), ndjson(priceRows(1, 900)));
  const drafted = await runCommand("snapshot", ["append", "day.ndjson", "--draft"], root, { DATA_DIR: data });
  const stderr = /^(warning: .*\n {2}.*\n)*a file cannot be read or written: EXDEV: [^\n]*\n$/;
  t.match(drafted, { code: 1, stdout: "", stderr });
  t.strictSame((await readdir(join(data, "snapshots"))).length, 1);
});

t.test("the reason of a pin is a text that can be read again, or the pin is not made", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 1);
  for (const reason of ["", "a\u0007", "x".repeat(20_000)]) {
    const pin = ["pin", String(ids[0]), "--reason", reason];
    t.match(await runCommand("snapshot", pin, root, { DATA_DIR: data }), { code: 2, stderr: /^--reason / });
  }
  t.notOk(existsSync(join(data, "pin.json")));
  const unpin = () => runCommand("snapshot", ["unpin"], root, { DATA_DIR: data });
  t.match(await unpin(), { code: 0, stdout: "there is no pin, nothing changed\n" });
  await writeFile(join(data, "pin.json"), "{");
  t.match(await unpin(), { code: 0, stdout: "removed a pin that could not be read\n" });
});

t.test("where a bare rollback would change nothing, it names the snapshot that goes back further", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 2);
  const run = (...args: string[]): Promise<ScriptResult> =>
    runCommand("snapshot", args, root, { DATA_DIR: data }, daysLater(9));
  for (const number of [100, 101]) {
    t.match(await run("withdraw", testUuid(number), "--reason", "wrong", "--no-downloads"), { code: 0 });
  }
  const back = await run("rollback");
  t.match(back, { code: 0, stdout: new RegExp(`nothing changed\nrollback ${ids[0]} goes back further; reinstate`) });
  t.match(JSON.parse((await run("rollback", "--json")).stdout), { outcome: "only-withdrawals", further: ids[0] });
  t.match(await run("rollback", String(ids[0])), { code: 0, stdout: /to keep 2 withdrawals\n$/ });
});

t.test("reports count one thing in the singular and several in the plural", async (t) => {
  const root = t.testdir({});
  const { data } = await publishedData(root, 1);
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout } = await runCommand("snapshot", args, root, { DATA_DIR: data });
    t.equal(code, 0, args.join(" "));
    return stdout;
  };
  await writeFile(join(root, "one.ndjson"), ndjson(priceRows(1, 900)));
  await writeFile(join(root, "two.ndjson"), ndjson(priceRows(3, 900)));
  t.match(
    await run("append", "one.ndjson"),
    /: 1 price added, 0 replaced\nit has 1 county, 1 crop, 1 unit category, 1 /,
  );
  const appended = await run("append", "two.ndjson");
  t.match(appended, /: 2 prices added, 0 replaced\nleft out because the snapshot has it already: 1 price\n/);
  const [a, b, c] = [testUuid(900), testUuid(901), testUuid(902)] as const;
  t.match(await run("withdraw", a, "--reason", "wrong"), /: 1 price withdrawn\n/);
  t.match(await run("withdraw", a, "--reason", "wrong"), /^1 price is withdrawn already, nothing published\n/);
  t.match(await run("withdraw", a, b, c, "--reason", "wrong"), /: 2 prices withdrawn\nwithdrawn already: 1 price\n/);
  t.match(await run("append", "one.ndjson"), /\nwithheld because it is withdrawn: 1 price\n/);
  t.match(await run("append", "two.ndjson"), /\nwithheld because they are withdrawn: 3 prices\n/);
  t.match(await run("reinstate", a), /: 1 price reinstated\n/);
  t.match(await run("gc", "--keep", "1", "--min-age", "0s"), /\nkept 1 snapshot\n$/);
  const log = await run("log");
  for (const counts of [
    "1 price added",
    "2 prices added, 1 price known already",
    "1 price withdrawn",
    "1 price reinstated",
  ]) {
    t.match(log, new RegExp(`  ${counts}(,|  |\n)`), counts);
  }
  t.notMatch(log, /ruled|\b1 \w+s\b/);
});
