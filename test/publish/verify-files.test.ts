import { chmod, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { readManifest } from "../../src/dataset/manifest.ts";
import { ProblemList, problemText } from "../../src/dataset/problem.ts";
import { verifyFiles } from "../../src/publish/verify-files.ts";
import { tellsExactly } from "../support/dataset-problems.ts";
import { ndjson, priceRow, priceRows, writeSnapshot } from "../support/snapshot-files.ts";

t.test("files that are what the manifest says give no problem, others are told by name", async (t) => {
  const directory = t.testdir({});
  await writeSnapshot(directory, { files: { "prices/a.ndjson": ndjson(priceRows(1, 200)) } });
  const manifest = await readManifest(directory);
  const told = async (): Promise<readonly string[]> => {
    const problems = new ProblemList();
    await verifyFiles(directory, manifest, problems);
    return problems.problems.map(problemText);
  };
  t.same(await told(), []);
  await writeFile(join(directory, "prices.ndjson"), ndjson([priceRow({ price: 61 })]));
  await writeFile(join(directory, "prices/a.ndjson"), "");
  await rm(join(directory, "crops.json"));
  await rm(join(directory, "units.json"));
  await symlink("counties.json", join(directory, "units.json"));
  tellsExactly(t, await told(), [
    "crops.json: found no such file, expected a file",
    "units.json: found a link, a folder or a device, expected an ordinary file",
    /^prices\.ndjson: found sha256 [0-9a-f]{64}, expected [0-9a-f]{64}, as the manifest says$/,
    /^prices\/a\.ndjson: found 0 bytes, expected \d+, as the manifest says$/,
  ]);
});

t.test("a file that may not be read is told", { skip: process.getuid?.() === 0 }, async (t) => {
  const directory = t.testdir({});
  await writeSnapshot(directory);
  await chmod(join(directory, "crops.json"), 0);
  const problems = new ProblemList();
  await verifyFiles(directory, await readManifest(directory), problems);
  tellsExactly(t, problems.problems.map(problemText), [/^crops\.json: found a file that cannot be read \(EACCES\)/]);
});
