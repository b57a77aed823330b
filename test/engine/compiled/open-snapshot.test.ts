import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import t, { type Test } from "tap";
import { compareStores } from "../../../src/engine/compiled/compare-stores.ts";
import { listCompiled, readCompiledSnapshot } from "../../../src/engine/compiled/compiled-folder.ts";
import { CompiledStoreError } from "../../../src/engine/compiled/compiled-store-error.ts";
import { type OpenedSnapshot, openCurrentSnapshot } from "../../../src/engine/compiled/open-snapshot.ts";
import { type Fallback, readManifestOf } from "../../../src/engine/snapshots/current-snapshot.ts";
import { compiledPath, type SnapshotId, snapshotPath } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { valuesOf } from "../../support/fields-of.ts";
import { loadDataset, openSnapshot } from "../../support/open-snapshots.ts";
import { priceRows, writeCurrentSnapshot } from "../../support/snapshot-files.ts";
import { startWorker } from "../../support/start-worker.ts";
import { isNotRoot, lacksPosix } from "../../support/why-skipped.ts";
import { typedArraysIn } from "../store/shared-memory.ts";
import { flipBit } from "./damage.ts";

interface Published {
  readonly data: string;
  readonly id: SnapshotId;
  readonly path: string;
}

async function publish(t: Test, folder = t.testdir({})): Promise<Published> {
  const data = join(folder, "data");
  const id = (await writeCurrentSnapshot(data, { tables: { prices: priceRows(40) } })) as SnapshotId;
  return { data, id, path: compiledPath(data, id) };
}

/** What became of a snapshot, in a word. */
function outcome(opened: OpenedSnapshot): string {
  if (opened.origin === "compiled") return "compiled";
  return `${opened.refused.code}, ${opened.compilation.written ? "compiled" : opened.compilation.code}`;
}

async function storeOfRecords(data: string, id: SnapshotId): Promise<Store> {
  return buildStore(await loadDataset(snapshotPath(data, id)));
}

t.test("a snapshot is built from its records once, and read from its compiled store from then on", async (t) => {
  const { data, id } = await publish(t);
  const expected = await storeOfRecords(data, id);
  const first = await openSnapshot(data, id);
  t.match(first, { origin: "records", refused: { code: "missing" }, compilation: { written: true } });
  t.ok(first.readMilliseconds > 0);
  t.same(compareStores(first.store, expected), []);
  const second = await openSnapshot(data, id);
  t.equal(second.origin, "compiled");
  t.ok(second.readMilliseconds > 0);
  t.same(compareStores(second.store, expected), []);
  t.same(second.store, expected);
});

t.test("with a compiled store the manifest is read, and no record file", async (t) => {
  const { data, id } = await publish(t);
  await openSnapshot(data, id);
  const folder = snapshotPath(data, id);
  for (const name of ["prices.ndjson", "counties.json", "products.ndjson"]) rmSync(join(folder, name));
  t.equal(outcome(await openSnapshot(data, id)), "compiled");

  // What the content hash does not cover is what the manifest says.
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  writeFileSync(
    join(folder, "manifest.json"),
    JSON.stringify({ ...manifest, note: "Corrected", attribution: ["WFP"] }),
  );
  t.match((await openSnapshot(data, id)).store.snapshot, { id, note: "Corrected", attribution: ["WFP"] });

  rmSync(join(folder, "manifest.json"));
  await t.rejects(openSnapshot(data, id), { name: "SnapshotUnavailableError" });
});

