import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import {
  checkManifest,
  contentHash,
  type Manifest,
  type ManifestFile,
  manifestText,
  readManifest,
  tableRows,
} from "../../src/dataset/manifest.ts";
import { ProblemList, problemText } from "../../src/dataset/problem.ts";
import type { RecordKind, SnapshotId } from "../../src/dataset/snapshot-layout.ts";
import type { Instant } from "../../src/domain/instant.ts";
import { problemsOf, tellsExactly } from "../support/dataset-problems.ts";
import { writeSnapshot } from "../support/snapshot-files.ts";

const kinds: readonly [string, RecordKind][] = [
  ["counties.json", "counties"],
  ["crops.json", "crops"],
  ["units.json", "units"],
  ["market-types.json", "market-types"],
  ["products.ndjson", "products"],
  ["markets.ndjson", "markets"],
  ["prices.ndjson", "prices"],
];

function file(name: string, kind: RecordKind, fields: Partial<ManifestFile> = {}): ManifestFile {
  return { name, kind, bytes: 300, rows: 3, sha256: "ab".repeat(32), sequence: 0, replaces: 0, ...fields };
}

const files = kinds.map(([name, kind]) => file(name, kind));

/** A manifest with these files, which its id hashes. */
function manifestWith(manifestFiles: readonly ManifestFile[], fields: Partial<Manifest> = {}): Manifest {
  return {
    id: `20260201T083000Z-${contentHash(manifestFiles).slice(0, 12)}` as SnapshotId,
    createdAt: Date.UTC(2026, 1, 1, 8, 30) as Instant,
    timeZone: "Africa/Nairobi",
    utcOffset: 3 * 3_600_000,
    parent: null,
    note: null,
    attribution: [],
    files: manifestFiles,
    ...fields,
  };
}

/** The problems of a manifest whose JSON is changed before it is checked. */
function problemsWith(manifest: Manifest, change: (wire: Record<string, unknown>) => void = () => {}): string[] {
  const wire = JSON.parse(manifestText(manifest));
  change(wire);
  const problems = new ProblemList();
  const checked = checkManifest(wire, problems);
  if ((checked === undefined) !== problems.total > 0) throw new Error("checked despite problems, or refused without");
  return problems.problems.map(problemText);
}

t.test("what is written is read back", async (t) => {
  const appended = file("prices/a.ndjson.gz", "prices", { sequence: 1, replaces: 2 });
  const parent = "20260101T083000Z-0123456789ab" as SnapshotId;
  const manifest = manifestWith([...files, appended], { parent, note: "Market day", attribution: ["WFP"] });
  t.same(checkManifest(JSON.parse(manifestText(manifest)), new ProblemList()), manifest);
  t.match(JSON.parse(manifestText(manifest)), { format: 1, created_at: "2026-02-01T08:30:00Z" });
});

t.test("sequence and replaces are written for appended files only", async (t) => {
  const appended = file("prices/a.ndjson", "prices", { sequence: 1, replaces: 0 });
  const wire = JSON.parse(manifestText(manifestWith([...files, appended])));
  t.notOk("sequence" in wire.files[6]);
  t.match(wire.files[7], { sequence: 1, replaces: 0 });
});

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

t.test("the content hash is that of one line a file, sorted by code unit", async (t) => {
  const { createHash } = await import("node:crypto");
  const b = { name: "b", sha256: "22", sequence: 0, replaces: 0 };
  const upper = { name: "B", sha256: "11", sequence: 2, replaces: 0 };
  const expected = createHash("sha256").update("B 11 sequence=2 replaces=0\nb 22\n").digest("hex");
  t.equal(contentHash([b, upper]), expected);
  t.equal(contentHash([upper, b]), expected);
});

t.test("the rows of a table are those of all its files, replaced ones counted once", async (t) => {
  const appended = file("prices/a.ndjson", "prices", { sequence: 1, rows: 5, replaces: 2 });
  t.match(tableRows([...files, appended]), { crops: 3, prices: 6 });
  t.match(tableRows([]), { crops: 0, prices: 0 });
});

t.test("another format version is told alone", async (t) => {
  t.same(
    problemsWith(manifestWith(files), (wire) => Object.assign(wire, { format: 2, note: 1 })),
    ['manifest.json: "format" is 2, expected 1, the only version known here'],
  );
});

t.test("fields are required, known and of their form", async (t) => {
  for (const field of ["id", "created_at", "time_zone", "files"]) {
    tellsExactly(
      t,
      problemsWith(manifestWith(files), (wire) => void delete wire[field]),
      [new RegExp(`"${field}" is missing`)],
    );
  }
  const unfit = {
    id: "20260201T083000Z-0123",
    created_at: "2026-02-01",
    parent: "x",
    note: "",
    attribution: [""],
    colour: 1,
  };
  for (const [field, value] of Object.entries(unfit)) {
    t.equal(problemsWith(manifestWith(files), (wire) => Object.assign(wire, { [field]: value })).length, 1, field);
  }
});

t.test("the id ends in the hash of the files", async (t) => {
  tellsExactly(t, problemsWith(manifestWith(files, { id: "20260201T083000Z-0123456789ab" as SnapshotId })), [
    /"id" is "20260201T083000Z-0123456789ab", expected an id that ends in/,
  ]);
});

t.test("the parent's id is lower", async (t) => {
  const { id } = manifestWith(files);
  tellsExactly(t, problemsWith(manifestWith(files, { parent: id })), [/"parent" is .*, expected an id below/]);
});

