import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import { WrongUseError } from "../../src/cli/command.ts";
import { requireFileOrDirectory, requireWholeFolder } from "../../src/cli/snapshot/snapshot-command.ts";
import { cannotChangeUser, sharedFolder } from "../support/shared-folder.ts";
import { priceRow, priceRows, productRow, testUuid, writeRecords } from "../support/snapshot-files.ts";
import { runCommand } from "./run-command.ts";
import { runScript, type ScriptResult } from "./run-script.ts";

/** Runs the command; every path in the arguments is absolute. */
async function run(args: readonly string[], environment: Record<string, string> = {}): Promise<ScriptResult> {
  return await runCommand("snapshot", args, tmpdir(), environment);
}

t.test("validate prints the tables of a directory in order, and its warnings on stderr", async (t) => {
  const directory = t.testdir({});
  await writeRecords(directory, { products: [productRow(), productRow({ uuid: testUuid(7), name: "Rice" })] });
  const { stdout, ...rest } = await run(["validate", directory]);
  const rows = "1 county, 1 crop, 1 unit category, 1 market type, 2 products, 1 market, 1 price";
  t.match(stdout, new RegExp(`in order: ${rows}; checked in [0-9.]+ s\\n$`));
  t.ok(stdout.startsWith(`${directory}: `));
  t.same(rest, {
    code: 0,
    stderr:
      "warning: no-prices (1): products without prices\n" +
      '  products.ndjson:2: found "Rice" without any price, expected at least one\n' +
      "warning: not-judged (1): prices that nothing could judge\n",
  });
});

t.test("warnings are data with --json, and --strict refuses the kinds it names", async (t) => {
  const directory = t.testdir({});
  const products = [productRow(), productRow({ uuid: testUuid(7), name: "Rice" })];
  await writeRecords(directory, { products, prices: priceRows(2) });
  const { warnings } = JSON.parse((await run(["validate", directory, "--json"])).stdout);
  t.match(warnings, {
    total: 4,
    stopped: false,
    counts: { "repeated-price": 1, "no-prices": 1, "not-judged": 2 },
  });
  t.match(warnings.problems[0], {
    kind: "repeated-price",
    file: "prices.ndjson",
    line: 2,
    field: "price",
    price: {
      uuid: testUuid(101),
      product_uuid: testUuid(1),
      market: "Wakulima",
      recorded_at: "2026-01-15T06:00:00.000Z",
    },
  });
  t.match(await run(["validate", directory, "--strict", "suspicious, unit-slip"]), { code: 0 });
  t.match(await run(["validate", directory, "--strict", "no-prices"]), {
    code: 1,
    stdout: "",
    stderr:
      /^products\.ndjson:2: found "Rice" .*\nwarning: repeated-price \(1\): .*\n {2}prices\.ndjson:2: .*\nwarning: not-judged \(2\): .*\n1 problem, refused: 1 product without prices; found/,
  });
  const refused = await run(["validate", directory, "--strict", "all", "--json"]);
  t.equal(refused.code, 1);
  t.match(JSON.parse(refused.stdout), { ok: false, total: 2, problems: { length: 2 }, warnings: { total: 2 } });
  t.match(await run(["validate", directory, "--strict", "outliers"]), {
    code: 2,
    stderr: /Found "outliers", expected all or some of suspicious,copied-market,/,
  });
});

t.test("validate prints every problem and what it read on stderr, and exits with 1", async (t) => {
  const directory = t.testdir({});
  await writeRecords(directory, { prices: [priceRow({ price: 0 })] });
  t.match(await run(["validate", directory]), {
    code: 1,
    stdout: /^$/,
    stderr:
      /^prices\.ndjson:1: "price" is 0, expected a number above 0 and at most 1e12\n1 problem, refused: 1 invalid value; found among 1 county, 1 crop, 1 unit category, 1 market type, 1 product, 1 market, 1 price in [0-9.]+ s\n$/,
  });
  const { code, stdout } = await run(["validate", directory, "--json"]);
  t.equal(code, 1);
  t.match(JSON.parse(stdout), {
    ok: false,
    rows: { crops: 1, prices: 1 },
    total: 1,
    counts: { value: 1 },
    problems: [{ file: "prices.ndjson", line: 1, kind: "value" }],
    seconds: Number,
  });
});

