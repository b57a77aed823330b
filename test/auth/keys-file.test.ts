import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import t from "tap";
import { keyDigest, keyKindOf } from "../../src/auth/key-format.ts";
import { KeysFileError, keysDocumentText } from "../../src/auth/keys-document.ts";
import { createKeysFileIfMissing, issueKey, readKeysFile, revokeKey } from "../../src/auth/keys-file.ts";
import type { Instant } from "../../src/domain/instant.ts";

const january = (): Instant => Date.UTC(2026, 0, 1) as Instant;
const february = (): Instant => Date.UTC(2026, 1, 1) as Instant;

t.test("an issued key is in the file by its digest only, dated by the clock", async (t) => {
  const path = join(t.testdir(), "keys.json");
  const { key, entry } = await issueKey(path, { kind: "secret", label: "analytics" }, january);
  t.equal(keyKindOf(key), "secret");
  t.match(entry, { id: /^key_/, kind: "secret", label: "analytics", createdAt: january(), revokedAt: null });
  t.same(await readKeysFile(path), [{ ...entry, digest: keyDigest(key) }]);
  t.notOk(readFileSync(path, "utf8").includes(key.slice(8)));
  t.notOk("digest" in entry);
});

t.test("keys stay in the order in which they were issued, with different ids", async (t) => {
  const path = join(t.testdir(), "keys.json");
  const ids: string[] = [];
  for (const label of ["a", "b", "c"]) ids.push((await issueKey(path, { kind: "public", label }, january)).entry.id);
  t.same(
    (await readKeysFile(path)).map(({ id, label }) => [id, label]),
    [
      [ids[0], "a"],
      [ids[1], "b"],
      [ids[2], "c"],
    ],
  );
  t.equal(new Set(ids).size, 3);
});

t.test("only the owner may read or write the file", { skip: process.platform === "win32" }, async (t) => {
  const path = join(t.testdir(), "keys.json");
  await issueKey(path, { kind: "public", label: "a" }, january);
  t.equal(statSync(path).mode & 0o777, 0o600);
});

t.test("a label that cannot be shown is refused before anything is written", async (t) => {
  const folder = t.testdir();
  await t.rejects(issueKey(join(folder, "keys.json"), { kind: "public", label: "a\nb" }, january), RangeError);
  t.same(readdirSync(folder), []);
});

t.test("a revoked key stays in the file with the time of its revocation", async (t) => {
  const path = join(t.testdir(), "keys.json");
  const first = await issueKey(path, { kind: "public", label: "first" }, january);
  const second = await issueKey(path, { kind: "public", label: "second" }, january);
  const revocation = await revokeKey(path, first.entry.id, february);
  t.same(revocation, { entry: { ...first.entry, revokedAt: february() }, isNew: true });
  t.match(await readKeysFile(path), [
    { id: first.entry.id, revokedAt: february(), digest: keyDigest(first.key) },
    { id: second.entry.id, revokedAt: null },
  ]);
});

t.test("revoking again keeps the first time and writes nothing", async (t) => {
  const path = join(t.testdir(), "keys.json");
  const { entry } = await issueKey(path, { kind: "public", label: "a" }, january);
  await revokeKey(path, entry.id, january);
  const before = statSync(path, { bigint: true });
  t.same(await revokeKey(path, entry.id, february), { entry: { ...entry, revokedAt: january() }, isNew: false });
  const after = statSync(path, { bigint: true });
  t.same([after.ino, after.mtimeNs], [before.ino, before.mtimeNs]);
});

t.test("revoking an id that no key has answers undefined and writes nothing", async (t) => {
  const path = join(t.testdir(), "keys.json");
  await issueKey(path, { kind: "public", label: "a" }, january);
  const before = readFileSync(path, "utf8");
  t.equal(await revokeKey(path, "key_nobody", february), undefined);
  t.equal(readFileSync(path, "utf8"), before);
});

t.test("reading and revoking in a file that does not exist say so, and do not make it", async (t) => {
  const path = join(t.testdir(), "keys.json");
  const wanted = {
    code: "KEYS_FILE_MISSING",
    message: `${path}: does not exist, expected a keys file (issuing a key makes it)`,
  };
  await t.rejects(readKeysFile(path), wanted);
  await t.rejects(revokeKey(path, "key_a", january), wanted);
  await t.rejects(readKeysFile(path), wanted);
});

t.test("a file with a fault is not written over", async (t) => {
  const path = join(t.testdir({ "keys.json": '{"format":1,' }), "keys.json");
  await t.rejects(issueKey(path, { kind: "public", label: "a" }, january), { code: "KEYS_FILE_INVALID" });
  await t.rejects(revokeKey(path, "key_a", january), { code: "KEYS_FILE_INVALID" });
  t.equal(readFileSync(path, "utf8"), '{"format":1,');
});

t.test("a path that is no file, or beneath one, is unreadable", async (t) => {
  const folder = t.testdir({ file: "" });
  for (const path of [folder, join(folder, "file", "keys.json")]) {
    await t.rejects(readKeysFile(path), { code: "KEYS_FILE_UNREADABLE" });
    await t.rejects(issueKey(path, { kind: "public", label: "a" }, january), KeysFileError);
  }
  await t.rejects(createKeysFileIfMissing(join(folder, "file", "keys.json"), january), {
    code: "KEYS_FILE_UNREADABLE",
  });
});

