import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import t from "tap";
import { keyDigest, keyKindOf } from "../../../src/contract/credentials.ts";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { KeysFileError, keysDocumentText } from "../../../src/service/auth/keys-document.ts";
import {
  createKeysFileIfMissing,
  type IssuedKey,
  issueKey,
  KeyNotRotatableError,
  readKeysFile,
  revokeKey,
  rotateKey,
} from "../../../src/service/auth/keys-file.ts";
import { cannotChangeUser, sharedFolder } from "../../support/shared-folder.ts";
import { isNotRoot, lacksPosix } from "../../support/why-skipped.ts";

const january = (): Instant => Date.UTC(2026, 0, 1) as Instant;
const february = (): Instant => Date.UTC(2026, 1, 1) as Instant;
const dayMilliseconds = 86_400_000;

/** Issues a public key in January. */
function issueOne(path: string, label = "a"): Promise<IssuedKey> {
  return issueKey(path, { kind: "public", label }, january);
}

t.test("an issued key is in the file by its digest only, dated by the clock", async (t) => {
  const path = join(t.testdir(), "keys.json");
  const { key, entry } = await issueKey(path, { kind: "secret", label: "analytics" }, january);
  t.equal(keyKindOf(key), "secret");
  t.match(entry, { id: /^key_/, kind: "secret", label: "analytics", createdAt: january() });
  t.match(entry, { expiresAt: null, revokedAt: null, ratePerMinute: null, rotatedFrom: null });
  t.same(await readKeysFile(path), [{ ...entry, digest: keyDigest(key) }]);
  t.notOk(readFileSync(path, "utf8").includes(key.slice(8)));
  t.notOk("digest" in entry);
});

