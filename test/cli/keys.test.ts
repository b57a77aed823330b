import { chmodSync, chownSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { RefusedError, WrongUseError } from "../../src/cli/command.ts";
import { keyTable, reportIssuedKey, reportKeys, reportRevocation, reportRotatedKey } from "../../src/cli/keys.ts";
import { keyKindOf } from "../../src/contract/credentials.ts";
import type { Instant } from "../../src/engine/model/calendar.ts";
import type { KeyEntry } from "../../src/service/auth/key-record.ts";
import { keysDocumentText } from "../../src/service/auth/keys-document.ts";
import { readKeysFile } from "../../src/service/auth/keys-file.ts";
import { addLastUse } from "../../src/service/auth/last-use.ts";
import { publicKey } from "../support/signed-request.ts";
import { lacksPosix } from "../support/why-skipped.ts";

async function issue(file: string, label: string): Promise<{ id: string; key: string }> {
  return JSON.parse(await reportIssuedKey({ file, kind: "public", label, json: true }));
}

t.test("an issued key is printed once, with what to do with it, and the file is made", async (t) => {
  const file = join(t.testdir(), "keys.json");
  const report = await reportIssuedKey({
    file,
    kind: "secret",
    label: "analytics team",
    baseUrl: "http://127.0.0.1:4711",
  });
  const key = /^ {2}(svc_sec_\w+)$/m.exec(report)?.[1] ?? "";
  t.equal(keyKindOf(key), "secret");
  const [record] = await readKeysFile(file);
  t.match(report, `Issued the secret key ${record?.id} (analytics team):`);
  t.match(report, `SIGNING_KEY='${key}' npm run --silent sign -- POST`);
  t.match(report, "--base-url 'http://127.0.0.1:4711'");
  const unknown = await reportIssuedKey({ file, kind: "public", label: "web" });
  t.notMatch(unknown, "Try it", "without an address there is no command that works");
});

t.test("as JSON each report is one object on one line", async (t) => {
  const file = join(t.testdir(), "keys.json");
  const issued = await reportIssuedKey({ file, kind: "public", label: "web", json: true });
  const { key, ...entry } = JSON.parse(issued);
  t.equal(keyKindOf(key), "public");
  t.match(entry, { id: /^key_/, kind: "public", label: "web", created_at: /Z$/, revoked_at: null });
  t.match(entry, { expires_at: null, rate_per_minute: null, rotated_from: null });
  const listed = await reportKeys({ file, json: true });
  t.same(JSON.parse(listed), { keys: [{ ...entry, last_used_on: null }] });
  const revoked = await reportRevocation(entry.id, { file, json: true });
  t.match(JSON.parse(revoked), { ...entry, revoked_at: /Z$/ });
  t.equal(await reportRevocation(entry.id, { file, json: true }), revoked, "again: the same answer");
  for (const report of [issued, listed, revoked]) t.notMatch(report, "\n");
});

t.test("the list shows neither keys nor digests", async (t) => {
  const file = join(t.testdir({ "keys.json": keysDocumentText([]) }), "keys.json");
  t.equal(await reportKeys({ file }), `${file} holds no keys.`);
  const { id, key } = await issue(file, "web");
  const [record] = await readKeysFile(file);
  for (const list of [await reportKeys({ file }), await reportKeys({ file, json: true })]) {
    t.match(list, id);
    t.notOk(list.includes(key) || list.includes(record?.digest ?? ""));
  }
});

t.test("revoking twice says since when", async (t) => {
  const file = join(t.testdir(), "keys.json");
  const { id } = await issue(file, "lab");
  const report = await reportRevocation(id, { file });
  t.ok(report.startsWith(`Revoked the public key ${id} (lab). A running service refuses it within a second`));
  const [record] = await readKeysFile(file);
  const since = new Date(record?.revokedAt ?? 0).toISOString();
  t.equal(
    await reportRevocation(id, { file }),
    `Nothing to do: the public key ${id} (lab) has been revoked since ${since}.`,
  );
});

t.test("an unknown id and a file that cannot be used are refused, and the file stays as it was", async (t) => {
  const folder = t.testdir({ "broken.json": "{", "empty.json": keysDocumentText([]) });
  const fileOf = (name: string) => ({ file: join(folder, name) });
  await t.rejects(reportRevocation("key_nobody", fileOf("empty.json")), RefusedError);
  await t.rejects(reportRevocation("key_nobody", fileOf("none.json")), RefusedError);
  await t.rejects(reportKeys(fileOf("none.json")), RefusedError);
  await t.rejects(reportKeys(fileOf("broken.json")), RefusedError);
  await t.rejects(reportIssuedKey({ ...fileOf("broken.json"), kind: "public", label: "a" }), RefusedError);
  t.equal(readFileSync(join(folder, "broken.json"), "utf8"), "{");
});

t.test("a label that cannot be shown or holds a key, and an empty path, are wrong use", async (t) => {
  const file = join(t.testdir(), "keys.json");
  for (const label of ["", "a\nb", publicKey]) await t.rejects(issue(file, label), WrongUseError);
  await t.rejects(reportKeys({ file: "" }), WrongUseError);
});

t.test("a bug is no refusal", async (t) => {
  await t.rejects(reportKeys({ file: "keys\0.json" }), { code: "ERR_INVALID_ARG_VALUE" });
});

const january = (): Instant => Date.UTC(2026, 0, 1) as Instant;
const dayMilliseconds = 86_400_000;

t.test("expiry and rate of a new key are said, and that nothing enforces the rate", async (t) => {
  const file = join(t.testdir(), "keys.json");
  const flags = {
    file,
    kind: "public",
    label: "web",
    expires: 90 * dayMilliseconds,
    rate: 6000,
    now: january,
  } as const;
  const report = await reportIssuedKey(flags);
  t.match(report, "The new key expires at 2026-04-01T00:00:00.000Z.\n");
  t.match(report, "It may make 6000 requests a minute from each address, and ten times that from all.\n");
  t.match(JSON.parse(await reportIssuedKey({ ...flags, json: true })), {
    expires_at: "2026-04-01T00:00:00.000Z",
    rate_per_minute: 6000,
  });
  t.match(await readKeysFile(file), [{ ratePerMinute: 6000 }, { ratePerMinute: 6000 }]);
});

t.test("a rotation shows the new key once, and until when the old one is good", async (t) => {
  const file = join(t.testdir(), "keys.json");
  const old = await issue(file, "web");
  const report = await reportRotatedKey(old.id, { file, overlap: dayMilliseconds, now: january });
  const [, record] = await readKeysFile(file);
  const key = /^ {2}(svc_pub_\w+)$/m.exec(report)?.[1] ?? "";
  t.equal(keyKindOf(key), "public");
  t.not(key, old.key);
  t.match(report, `Rotated the public key ${old.id} (web) to ${record?.id}:`);
  t.match(report, "The old key is good until 2026-01-02T00:00:00.000Z.");
  const terms = { file, overlap: 0, now: january };
  t.match(await reportRotatedKey(record?.id ?? "", terms), "The old key is refused from now on.");
  const [, , last] = await readKeysFile(file);
  const json = JSON.parse(await reportRotatedKey(last?.id ?? "", { ...terms, json: true }));
  t.equal(keyKindOf(json.key), "public");
  t.match(json, { id: /^key_/, label: "web", rotated_from: last?.id, replaced: { id: last?.id } });
  t.match(json.replaced, { expires_at: "2026-01-01T00:00:00.000Z" });
});

t.test("a key that is not in force is refused for rotation, an unknown one too", async (t) => {
  const file = join(t.testdir(), "keys.json");
  const { id } = await issue(file, "web");
  await reportRevocation(id, { file, now: january });
  const rotate = (wanted: string) => reportRotatedKey(wanted, { file, overlap: 0 });
  await t.rejects(rotate(id), {
    name: "RefusedError",
    message:
      `${file}: the key ${id} was revoked at 2026-01-01T00:00:00.000Z, expected a key in force that has not ` +
      "been rotated",
  });
  await t.rejects(rotate("key_nobody"), {
    name: "RefusedError",
    message: `${file}: no key has the id "key_nobody"; npm run keys -- list shows the ids`,
  });
});

t.test("the list has the days of last use; without them it warns and lists all the same", async (t) => {
  const file = join(t.testdir(), "keys.json");
  const { id } = await issue(file, "web");
  await addLastUse(file, new Map([[id, "2026-11-22"]]));
  t.match(await reportKeys({ file }), "2026-11-22");
  t.match(JSON.parse(await reportKeys({ file, json: true })), { keys: [{ id, last_used_on: "2026-11-22" }] });
  writeFileSync(`${file}.use.json`, "spoilt");
  const warnings: string[] = [];
  const listed = await reportKeys({ file, json: true, warn: (message) => warnings.push(message) });
  t.match(JSON.parse(listed), { keys: [{ id, last_used_on: null }] });
  t.match(warnings, [/keys\.json\.use\.json: found 6 bytes of another form/]);
});

t.test("every command warns of a file that other users may read", { skip: lacksPosix }, async (t) => {
  const file = join(t.testdir(), "keys.json");
  const { id } = await issue(file, "web");
  chmodSync(file, 0o644);
  const warnings: string[] = [];
  const options = { file, warn: (message: string) => warnings.push(message) };
  await reportIssuedKey({ ...options, kind: "public", label: "a" });
  await reportKeys(options);
  await reportRotatedKey(id, { ...options, overlap: 0 });
  await reportRevocation(id, options);
  t.same(warnings, Array(4).fill(`${file}: found mode 0644, which lets other users read it, expected 0600`));
});

t.test("no command promises that a service knows a key which it may be unable to read", async (t) => {
  const file = join(t.testdir(), "keys.json");
  const report = await reportIssuedKey({ file, kind: "public", label: "a" });
  const promise = "a running service accepts it within a second";
  const self = process.geteuid?.();
  if (self !== 0) t.match(report, `${promise}.\n`, "the file is the user's own");
  else {
    const { id } = await issue(file, "b");
    t.match(report, `${promise},\nif it can read the file (readable by root only, mode 0600).\n`);
    chownSync(file, 1234, 4321);
    chmodSync(file, 0o640);
    t.match(
      await reportRevocation(id, { file }),
      "refuses it within a second,\nif it can read the file (readable by user 1234 and group 4321 only, mode 0640).",
    );
  }
});

const plain = { expiresAt: null, revokedAt: null, ratePerMinute: null, rotatedFrom: null };
const entries: readonly KeyEntry[] = [
  { ...plain, id: "key_a", kind: "public", label: "the web site", createdAt: january() },
  {
    ...plain,
    id: "key_long",
    kind: "secret",
    label: "lab",
    createdAt: Date.UTC(2026, 0, 2) as Instant,
    expiresAt: Date.UTC(2026, 2, 1) as Instant,
    revokedAt: Date.UTC(2026, 1, 3) as Instant,
  },
  { ...plain, id: "key_b", kind: "secret", label: "lab", createdAt: january(), expiresAt: (january() + 1) as Instant },
  {
    id: "key_c",
    kind: "secret",
    label: "lab",
    createdAt: january(),
    expiresAt: Date.UTC(2026, 3, 1) as Instant,
    revokedAt: null,
    ratePerMinute: 6000,
    rotatedFrom: "key_b",
  },
];

t.test("keyTable aligns its columns and keeps the order", async (t) => {
  t.equal(
    keyTable(entries, new Map([["key_c", "2026-02-28"]]), Date.UTC(2026, 2, 1) as Instant),
    [
      "ID        KIND    LABEL         CREATED                   STATE                                LAST USED   " +
        "RATE      ROTATED FROM",
      "key_a     public  the web site  2026-01-01T00:00:00.000Z  good                                 -           - " +
        "        -",
      "key_long  secret  lab           2026-01-02T00:00:00.000Z  revoked 2026-02-03T00:00:00.000Z     -           - " +
        "        -",
      "key_b     secret  lab           2026-01-01T00:00:00.000Z  expired 2026-01-01T00:00:00.001Z     -           - " +
        "        -",
      "key_c     secret  lab           2026-01-01T00:00:00.000Z  good until 2026-04-01T00:00:00.000Z  2026-02-28  " +
        "6000/min  key_b",
    ].join("\n"),
  );
});

t.test("keyTable of no keys is its headings", async (t) => {
  t.equal(keyTable([], new Map(), january()), "ID  KIND  LABEL  CREATED  STATE  LAST USED  RATE  ROTATED FROM");
});
