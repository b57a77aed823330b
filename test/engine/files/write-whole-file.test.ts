import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { writeWholeFile } from "../../../src/engine/files/write-whole-file.ts";

t.test("a new file is written, and nothing is left beside it", async (t) => {
  const folder = t.testdir();
  t.equal(await writeWholeFile(join(folder, "a", "b.csv"), ["one,", "two\n"]), 8);
  t.equal(readFileSync(join(folder, "a", "b.csv"), "utf8"), "one,two\n");
  t.strictSame(readdirSync(join(folder, "a")), ["b.csv"]);
});

t.test("a file, a folder and a link, also one to nothing, are not replaced", async (t) => {
  const folder = t.testdir({ file: "kept", folder: {}, link: t.fixture("symlink", "nothing") });
  for (const name of ["file", "folder", "link"]) {
    await t.rejects(writeWholeFile(join(folder, name), ["new"]), { name: "FolderTakenError" }, name);
  }
  t.equal(readFileSync(join(folder, "file"), "utf8"), "kept");
  t.ok(lstatSync(join(folder, "link")).isSymbolicLink());
  t.strictSame(readdirSync(folder), ["file", "folder", "link"]);
});