t.test("keys stay in the order in which they were issued, with different ids", async (t) => {
  const path = join(t.testdir(), "keys.json");
  const ids: string[] = [];
  for (const label of ["a", "b", "c"]) ids.push((await issueOne(path, label)).entry.id);
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

t.test("only the owner may read or write the file", { skip: lacksPosix }, async (t) => {
  const path = join(t.testdir(), "keys.json");
  await issueOne(path);
  t.equal(statSync(path).mode & 0o777, 0o600);
});

t.test("a label that cannot be shown is refused before anything is written", async (t) => {
  const folder = t.testdir();
  await t.rejects(issueKey(join(folder, "keys.json"), { kind: "public", label: "a\nb" }, january), RangeError);
  t.same(readdirSync(folder), []);
});

t.test("a revoked key stays in the file with the time of its revocation", async (t) => {
  const path = join(t.testdir(), "keys.json");
  const first = await issueOne(path, "first");
  const second = await issueOne(path, "second");
  const revocation = await revokeKey(path, first.entry.id, february);
  t.same(revocation, { entry: { ...first.entry, revokedAt: february() }, isNew: true });
  t.match(await readKeysFile(path), [
    { id: first.entry.id, revokedAt: february(), digest: keyDigest(first.key) },
    { id: second.entry.id, revokedAt: null },
  ]);
});

t.test("revoking again keeps the first time and writes nothing", async (t) => {
  const path = join(t.testdir(), "keys.json");
  const { entry } = await issueOne(path);
  await revokeKey(path, entry.id, january);
  const before = statSync(path, { bigint: true });
  t.same(await revokeKey(path, entry.id, february), { entry: { ...entry, revokedAt: january() }, isNew: false });
  const after = statSync(path, { bigint: true });
  t.same([after.ino, after.mtimeNs], [before.ino, before.mtimeNs]);
});

t.test("revoking an id that no key has answers undefined and writes nothing", async (t) => {
  const path = join(t.testdir(), "keys.json");
  await issueOne(path);
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
  await t.rejects(issueOne(path), { code: "KEYS_FILE_INVALID" });
  await t.rejects(revokeKey(path, "key_a", january), { code: "KEYS_FILE_INVALID" });
  t.equal(readFileSync(path, "utf8"), '{"format":1,');
});

t.test("a path that is no file, or beneath one, is unreadable", async (t) => {
  const folder = t.testdir({ file: "" });
  for (const path of [folder, join(folder, "file", "keys.json")]) {
    await t.rejects(readKeysFile(path), { code: "KEYS_FILE_UNREADABLE" });
    await t.rejects(issueOne(path), KeysFileError);
  }
  await t.rejects(createKeysFileIfMissing(join(folder, "file", "keys.json"), january), {
    code: "KEYS_FILE_UNREADABLE",
  });
});

t.test("a FIFO or a link to a device is named at once, nothing is made beside it", { skip: lacksPosix }, async (t) => {
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
    await t.rejects(issueOne(path), wanted);
    await t.rejects(revokeKey(path, "key_a", january), wanted);
    await t.rejects(createKeysFileIfMissing(path, january), wanted);
  }
  t.same(readdirSync(folder).sort(), ["fifo", "link"]);
  t.notOk(existsSync("/dev/zero.lock"));
});

t.test("a file that is larger than any keys file is not read", async (t) => {
  const path = join(t.testdir(), "keys.json");
  writeFileSync(path, "");
  truncateSync(path, 16 * 1024 * 1024 + 1);
  await t.rejects(readKeysFile(path), {
    code: "KEYS_FILE_UNREADABLE",
    message: `${path}: found more than 16777216 bytes, expected a keys file`,
  });
});

t.test("a folder that does not exist, and a file that cannot be replaced, are reported in one line", async (t) => {
  const folder = t.testdir({ "keys.json.tmp": { content: "" } });
  const missing = join(folder, "none", "keys.json");
  const blocked = join(folder, "keys.json");
  for (const path of [missing, blocked]) {
    const error: unknown = await issueOne(path).catch((reason: unknown) => reason);
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
  await issueOne(path);
});

t.test("a file behind a link is changed where it is, and the link stays", { skip: lacksPosix }, async (t) => {
  const folder = t.testdir({ real: {}, linked: {} });
  const [real, linked] = [join(folder, "real", "keys.json"), join(folder, "linked", "keys.json")];
  writeFileSync(real, keysDocumentText([]));
  symlinkSync(real, linked);
  await issueKey(linked, { kind: "public", label: "a" }, january);
  t.ok(lstatSync(linked).isSymbolicLink());
  t.equal((await readKeysFile(real)).length, 1);
  t.same(readdirSync(join(folder, "linked")), ["keys.json"]);
});

t.test("a new key may expire and have a rate", async (t) => {
  const path = join(t.testdir(), "keys.json");
  const newKey = { kind: "secret", label: "a", lifetimeMilliseconds: 31 * dayMilliseconds, ratePerMinute: 60 } as const;
  const { entry } = await issueKey(path, newKey, january);
  t.match(entry, { expiresAt: february(), ratePerMinute: 60, rotatedFrom: null });
  t.match(await readKeysFile(path), [entry]);
  for (const ratePerMinute of [0, 1.5]) {
    await t.rejects(issueKey(path, { kind: "public", label: "b", ratePerMinute }, january), RangeError);
  }
  t.equal((await readKeysFile(path)).length, 1);
});

t.test("a rotation makes another key of the same kind, label and rate, and the old one expires", async (t) => {
  const path = join(t.testdir(), "keys.json");
  const { key, entry } = await issueKey(path, { kind: "secret", label: "lab", ratePerMinute: 60 }, january);
  const rotation = await rotateKey(path, entry.id, { overlapMilliseconds: dayMilliseconds }, february);
  if (rotation === undefined) throw new Error(`no key has the id ${entry.id}`);
  const { issued, replaced } = rotation;
  t.strictSame(replaced, { ...entry, expiresAt: february() + dayMilliseconds });
  t.strictSame(issued.entry, {
    ...entry,
    id: issued.entry.id,
    createdAt: february(),
    expiresAt: null,
    rotatedFrom: entry.id,
  });
  t.not(issued.entry.id, entry.id);
  t.same(await readKeysFile(path), [
    { ...replaced, digest: keyDigest(key) },
    { ...issued.entry, digest: keyDigest(issued.key) },
  ]);
  const again = await rotateKey(path, issued.entry.id, { overlapMilliseconds: 0 }, february);
  t.equal(again?.issued.entry.rotatedFrom, issued.entry.id, "the new key can be rotated in its turn");
  t.equal(again?.replaced.expiresAt, february(), "without an overlap the old key ends at once");
});

t.test(
  "the life of the new key counts from its issue, and the old key never lives longer than it would have",
  async (t) => {
    const path = join(t.testdir(), "keys.json");
    const issue = async (days: number): Promise<string> => {
      const lifetimeMilliseconds = days * dayMilliseconds;
      return (await issueKey(path, { kind: "public", label: "a", lifetimeMilliseconds }, january)).entry.id;
    };
    const overlapMilliseconds = 2 * dayMilliseconds;
    const long = await rotateKey(path, await issue(90), { overlapMilliseconds }, february);
    t.equal(long?.issued.entry.expiresAt, february() + 90 * dayMilliseconds, "as long as the old one");
    t.equal(long?.replaced.expiresAt, february() + overlapMilliseconds);
    const terms = { overlapMilliseconds, lifetimeMilliseconds: 7 * dayMilliseconds };
    const short = await rotateKey(path, await issue(32), terms, february);
    t.equal(short?.issued.entry.expiresAt, february() + 7 * dayMilliseconds, "as long as is asked for");
    t.equal(short?.replaced.expiresAt, february() + dayMilliseconds, "it had a day left");
  },
);

t.test("a key that is revoked, expired or rotated is not rotated, and nothing is written", async (t) => {
  const path = join(t.testdir(), "keys.json");
  const issue = async (lifetimeMilliseconds?: number): Promise<string> =>
    (await issueKey(path, { kind: "public", label: "a", lifetimeMilliseconds }, january)).entry.id;
  const [revoked, expired, rotated] = [await issue(), await issue(31 * dayMilliseconds), await issue()];
  await revokeKey(path, revoked, january);
  const rotation = await rotateKey(path, rotated, { overlapMilliseconds: 60 * dayMilliseconds }, january);
  const before = readFileSync(path, "utf8");
  for (const [id, found] of [
    [revoked, "was revoked at 2026-01-01T00:00:00.000Z"],
    [expired, "expired at 2026-02-01T00:00:00.000Z"],
    [rotated, `was rotated to ${rotation?.issued.entry.id} at 2026-01-01T00:00:00.000Z`],
  ] as const) {
    const message = `the key ${id} ${found}, expected a key in force that has not been rotated`;
    await t.rejects(rotateKey(path, id, { overlapMilliseconds: 0 }, february), new KeyNotRotatableError(message));
  }
  t.equal(await rotateKey(path, "key_nobody", { overlapMilliseconds: 0 }, february), undefined);
  t.equal(readFileSync(path, "utf8"), before);
  await t.rejects(rotateKey(`${path}.none`, rotated, { overlapMilliseconds: 0 }, february), {
    code: "KEYS_FILE_MISSING",
  });
});

t.test("of two rotations at once one is refused", async (t) => {
  const path = join(t.testdir(), "keys.json");
  const { entry } = await issueOne(path);
  const rotate = () => rotateKey(path, entry.id, { overlapMilliseconds: 0 }, february);
  // Waiting for the lock blocks the process, so the second one is a process of its own.
  const module = new URL("../../../src/service/auth/keys-file.ts", import.meta.url).href;
  const code = `import { rotateKey } from ${JSON.stringify(module)};
    await rotateKey(process.argv[1], process.argv[2], { overlapMilliseconds: 0 }, Date.now);`;
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code, path, entry.id], { env });
  const [here, [status]] = await Promise.all([rotate().catch((error: unknown) => error), once(child, "exit")]);
  t.equal([here instanceof KeyNotRotatableError, status !== 0].filter(Boolean).length, 1);
  t.equal((await readKeysFile(path)).length, 2);
});

