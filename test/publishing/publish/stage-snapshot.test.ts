import { mkdirSync, readFileSync } from "node:fs";
import { appendFile, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import t, { type Test } from "tap";
import type { Manifest } from "../../../src/engine/snapshots/manifest.ts";
import { readManifest } from "../../../src/engine/snapshots/manifest.ts";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { Cleaning } from "../../../src/publishing/publish/cleaning.ts";
import { finishStaging, makeStaging } from "../../../src/publishing/publish/stage-snapshot.ts";
import { problemsOf, reportsExactly } from "../../support/dataset-problems.ts";
import type { DiskCall } from "../../support/fault-disk.ts";
import { scenes } from "../../support/fault-scenes.ts";
import { attemptWork } from "../../support/fault-work.ts";
import { currentOf } from "../../support/published-data.ts";
import { ndjson, priceRows, writeSnapshot } from "../../support/snapshot-files.ts";

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

/** @param inspect Receives the path of the staging folder, which is removed then. */
async function stage(
  data: string,
  candidate: string,
  manifest: Manifest,
  inspect: (staging: string) => Promise<void> = async () => {},
): Promise<void> {
  const cleaning = new Cleaning();
  const staging = await makeStaging(data, cleaning);
  try {
    for (const file of manifest.files) await staging.copyChecked(candidate, file);
    await finishStaging(staging, manifest);
    await inspect(staging.path);
  } finally {
    await cleaning.finish();
  }
}

t.test("files are copied as they are, read-only, with a manifest, under a name that is no snapshot's", async (t) => {
  const { data, candidate, manifest } = await fixture(t);
  await stage(data, candidate, manifest, async (staging) => {
    t.match(staging, /[\\/]snapshots[\\/]\.staging-[0-9a-f]+$/);
    t.same(await readManifest(staging), manifest);
    for (const { name } of manifest.files) {
      t.same(await readFile(join(staging, name)), await readFile(join(candidate, name)), name);
      t.equal((await stat(join(staging, name))).mode & 0o777, 0o444, name);
    }
    t.equal((await stat(join(staging, "manifest.json"))).mode & 0o777, 0o444);
  });
});

t.test("files are read-only whatever the process's mask", async (t) => {
  const { data, candidate, manifest } = await fixture(t);
  const mask = process.umask(0o077);
  try {
    await stage(data, candidate, manifest, async (staging) => {
      t.equal((await stat(join(staging, "crops.json"))).mode & 0o777, 0o444);
    });
  } finally {
    process.umask(mask);
  }
});

t.test("a file that changed after it was checked is refused, and nothing is left behind", async (t) => {
  const { data, candidate, manifest } = await fixture(t);
  await appendFile(join(candidate, "crops.json"), "\n");
  reportsExactly(t, await problemsOf(() => stage(data, candidate, manifest)), [
    /^crops\.json: found sha256 [0-9a-f]{64}, expected [0-9a-f]{64}, as when it was checked just before$/,
  ]);
  t.same(await readdir(join(data, "snapshots")), []);
});

t.test("what does not load from its new place is refused, and nothing is left behind", async (t) => {
  const { data, candidate, manifest } = await fixture(t);
  const wrong = { ...manifest, id: "20260201T083000Z-0123456789ab" as SnapshotId };
  reportsExactly(t, await problemsOf(() => stage(data, candidate, wrong)), [/^manifest\.json: "id" is/]);
  t.same(await readdir(join(data, "snapshots")), []);
});

for (const name of ["publish", "append"] as const) {
  t.test(`${name}: a failure behind the compiling leaves no staged copy`, async (t) => {
    const { work, data, before } = await scenes[name](t.testdir({}));
    const snapshots = join(data, "snapshots");
    const onCall = (calls: readonly DiskCall[]): void => {
      const { name: call, path = "" } = calls.at(-1) ?? {};
      if (call !== "rename" || !path.includes(".staging-")) return;
      const { id } = JSON.parse(readFileSync(join(path, "manifest.json"), "utf8"));
      // The folder cannot be given its name.
      mkdirSync(join(snapshots, id, "taken"), { recursive: true });
    };
    const { outcome } = await attemptWork(work, { kind: "EIO", onCall });
    t.match(outcome, /^(?:ENOTEMPTY|EEXIST|EPERM)$/);
    t.same(
      (await readdir(snapshots)).filter((entry) => entry.startsWith(".")),
      [],
    );
    t.equal(await currentOf(data), before);
  });
}
