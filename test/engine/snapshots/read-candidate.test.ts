import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { readCandidate } from "../../../src/engine/snapshots/read-candidate.ts";
import { problemsOf, reportsExactly } from "../../support/dataset-problems.ts";
import {
  ndjson,
  priceRow,
  priceRows,
  type TestFiles,
  testUuid,
  writeRecords,
  writeSnapshot,
} from "../../support/snapshot-files.ts";

const now = Date.UTC(2026, 1, 1) as Instant;

async function problemsWith(t: Test, files: TestFiles): Promise<readonly string[]> {
  const directory = t.testdir({});
  await writeRecords(directory, {}, files);
  return await problemsOf(() => readCandidate(directory, now));
}

t.test("record files alone are enough, and come in the order of a manifest", async (t) => {
  const directory = t.testdir({});
  await writeRecords(directory, {}, { "prices/b.ndjson": "", "prices/a.ndjson": ndjson(priceRows(2, 200)) });
  const { header, files } = await readCandidate(directory, now);
  t.same(header, { timeZone: null, note: null, attribution: null, sources: null, periods: null });
  t.same(
    files.map(({ name, kind, rows, sequence, replaces }) => [name, kind, rows, sequence, replaces]),
    [
      ["counties.json", "counties", 1, 0, 0],
      ["crops.json", "crops", 1, 0, 0],
      ["units.json", "units", 1, 0, 0],
      ["market-types.json", "market-types", 1, 0, 0],
      ["products.ndjson", "products", 1, 0, 0],
      ["markets.ndjson", "markets", 1, 0, 0],
      ["prices.ndjson", "prices", 1, 0, 0],
      ["prices/a.ndjson", "prices", 2, 0, 0],
      ["prices/b.ndjson", "prices", 0, 0, 0],
    ],
  );
  t.ok(files.every((file) => /^[0-9a-f]{64}$/.test(file.sha256)));
});

t.test("manifest.json may carry time_zone, note, attribution, sources and periods, and nothing else", async (t) => {
  const directory = t.testdir({});
  const stated = { sources: { WFP: { url: "http://a.example" } }, periods: { WFP: "week" } };
  const manifest = { time_zone: "UTC", note: "N", attribution: ["A"], ...stated };
  await writeRecords(directory, {}, { "manifest.json": JSON.stringify(manifest) });
  const { header } = await readCandidate(directory, now);
  const sources = { WFP: { title: null, url: "http://a.example", licence: null, generated: null } };
  t.same(header, { timeZone: "UTC", note: "N", attribution: ["A"], sources, periods: { WFP: "week" } });
  reportsExactly(t, await problemsWith(t, { "manifest.json": '{"parent":null,"note":""}' }), [
    /^manifest\.json: "(parent|note)" is/,
    /^manifest\.json: "(parent|note)" is/,
  ]);
  reportsExactly(t, await problemsWith(t, { "manifest.json": '{"time_zone":"Europe/Berlin"}' }), [
    /^manifest\.json: "time_zone" is "Europe\/Berlin", expected an IANA time zone whose clocks never change/,
  ]);
  reportsExactly(t, await problemsWith(t, { "manifest.json": '{"periods":{"WFP":"year"}}' }), [
    /^manifest\.json: "periods\.WFP" is "year", expected one of month, week, day/,
  ]);
  reportsExactly(t, await problemsWith(t, { "manifest.json": '{"periods":{"Wfp":"month","constructor":"day"}}' }), [
    /^manifest\.json: "periods" is "Wfp", expected a source that has prices: "WFP"/,
    /^manifest\.json: "periods" is "constructor", expected a source that has prices: "WFP"/,
  ]);
  reportsExactly(t, await problemsWith(t, { "manifest.json": "{" }), [/^manifest\.json: found text that is not JSON/]);
});

t.test("every table has its file", async (t) => {
  reportsExactly(t, await problemsWith(t, { "crops.json": null, "market-types.json": null }), [
    "crops.json: found no such file, expected a file",
    "market-types.json: found no such file, expected a file",
  ]);
});

t.test("a file outside the layout is reported, for a misspelt name must not be left out in silence", async (t) => {
  reportsExactly(t, await problemsWith(t, { "price.ndjson": "", "prices/notes.txt": "", "prices/a/b.ndjson": "" }), [
    /^price\.ndjson: found a name outside the layout/,
    /^prices\/a: found a name outside the layout/,
    /^prices\/notes\.txt: found a name outside the layout/,
  ]);
  t.same(await problemsWith(t, { ".DS_Store": "", "prices/.hidden": "" }), []);
});

t.test("links are refused, of a file and of the folder of prices", async (t) => {
  const directory = t.testdir({});
  await writeRecords(directory, {}, { ".elsewhere/a.ndjson": ndjson(priceRows(1, 200)) });
  await symlink(".elsewhere/a.ndjson", join(directory, "prices.ndjson.gz"));
  reportsExactly(t, await problemsOf(() => readCandidate(directory, now)), [/^prices\.ndjson\.gz: found a link/]);
  await rm(join(directory, "prices.ndjson.gz"));
  await symlink(".elsewhere", join(directory, "prices"));
  reportsExactly(t, await problemsOf(() => readCandidate(directory, now)), [
    /^prices: found a name outside the layout/,
  ]);
});

t.test("a directory that is not there is reported", async (t) => {
  const problems = await problemsOf(() => readCandidate(join(t.testdir({}), "absent"), now));
  t.match(problems[0], /absent: found no such file/);
});

t.test("a copy of a snapshot is held to its manifest and keeps its appended files", async (t) => {
  const directory = t.testdir({});
  await writeSnapshot(directory, {
    files: { "prices/a.ndjson": ndjson([priceRow({ price: 61 }), priceRow({ uuid: testUuid(101) })]) },
    entries: { "prices/a.ndjson": { sequence: 1, replaces: 1 } },
    manifest: { note: "N" },
  });
  const { header, files, reading } = await readCandidate(directory, now);
  t.same(header, { timeZone: "Africa/Nairobi", note: "N", attribution: [], sources: {}, periods: {} });
  t.match(files[7], { name: "prices/a.ndjson", sequence: 1, replaces: 1 });
  t.equal(reading.records.prices.rowCount, 2);

  await writeFile(join(directory, "prices/b.ndjson"), "");
  await rename(join(directory, "crops.json"), join(directory, "prices/c.ndjson"));
  reportsExactly(t, await problemsOf(() => readCandidate(directory, now)), [
    "prices/b.ndjson: found a file that the manifest does not list, expected its entry there",
    "prices/c.ndjson: found a file that the manifest does not list, expected its entry there",
    "crops.json: found no such file, expected a file",
  ]);
});

t.test("a copy of a snapshot with a broken manifest is refused", async (t) => {
  const directory = t.testdir({});
  await mkdir(join(directory, "s"));
  await writeSnapshot(join(directory, "s"), { manifest: { time_zone: "Europe/Berlin" } });
  reportsExactly(t, await problemsOf(() => readCandidate(join(directory, "s"), now)), [/^manifest\.json: "time_zone"/]);
});
