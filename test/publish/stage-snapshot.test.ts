import { appendFile, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import t, { type Test } from "tap";
import type { Manifest } from "../../src/dataset/manifest.ts";
import { readManifest } from "../../src/dataset/manifest.ts";
import type { SnapshotId } from "../../src/dataset/snapshot-layout.ts";
import { removeStrays } from "../../src/publish/remove-strays.ts";
import { stageSnapshot } from "../../src/publish/stage-snapshot.ts";
import { problemsOf, tellsExactly } from "../support/dataset-problems.ts";
import { ndjson, priceRows, writeSnapshot } from "../support/snapshot-files.ts";

interface Fixture {
  readonly data: string;
  readonly candidate: string;
  readonly manifest: Manifest;
}

async function fixture(t: Test): Promise<Fixture> {
  const root = t.testdir({ data: { snapshots: {} } });
  const candidate = join(root, "candidate");
  await writeSnapshot(candidate, { files: { "prices/a.ndjson.gz": gzipSync(ndjson(priceRows(2, 200))) } });
  return { data: join(root, "data"), candidate, manifest: await readManifest(candidate) };
}

t.test("files are copied as they are, read-only, with a manifest, under a name that is no snapshot's", async (t) => {
  const { data, candidate, manifest } = await fixture(t);
  const staging = await stageSnapshot(data, candidate, manifest);
  t.match(staging, /[\\/]snapshots[\\/]\.staging-[0-9a-f]+$/);
  t.same(await readManifest(staging), manifest);
  for (const { name } of manifest.files) {
    t.same(await readFile(join(staging, name)), await readFile(join(candidate, name)), name);
    t.equal((await stat(join(staging, name))).mode & 0o777, 0o444, name);
  }
  t.equal((await stat(join(staging, "manifest.json"))).mode & 0o777, 0o444);
});

t.test("files are read-only whatever the process's mask", async (t) => {
  const { data, candidate, manifest } = await fixture(t);
  const mask = process.umask(0o077);
  try {
    const staging = await stageSnapshot(data, candidate, manifest);
    t.equal((await stat(join(staging, "crops.json"))).mode & 0o777, 0o444);
  } finally {
    process.umask(mask);
  }
});

t.test("a file that changed after it was checked is refused, and nothing is left behind", async (t) => {
  const { data, candidate, manifest } = await fixture(t);
  await appendFile(join(candidate, "crops.json"), "\n");
  tellsExactly(t, await problemsOf(() => stageSnapshot(data, candidate, manifest)), [
    /^crops\.json: found sha256 [0-9a-f]{64}, expected [0-9a-f]{64}, as when it was checked just before$/,
  ]);
  t.same(await readdir(join(data, "snapshots")), []);
});

t.test("what does not load from its new place is refused, and nothing is left behind", async (t) => {
  const { data, candidate, manifest } = await fixture(t);
  const wrong = { ...manifest, id: "20260201T083000Z-0123456789ab" as SnapshotId };
  tellsExactly(t, await problemsOf(() => stageSnapshot(data, candidate, wrong)), [/^manifest\.json: "id" is/]);
  t.same(await readdir(join(data, "snapshots")), []);
});

t.test("what a killed publisher left is removed, snapshots are not", async (t) => {
  const { data } = await fixture(t);
  const snapshot = "20260201T083000Z-0123456789ab";
  await mkdir(join(data, "snapshots", ".staging-0123", "prices"), { recursive: true });
  await writeFile(join(data, "snapshots", ".staging-0123", "prices", "a.ndjson"), "", { mode: 0o444 });
  await mkdir(join(data, "snapshots", snapshot));
  await removeStrays(data);
  t.same(await readdir(join(data, "snapshots")), [snapshot]);
});
