/** A loss of power keeps what is flushed: a snapshot is flushed before `CURRENT` names it, all before it is announced. */
import { basename, dirname, join, relative, sep } from "node:path";
import t, { type Test } from "tap";
import type { DiskCall } from "../../support/fault-disk.ts";
import { scenes } from "../../support/fault-scenes.ts";
import { attemptWork, type FaultWork } from "../../support/fault-work.ts";

for (const kind of ["publish", "append", "rollback"] as const) {
  t.test(kind, async (t) => await checkFlushed(t, (await scenes[kind](t.testdir({}))).work));
}

t.test("rollback without a line in the log", async (t) => {
  const { work } = await scenes.rollback(t.testdir({}));
  await checkFlushed(t, { ...work, request: { ...work.request, invocation: undefined } } as FaultWork);
});

t.test("the first publication", async (t) => {
  const root = t.testdir({});
  const { work } = await scenes.publish(root);
  await checkFlushed(t, { ...work, request: { ...work.request, dataDirectory: join(root, "first") } } as FaultWork);
});

async function checkFlushed(t: Test, work: FaultWork): Promise<void> {
  const data = work.request.dataDirectory;
  const { calls, outcome } = await attemptWork(work);
  t.equal(outcome, "done");
  const moved = calls.find(({ name, path }) => name === "rename" && dirname(path) === join(data, "snapshots"))?.path;
  t.equal(moved === undefined, work.kind === "rollback", "a new snapshot is moved to its place");
  const pointed = calls.findIndex(({ name, path }) => name === "rename" && path === join(data, "CURRENT.tmp"));
  const needed = [join(data, "CURRENT.tmp"), join(data, "snapshots"), moved];
  t.strictSame(
    unflushedBy(calls.slice(0, pointed)).filter(
      (path) => needed.includes(path) || (moved !== undefined && path.startsWith(moved + sep)),
    ),
    [],
    "before CURRENT names the snapshot",
  );
  const announced = calls.findIndex(({ path }) => basename(path) === "announcement.json.tmp");
  for (const [when, made] of Object.entries({ announced: calls.slice(0, announced), ended: calls })) {
    const left = unflushedBy(made).map((path) => relative(data, path));
    // A compiled store is a cache with checksums.
    t.strictSame(
      left.filter((path) => !path.startsWith("compiled")),
      [],
      `before it is ${when}`,
    );
  }
}

/** The files that are written and the folders that have new entries, and are not flushed after that nor removed. */
function unflushedBy(calls: readonly DiskCall[]): string[] {
  const unflushed = new Set<string>();
  for (const { name, path } of calls) {
    if (name === "sync") unflushed.delete(path);
    else if (name === "rm") {
      for (const one of unflushed) if (one === path || one.startsWith(path + sep)) unflushed.delete(one);
    } else if (name !== "mkdtemp") {
      // A link leads to a file that is flushed already, and a file that is moved has been.
      if (name !== "link" && name !== "rename") unflushed.add(path);
      if (["open", "mkdir", "link", "copyFile", "rename"].includes(name)) unflushed.add(dirname(path));
    }
  }
  return [...unflushed];
}