t.test("a file of format 1 is written as format 2 at its next change", async (t) => {
  const path = join(t.testdir(), "keys.json");
  const { key, entry } = await issueOne(path);
  const { id, kind, label } = entry;
  const old = { id, kind, label, digest: keyDigest(key), created_at: "2026-01-01T00:00:00Z", revoked_at: null };
  writeFileSync(path, JSON.stringify({ format: 1, keys: [old] }));
  t.same(await readKeysFile(path), [{ ...entry, digest: keyDigest(key) }]);
  t.equal(JSON.parse(readFileSync(path, "utf8")).format, 1, "reading changes nothing");
  await revokeKey(path, id, february);
  t.match(JSON.parse(readFileSync(path, "utf8")), {
    format: 2,
    keys: [{ id, revoked_at: "2026-02-01T00:00:00.000Z", expires_at: null, rate_per_minute: null, rotated_from: null }],
  });
});

t.test("a change keeps the mode of the file", { skip: lacksPosix }, async (t) => {
  const path = join(t.testdir(), "keys.json");
  const { entry } = await issueOne(path);
  for (const mode of [0o640, 0o666, 0o600]) {
    chmodSync(path, mode);
    await rotateKey(path, (await issueKey(path, { kind: "public", label: "b" }, january)).entry.id, terms, january);
    t.equal(statSync(path).mode & 0o777, mode);
  }
  await revokeKey(path, entry.id, january);
  t.equal(statSync(path).mode & 0o777, 0o600);
});

