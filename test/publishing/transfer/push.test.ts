/** Pushing what is announced to a folder, and replicas that fetch it from there. */
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import t from "tap";
import { announceSnapshot } from "../../../src/publishing/publish/announce-snapshot.ts";
import { pushSnapshot } from "../../../src/publishing/transfer/push-snapshot.ts";
import { folderTarget, type PushTarget } from "../../../src/publishing/transfer/push-target.ts";
import { TransferError } from "../../../src/publishing/transfer/transfer-error.ts";
import { daysLater, publishedData, publishTables } from "../../support/published-data.ts";
import { sharedFolder } from "../../support/shared-folder.ts";
import { priceRows } from "../../support/snapshot-files.ts";
import { lacksPosix } from "../../support/why-skipped.ts";

t.test("files come first, the announcement last, and nothing is sent twice", async (t) => {
  const root = t.testdir();
  const { data, ids } = await publishedData(root, 2);
  const folder = join(root, "target");
  const order: string[] = [];
  const target = recorded(folderTarget(folder), order);
  const request = { dataDirectory: data, target, now: daysLater(3) };
  t.match(await pushSnapshot(request), { outcome: "pushed", snapshot: ids[1], removed: [] });
  t.equal(order.at(-1), "announcement.json");
  t.equal(order.at(-2), `snapshots/${ids[1]}/manifest.json`);
  const own = join(data, "snapshots", ids[1] as string);
  const pushed = join(folder, "snapshots", ids[1] as string);
  for (const name of ["manifest.json", "prices.ndjson", "markets.ndjson", "counties.json"]) {
    t.equal(readFileSync(join(pushed, name), "utf8"), readFileSync(join(own, name), "utf8"), name);
  }
  const copy = zstdDecompressSync(readFileSync(join(pushed, "prices.ndjson.zst")));
  t.equal(copy.toString(), readFileSync(join(own, "prices.ndjson"), "utf8"));
  order.length = 0;
  t.match(await pushSnapshot(request), { outcome: "already-there", written: 0 });
  t.same(order, []);
  // A push that was killed before the announcement, in the middle of a file.
  rmSync(join(folder, "announcement.json"));
  writeFileSync(join(pushed, "prices.ndjson"), "half");
  await pushSnapshot(request);
  t.same(
    order.filter((path) => !path.endsWith("manifest.json")),
    [`snapshots/${ids[1]}/prices.ndjson`, "announcement.json"],
  );
});

t.test("what is announced and no longer there is pushed again", async (t) => {
  const root = t.testdir();
  const { data, ids } = await publishedData(root, 2);
  const folder = join(root, "target");
  const request = { dataDirectory: data, target: folderTarget(folder), now: daysLater(3) };
  await pushSnapshot(request);
  const before = readdirSync(folder, { recursive: true });
  rmSync(join(folder, "snapshots", ids[1] as string), { recursive: true });
  t.match(await pushSnapshot(request), { outcome: "pushed", snapshot: ids[1] });
  t.same(readdirSync(folder, { recursive: true }), before);
});

t.test("a push goes on where another was killed in a file, which is as read-only as its original", async (t) => {
  const root = sharedFolder(t);
  const { data, ids } = await publishedData(root, 2);
  const [snapshots, folder] = [join(root, "target", "snapshots"), join(root, "target")];
  const pushed = join(snapshots, ids[1] as string);
  mkdirSync(pushed, { recursive: true });
  writeFileSync(join(pushed, "prices.ndjson.partial"), "half", { mode: 0o444 });
  const isRoot = process.getuid?.() === 0;
  // Root may write everything.
  if (isRoot) for (const path of [folder, snapshots, pushed]) chownSync(path, 4713, 4713);
  if (isRoot) process.seteuid?.(4713);
  const push = pushSnapshot({ dataDirectory: data, target: folderTarget(folder), now: daysLater(3) });
  t.match(await push.finally(() => isRoot && process.seteuid?.(0)), { outcome: "pushed" });
  t.same(
    readdirSync(pushed).filter((name) => name.endsWith(".partial")),
    [],
  );
});

