import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { BundledDataError, copyBundledData } from "../src/bundled-data.ts";
import { projectFolder } from "./support/test-files.ts";

/** Has the working directory be a folder without data while a test runs. */
function inEmptyFolder(t: Test, files: Parameters<Test["testdir"]>[0] = {}): string {
  const before = process.cwd();
  const folder = t.testdir(files);
  process.chdir(folder);
  t.teardown(() => process.chdir(before));
  return folder;
}

t.test("a folder without data gets the bundled snapshot, whole, once, and is then left as it is", async (t) => {
  const folder = inEmptyFolder(t);
  const lines = await Promise.all([copyBundledData({}), copyBundledData({ DATA_DIR: "" })]);
  t.equal(lines.filter((line) => line !== undefined).length, 1, "two starts at once");
  t.same(readdirSync(folder), ["data"], "nothing is left beside it");
  const id = readFileSync(join(folder, "data/CURRENT"), "utf8").trim();
  t.match(lines.join(""), id);
  const bundled = join(projectFolder, "data/snapshots", id);
  t.same(readdirSync(join(folder, "data/snapshots", id)).sort(), readdirSync(bundled).sort());
  t.ok(
    readFileSync(join(folder, "data/snapshots", id, "prices.ndjson")).equals(readFileSync(`${bundled}/prices.ndjson`)),
  );
  t.equal(await copyBundledData({}), undefined);
});

t.test("nothing is copied where the environment names data, or an origin", async (t) => {
  const folder = inEmptyFolder(t);
  t.equal(await copyBundledData({ DATA_DIR: "elsewhere" }), undefined);
  t.equal(await copyBundledData({ ORIGIN: "https://prices.example.org/kenya" }), undefined);
  t.equal(await copyBundledData({}, join(folder, "none")), undefined, "a copy of the program without data");
  mkdirSync(join(folder, "data"));
  t.equal(await copyBundledData({}), undefined);
  t.same(readdirSync(folder), ["data"]);
  t.same(readdirSync(join(folder, "data")), []);
});

const isRoot = process.geteuid?.() === 0;

t.test("a folder that cannot be written is named", { skip: isRoot && "root can write everywhere" }, async (t) => {
  const folder = inEmptyFolder(t);
  chmodSync(folder, 0o555);
  t.teardown(() => chmodSync(folder, 0o755));
  await t.rejects(copyBundledData({}), { constructor: BundledDataError, message: /data: cannot copy .*EACCES/ });
  t.notOk(existsSync(join(folder, "data")));
});

t.test("a bundled snapshot that is not whole leaves no folder", async (t) => {
  const folder = inEmptyFolder(t, { broken: { CURRENT: "20261128T182322Z-e4c501464332\n" } });
  await t.rejects(copyBundledData({}, join(folder, "broken")), { constructor: BundledDataError, message: /ENOENT/ });
  t.same(
    readdirSync(folder).filter((name) => name.startsWith("data")),
    [],
  );
});
