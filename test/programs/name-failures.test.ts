/** The failed tests that stand last, of real runs of tap in a folder of their own. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t, { type Test } from "tap";
import { projectFolder } from "../support/test-files.ts";

const importing = 'import t from "tap";\n';

/** The last lines that tap prints for test files, those behind its totals. */
function lastLines(
  t: Test,
  files: Readonly<Record<string, string>>,
  reporter: string,
  ...options: readonly string[]
): string[] {
  const folder = mkdtempSync(join(tmpdir(), "name-failures-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(projectFolder, "node_modules/tap"), join(folder, "node_modules/tap"));
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(join(folder, ".taprc"), "type-strip-only: true\ndisable-coverage: true\n");
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), importing + text);
  // In CI, the reporters for people print all at once and at the very end.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:_?TAP|CI$)/.test(name)));
  const hook = `--import=${join(projectFolder, "test/support/name-failures.ts")}`;
  const program = join(projectFolder, "node_modules/tap/dist/esm/run.mjs");
  const args = [hook, program, `--reporter=${reporter}`, ...options, ...Object.keys(files)];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: "utf8" });
  const lines = stdout.trimEnd().split("\n");
  return lines.slice(lines.findLastIndex((line) => line.startsWith("# time=")) + 1).filter((line) => line !== "");
}

for (const reporter of ["tap", "base"]) {
  t.test(`the names of failed tests are the last lines, reporter ${reporter}`, async (t) => {
    const files = {
      "a.test.mjs": `t.test("outer", async (t) => {
        t.ok(true, "passes");
        await t.test("inner", async (t) => t.equal(1, 2, "one is two"));
        t.ok(false, "is skipped", { skip: "why" });
        t.ok(false, "fails");
      });
      t.test("throws", async () => { throw new Error("thrown"); });`,
      "b.test.mjs": 't.ok(true, "passes");\nsetImmediate(() => process.kill(process.pid, "SIGKILL"));',
    };
    t.same(lastLines(t, files, reporter), [
      "failed:",
      "  a.test.mjs > outer > inner > one is two",
      "  a.test.mjs > outer > fails",
      "  a.test.mjs > throws > thrown",
      "  b.test.mjs",
    ]);
  });
}

t.test("a test that takes too long fails by its name, and those after it run", async (t) => {
  const hooks = join(projectFolder, "test/support/without-tap-hooks.ts");
  const text = `import ${JSON.stringify(hooks)};
    t.test("short", async (t) => t.ok(true, "passes"));
    t.test("long", async () => new Promise((done) => setTimeout(done, 60_000)));
    t.test("later", async (t) => t.equal(1, 2, "one is two"));`;
  const lines = lastLines(t, { "a.test.mjs": text }, "tap", "--timeout=2");
  t.match(lines.join("\n"), /^ {2}a\.test\.mjs > long > timeout!$/m);
  t.match(lines.join("\n"), /^ {2}a\.test\.mjs > later > one is two$/m);
});

t.test("where all pass, nothing follows the totals", async (t) => {
  t.same(lastLines(t, { "a.test.mjs": 't.ok(true, "passes");' }, "tap"), []);
});
