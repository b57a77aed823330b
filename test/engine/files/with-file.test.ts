import { existsSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { faultText, withFile, withPath, withTemporaryFolder } from "../../../src/engine/files/with-file.ts";

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: i/o error, write`), { code, syscall: "write" });
}

t.test("the first fault is thrown, with its path, and not that of closing", async (t) => {
  const path = join(t.testdir({}), "a file");
  let opened: FileHandle | undefined;
  const work = withFile(path, "w", async (file) => {
    opened = file;
    const close = file.close.bind(file);
    file.close = async () => {
      await close();
      throw systemError("EROFS");
    };
    throw systemError("EIO");
  });
  const error = await work.catch((thrown: unknown) => thrown);
  t.match(error, { code: "EIO", path, message: `EIO: i/o error, write '${path}'` });
  t.equal(faultText(error), `EIO at ${path}`);
  t.equal(opened?.fd, -1, "it is closed all the same");
});

t.test("an error that has a path keeps it, and another kind of error stays as it is", async (t) => {
  const path = join(t.testdir({}), "none", "file");
  const missing = await withFile(path, "r", async () => {}).catch((thrown: unknown) => thrown);
  t.match(missing, { code: "ENOENT", path });
  t.equal(faultText(withPath(missing, "another")), `ENOENT at ${path}`);
  t.equal(faultText(new TypeError("a bug")), "a bug");
  t.equal(faultText("no error"), "no error");
  const bug = new TypeError("a bug");
  await t.rejects(
    withFile(join(t.testdir({}), "file"), "w", async () => {
      throw bug;
    }),
    bug,
  );
});

t.test("a temporary folder is removed, also after an error", async (t) => {
  let path = "";
  const work = withTemporaryFolder(join(t.testdir({}), "made-"), async (folder) => {
    path = folder;
    t.ok(existsSync(folder));
    throw new RangeError("too much");
  });
  await t.rejects(work, new RangeError("too much"));
  t.notOk(existsSync(path));
});
