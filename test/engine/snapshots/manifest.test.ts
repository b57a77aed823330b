import { createHash } from "node:crypto";
import t from "tap";
import { checkManifest, contentHash, manifestText, tableRows } from "../../../src/engine/snapshots/manifest.ts";
import { ProblemList } from "../../../src/engine/snapshots/problem.ts";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { manifestFiles as files, manifestFile, manifestWith } from "../../support/manifests.ts";

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