t.test("a compiled store that cannot be used is reported, and made again", async (t) => {
  const { data, id, path } = await publish(t);
  const other = (await writeCurrentSnapshot(data, { tables: { prices: priceRows(41) } })) as SnapshotId;
  const expected = await storeOfRecords(data, id);
  await openSnapshot(data, id);
  await openSnapshot(data, other);
  const file = readFileSync(path);
  for (const [code, spoil] of [
    ["missing", () => rmSync(path)],
    ["damaged", () => writeFileSync(path, file.subarray(0, 5000))],
    ["foreign", () => writeFileSync(path, "")],
    ["damaged", () => appendFileSync(path, "\0")],
    ["damaged", () => writeFileSync(path, flipBit(file, 2000, 5))],
    ["foreign", () => writeFileSync(path, flipBit(file, 0, 0))],
    ["stale", () => cpSync(compiledPath(data, other), path)],
  ] as const) {
    spoil();
    const opened = await openSnapshot(data, id);
    t.equal(outcome(opened), `${code}, compiled`);
    t.same(compareStores(opened.store, expected), []);
    t.equal(outcome(await openSnapshot(data, id)), "compiled");
  }
});

t.test("a compiled store that other users may write is not used, and replaced", { skip: lacksPosix }, async (t) => {
  const { data, id, path } = await publish(t);
  const umask = process.umask(0);
  t.teardown(() => process.umask(umask));
  await openSnapshot(data, id);
  t.equal(statSync(path).mode & 0o777, 0o644, "a new file can be written by its owner alone, whatever the umask");
  for (const mode of [0o664, 0o646, 0o666, 0o620, 0o602]) {
    chmodSync(path, mode);
    const refusals: string[] = [];
    const opened = await openCurrentSnapshot(data, {
      onFallback: () => t.fail("the snapshot is good"),
      onCompiledRefused: ({ message }) => refusals.push(message),
    });
    t.equal(outcome(opened), "untrusted, compiled");
    t.match(refusals, [`mode 0${mode.toString(8)}, expected owner`]);
    t.equal(statSync(path).mode & 0o777, 0o644);
    t.equal(outcome(await openSnapshot(data, id)), "compiled");
  }
  for (const mode of [0o600, 0o400, 0o755]) {
    chmodSync(path, mode);
    t.equal(outcome(await openSnapshot(data, id)), "compiled", mode.toString(8));
  }
});

t.test("a compiled store of another user is used only in that user's folder", { skip: isNotRoot }, async (t) => {
  // Other users cannot reach every checkout.
  const folder = mkdtempSync(join(tmpdir(), "compiled-"));
  chmodSync(folder, 0o755);
  t.teardown(() => rmSync(folder, { recursive: true }));
  const { data, id, path } = await publish(t, folder);
  await openSnapshot(data, id);
  chownSync(path, 4711, 4711);
  t.equal(outcome(await openSnapshot(data, id)), "untrusted, compiled");
  t.equal(statSync(path).uid, 0, "it was replaced");
  chownSync(path, 4711, 4711);
  chownSync(dirname(path), 4711, 4711);
  t.equal(outcome(await openSnapshot(data, id)), "compiled");
  chownSync(path, 4712, 4711);
  t.equal(outcome(await openSnapshot(data, id)), "untrusted, compiled");

  // As a user that is neither root nor the owner of the folder.
  chownSync(path, 4711, 4711);
  const manifest = await readManifestOf(data, id);
  const outcomes: string[] = [];
  for (const uid of [0, 4711, 4713, 4712]) {
    chownSync(path, uid, uid);
    process.seteuid?.(4713);
    const read = await readCompiledSnapshot(data, manifest).finally(() => process.seteuid?.(0));
    outcomes.push(read instanceof CompiledStoreError ? read.code : "compiled");
  }
  t.strictSame(outcomes, ["compiled", "compiled", "compiled", "untrusted"]);
});

t.test("a calendar that changed makes a compiled store stale, for the content hash does not cover it", async (t) => {
  const { data, id } = await publish(t);
  await openSnapshot(data, id);
  const manifestPath = join(snapshotPath(data, id), "manifest.json");
  const manifest = JSON.parse(readFileSync(manifestPath, "utf8"));
  for (const zone of ["Asia/Kolkata", "Africa/Kampala"]) {
    writeFileSync(manifestPath, JSON.stringify({ ...manifest, time_zone: zone }));
    const opened = await openSnapshot(data, id);
    t.equal(outcome(opened), "stale, compiled");
    t.equal(opened.store.snapshot.timeZone, zone);
    t.equal(outcome(await openSnapshot(data, id)), "compiled");
  }
});