t.test("a newer announcement is never replaced", async (t) => {
  const root = t.testdir();
  const { data } = await publishedData(root, 2);
  const folder = join(root, "target");
  const target = folderTarget(folder);
  await pushSnapshot({ dataDirectory: data, target, now: daysLater(3) });
  const path = join(folder, "announcement.json");
  const newer = { ...JSON.parse(readFileSync(path, "utf8")), sequence: 90 };
  writeFileSync(path, JSON.stringify(newer));
  await publishTables(root, { prices: priceRows(30) }, daysLater(4));
  const push = (): Promise<unknown> => pushSnapshot({ dataDirectory: data, target, now: daysLater(4) });
  await t.rejects(push(), { name: "TransferError", reason: "sequence", message: /announce --above 90$/ });
  t.equal(JSON.parse(readFileSync(path, "utf8")).sequence, 90);
  await announceSnapshot({ dataDirectory: data, above: 90 });
  t.match(await push(), { outcome: "pushed", sequence: 91 });
  const raced: PushTarget = {
    ...target,
    putText: async (name, ...more) => name !== "announcement.json" && target.putText(name, ...more),
  };
  await announceSnapshot({ dataDirectory: data, above: 100 });
  await t.rejects(pushSnapshot({ dataDirectory: data, target: raced, now: daysLater(4) }), TransferError);
});

t.test("older snapshots go an hour after they were replaced, the announced one never", async (t) => {
  const root = t.testdir();
  const { data } = await publishedData(root, 1);
  const folder = join(root, "target");
  const target = folderTarget(folder);
  const hour = 60 * 60_000;
  const start = daysLater(1);
  const push = (milliseconds: number, keep = 1) =>
    pushSnapshot({ dataDirectory: data, target, now: (start + milliseconds) as never, keep });
  const there = (): string[] => readdirSync(join(folder, "snapshots")).sort();
  const { snapshot: first } = await push(0);
  const second = await publishTables(root, { prices: priceRows(30) }, daysLater(1));
  t.same((await push(1000)).removed, []);
  t.same(there(), [first, second].sort());
  t.same((await push(hour)).removed, [], "59 minutes and 59 seconds later");
  const times = readFileSync(join(folder, "replaced.json"), "utf8");
  for (const damaged of ["", "<html>", "[]", `{ "${first}": 5 }`, `{ "${first}": "yesterday" }`]) {
    writeFileSync(join(folder, "replaced.json"), damaged);
    t.same((await push(2 * hour)).removed, [], `when it was replaced is not known: ${damaged}`);
  }
  writeFileSync(join(folder, "replaced.json"), times);
  t.match(await push(1000 + hour), { outcome: "already-there", removed: [first] });
  t.same(there(), [second]);
  t.ok(statSync(join(folder, "snapshots", second, "manifest.json")).isFile());
});

function recorded(target: PushTarget, order: string[]): PushTarget {
  return {
    ...target,
    put: async (path, file) => {
      order.push(path);
      await target.put(path, file);
    },
    putText: async (path, ...more) => {
      order.push(path);
      return await target.putText(path, ...more);
    },
  };
}

t.test(
  "everyone who may enter the folder reads what is pushed, under any umask and of any original",
  { skip: lacksPosix },
  async (t) => {
    const root = t.testdir({ target: {}, private: {} });
    const { data, ids } = await publishedData(root, 2);
    const own = join(data, "snapshots", ids[1] as string);
    for (const name of readdirSync(own)) if (name.endsWith("json")) chmodSync(join(own, name), 0o600);
    const umask = process.umask(0o077);
    const push = (folder: string) =>
      pushSnapshot({ dataDirectory: data, target: folderTarget(join(root, folder)), now: daysLater(3) });
    await push("target")
      .then(() => push("private/target"))
      .finally(() => process.umask(umask));
    const pushed = readdirSync(join(root, "target"), { recursive: true, withFileTypes: true });
    t.ok(pushed.length > 10);
    for (const entry of pushed) {
      const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777;
      t.equal(mode, entry.isDirectory() ? 0o755 : 0o644, entry.name);
    }
    t.equal(statSync(join(root, "private/target")).mode & 0o777, 0o700, "a folder that the push makes has the umask");
  },
);
