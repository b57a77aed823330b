import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import t, { type Test } from "tap";
import {
  marketRow,
  priceRow,
  priceRows,
  productRow,
  testUuid,
  writeCurrentSnapshot,
  writeRecords,
} from "../support/snapshot-files.ts";
import { runCommand } from "./run-command.ts";

const evil = "\u001b[2Jred\u009b31m \u202eabc\u2069\nforged line\r\u2028x";
const shown = "\\u001b[2Jred\\u009b31m \\u202eabc\\u2069\\nforged line\\r\\u2028x";

/** Asserts that a text is printable, apart from its own line ends. */
function isPrintable(t: Test, printed: string, what: string): void {
  t.notMatch(printed.replaceAll("\n", ""), /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u, what);
  t.notMatch(printed, /^forged/m, what);
}

t.test("notes, attributions and names from files reach no terminal raw", async (t) => {
  const root = t.testdir({});
  const [candidate, data] = [join(root, "candidate"), join(root, "data")];
  const snapshot = (...args: readonly string[]) => runCommand("snapshot", args, root, { DATA_DIR: data });
  // Such texts are refused where they are handed in; a snapshot that was published before may have them.
  const manifest = { note: evil, attribution: [evil, "second"] };
  const before = await writeCurrentSnapshot(data, { manifest });

  const list = await snapshot("list");
  isPrintable(t, list.stdout, "list");
  t.match(list.stdout, shown);
  t.equal(list.stdout.trimEnd().split("\n").length, 2, "one line a snapshot");
  const show = await snapshot("show", before);
  isPrintable(t, show.stdout, "show");
  t.match(show.stdout, `note:        ${shown}\n`);
  t.match(show.stdout, `attribution: ${shown}; second\n`);
  const json = await snapshot("show", before, "--json");
  isPrintable(t, json.stdout, "show --json");
  t.match(JSON.parse(json.stdout), { note: evil, attribution: [evil, "second"] });

  const [product, market] = [testUuid(71), testUuid(72)];
  const tables = {
    products: [productRow(), productRow({ uuid: product, name: evil })],
    markets: [marketRow(), marketRow({ uuid: market, name: evil })],
    prices: [...priceRows(1), priceRow({ uuid: testUuid(73), product_uuid: product, market_uuid: market })],
  };
  await writeRecords(candidate, tables, { "manifest.json": JSON.stringify(manifest) });
  const dry = await snapshot("publish", candidate, "--dry-run");
  t.equal(dry.code, 1);
  isPrintable(t, dry.stdout + dry.stderr, "publish --dry-run");
  t.match(dry.stderr, 'products.ndjson:2: "name" is U+001B in "\\u001b[2J');
  const after = await writeCurrentSnapshot(data, { tables, createdAt: "2026-02-02T08:30:00Z", parent: before });
  const diff = await snapshot("diff", before, after);
  isPrintable(t, diff.stdout, "diff");
  t.match(diff.stdout, `  ${shown} at ${shown}\n`);
});

t.test("problems, file names and labels of keys reach no terminal raw", async (t) => {
  const root = t.testdir({});
  const candidate = join(root, "candidate");
  await writeRecords(candidate, { prices: [priceRow({ [evil]: 1, unit: evil, currency: evil })] });
  await writeFile(join(candidate, "\u001b[31m\u202e.json"), "");
  const { code, stderr } = await runCommand("snapshot", ["validate", candidate], root);
  t.equal(code, 1);
  isPrintable(t, stderr, "validate");
  t.match(stderr, "\\u001b[31m\\u202e.json: found a name outside the layout");

  const keys = (...args: readonly string[]) => runCommand("keys", args, root, { KEYS_FILE: "keys.json" });
  t.equal((await keys("issue", "--kind", "public", "--label", "board \u202ekcab")).code, 0);
  for (const args of [["list"], ["list", "--json"], ["revoke", "key_\u001b[2J\u009b"]]) {
    const { stdout, stderr: reported } = await keys(...args);
    t.ok(stdout + reported !== "");
    isPrintable(t, stdout + reported, args.join(" "));
  }
});

t.test("reading stops after 10,000 problems and says so", async (t) => {
  const root = t.testdir({});
  const [candidate, data] = [join(root, "candidate"), join(root, "data")];
  await mkdir(join(candidate, "prices"), { recursive: true });
  const blank = gzipSync(Buffer.alloc(20_000, "\n"));
  await writeRecords(candidate, {}, { "prices/blank.ndjson.gz": blank });
  const where = ["--data-dir", data];
  const stopped =
    /^10000 problems, refused: 10000 broken lines; found [^\n]*\nreading stopped there; the counts cover what was read until then\n$/m;
  for (const args of [
    ["validate", candidate],
    ["publish", candidate, ...where],
  ]) {
    const { code, stderr } = await runCommand("snapshot", args, root);
    t.equal(code, 1);
    t.match(stderr, stopped, args.join(" "));
    const json = JSON.parse((await runCommand("snapshot", [...args, "--json"], root)).stdout);
    t.match(json, { ok: false, total: 10_000, stopped: true, counts: { line: 10_000 } });
  }

  await writeRecords(candidate, {});
  await writeFile(join(candidate, "prices", "blank.ndjson.gz"), gzipSync(Buffer.alloc(10_000, "\n")));
  const whole = await runCommand("snapshot", ["validate", candidate], root);
  t.match(whole.stderr, /^10000 problems, refused: 10000 broken lines; found [^\n]*$/m);
  t.notMatch(whole.stderr, "stopped", "as many as are counted, and no more");

  await writeRecords(join(root, "first"), {});
  t.equal((await runCommand("snapshot", ["publish", join(root, "first"), ...where], root)).code, 0);
  await writeFile(join(root, "day.ndjson.gz"), blank);
  t.match(await runCommand("snapshot", ["append", "day.ndjson.gz", ...where], root), { code: 1, stderr: stopped });
});