t.test(
  "a FIFO, or a link to a device, is named at once, and nothing is made beside it",
  { skip: process.platform === "win32" && "Windows has no FIFOs and devices among its files" },
  async (t) => {
    const folder = t.testdir();
    const [fifo, link] = [join(folder, "fifo"), join(folder, "link")];
    execFileSync("mkfifo", [fifo]);
    symlinkSync("/dev/zero", link);
    for (const [path, found] of [
      [fifo, "a FIFO"],
      [link, "a device"],
    ] as const) {
      const wanted = { code: "KEYS_FILE_UNREADABLE", message: `${path}: found ${found}, expected a regular file` };
      await t.rejects(readKeysFile(path), wanted);
      await t.rejects(issueKey(path, { kind: "public", label: "a" }, january), wanted);
      await t.rejects(revokeKey(path, "key_a", january), wanted);
      await t.rejects(createKeysFileIfMissing(path, january), wanted);
    }
    t.same(readdirSync(folder).sort(), ["fifo", "link"]);
    t.notOk(existsSync("/dev/zero.lock"));
  },
);

t.test("a file that is larger than any keys file is not read", async (t) => {
  const path = join(t.testdir(), "keys.json");
  writeFileSync(path, "");
  truncateSync(path, 16 * 1024 * 1024 + 1);
  await t.rejects(readKeysFile(path), {
    code: "KEYS_FILE_UNREADABLE",
    message: `${path}: found more than 16777216 bytes, expected a keys file`,
  });
});

t.test("a folder that does not exist, and a file that cannot be replaced, are told in one line", async (t) => {
  const folder = t.testdir({ "keys.json.tmp": { content: "" } });
  const missing = join(folder, "none", "keys.json");
  const blocked = join(folder, "keys.json");
  for (const path of [missing, blocked]) {
    const error: unknown = await issueKey(path, { kind: "public", label: "a" }, january).catch(
      (reason: unknown) => reason,
    );
    t.match(error, { name: "KeysFileError", code: "KEYS_FILE_UNWRITABLE", path });
    t.match(String(error), `${path}: cannot be changed: `);
    t.notMatch(String(error), "\n");
  }
});

t.test("an error of the clock passes through, and the lock is free again", async (t) => {
  const path = join(t.testdir(), "keys.json");
  const failure = new Error("no clock");
  const stopped = () => {
    throw failure;
  };
  await t.rejects(issueKey(path, { kind: "public", label: "a" }, stopped), failure);
  await issueKey(path, { kind: "public", label: "a" }, january);
});

t.test(
  "a file behind a link is changed where it is, and the link stays",
  { skip: process.platform === "win32" },
  async (t) => {
    const folder = t.testdir({ real: {}, linked: {} });
    const [real, linked] = [join(folder, "real", "keys.json"), join(folder, "linked", "keys.json")];
    writeFileSync(real, keysDocumentText([]));
    symlinkSync(real, linked);
    await issueKey(linked, { kind: "public", label: "a" }, january);
    t.ok(lstatSync(linked).isSymbolicLink());
    t.equal((await readKeysFile(real)).length, 1);
    t.same(readdirSync(join(folder, "linked")), ["keys.json"]);
  },
);

t.test("a missing file is made with one public and one secret key", async (t) => {
  const path = join(t.testdir(), "keys.json");
  const keys = await createKeysFileIfMissing(path, january);
  t.equal(keyKindOf(keys?.public.key ?? ""), "public");
  t.equal(keyKindOf(keys?.secret.key ?? ""), "secret");
  t.match(await readKeysFile(path), [
    { ...keys?.public.entry, kind: "public", digest: keyDigest(keys?.public.key ?? ""), createdAt: january() },
    { ...keys?.secret.entry, kind: "secret", digest: keyDigest(keys?.secret.key ?? ""), createdAt: january() },
  ]);
});

t.test("a file that exists is left alone, whatever is in it", async (t) => {
  const folder = t.testdir({ "keys.json": "broken" });
  t.equal(await createKeysFileIfMissing(join(folder, "keys.json"), january), undefined);
  t.same(readdirSync(folder), ["keys.json"]);
  t.equal(readFileSync(join(folder, "keys.json"), "utf8"), "broken");
});

t.test("of processes that start at once on a missing file, one makes it", async (t) => {
  const path = join(t.testdir(), "keys.json");
  const module = new URL("../../src/auth/keys-file.ts", import.meta.url).href;
  const code = `import { createKeysFileIfMissing } from ${JSON.stringify(module)};
    const keys = await createKeysFileIfMissing(process.argv[1], Date.now);
    if (keys !== undefined) console.log(keys.public.entry.id, keys.secret.entry.id);`;
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const outputs = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const child = spawn(process.execPath, ["--input-type=module", "-e", code, path], { env });
      const [output, exit] = await Promise.all([text(child.stdout), once(child, "exit")]);
      t.same(exit, [0, null]);
      return output.trim();
    }),
  );
  const made = outputs.filter((output) => output !== "");
  t.same(made, [(await readKeysFile(path)).map(({ id }) => id).join(" ")]);
});

t.test("a file that appears while waiting for the lock is left alone", async (t) => {
  const path = join(t.testdir(), "keys.json");
  const module = new URL("../../src/files/exclusive-lock.ts", import.meta.url).href;
  const code = `import { writeFileSync } from "node:fs";
    import { withExclusiveLock } from ${JSON.stringify(module)};
    await withExclusiveLock(process.argv[1] + ".lock", 0, async () => {
      console.log("held");
      await new Promise((resolve) => setTimeout(resolve, 300));
      writeFileSync(process.argv[1], process.argv[2]);
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code, path, keysDocumentText([])]);
  await once(child.stdout, "data");
  t.notOk(existsSync(path));
  t.equal(await createKeysFileIfMissing(path, january), undefined);
  t.same(await readKeysFile(path), []);
});

t.test("a path that no system call takes is a bug of the caller, not a fault of the file", async (t) => {
  await t.rejects(readKeysFile("keys\0.json"), { code: "ERR_INVALID_ARG_VALUE" });
});
