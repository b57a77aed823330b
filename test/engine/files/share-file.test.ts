import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { shareFile } from "../../../src/engine/files/share-file.ts";
import { lacksOtherDisk, otherDisk } from "../../support/why-skipped.ts";

t.test("a file has two names afterwards", async (t) => {
  const folder = t.testdir({ a: "text" });
  t.equal(await shareFile(join(folder, "a"), join(folder, "b")), "linked");
  t.equal((await stat(join(folder, "b"))).ino, (await stat(join(folder, "a"))).ino);
});

t.test("what is there is not overwritten, and a missing file is an error", async (t) => {
  const folder = t.testdir({ a: "text", b: "other" });
  await t.rejects(shareFile(join(folder, "a"), join(folder, "b")), { code: "EEXIST" });
  t.equal(await readFile(join(folder, "b"), "utf8"), "other");
  await t.rejects(shareFile(join(folder, "none"), join(folder, "c")), { code: "ENOENT" });
});

t.test("a file on another disk is copied with its permissions", { skip: lacksOtherDisk }, async (t) => {
  const folder = t.testdir({});
  const far = await mkdtemp(join(otherDisk, "share-file-"));
  t.teardown(() => rm(far, { recursive: true }));
  if ((await stat(far)).dev === (await stat(folder)).dev) return;
  await writeFile(join(far, "a"), "text", { mode: 0o444 });
  t.equal(await shareFile(join(far, "a"), join(folder, "a")), "copied");
  t.equal(await readFile(join(folder, "a"), "utf8"), "text");
  t.equal((await stat(join(folder, "a"))).mode & 0o777, 0o444);
});
