/** Commands whose output nobody reads, or that cannot print it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import t from "tap";
import { currentOf } from "../../support/published-data.ts";
import { priceRows, writeRecords } from "../../support/snapshot-files.ts";
import { lacksLinux } from "../../support/why-skipped.ts";

/** Runs a command whose output is not read; one of the two pipes is closed before it starts to write. */
async function runUnread(args: readonly string[], closed: "stdout" | "stderr", cwd: string): Promise<[number, string]> {
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const [script = "", ...rest] = args;
  const path = resolve(import.meta.dirname, `../../../scripts/${script}.ts`);
  const child = spawn(process.execPath, [path, ...rest], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  child[closed].destroy();
  const other = text(closed === "stdout" ? child.stderr : child.stdout);
  const [code] = await once(child, "close");
  return [code as number, await other];
}

t.test("a reader that has gone costs the rest of the output and nothing else", async (t) => {
  const root = t.testdir({});
  const [candidate, data] = [join(root, "candidate"), join(root, "data")];
  // Longer than a pipe holds (64 KiB on Linux).
  await writeRecords(
    candidate,
    { prices: priceRows(6).map((row, day) => ({ ...row, recorded_at: `2026-01-0${day + 1}T06:00:00Z` })) },
    { "manifest.json": JSON.stringify({ attribution: Array(90).fill("a".repeat(900)) }) },
  );
  const scripts = ["generate", "import-csv", "import-wfp", "keys", "reload", "sign"];
  const ends = await Promise.all([
    ...scripts.map((script) => runUnread([script, "--help"], "stdout", root)),
    runUnread(["keys", "--unknown"], "stderr", root),
  ]);
  t.same(ends, [...scripts.map(() => [0, ""]), [2, ""]]);
  const where = ["--data-dir", data];
  t.same(await runUnread(["snapshot", "publish", candidate, ...where], "stdout", root), [0, ""], "publish");
  const id = await currentOf(data);
  await writeRecords(candidate, { prices: priceRows(1000).map((row) => ({ ...row, price: 0 })) });
  const [report, object, problems] = await Promise.all([
    runUnread(["snapshot", "show", id, ...where], "stdout", root),
    runUnread(["snapshot", "show", id, "--json", ...where], "stdout", root),
    runUnread(["snapshot", "validate", candidate], "stderr", root),
  ]);
  t.same(report, [0, ""], "a long report");
  t.same(object, [0, ""], "a long object");
  t.same(problems, [1, ""], "problems");
});

t.test("a report that cannot be printed for another reason is reported", { skip: lacksLinux }, async (t) => {
  const script = resolve(import.meta.dirname, "../../../scripts/snapshot.ts");
  const child = spawn("sh", ["-c", `"${process.execPath}" "${script}" --help > /dev/full`]);
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  t.equal(code, 1);
  t.match(stderr, /^the report cannot be printed: ENOSPC[^\n]*\n$/);
});