t.test("the time zone has one offset for ever", async (t) => {
  tellsExactly(t, problemsWith(manifestWith(files, { timeZone: "Europe/Berlin" })), [
    /"time_zone" is "Europe\/Berlin"/,
  ]);
  tellsExactly(t, problemsWith(manifestWith(files, { timeZone: "Mars/Olympus" })), [/"time_zone"/]);
  t.same(problemsWith(manifestWith(files, { timeZone: "UTC", utcOffset: 0 })), []);
});

t.test("every table has one entry, and no file two", async (t) => {
  tellsExactly(t, problemsWith(manifestWith(files.slice(1))), [/"files" is without counties\.json, expected/]);
  t.same(problemsWith(manifestWith(files.slice(0, -1))), [], "prices may be none");
  tellsExactly(t, problemsWith(manifestWith([...files, file("crops.json", "crops")])), [
    /"files\[7\]\.name" is "crops.json" again/,
  ]);
});

t.test("a name outside the layout is refused, so none leads out of the folder", async (t) => {
  for (const name of ["../prices.ndjson", "/etc/passwd", "prices/../../x.ndjson", "notes.txt", "products.ndjson.gz"]) {
    const problems = problemsWith(manifestWith([...files, file(name, "prices")]));
    tellsExactly(t, problems, [/"files\[7\]\.name" is .*, expected the name of a record file/], name);
  }
});

t.test("a kind is that of the name", async (t) => {
  const changed = [file("counties.json", "crops"), ...files.slice(1)];
  tellsExactly(t, problemsWith(manifestWith(changed)), [
    /"files\[0\]\.kind" is "crops", expected "counties" for counties\.json/,
  ]);
});

t.test("sequence and replaces come together, on prices, from 1 and up to the rows of the file", async (t) => {
  function problemsOfEntry(fields: object, position = 7): string[] {
    const manifest = manifestWith([...files, file("prices/a.ndjson", "prices", { sequence: 1 })]);
    return problemsWith(manifest, (wire) => {
      const entries = wire["files"] as Record<string, unknown>[];
      Object.assign(entries[position] ?? {}, fields);
      const hashed = entries.map((entry) => ({ sequence: 0, replaces: 0, ...entry }) as ManifestFile);
      wire["id"] = `20260201T083000Z-${contentHash(hashed).slice(0, 12)}`;
    });
  }
  t.same(problemsOfEntry({ replaces: 3 }), []);
  tellsExactly(t, problemsOfEntry({ replaces: 4 }), [
    /"files\[7\]\.replaces" is 4, expected at most the file's 3 rows/,
  ]);
  tellsExactly(t, problemsOfEntry({ sequence: 0 }), [/"files\[7\]\.sequence" is 0/]);
  tellsExactly(t, problemsOfEntry({ sequence: 1 }, 6), [/"files\[6\]" is with one of/]);
  tellsExactly(t, problemsOfEntry({ replaces: 1 }, 6), [/"files\[6\]" is with one of/]);
  tellsExactly(t, problemsOfEntry({ sequence: 1, replaces: 0 }, 0), [/"files\[0\]\.sequence" is 1, expected none/]);
});

t.test("a file cannot have more rows than its bytes can hold", async (t) => {
  function problemsOfPrices(name: string, bytes: number, rows: number): string[] {
    return problemsWith(manifestWith([...files.slice(0, -1), file(name, "prices", { bytes, rows })]));
  }
  t.same(problemsOfPrices("prices.ndjson", 300, 100), []);
  tellsExactly(t, problemsOfPrices("prices.ndjson", 300, 101), [
    /"files\[6\]\.rows" is 101, expected no more than 300 bytes/,
  ]);
  t.same(problemsOfPrices("prices.ndjson.gz", 300, 103_200), []);
  t.equal(problemsOfPrices("prices.ndjson.gz", 300, 103_201).length, 1);
});

t.test("a manifest is read from its folder", async (t) => {
  const directory = t.testdir({});
  const id = await writeSnapshot(directory, { manifest: { note: "N" } });
  t.match(await readManifest(directory), { id, note: "N", utcOffset: 3 * 3_600_000, files: { length: 7 } });
});

t.test("a manifest that is missing, a link, or not one JSON object in UTF-8 is told", async (t) => {
  t.same(await problemsOf(() => readManifest(t.testdir({}))), ["manifest.json: found no such file, expected a file"]);
  async function problemsOfText(t: Test, text: string | Buffer): Promise<readonly string[]> {
    return await problemsOf(() => readManifest(t.testdir({ "manifest.json": text })));
  }
  tellsExactly(t, await problemsOfText(t, "{"), [/^manifest\.json: found text that is not JSON/]);
  tellsExactly(t, await problemsOfText(t, "[]"), [/^manifest\.json: found \[\], expected one JSON object/]);
  tellsExactly(t, await problemsOfText(t, "\ufeff{}"), [/^manifest\.json: found text that is not JSON/]);
  tellsExactly(t, await problemsOfText(t, '{"format":1,"format":1}'), [
    'manifest.json: "format" is given twice, expected it once',
  ]);
  tellsExactly(t, await problemsOfText(t, Buffer.from([0x7b, 0xff, 0x7d])), [
    /^manifest\.json: found bytes that are not UTF-8/,
  ]);
  const directory = t.testdir({ folder: {} });
  await writeSnapshot(join(directory, "folder"));
  await writeFile(join(directory, "m.json"), await readFile(join(directory, "folder/manifest.json")));
  await mkdir(join(directory, "linked"));
  await symlink("../m.json", join(directory, "linked/manifest.json"));
  tellsExactly(t, await problemsOf(() => readManifest(join(directory, "linked"))), [/^manifest\.json: found a link/]);
});
