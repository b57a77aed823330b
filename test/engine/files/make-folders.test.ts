import { symlinkSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import t from "tap";
import { makeFolders } from "../../../src/engine/files/make-folders.ts";
import { failDisk } from "../../support/fault-disk.ts";
import { mountReadOnlyDisk } from "../../support/read-only-disk.ts";
import { lacksLinux } from "../../support/why-skipped.ts";

t.test("a folder is made with those above it, by several callers at once, and again", async (t) => {
  const path = join(t.testdir(), "a", "b", "c");
  await Promise.all([path, path, join(path, "d")].map((path) => makeFolders(path)));
  await makeFolders(path);
  t.ok((await stat(join(path, "d"))).isDirectory());
});

t.test("the name of each folder that is made is flushed, and of no other", async (t) => {
  const folder = join(t.testdir(), "a");
  await makeFolders(folder);
  const callsOf = failDisk({ folder, kind: "EIO" });
  await makeFolders(join(folder, "b", "c"));
  await makeFolders(join(folder, "b", "c"));
  t.strictSame(
    callsOf().filter(({ name }) => name === "mkdir" || name === "sync"),
    [join(folder, "b"), join(folder, "b", "c")].flatMap((path) => [
      { name: "mkdir", path },
      { name: "sync", path: dirname(path) },
    ]),
  );
});

t.test("what stands in the way of a folder is named", async (t) => {
  const directory = t.testdir({ file: "" });
  const file = join(directory, "file");
  await t.rejects(makeFolders(file), { code: "EEXIST", path: file });
  await t.rejects(makeFolders(join(file, "a", "b")), { code: "ENOTDIR" });
  const link = join(directory, "link");
  symlinkSync(join(directory, "nowhere"), link);
  await t.rejects(makeFolders(join(link, "a")), { code: "EEXIST", path: link });
});

t.test("a folder that takes no folders is an error, not a wait without end", { skip: lacksLinux }, async (t) => {
  await t.rejects(makeFolders("/proc/prices/snapshots"), { code: "ENOENT", path: "/proc/prices" });
});

const disk = await mountReadOnlyDisk().catch(() => undefined);
const isUnmountable = disk === undefined && "this user may not mount a disk";

t.test("a read-only disk is called so", { skip: isUnmountable }, async (t) => {
  const { folder = "", remove } = disk ?? {};
  t.teardown(() => remove?.());
  await t.rejects(makeFolders(join(folder, "a", "b")), { code: "EROFS", path: join(folder, "a") });
});
