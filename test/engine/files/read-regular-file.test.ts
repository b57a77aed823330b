import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import t from "tap";
import {
  FileTooLargeError,
  NotRegularFileError,
  openRegularFile,
  readRegularFile,
  regularFileExists,
} from "../../../src/engine/files/read-regular-file.ts";
import { lacksPosix } from "../../support/why-skipped.ts";

t.test("a regular file is read whole, up to its limit and no further", async (t) => {
  const path = join(t.testdir({ file: "text", empty: "", large: "x".repeat(200_000) }), "file");
  t.equal((await readRegularFile(path, 4)).toString(), "text");
  await t.rejects(
    readRegularFile(path, 3),
    new FileTooLargeError(path, 3),
    `${path}: found more than 3 bytes, expected at most that`,
  );
  t.equal((await readRegularFile(join(path, "../empty"), 0)).length, 0);
  t.equal((await readRegularFile(join(path, "../large"), 200_000)).length, 200_000);
});

t.test("a file that is not there is the system's error", async (t) => {
  const path = join(t.testdir({}), "none");
  await t.rejects(openRegularFile(path), { code: "ENOENT", syscall: "open" });
  await t.rejects(readRegularFile(path, 10), { code: "ENOENT", syscall: "open" });
  t.equal(await regularFileExists(path), false);
});

t.test("a directory is named", async (t) => {
  const path = t.testdir({});
  await t.rejects(openRegularFile(path), new NotRegularFileError(path, "a directory"));
  await t.rejects(regularFileExists(path), new NotRegularFileError(path, "a directory"));
});

t.test("what is no regular file is refused at once, also behind a link", { skip: lacksPosix }, async (t) => {
  const folder = t.testdir({});
  const at = (name: string): string => join(folder, name);
  execFileSync("mkfifo", [at("fifo")]);
  symlinkSync("/dev/zero", at("zero"));
  symlinkSync(at("fifo"), at("link"));
  // The path of a socket is short (about 100 bytes), so it is bound by a relative one.
  const server = createServer();
  const before = process.cwd();
  process.chdir(folder);
  await new Promise<void>((resolve) => server.listen("socket", resolve));
  process.chdir(before);
  t.teardown(() => server.close());
  for (const [name, found] of [
    ["fifo", "a FIFO"],
    ["link", "a FIFO"],
    ["zero", "a device"],
    ["socket", "a socket"],
  ] as const) {
    const path = at(name);
    const wanted = { name: "NotRegularFileError", code: "ERR_NOT_REGULAR_FILE", found };
    const error = await readRegularFile(path, 10).catch((thrown: unknown) => thrown);
    t.type(error, NotRegularFileError);
    t.match(error, { ...wanted, message: `${path}: found ${found}, expected a regular file` }, name);
    await t.rejects(openRegularFile(path), wanted, name);
    await t.rejects(regularFileExists(path), wanted, name);
  }
});

t.test("links are followed or refused, as the caller says", { skip: lacksPosix }, async (t) => {
  const folder = t.testdir({});
  writeFileSync(join(folder, "file"), "text");
  mkdirSync(join(folder, "folder"));
  symlinkSync(join(folder, "file"), join(folder, "link"));
  t.equal((await readRegularFile(join(folder, "link"), 10)).toString(), "text");
  await t.rejects(openRegularFile(join(folder, "link"), { refusesLinks: true }), { code: "ELOOP" });
});
