import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import { readManifest } from "../../../src/engine/snapshots/manifest.ts";
import { problemsOf, reportsExactly } from "../../support/dataset-problems.ts";
import { writeSnapshot } from "../../support/snapshot-files.ts";

t.test("a manifest is read from its folder", async (t) => {
  const directory = t.testdir({});
  const id = await writeSnapshot(directory, { manifest: { note: "N" } });
  t.match(await readManifest(directory), { id, note: "N", utcOffset: 3 * 3_600_000, files: { length: 7 } });
});

t.test("a manifest that is missing, a link, or not one JSON object in UTF-8 is reported", async (t) => {
  t.same(await problemsOf(() => readManifest(t.testdir({}))), ["manifest.json: found no such file, expected a file"]);
  async function problemsOfText(t: Test, text: string | Buffer): Promise<readonly string[]> {
    return await problemsOf(() => readManifest(t.testdir({ "manifest.json": text })));
  }
  reportsExactly(t, await problemsOfText(t, "{"), [/^manifest\.json: found text that is not JSON/]);
  reportsExactly(t, await problemsOfText(t, "[]"), [/^manifest\.json: found \[\], expected one JSON object/]);
  reportsExactly(t, await problemsOfText(t, "\ufeff{}"), [/^manifest\.json: found text that is not JSON/]);
  reportsExactly(t, await problemsOfText(t, '{"format":1,"format":1}'), [
    'manifest.json: "format" is given twice, expected it once',
  ]);
  reportsExactly(t, await problemsOfText(t, Buffer.from([0x7b, 0xff, 0x7d])), [
    /^manifest\.json: found bytes that are not UTF-8/,
  ]);
  const directory = t.testdir({ folder: {} });
  await writeSnapshot(join(directory, "folder"));
  await writeFile(join(directory, "m.json"), await readFile(join(directory, "folder/manifest.json")));
  await mkdir(join(directory, "linked"));
  await symlink("../m.json", join(directory, "linked/manifest.json"));
  reportsExactly(t, await problemsOf(() => readManifest(join(directory, "linked"))), [/^manifest\.json: found a link/]);
});
