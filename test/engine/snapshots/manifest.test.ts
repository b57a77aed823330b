import { createHash } from "node:crypto";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import {
  checkManifest,
  contentHash,
  type Manifest,
  type ManifestFile,
  manifestText,
  readManifest,
  tableRows,
} from "../../../src/engine/snapshots/manifest.ts";
import { ProblemList, problemText } from "../../../src/engine/snapshots/problem.ts";
import type { RecordKind, SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { problemsOf, reportsExactly } from "../../support/dataset-problems.ts";
import { writeSnapshot } from "../../support/snapshot-files.ts";

const kinds: readonly [string, RecordKind][] = [
  ["counties.json", "counties"],
  ["crops.json", "crops"],
  ["units.json", "units"],
  ["market-types.json", "market-types"],
  ["products.ndjson", "products"],
  ["markets.ndjson", "markets"],
  ["prices.ndjson", "prices"],
];

/** An entry of three rows in 300 bytes, unless overridden. */
function manifestFile(name: string, kind: RecordKind, fields: Partial<ManifestFile> = {}): ManifestFile {
  return { name, kind, bytes: 300, rows: 3, sha256: "ab".repeat(32), sequence: 0, replaces: 0, ...fields };
}

/** One entry of every kind. */
const files: readonly ManifestFile[] = kinds.map(([name, kind]) => manifestFile(name, kind));

/** A manifest with these files, which its id hashes. */
function manifestWith(files: readonly ManifestFile[], fields: Partial<Manifest> = {}): Manifest {
  return {
    id: `20260201T083000Z-${contentHash({ files, sources: {}, periods: {}, ...fields }).slice(0, 12)}` as SnapshotId,
    createdAt: Date.UTC(2026, 1, 1, 8, 30) as Instant,
    timeZone: "Africa/Nairobi",
    utcOffset: 3 * 3_600_000,
    parent: null,
    note: null,
    attribution: [],
    periods: {},
    sources: {},
    files,
    ...fields,
  };
}

t.test("what is written is read back", async (t) => {
  const appended = manifestFile("prices/a.ndjson.gz", "prices", { sequence: 1, replaces: 2 });
  const parent = "20260101T083000Z-0123456789ab" as SnapshotId;
  const manifest = manifestWith([...files, appended], { parent, note: "Market day", attribution: ["WFP"] });
  t.same(checkManifest(JSON.parse(manifestText(manifest)), new ProblemList()), manifest);
  t.match(JSON.parse(manifestText(manifest)), { format: 1, created_at: "2026-02-01T08:30:00Z" });
});

t.test("sequence and replaces are written for appended files only", async (t) => {
  const appended = manifestFile("prices/a.ndjson", "prices", { sequence: 1, replaces: 0 });
  const wire = JSON.parse(manifestText(manifestWith([...files, appended])));
  t.notOk("sequence" in wire.files[6]);
  t.match(wire.files[7], { sequence: 1, replaces: 0 });
});

t.test("the content hash is that of one line a file, sorted by code unit", async (t) => {
  const b = { name: "b", sha256: "22", sequence: 0, replaces: 0 };
  const upper = { name: "B", sha256: "11", sequence: 2, replaces: 0 };
  const expected = createHash("sha256").update("B 11 sequence=2 replaces=0\nb 22\n").digest("hex");
  t.equal(contentHash({ files: [b, upper], sources: {}, periods: {} }), expected);
  t.equal(contentHash({ files: [upper, b], sources: {}, periods: {} }), expected);
});

t.test("periods are written where there are any, and are part of the content hash", async (t) => {
  const file = { name: "b", sha256: "22", sequence: 0, replaces: 0 };
  const lines = 'b 22\nperiods {"A \\"B\\"":"week","WFP":"month"}\n';
  const expected = createHash("sha256").update(lines).digest("hex");
  t.equal(contentHash({ files: [file], sources: {}, periods: { WFP: "month", 'A "B"': "week" } }), expected);
  t.notOk("periods" in JSON.parse(manifestText(manifestWith(files))));
  const manifest = { ...manifestWith(files), periods: { WFP: "month" } as const };
  const id = `20260201T083000Z-${contentHash(manifest).slice(0, 12)}`;
  const wire = { ...JSON.parse(manifestText(manifest)), id };
  t.same(checkManifest(wire, new ProblemList())?.periods, { WFP: "month" });
  const problems = new ProblemList();
  t.equal(checkManifest({ ...wire, periods: { WFP: "day" } }, problems), undefined);
  t.match(problems.problems, [{ field: "id" }]);
});

t.test("details of sources are written where there are any, hashed, and read back in any order", async (t) => {
  const licence = { id: "CC BY", url: null };
  const sources = {
    "A b": { title: null, url: "https://a.example/", licence, generated: null },
    WFP: { title: "W", url: null, licence: null, generated: null },
  };
  const manifest = manifestWith(files, { sources });
  const wire = JSON.parse(manifestText(manifest));
  t.same(wire.sources, { "A b": { url: "https://a.example/", licence: { id: "CC BY" } }, WFP: { title: "W" } });
  const { WFP, ...others } = wire.sources;
  t.same(checkManifest({ ...wire, sources: { WFP, ...others } }, new ProblemList()), manifest);
  t.notOk("sources" in JSON.parse(manifestText(manifestWith(files))), "which an older service reads");
  const line = 'sources {"A b":{"url":"https://a.example/","licence":{"id":"CC BY"}},"WFP":{"title":"W"}}\n';
  const b = { name: "b", sha256: "22", sequence: 0, replaces: 0 };
  t.equal(
    contentHash({ files: [b], sources, periods: {} }),
    createHash("sha256").update(`b 22\n${line}`).digest("hex"),
  );
  const problems = new ProblemList();
  t.equal(checkManifest({ ...wire, sources: others }, problems), undefined);
  t.match(problems.problems, [{ field: "id" }], "an edited one is found");
});

t.test("a source is written as generated only where that is stated, and read back as it was", async (t) => {
  const unknown = { title: "G", url: null, licence: null, generated: null };
  for (const [details, written] of [
    [unknown, '{"title":"G"}'],
    [{ ...unknown, generated: true }, '{"title":"G","generated":true}'],
    [{ ...unknown, title: null, generated: false }, '{"generated":false}'],
  ] as const) {
    const manifest = manifestWith(files, { sources: { Made: details } });
    const text = manifestText(manifest);
    t.equal(JSON.stringify(JSON.parse(text).sources), `{"Made":${written}}`);
    const read = checkManifest(JSON.parse(text), new ProblemList());
    t.same(read, manifest);
    t.equal(read && manifestText(read), text);
    const lines = files.map(({ name, sha256 }) => `${name} ${sha256}\n`).concat(`sources {"Made":${written}}\n`);
    t.equal(contentHash(manifest), createHash("sha256").update(lines.sort().join("")).digest("hex"));
  }
});

t.test("the rows of a table are those of all its files, replaced ones counted once", async (t) => {
  const appended = manifestFile("prices/a.ndjson", "prices", { sequence: 1, rows: 5, replaces: 2 });
  t.match(tableRows([...files, appended]), { crops: 3, prices: 6 });
  t.match(tableRows([]), { crops: 0, prices: 0 });
});

/** The problems of a manifest with some fields changed in its JSON, or undefined and so left out. */
function problemsWith(manifest: Manifest, fields: Readonly<Record<string, unknown>> = {}): string[] {
  const wire = JSON.parse(JSON.stringify({ ...JSON.parse(manifestText(manifest)), ...fields }));
  const problems = new ProblemList();
  const checked = checkManifest(wire, problems);
  if ((checked === undefined) !== problems.total > 0) throw new Error("checked despite problems, or refused without");
  return problems.problems.map(problemText);
}

const plain = manifestWith(files);
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
const addresses = ["javascript:alert(1)", "https://a b", 'https://a"b', "https://a/>", "https://é.ke", "https://"];
const outside = ["../prices.ndjson", "/etc/passwd", "prices/../../x.ndjson", "notes.txt", "products.ndjson.gz"];
const pricesFile = (name: string, bytes: number, rows: number): Manifest =>
  manifestWith([...files.slice(0, -1), manifestFile(name, "prices", { bytes, rows })]);

const cases: readonly (readonly [claim: string, found: readonly string[], ...problems: (string | RegExp)[]])[] = [
  ["no parent", problemsWith(plain, { parent: undefined })],
  ["no note", problemsWith(plain, { note: undefined })],
  [
    "another format version, alone",
    problemsWith(plain, { format: 2, note: 1 }),
    'manifest.json: "format" is 2, expected 1, the only version known here',
  ],
  ...["id", "created_at", "time_zone", "files"].map((field) => {
    return [`no ${field}`, problemsWith(plain, { [field]: undefined }), new RegExp(`"${field}" is missing`)] as const;
  }),
  ...Object.entries(invalid).map(([field, value]) => {
    return [`another form of ${field}`, problemsWith(plain, { [field]: value }), new RegExp(field)] as const;
  }),
  ...addresses.map((url) => {
    const expected = /"sources\.WFP\.url" is .*, expected an address that begins with http/;
    return [`the address ${url}`, problemsWith(plain, { sources: { WFP: { url } } }), expected] as const;
  }),
  [
    "an id that does not end in the hash of the files",
    problemsWith(manifestWith(files, { id: "20260201T083000Z-0123456789ab" as SnapshotId })),
    /"id" is "20260201T083000Z-0123456789ab", expected an id that ends in/,
  ],
  [
    "a parent that is not before",
    problemsWith(manifestWith(files, { parent: plain.id })),
    /"parent" is .*, expected an id below/,
  ],
  [
    "a time zone that changes",
    problemsWith(manifestWith(files, { timeZone: "Europe/Berlin" })),
    /"time_zone" is "Europe\/Berlin"/,
  ],
  ["no time zone", problemsWith(manifestWith(files, { timeZone: "Mars/Olympus" })), /"time_zone"/],
  ["the time zone UTC", problemsWith(manifestWith(files, { timeZone: "UTC", utcOffset: 0 }))],
  ["a table less", problemsWith(manifestWith(files.slice(1))), /"files" is without counties\.json, expected/],
  ["no prices", problemsWith(manifestWith(files.slice(0, -1)))],
  [
    "a file twice",
    problemsWith(manifestWith([...files, manifestFile("crops.json", "crops")])),
    /"files\[7\]\.name" is "crops.json" again/,
  ],
  ...outside.map((name) => {
    const expected = /"files\[7\]\.name" is .*, expected the name of a record file/;
    return [
      `the name ${name}`,
      problemsWith(manifestWith([...files, manifestFile(name, "prices")])),
      expected,
    ] as const;
  }),
  [
    "a kind that is not that of the name",
    problemsWith(manifestWith([manifestFile("counties.json", "crops"), ...files.slice(1)])),
    /"files\[0\]\.kind" is "crops", expected "counties" for counties\.json/,
  ],
  ["as many rows as bytes can hold", problemsWith(pricesFile("prices.ndjson", 300, 100))],
  [
    "more rows than bytes can hold",
    problemsWith(pricesFile("prices.ndjson", 300, 101)),
    /"files\[6\]\.rows" is 101, expected no more than 300 bytes/,
  ],
  ["as many rows as compressed bytes can hold", problemsWith(pricesFile("prices.ndjson.gz", 300, 103_200))],
  ["more than compressed bytes can hold", problemsWith(pricesFile("prices.ndjson.gz", 300, 103_201)), /rows/],
];

t.test("a manifest is refused for what is wrong in it, and for nothing else", async (t) => {
  for (const [claim, found, ...problems] of cases) reportsExactly(t, found, problems, claim);
  for (const attribution of [undefined, null]) {
    const wire = { ...JSON.parse(manifestText(plain)), attribution };
    t.same(checkManifest(wire, new ProblemList())?.attribution, []);
  }
});

t.test("sequence and replaces come together, on prices, from 1 and up to the rows of the file", async (t) => {
  function problemsOfEntry(fields: object, position = 7): string[] {
    const manifest = manifestWith([...files, manifestFile("prices/a.ndjson", "prices", { sequence: 1 })]);
    const entries: Record<string, unknown>[] = JSON.parse(manifestText(manifest)).files;
    Object.assign(entries[position] ?? {}, fields);
    const hashed = entries.map((entry) => ({ sequence: 0, replaces: 0, ...entry }) as ManifestFile);
    const id = `20260201T083000Z-${contentHash({ files: hashed, sources: {}, periods: {} }).slice(0, 12)}`;
    return problemsWith(manifest, { id, files: entries });
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
