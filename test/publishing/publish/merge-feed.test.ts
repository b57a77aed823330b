/** Feeds published beside other sources, over random snapshots, against the merge with objects and maps. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import t from "tap";
import { getOrInsert } from "../../../src/engine/model/get-or-insert.ts";
import { readManifest } from "../../../src/engine/snapshots/manifest.ts";
import { DatasetError } from "../../../src/engine/snapshots/problem.ts";
import {
  type ReplaceReport,
  type ReplaceRequest,
  replaceSource,
} from "../../../src/publishing/publish/replace-source.ts";
import { verifySnapshot } from "../../../src/publishing/publish/verify-snapshot.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import {
  isSameButForTimes,
  type Layer,
  mergeFeedNaively,
  type PriceLine,
  replacedRows,
  visibleRows,
} from "../../support/naive-feed.ts";
import { currentOf, daysLater } from "../../support/published-data.ts";
import { ndjson, priceRow, testUuid, writeCurrentSnapshot, writeRecords } from "../../support/snapshot-files.ts";

/** Few values, so that rows agree by chance. */
const fields = fc.record({
  price: fc.constantFrom(60, 61),
  source: fc.constantFrom("WFP", "WFP", "KAMIS", "Field team"),
  unit: fc.constantFrom("kg", "kg", "90 kg bag"),
  quality_grade: fc.constantFrom(null, null, "A"),
  notes: fc.constantFrom(null, null, "dry", "wet"),
  updated_at: fc.constantFrom("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"),
});

/** Rows by uuid; the numbers are few too, so that layers and feed meet. */
function layerRows(minLength: number): fc.Arbitrary<Map<string, PriceLine>> {
  const rows = fc.uniqueArray(fc.tuple(fc.integer({ min: 100, max: 109 }), fields), {
    selector: ([number]) => number,
    minLength,
    maxLength: 10,
  });
  return rows.map(
    (list) => new Map(list.map(([number, own]) => [testUuid(number), priceRow({ ...own, uuid: testUuid(number) })])),
  );
}

const scenario = fc.record({
  base: layerRows(0),
  appended: fc.array(layerRows(1), { maxLength: 3 }),
  feed: layerRows(1),
  /** For each uuid: whether the feed says what it said before, so that corrections survive. */
  isUnchanged: fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }),
  prefer: fc.constantFrom("own" as const, "feed" as const),
  isPacked: fc.boolean(),
});

t.test("equals the merge of objects in maps, file by file; other sources stay; again changes nothing", async () => {
  const seen = { published: 0, conflicts: 0, taken: 0, kept: 0 };
  const property = fc.asyncProperty(
    scenario,
    async ({ base, appended, feed: drawn, isUnchanged, prefer, isPacked }) => {
      const root = await mkdtemp(join(tmpdir(), "merge-feed-"));
      try {
        const layers = [base, ...appended].map((rows, sequence) => ({ sequence, rows }));
        const feed = new Map<string, PriceLine>();
        for (const [at, uuid] of Array.from({ length: 10 }, (_, number) => testUuid(100 + number)).entries()) {
          const was = base.get(uuid);
          const row = isUnchanged[at] && was?.source === "WFP" ? was : drawn.get(uuid);
          if (row !== undefined) feed.set(uuid, { ...row, source: "WFP" });
        }
        if (feed.size === 0) return;
        const data = join(root, "data");
        await writeLayers(data, layers, isPacked);
        await writeFeed(join(root, "feed"), feed);
        const request = requestIn(root, prefer);
        const before = await currentOf(data);

        const wanted = mergeFeedNaively(layers, feed, "WFP", prefer);
        if (wanted.taken.length > 0) {
          seen.taken++;
          const refused = replaceSource(request).catch((error) => error);
          const error = await refused;
          assert.ok(error instanceof DatasetError);
          assert.equal(error.list.counts.get("duplicate"), wanted.taken.length);
          assert.equal(await currentOf(data), before);
          return;
        }
        if (wanted.conflicts.length > 0) {
          seen.conflicts++;
          const undecided = await replaceSource({ ...request, prefer: undefined });
          assert.equal(undecided.outcome, "conflicts");
          assert.deepEqual(conflictsOf(undecided), wanted.conflicts);
          assert.equal(await currentOf(data), before);
        }
        const report = await replaceSource(request);
        assert.deepEqual(conflictsOf(report), wanted.conflicts);
        assert.deepEqual(await readLayers(data), plain(wanted.layers));
        if (report.outcome === "published") {
          seen.published++;
          assert.equal((await verifySnapshot(data)).isCompiled, true);
        }
        seen.kept += report.counts.correctionsKept;

        const [shown, was] = [visibleRows(wanted.layers), visibleRows(layers)];
        const countOf = (rows: ReadonlyMap<string, PriceLine>, source: string): number =>
          [...rows.values()].filter((row) => row.source === source).length;
        for (const { source, before, after } of report.changes?.sources ?? []) {
          assert.deepEqual([before, after], [countOf(was, source), countOf(shown, source)]);
        }
        // Whatever the merge decides: a price that no version of is of the feed is as it was.
        for (const [uuid, row] of was) {
          if (layers.some(({ rows }) => rows.get(uuid)?.source === "WFP")) continue;
          assert.deepEqual(shown.get(uuid), row);
        }
        const again = await replaceSource({ ...request, prefer: undefined });
        assert.equal(again.outcome, "already-current");
        assert.equal(again.counts.rows, feed.size);
      } finally {
        await rm(root, { recursive: true, force: true });
      }
    },
  );
  await fc.assert(property, { numRuns: runsOf(90, 120) });
  for (const [what, count] of Object.entries(seen)) assert.ok(count >= runsOf(2), `${what}: ${count}`);
});

