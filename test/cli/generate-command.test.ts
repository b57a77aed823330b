import { readdirSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { runCommand } from "./run-command.ts";
import { runScript } from "./run-script.ts";

const small = ["--prices", "200", "--seed", "3", "--products", "5", "--markets", "6", "--years", "2"];

t.test("a sample is written, reported, and valid", async (t) => {
  const folder = t.testdir();
  const { code, stdout, stderr } = await runScript("generate", [...small, "--out", "out"], folder);
  t.same([code, stderr], [0, ""]);
  t.match(stdout, /^Wrote 200 prices of 5 products at 6 markets, 2024-11-01 to 2026-10-31, seed 3: \d+ bytes in /);
  t.match(await runCommand("snapshot", ["validate", "out"], folder), {
    code: 0,
    stdout: /^out: in order: 47 counties, /,
  });
});

t.test("thousands are written as k, and a sample needs no seed", async (t) => {
  const folder = t.testdir();
  const options = ["--prices", "1k", "--products", "5", "--markets", "6", "--years", "2", "--out", "out"];
  const { code, stdout } = await runCommand("generate", options, folder);
  t.match({ code, stdout }, { code: 0, stdout: /^Wrote 1000 prices of 5 products .* seed 1: / });
});

t.test("--json reports one object", async (t) => {
  const folder = t.testdir();
  const { code, stdout } = await runCommand("generate", [...small, "--out", "out", "--json"], folder);
  t.equal(code, 0);
  t.match(JSON.parse(stdout), {
    ...{ prices: 200, seed: 3, products: 5, markets: 6, years: 2 },
    ...{ day_first: "2024-11-01", day_last: "2026-10-31", out: "out", bytes: Number, seconds: Number },
  });
});

t.test("a folder that is taken is refused with exit 1 and one line; --force replaces an earlier sample", async (t) => {
  const folder = t.testdir({ taken: { "thesis.txt": "" } });
  t.match(await runCommand("generate", [...small, "--out", "taken", "--force"], folder), {
    code: 1,
    stdout: "",
    stderr: /^taken: holds "thesis\.txt", expected an empty or a new folder\n$/,
  });
  t.match(await runCommand("generate", [...small, "--out", "out"], folder), { code: 0 });
  t.match(await runCommand("generate", [...small, "--out", "out"], folder), { code: 1, stdout: "" });
  t.match(await runCommand("generate", [...small, "--out", "out", "--force"], folder), { code: 0 });
  t.same(readdirSync(folder).sort(), ["out", "taken"]);
});

t.test("wrong use exits 2 and makes nothing", async (t) => {
  const folder = t.testdir();
  const wrongUses: readonly (readonly [message: string, args: readonly string[]])[] = [
    ["required option '--prices <n>' not specified", ["--seed", "1", "--out", "out"]],
    ["Expected a whole number from 1 to 100000000.", ["--prices", "101m", "--out", "out"]],
    ["Expected a whole number from 1 to 100000000.", ["--prices", "1.5k", "--out", "out"]],
    ["required option '--out <dir>' not specified", ["--prices", "1", "--seed", "1"]],
    ["Expected a whole number from 1 to 100000000.", ["--prices", "0", "--seed", "1", "--out", "out"]],
    ["Expected a whole number from 1 to 50.", ["--prices", "1", "--seed", "1", "--out", "out", "--years", "51"]],
    ["unknown option '--rows'", [...small, "--out", "out", "--rows", "5"]],
  ];
  const results = await Promise.all(wrongUses.map(([, args]) => runCommand("generate", args, folder)));
  for (const [index, [message]] of wrongUses.entries()) {
    t.match(results[index], { code: 2, stdout: "", stderr: message }, message);
  }
  t.same(readdirSync(join(folder)), []);
});