t.test("broken records and no compiled store are no snapshot", async (t) => {
  const { data, id, path } = await publish(t);
  await openSnapshot(data, id);
  appendFileSync(join(snapshotPath(data, id), "prices.ndjson"), "{");
  t.equal(outcome(await openSnapshot(data, id)), "compiled");
  t.match(await readCompiledSnapshot(data, { ...(await readManifestOf(data, id)), timeZone: "UTC" }), {
    name: "CompiledStoreError",
    code: "stale",
  });
  rmSync(path);
  await t.rejects(openSnapshot(data, id), { name: "SnapshotUnavailableError", cause: { name: "DatasetError" } });
  t.notOk(existsSync(path));
});

t.test("a folder that cannot be written costs the compiled store and nothing else", async (t) => {
  const { data, id } = await publish(t);
  writeFileSync(join(data, "compiled"), "a file where the folder would be");
  const opened = await openSnapshot(data, id);
  t.match(opened, { origin: "records", compilation: { written: false, code: /^E(EXIST|NOTDIR)$/ } });
  t.same(compareStores(opened.store, await storeOfRecords(data, id)), []);
});

t.test("the current snapshot is opened; when it is broken its parent is, compiled or not", async (t) => {
  const { data, id: first } = await publish(t);
  const second = (await writeCurrentSnapshot(data, {
    createdAt: "2026-02-02T08:30:00Z",
    parent: first,
    tables: { prices: priceRows(41) },
  })) as SnapshotId;
  const reported: string[] = [];
  const options = {
    onFallback: ({ broken, next }: Fallback) => void reported.push(`${broken} → ${next}`),
    onCompiledRefused: ({ code, path }: { code: string; path: string }) => void reported.push(`${code} ${path}`),
  };
  const opening = async (): Promise<string> => {
    const opened = await openCurrentSnapshot(data, options);
    return `${opened.store.snapshot.id}: ${outcome(opened)}`;
  };
  t.equal(await opening(), `${second}: missing, compiled`);
  t.equal(await opening(), `${second}: compiled`);
  t.same(reported, [], "a compiled store that is missing is nothing to speak of");

  appendFileSync(compiledPath(data, second), "x");
  t.equal(await opening(), `${second}: damaged, compiled`);
  t.same(reported.splice(0), [`damaged ${compiledPath(data, second)}`]);

  appendFileSync(join(snapshotPath(data, second), "prices.ndjson"), "{");
  t.equal(await opening(), `${second}: compiled`, "its records are not looked at");
  rmSync(compiledPath(data, second));
  t.equal(await opening(), `${first}: missing, compiled`);
  t.equal(await opening(), `${first}: compiled`);
  t.same(reported, [`${second} → ${first}`, `${second} → ${first}`]);
  t.same(valuesOf(await listCompiled(data), "id"), [first]);

  rmSync(compiledPath(data, first));
  rmSync(join(snapshotPath(data, first), "prices.ndjson"));
  await t.rejects(openCurrentSnapshot(data, options), { name: "SnapshotUnavailableError" });
});

t.test("another thread opens a snapshot and hands its memory over", async (t) => {
  const { data, id } = await publish(t);
  const expected = await storeOfRecords(data, id);
  for (const origin of ["missing, compiled", "compiled"]) {
    const worker = startWorker(new URL("./opening-worker.ts", import.meta.url), { data, id });
    t.teardown(() => worker.terminate());
    const [opened] = (await once(worker, "message")) as [OpenedSnapshot];
    t.equal(outcome(opened), origin);
    t.same(compareStores(opened.store, expected), []);
    for (const [path, { buffer }] of typedArraysIn(opened.store)) t.type(buffer, SharedArrayBuffer, path);
  }
});
