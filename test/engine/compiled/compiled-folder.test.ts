import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import t, { type Test } from "tap";
import { listCompiled, readCompiledSnapshot } from "../../../src/engine/compiled/compiled-folder.ts";
import { CompiledStoreError } from "../../../src/engine/compiled/compiled-store-error.ts";
import { readManifestOf } from "../../../src/engine/snapshots/current-snapshot.ts";
import {
  compiledFolderPath,
  compiledPath,
  type SnapshotId,
  snapshotPath,
} from "../../../src/engine/snapshots/snapshot-layout.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { compileSnapshot, loadDataset, openSnapshot } from "../../support/open-snapshots.ts";
import { priceRows, writeCurrentSnapshot } from "../../support/snapshot-files.ts";
import { lacksPosix } from "../../support/why-skipped.ts";

interface Published {
  readonly data: string;
  readonly id: SnapshotId;
  readonly store: Store;
}

async function publish(t: Test): Promise<Published> {
  const data = join(t.testdir({}), "data");
  const id = (await writeCurrentSnapshot(data, { tables: { prices: priceRows(20) } })) as SnapshotId;
  return { data, id, store: buildStore(await loadDataset(snapshotPath(data, id))) };
}

t.test("a snapshot is compiled and listed", async (t) => {
  const { data, id, store } = await publish(t);
  t.same(await listCompiled(data), []);
  const compilation = await compileSnapshot(data, id, store);
  const path = compiledPath(data, id);
  const [listed, ...others] = await listCompiled(data);
  t.match(listed, { path, id, writtenAt: Number });
  t.match(compilation, { written: true, bytes: statSync(path).size, milliseconds: Number });
  t.same(others, []);
  await compileSnapshot(data, id, store);
  t.equal((await listCompiled(data)).length, 1, "once more is no more");

  writeFileSync(`${path}.0b5e.partial`, "left by a killed writer");
  writeFileSync(join(compiledFolderPath(data), "notes.txt"), "somebody's");
  writeFileSync(join(compiledFolderPath(data), "other.partial"), "somebody's");
  t.match(await listCompiled(data), [
    { path, id },
    { path: `${path}.0b5e.partial`, id: undefined },
  ]);
  rmSync(path);
  t.match(await listCompiled(data), [{ id: undefined }]);
});

t.test("a store is not compiled as another snapshot's", async (t) => {
  const { data, id, store } = await publish(t);
  const stranger = { ...store, snapshot: { ...store.snapshot, id: "20260101T000000Z-0123456789ab" } };
  await t.rejects(compileSnapshot(data, id, stranger), RangeError);
  t.notOk(existsSync(compiledFolderPath(data)));
  await t.rejects(compileSnapshot(data, stranger.snapshot.id as SnapshotId, stranger), {
    name: "SnapshotUnavailableError",
  });
});

t.test("what cannot be written leaves nothing behind and is reported with the code of the system", async (t) => {
  const { data, id, store } = await publish(t);
  mkdirSync(compiledPath(data, id), { recursive: true });
  writeFileSync(join(compiledPath(data, id), "in-the-way"), "");
  t.match(await compileSnapshot(data, id, store), {
    written: false,
    code: /^E(ISDIR|EXIST|NOTEMPTY|PERM)$/,
    message: String,
  });
  t.same(readdirSync(compiledFolderPath(data)), [`${id}.store`]);
});

t.test("a folder that this user may only read is no failure", { skip: lacksPosix }, async (t) => {
  const { data, id } = await publish(t);
  chmodSync(data, 0o555);
  const code = new URL("../../support/open-snapshots.ts", import.meta.url);
  const attempt = `
  import { accessSync } from "node:fs";
  import { openSnapshot } from ${JSON.stringify(code)};
  if (process.getuid() === 0) process.setuid(65534); // root may write everything
  try {
    accessSync(new URL(${JSON.stringify(code)}));
    const { origin, compilation, store } = await openSnapshot(${JSON.stringify(data)}, ${JSON.stringify(id)});
    console.log(origin, compilation.written, compilation.code, store.prices.rowCount);
  } catch (error) {
    console.log(error.code);
  }
  process.kill(process.pid, "SIGKILL"); // tap's exit hooks could not write as that user`;
  const output = await outputOf(attempt).finally(() => chmodSync(data, 0o755));
  t.notOk(existsSync(compiledFolderPath(data)));
  if (output === "EACCES\n") t.comment("no other user can reach this checkout, so root cannot try it as one");
  else t.equal(output, "records false EACCES 20\n");
});

t.test("two processes that compile one snapshot at once leave one whole file, and read no other", async (t) => {
  const { data, id, store } = await publish(t);
  const manifest = await readManifestOf(data, id);
  const write = `
    import { compileSnapshot, openSnapshot } from ${JSON.stringify(new URL("../../support/open-snapshots.ts", import.meta.url))};
    const [data, id] = ${JSON.stringify([data, id])};
    const { store } = await openSnapshot(data, id);
    for (let round = 0; round < 30; round++) {
      const { written } = await compileSnapshot(data, id, store);
      if (!written) throw new Error("not written");
    }
    console.log("done");`;
  await compileSnapshot(data, id, store);
  let working = true;
  const writers = Promise.all([outputOf(write), outputOf(write)]).finally(() => {
    working = false;
  });
  let reads = 0;
  while (working) {
    assert(!((await readCompiledSnapshot(data, manifest)) instanceof CompiledStoreError));
    reads++;
  }
  t.same(await writers, ["done\n", "done\n"]);
  t.ok(reads > 0, `${reads} reads`);
  t.match(await listCompiled(data), [{ id }]);
  t.equal((await listCompiled(data)).length, 1);
  t.equal((await openSnapshot(data, id)).origin, "compiled");
});

/** What a script writes to stdout, run as a process of its own. */
async function outputOf(script: string): Promise<string> {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
    cwd: dirname(import.meta.dirname),
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  await once(child, "close");
  return output;
}
