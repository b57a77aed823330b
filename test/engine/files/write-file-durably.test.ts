import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { flushDirectory, writeFileDurably } from "../../../src/engine/files/write-file-durably.ts";
import { isNotRoot, lacksPosix } from "../../support/why-skipped.ts";

t.test("a file is made and replaced with the permissions asked for, and nothing is left beside it", async (t) => {
  const folder = t.testdir();
  const path = join(folder, "file");
  await writeFileDurably(path, "one", 0o600);
  t.equal(readFileSync(path, "utf8"), "one");
  await writeFileDurably(path, "zwei: ümlaut", 0o600);
  t.equal(readFileSync(path, "utf8"), "zwei: ümlaut");
  if (process.platform !== "win32") t.equal(statSync(path).mode & 0o777, 0o600);
  t.same(readdirSync(folder), ["file"]);
});

t.test("a file that others could read is private after it was replaced", { skip: lacksPosix }, async (t) => {
  const path = join(t.testdir(), "file");
  writeFileSync(path, "one", { mode: 0o644 });
  await writeFileDurably(path, "two", 0o600);
  t.equal(statSync(path).mode & 0o777, 0o600);
});

t.test("a file keeps the owner and the exact mode that are asked for", { skip: isNotRoot }, async (t) => {
  const path = join(t.testdir(), "file");
  const umask = process.umask(0o077);
  t.teardown(() => process.umask(umask));
  await writeFileDurably(path, "one", 0o640, { owner: { uid: 1234, gid: 4321 } });
  t.match(statSync(path), { uid: 1234, gid: 4321 });
  t.equal(statSync(path).mode & 0o777, 0o640, "the umask does not apply");
});

t.test("what a killed writer left behind is cleared away", async (t) => {
  const folder = t.testdir({ file: "old", "file.tmp": "half" });
  await writeFileDurably(join(folder, "file"), "new", 0o600);
  t.equal(readFileSync(join(folder, "file"), "utf8"), "new");
  t.same(readdirSync(folder), ["file"]);
});

t.test("a reader sees the old content or the new, never a part", async (t) => {
  const path = join(t.testdir(), "file");
  const contents = ["a".repeat(300_000), "b".repeat(200_000)];
  await writeFileDurably(path, contents[0] as string, 0o600);
  let isWriting = true;
  const writing = (async () => {
    for (let time = 1; time <= 20; time++) await writeFileDurably(path, contents[time % 2] as string, 0o600);
    isWriting = false;
  })();
  let reads = 0;
  while (isWriting) {
    if (!contents.includes(await readFile(path, "utf8"))) t.fail("half a file was read");
    reads++;
  }
  await writing;
  t.ok(reads > 1, `${reads} reads`);
});

t.test("a folder that does not exist is an error, and stays absent", async (t) => {
  const folder = t.testdir();
  await t.rejects(writeFileDurably(join(folder, "none", "file"), "x", 0o600), { code: "ENOENT" });
  t.same(readdirSync(folder), []);
});

t.test("flushDirectory names a folder that is not there", { skip: lacksPosix }, async (t) => {
  await t.rejects(flushDirectory(join(t.testdir(), "none")), { code: "ENOENT" });
});

t.test("flushDirectory leaves folders alone on Windows, which cannot open them", async (t) => {
  t.intercept(process, "platform", { value: "win32" });
  await t.resolves(flushDirectory(join(t.testdir(), "none")));
});
