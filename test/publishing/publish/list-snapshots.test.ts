import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { listSnapshots, snapshotIds } from "../../../src/publishing/publish/list-snapshots.ts";
import { rollbackSnapshot } from "../../../src/publishing/publish/rollback-snapshot.ts";
import { publishedData } from "../../support/published-data.ts";

t.test("snapshots are listed newest first, with their place in the line of the current one", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 4);
  const [first, second, third, fourth] = ids;
  await rollbackSnapshot({ dataDirectory: data, id: third });
  const { current, currentFault, snapshots } = await listSnapshots(data);
  t.equal(current, third);
  t.equal(currentFault, undefined);
  t.match(snapshots, [
    { id: fourth, generation: undefined, rows: { prices: 23 }, manifest: { parent: third } },
    { id: third, generation: 0, rows: { prices: 22 } },
    { id: second, generation: 1 },
    { id: first, generation: 2, manifest: { parent: null } },
  ]);
  const files = snapshots[0]?.manifest?.files ?? [];
  t.equal(
    snapshots[0]?.bytes,
    files.reduce((sum, file) => sum + file.bytes, 0),
  );
});

t.test("a snapshot with a broken manifest is listed with what is wrong, and its parents are not known", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 3);
  const [first, second, third] = ids;
  await rm(join(data, "snapshots", String(second), "manifest.json"));
  t.match((await listSnapshots(data)).snapshots, [
    { id: third, generation: 0 },
    { id: second, generation: 1, manifest: undefined, fault: /manifest\.json/, rows: undefined, bytes: undefined },
    { id: first, generation: undefined },
  ]);
});

t.test("folders that are no snapshots are passed over, also with a time that does not exist", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 1);
  for (const name of ["20269999T999999Z-0123456789ab", ".staging-1", "backup"])
    await mkdir(join(data, "snapshots", name));
  t.same(await snapshotIds(data), ids);
});

t.test("a CURRENT that names nothing, and a directory that is not there, are reported", async (t) => {
  const { data } = await publishedData(t.testdir({}), 1);
  await writeFile(join(data, "CURRENT"), "");
  t.match(await listSnapshots(data), { current: undefined, currentFault: /an empty file/, snapshots: [{}] });
  t.match(await listSnapshots(join(data, "none")), { current: undefined, currentFault: /no such file/, snapshots: [] });
});