t.test("publish makes a directory current, in --data-dir or DATA_DIR", async (t) => {
  const root = t.testdir({});
  const [candidate, data] = [join(root, "candidate"), join(root, "data")];
  await writeRecords(candidate);
  const first = await runScript("snapshot", ["publish", candidate, "--data-dir", data, "--note", " First "], root);
  t.equal(first.code, 0);
  const id = (await readFile(join(data, "CURRENT"), "utf8")).trimEnd();
  t.match(first.stdout, new RegExp(`^published ${id} in [0-9.]+ s: 1 county`));
  t.match(JSON.parse(await readFile(join(data, "snapshots", id, "manifest.json"), "utf8")), { note: "First" });

  t.match(await run(["publish", candidate], { DATA_DIR: data }), { code: 0, stdout: `${id} is current already` });
  await writeRecords(candidate, { prices: priceRows(2) });
  const dryRun = await run(["publish", candidate, "--json", "--dry-run", "--data-dir", data]);
  t.match(JSON.parse(dryRun.stdout), {
    ok: true,
    outcome: "would-publish",
    parent: id,
    warnings: { counts: { "repeated-price": 1 } },
  });
});

t.test("publish refuses what cannot be published and exits with 1", async (t) => {
  const root = t.testdir({ data: { CURRENT: "nonsense" } });
  const candidate = join(root, "candidate");
  await writeRecords(candidate);
  t.match(await run(["publish", candidate, "--data-dir", join(root, "data")]), {
    code: 1,
    stdout: /^$/,
    stderr: /CURRENT: found "nonsense", expected one line, the id of a snapshot\n$/,
  });
});

t.test("every command shows how it is used, in the order of the help", async (t) => {
  const decisions = ["accept-price", "withdraw", "reinstate"];
  const others =
    "drafts approve reject list show diff changes downloads export report preview log rollback undo announce forget-sequence push pin unpin publisher-key verify gc".split(
      " ",
    );
  const commands = ["validate", "publish", "append", ...decisions, ...others];
  const { stdout } = await run(["--help"]);
  const listed = stdout.slice(stdout.indexOf("Commands:"), stdout.indexOf("Examples:"));
  t.strictSame(
    [...listed.matchAll(/^ {2}([\w-]+)/gm)].map(([, name]) => name),
    [...commands, "help"],
  );
  const helps = await Promise.all(commands.map((command) => run([command, "--help"])));
  for (const [at, command] of commands.entries()) {
    t.match(helps[at], { code: 0, stdout: `Examples:\n  npm run snapshot -- ${command}` }, command);
  }
});

t.test("wrong use exits with 2", async (t) => {
  const directory = t.testdir({ file: "" });
  t.match(await run([]), { code: 2, stderr: /validate.*publish/s });
  t.match(await run(["publich"]), { code: 2, stderr: /unknown command 'publich'\n\(Did you mean publish\?\)/ });
  t.match(await run(["--data-dir", "data", "list"]), { code: 2, stderr: /unknown option '--data-dir'/ });
  t.match(await run(["validate", join(directory, "file")]), { code: 2, stderr: /file: no such directory\n$/ });
});

t.test(
  "a folder of prices alone is refused where a whole one is expected, with the commands that take it",
  async (t) => {
    const directory = t.testdir({});
    const rows = `${JSON.stringify(priceRow())}\n`;
    mkdirSync(join(directory, "import"));
    writeFileSync(join(directory, "import/prices.ndjson"), rows);
    writeFileSync(join(directory, "import/markets.ndjson"), "");
    mkdirSync(join(directory, "days/prices"), { recursive: true });
    writeFileSync(join(directory, "days/prices/1.ndjson"), rows);
    for (const name of ["import", "days"]) {
      const path = join(directory, name);
      for (const args of [
        ["validate", path],
        ["publish", path, "--data-dir", join(directory, "data")],
      ]) {
        t.match(await run(args), {
          code: 1,
          stdout: "",
          stderr: /: has prices and no counties\.json, .*append takes/,
        });
      }
    }
    writeFileSync(join(directory, "import/crops.json"), "[]");
    const { code, stderr } = await run(["validate", join(directory, "import")]);
    t.equal(code, 1);
    t.match(stderr, "counties.json: found no such file", "a table that is missing beside others is named");
  },
);

t.test("a path that this user may not look up is not called missing", { skip: cannotChangeUser }, async (t) => {
  const folder = sharedFolder(t);
  mkdirSync(join(folder, "home/records"), { recursive: true });
  writeFileSync(join(folder, "home/day.ndjson"), "");
  chmodSync(join(folder, "home"), 0o700);
  const messageOf = (error: unknown): string => (error instanceof WrongUseError ? error.message : String(error));
  // No command: this process imports its file, which another user may not be able to read.
  process.seteuid?.(1234);
  try {
    for (const [look, name] of [
      [requireWholeFolder, "records"],
      [requireFileOrDirectory, "day.ndjson"],
      [requireFileOrDirectory, "records"],
    ] as const) {
      const path = join(folder, "home", name);
      t.equal(await look(path).then(() => "found", messageOf), `${path}: may not be read by this user`);
    }
    const path = join(folder, "none");
    t.equal(await requireFileOrDirectory(path).then(() => "found", messageOf), `${path}: no such file`);
  } finally {
    process.seteuid?.(0);
  }
});
