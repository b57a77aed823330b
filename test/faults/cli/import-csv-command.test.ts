import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import t from "tap";
import { runCommand } from "../../cli/run-command.ts";
import { valuesOf } from "../../support/fields-of.ts";

const data = resolve(import.meta.dirname, "../../../data");
const manual = readFileSync(join(data, "SPREADSHEET.md"), "utf8");

/** The commands that the manual prints, a block each. */
function shellBlocks(): string[] {
  return [...manual.matchAll(/```sh\n(.*?)```/gs)].map(([, block = ""]) => block);
}

/** Does what a block says: here documents, `sed -i`, and `npm run import:csv`; other lines are for a person. */
async function follow(block: string, cwd: string): Promise<{ code: number | null; stdout: string; stderr: string }[]> {
  const results: { code: number | null; stdout: string; stderr: string }[] = [];
  const withoutFiles = block.replace(/^cat > (\S+) <<'END'\n(.*?)^END\n/gms, (_, name: string, content: string) => {
    writeFileSync(join(cwd, name), content);
    return "";
  });
  for (const line of withoutFiles.split("\n")) {
    const [, args] = /^npm run import:csv -- (.*)$/.exec(line) ?? [];
    if (args === undefined) continue;
    const words = [...args.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
    results.push(await runCommand("import-csv", words, cwd, { DATA_DIR: data }));
  }
  return results;
}

t.test("the example of the manual runs as printed", async (t) => {
  const cwd = t.testdir();
  const blocks = shellBlocks();
  const results = [];
  for (const block of blocks) results.push(...(await follow(block, cwd)));
  t.strictSame(valuesOf(results, "code"), [0, 1, 0], JSON.stringify(results));
  for (const { stdout, stderr } of results) {
    for (const line of `${stdout}${stderr}`.trimEnd().split("\n")) t.ok(manual.includes(line), line);
  }
  t.ok(existsSync(join(cwd, "kitui-records/prices.ndjson")));
});

t.test("wrong use is exit 2, a refusal exit 1, both with one line that says why", async (t) => {
  const cwd = t.testdir({ "a.csv": "Date,Market,Product,Price,Unit\n2026-05-02,Kitui Town,Beans,60,kg\n" });
  const run = (...args: string[]) => runCommand("import-csv", ["a.csv", ...args], cwd, { DATA_DIR: data });
  t.match(await run(), { code: 2, stderr: /--mapping/ });
  t.match(await run("--mapping", "m.json"), { code: 2, stderr: /^--out is missing/ });
  t.match(await run("--mapping", "m.json", "--init", "--out", "out"), {
    code: 2,
    stderr: /^--init writes a new mapping alone/,
  });
  t.match(await run("--mapping", "m.json", "--check", "c.xlsx", "--force"), {
    code: 2,
    stderr: /no --out and no --force/,
  });
  t.match(await run("--mapping", "m.json", "--out", "out"), {
    code: 1,
    stderr: /^m.json: no such file, expected a mapping/,
  });
  t.match(await run("--mapping", "m.json", "--init"), { code: 0, stdout: /written to m.json/ });
  t.match(await run("--mapping", "m.json", "--init"), { code: 1, stderr: /^m.json: is there already/ });
  t.match(await run("--mapping", "m.json", "--init", "--force"), { code: 2, stderr: /expected no --out, --check and/ });
  t.match(await run("--mapping", "m2.json", "--init", "--json"), { code: 0, stdout: /"header_row": 1/ });
  writeFileSync(join(cwd, "wide.csv"), "Product,Jan-26,Feb-26\nBeans,60,61\n");
  const wide = await runCommand("import-csv", ["wide.csv", "--init", "--mapping", "wide.json"], cwd, {
    DATA_DIR: data,
  });
  t.match(wide, { code: 0, stdout: /^to be completed: price, in "columns"; of a wide table "headings"$/m });
  t.match(wide.stdout, /^to be completed: date, .* or with --date\n.*market, in "columns" or "values"$/m);
  const right = await run("--mapping", "m.json", "--check", "right.xlsx");
  t.match(right, { code: 0, stdout: /^nothing is wrong; written to right.xlsx$/m });
  const imported = await run("--mapping", "m.json", "--out", "out", "--json");
  t.match(JSON.parse(imported.stdout), { ok: true, outcome: "imported", price_count: 1, left_out: [] });
  writeFileSync(join(cwd, "a.csv"), "Date,Market,Product,Price,Unit\n2026-05-02,Kitui Twon,Beans,nil,kg\n");
  const checked = await run("--mapping", "m.json", "--check", "wrong.xlsx");
  t.match(checked, { code: 1, stderr: /^2 problems: see the column "what is wrong" of wrong.xlsx$/m });
  t.match(checked.stderr, /^a.csv:2: "Market" is "Kitui Twon", expected the name of one market: Kitui Town, Kitui/m);
  t.notOk(existsSync(join(cwd, "matches.csv")), "nothing else is written");
  const refused = await run("--mapping", "m.json", "--out", "out2", "--json");
  t.equal(refused.code, 1);
  t.match(JSON.parse(refused.stdout), {
    ok: false,
    outcome: "refused",
    total: 1,
    problems: [{ line: 2 }],
    unmatched: [{ kind: "market", found: "Kitui Twon", row_count: 1 }],
  });
  t.notMatch(refused.stderr, /records match/);
  writeFileSync(join(cwd, "a.csv"), "Date,Market,Product,Price,Unit\n2026-05-02,Garissa Town,Beans,60,kg\n");
  const several = await run("--mapping", "m.json", "--matches", "several.csv", "--out", "out2");
  t.match(several.stderr, /^market "Garissa Town": 1 row, first in row 2$/m);
  t.match(
    refused.stderr,
    /^refused: 1 problem; 1 name without a match, or with several: complete "use" in matches.csv, and import again$/m,
  );
});