const terms = { overlapMilliseconds: 0 };

t.test(
  "root makes a file for the owner of its folder, keeps the owner of one, and leaves no lock that the owner cannot take",
  { skip: isNotRoot },
  async (t) => {
    const folder = join(t.testdir(), "keys");
    mkdirSync(folder);
    chownSync(folder, 1234, 4321);
    const path = join(folder, "keys.json");
    const { entry } = await issueOne(path);
    t.match(statSync(path), { uid: 1234, gid: 4321 }, "a new file");
    t.equal(statSync(path).mode & 0o777, 0o600);
    t.match(statSync(`${path}.lock`), { uid: 1234, gid: 4321 });
    chownSync(path, 1235, 4322);
    chmodSync(path, 0o640);
    await revokeKey(path, entry.id, january);
    t.match(statSync(path), { uid: 1235, gid: 4322 }, "a file that is there");
    t.equal(statSync(path).mode & 0o777, 0o640);
    rmSync(`${path}.lock`);
    await revokeKey(path, entry.id, january);
    t.match(statSync(`${path}.lock`), { uid: 1235, gid: 4322 });
  },
);

t.test("who cannot keep the owner changes nothing", { skip: cannotChangeUser }, async (t) => {
  const folder = sharedFolder(t);
  const path = join(folder, "keys.json");
  const { entry } = await issueOne(path);
  chownSync(path, 1234, 4321);
  chmodSync(path, 0o644);
  const before = readFileSync(path, "utf8");
  // Everyone may write the folder and the lock, so that nothing else fails.
  chmodSync(folder, 0o777);
  chmodSync(`${path}.lock`, 0o666);
  process.seteuid?.(5678);
  const result = await revokeKey(path, entry.id, january)
    .catch((error: unknown) => error)
    .finally(() => process.seteuid?.(0));
  t.match(result, { code: "KEYS_FILE_UNWRITABLE", message: /cannot be changed: EPERM/ });
  t.equal(readFileSync(path, "utf8"), before);
  t.equal(statSync(path).uid, 1234);
});

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
  const module = new URL("../../../src/service/auth/keys-file.ts", import.meta.url).href;
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
  const module = new URL("../../../src/engine/files/exclusive-lock.ts", import.meta.url).href;
  const code = `import { writeFileSync } from "node:fs";
    import { takeExclusiveLock } from ${JSON.stringify(module)};
    using lock = await takeExclusiveLock(process.argv[1] + ".lock", 0);
    console.log("held");
    await new Promise((resolve) => setTimeout(resolve, 300));
    writeFileSync(process.argv[1], process.argv[2]);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code, path, keysDocumentText([])]);
  await once(child.stdout, "data");
  t.notOk(existsSync(path));
  t.equal(await createKeysFileIfMissing(path, january), undefined);
  t.same(await readKeysFile(path), []);
});

t.test("a path that no system call takes is a bug of the caller, not a fault of the file", async (t) => {
  await t.rejects(readKeysFile("keys\0.json"), { code: "ERR_INVALID_ARG_VALUE" });
});
