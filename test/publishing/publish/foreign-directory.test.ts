/** Commands of root on a dataset directory whose service runs as another user. */
import { chownSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { announceSnapshot } from "../../../src/publishing/publish/announce-snapshot.ts";
import { ForeignDirectoryError, refuseRootInForeignDirectory } from "../../../src/publishing/publish/publish-lock.ts";
import { runCommand } from "../../cli/run-command.ts";
import { currentOf, publishedData } from "../../support/published-data.ts";
import { cannotChangeUser, sharedFolder } from "../../support/shared-folder.ts";
import { ndjson, priceRows } from "../../support/snapshot-files.ts";
import { isNotRoot } from "../../support/why-skipped.ts";

t.test("root changes nothing where the service of another user reads", { skip: isNotRoot }, async (t) => {
  const root = t.testdir({ origin: {} });
  const { data, ids } = await publishedData(root, 2);
  await writeFile(join(root, "day.ndjson"), ndjson(priceRows(1, 900)));
  chownSync(data, 1234, 1234);
  const names = await readdir(data);
  const announcement = await readFile(join(data, "announcement.json"), "utf8");
  const commands = [
    ["publish", "candidate"],
    ["append", "day.ndjson"],
    ["rollback"],
    ["withdraw", "00000000-0000-4000-8000-000000000000", "--reason", "wrong"],
    ["announce", "--above", "90"],
    ["pin", String(ids[0]), "--reason", "looked into"],
    ["gc", "--keep", "1", "--min-age", "0s"],
    ["push", join(root, "origin")],
    ["downloads"],
    ["forget-sequence"],
  ];
  for (const command of commands) {
    const { code, stderr } = await runCommand("snapshot", command, root, { DATA_DIR: data });
    t.match({ code, stderr }, { code: 1, stderr: /found a directory of user 1234 and root as the user/ }, `${command}`);
    t.match(stderr, "run-as-service.sh");
  }
  const empty = join(root, "origin");
  chownSync(empty, 1234, 1234);
  t.match(await runCommand("snapshot", ["publish", "candidate"], root, { DATA_DIR: empty }), { code: 1 });
  t.equal(await currentOf(data), ids[1]);
  t.equal(await readFile(join(data, "announcement.json"), "utf8"), announcement);
  t.strictSame(await readdir(data), names);
  t.strictSame(await readdir(join(root, "origin")), []);
  for (const command of [["list"], ["verify"], ["append", "day.ndjson", "--dry-run"]]) {
    t.match(await runCommand("snapshot", command, root, { DATA_DIR: data }), { code: 0 }, `${command} only reads`);
  }
});

t.test("root changes a directory of its own, so does the owner of another", { skip: cannotChangeUser }, async (t) => {
  const { data } = await publishedData(sharedFolder(t), 1);
  t.equal((await announceSnapshot({ dataDirectory: data, above: 5 }))?.sequence, 6);
  for (const path of [data, join(data, "announcement.json"), join(data, ".publish.lock")]) chownSync(path, 1234, 1234);
  process.seteuid?.(1234);
  const announced = await announceSnapshot({ dataDirectory: data, above: 9 }).finally(() => process.seteuid?.(0));
  t.equal(announced?.sequence, 10);
});

t.test("root may change the directory of a clone, whose program is of that user", { skip: isNotRoot }, async (t) => {
  const folder = t.testdir({ data: {}, "program.ts": "" });
  const [data, program] = [join(folder, "data"), join(folder, "program.ts")];
  chownSync(data, 1234, 1234);
  chownSync(program, 1234, 1234);
  await refuseRootInForeignDirectory(data, program);
  chownSync(program, 1235, 1235);
  await t.rejects(refuseRootInForeignDirectory(data, program), ForeignDirectoryError);
});
