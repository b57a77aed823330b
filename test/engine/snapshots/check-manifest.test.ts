import t from "tap";
import {
  checkManifest,
  contentHash,
  type Manifest,
  type ManifestFile,
  manifestText,
} from "../../../src/engine/snapshots/manifest.ts";
import { ProblemList, problemText } from "../../../src/engine/snapshots/problem.ts";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { reportsExactly } from "../../support/dataset-problems.ts";
import { manifestFiles as files, manifestFile, manifestWith } from "../../support/manifests.ts";

/** The problems of a manifest whose JSON is changed before it is checked. */
function problemsWith(manifest: Manifest, change: (wire: Record<string, unknown>) => void = () => {}): string[] {
  const wire = JSON.parse(manifestText(manifest));
  change(wire);
  const problems = new ProblemList();
  const checked = checkManifest(wire, problems);
  if ((checked === undefined) !== problems.total > 0) throw new Error("checked despite problems, or refused without");
  return problems.problems.map(problemText);
}

t.test("parent, note and attribution may be missing or null", async (t) => {
  t.same(
    problemsWith(manifestWith(files), (wire) => void delete wire["parent"]),
    [],
  );
  t.same(
    problemsWith(manifestWith(files), (wire) => void delete wire["note"]),
    [],
  );
  for (const attribution of [undefined, null]) {
    const wire = { ...JSON.parse(manifestText(manifestWith(files))), attribution };
    t.same(checkManifest(wire, new ProblemList())?.attribution, []);
  }
});

t.test("another format version is reported alone", async (t) => {
  t.same(
    problemsWith(manifestWith(files), (wire) => Object.assign(wire, { format: 2, note: 1 })),
    ['manifest.json: "format" is 2, expected 1, the only version known here'],
  );
});

t.test("fields are required, known and of their form", async (t) => {
  for (const field of ["id", "created_at", "time_zone", "files"]) {
    reportsExactly(
      t,
      problemsWith(manifestWith(files), (wire) => void delete wire[field]),
      [new RegExp(`"${field}" is missing`)],
    );
  }
  const invalid = {
    id: "20260201T083000Z-0123",
    created_at: "2026-02-01",
    parent: "x",
    note: "",
    attribution: [""],
    periods: { WFP: "year" },
    sources: { WFP: { licence: {} } },
    colour: 1,
  };
  for (const [field, value] of Object.entries(invalid)) {
    t.equal(problemsWith(manifestWith(files), (wire) => Object.assign(wire, { [field]: value })).length, 1, field);
  }
});

t.test("addresses of sources are those of the web, and can stand in links and headers", async (t) => {
  for (const url of ["javascript:alert(1)", "https://a b", 'https://a"b', "https://a/>", "https://é.ke", "https://"]) {
    const sources = { WFP: { url } };
    reportsExactly(
      t,
      problemsWith(manifestWith(files), (wire) => Object.assign(wire, { sources })),
      [/"sources\.WFP\.url" is .*, expected an address that begins with http/],
      url,
    );
  }
});

t.test("the id ends in the hash of the files", async (t) => {
  reportsExactly(t, problemsWith(manifestWith(files, { id: "20260201T083000Z-0123456789ab" as SnapshotId })), [
    /"id" is "20260201T083000Z-0123456789ab", expected an id that ends in/,
  ]);
});

t.test("the parent's id is lower", async (t) => {
  const { id } = manifestWith(files);
  reportsExactly(t, problemsWith(manifestWith(files, { parent: id })), [/"parent" is .*, expected an id below/]);
});

t.test("the time zone has one offset for ever", async (t) => {
  reportsExactly(t, problemsWith(manifestWith(files, { timeZone: "Europe/Berlin" })), [
    /"time_zone" is "Europe\/Berlin"/,
  ]);
  reportsExactly(t, problemsWith(manifestWith(files, { timeZone: "Mars/Olympus" })), [/"time_zone"/]);
  t.same(problemsWith(manifestWith(files, { timeZone: "UTC", utcOffset: 0 })), []);
});

t.test("every table has one entry, and no file two", async (t) => {
  reportsExactly(t, problemsWith(manifestWith(files.slice(1))), [/"files" is without counties\.json, expected/]);
  t.same(problemsWith(manifestWith(files.slice(0, -1))), [], "prices may be none");
  reportsExactly(t, problemsWith(manifestWith([...files, manifestFile("crops.json", "crops")])), [
    /"files\[7\]\.name" is "crops.json" again/,
  ]);
});

t.test("a name outside the layout is refused, so none leads out of the folder", async (t) => {
  for (const name of ["../prices.ndjson", "/etc/passwd", "prices/../../x.ndjson", "notes.txt", "products.ndjson.gz"]) {
    const problems = problemsWith(manifestWith([...files, manifestFile(name, "prices")]));
    reportsExactly(t, problems, [/"files\[7\]\.name" is .*, expected the name of a record file/], name);
  }
});

t.test("a kind is that of the name", async (t) => {
  const changed = [manifestFile("counties.json", "crops"), ...files.slice(1)];
  reportsExactly(t, problemsWith(manifestWith(changed)), [
    /"files\[0\]\.kind" is "crops", expected "counties" for counties\.json/,
  ]);
});

t.test("sequence and replaces come together, on prices, from 1 and up to the rows of the file", async (t) => {
  function problemsOfEntry(fields: object, position = 7): string[] {
    const manifest = manifestWith([...files, manifestFile("prices/a.ndjson", "prices", { sequence: 1 })]);
    return problemsWith(manifest, (wire) => {
      const entries = wire["files"] as Record<string, unknown>[];
      Object.assign(entries[position] ?? {}, fields);
      const hashed = entries.map((entry) => ({ sequence: 0, replaces: 0, ...entry }) as ManifestFile);
      wire["id"] = `20260201T083000Z-${contentHash({ files: hashed, sources: {}, periods: {} }).slice(0, 12)}`;
    });
  }
  t.same(problemsOfEntry({ replaces: 3 }), []);
  reportsExactly(t, problemsOfEntry({ replaces: 4 }), [
    /"files\[7\]\.replaces" is 4, expected at most the file's 3 rows/,
  ]);
  reportsExactly(t, problemsOfEntry({ sequence: 0 }), [/"files\[7\]\.sequence" is 0/]);
  reportsExactly(t, problemsOfEntry({ sequence: 1 }, 6), [/"files\[6\]" is with one of/]);
  reportsExactly(t, problemsOfEntry({ replaces: 1 }, 6), [/"files\[6\]" is with one of/]);
  reportsExactly(t, problemsOfEntry({ sequence: 1, replaces: 0 }, 0), [/"files\[0\]\.sequence" is 1, expected none/]);
});

t.test("a file cannot have more rows than its bytes can hold", async (t) => {
  function problemsOfPrices(name: string, bytes: number, rows: number): string[] {
    return problemsWith(manifestWith([...files.slice(0, -1), manifestFile(name, "prices", { bytes, rows })]));
  }
  t.same(problemsOfPrices("prices.ndjson", 300, 100), []);
  reportsExactly(t, problemsOfPrices("prices.ndjson", 300, 101), [
    /"files\[6\]\.rows" is 101, expected no more than 300 bytes/,
  ]);
  t.same(problemsOfPrices("prices.ndjson.gz", 300, 103_200), []);
  t.equal(problemsOfPrices("prices.ndjson.gz", 300, 103_201).length, 1);
});