t.test("rows that differ in their times of entry alone are the same to the twin too", (t) => {
  t.ok(isSameButForTimes(priceRow(), priceRow({ updated_at: "2026-05-01T00:00:00Z" })));
  t.notOk(isSameButForTimes(priceRow(), priceRow({ price: 61 })));
  t.notOk(isSameButForTimes(priceRow(), undefined));
  t.end();
});

function requestIn(root: string, prefer: "own" | "feed"): ReplaceRequest {
  return {
    dataDirectory: join(root, "data"),
    candidateDirectory: join(root, "feed"),
    source: "WFP",
    prefer,
    now: daysLater(1),
    allowShrink: true,
    dryRun: false,
  };
}

function conflictsOf({ conflicts, counts }: ReplaceReport): string[] {
  assert.equal(conflicts.length, counts.conflicts);
  return conflicts.map(({ uuid }) => uuid as string).sort();
}

/** Writes a snapshot: the base in two files of sequence 0, each other layer in one file. */
async function writeLayers(data: string, layers: readonly Layer[], isPacked: boolean): Promise<void> {
  const replaces = replacedRows(layers);
  const files: Record<string, string | Buffer> = {};
  const entries: Record<string, Record<string, number>> = {};
  const pack = (text: string): string | Buffer => (isPacked ? gzipSync(text) : text);
  const end = isPacked ? ".ndjson.gz" : ".ndjson";
  for (const [at, { sequence, rows }] of layers.entries()) {
    const lines = [...rows.values()];
    if (sequence === 0) {
      files["prices.ndjson"] = ndjson(lines.filter((_, number) => number % 2 === 0));
      files[`prices/base${end}`] = pack(ndjson(lines.filter((_, number) => number % 2 === 1)));
    } else {
      const name = `prices/day-${sequence}${end}`;
      files[name] = pack(ndjson(lines));
      entries[name] = { sequence, replaces: replaces[at] as number };
    }
  }
  await mkdir(join(data, "snapshots"), { recursive: true });
  await writeCurrentSnapshot(data, { files, entries });
}

/** Prices alone, in files whose names the snapshot may have. */
async function writeFeed(directory: string, feed: ReadonlyMap<string, PriceLine>): Promise<void> {
  const lines = [...feed.values()];
  const tables = [
    "counties.json",
    "crops.json",
    "units.json",
    "market-types.json",
    "products.ndjson",
    "markets.ndjson",
  ];
  await writeRecords(
    directory,
    {},
    {
      ...Object.fromEntries(tables.map((name) => [name, null])),
      "prices.ndjson": ndjson(lines.slice(0, 2)),
      "prices/day-1.ndjson": ndjson(lines.slice(2)),
    },
  );
}

/** The rows of the current snapshot by sequence and uuid, as they stand in its files. */
async function readLayers(data: string): Promise<unknown> {
  const folder = join(data, "snapshots", await currentOf(data));
  const { files } = await readManifest(folder);
  const layers = new Map<number, Map<string, PriceLine>>();
  for (const { name, kind, sequence } of files) {
    if (kind !== "prices") continue;
    const stored = await readFile(join(folder, name));
    const text = (name.endsWith(".gz") ? gunzipSync(stored) : stored).toString();
    const rows = getOrInsert(layers, sequence, () => new Map());
    for (const line of text.split("\n").slice(0, -1)) {
      const row = JSON.parse(line) as PriceLine;
      assert.equal(rows.has(row.uuid), false);
      rows.set(row.uuid, row);
    }
  }
  const listed = [...layers].map(([sequence, rows]) => ({ sequence, rows }));
  return plain(listed.filter(({ rows }) => rows.size > 0));
}

function plain(layers: readonly Layer[]): unknown {
  return layers
    .toSorted((a, b) => a.sequence - b.sequence)
    .map(({ sequence, rows }) => [sequence, [...rows].sort(([a], [b]) => (a < b ? -1 : 1))]);
}
