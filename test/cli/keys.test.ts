import { readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { keyKindOf } from "../../src/auth/key-format.ts";
import type { KeyEntry } from "../../src/auth/key-record.ts";
import { keysDocumentText } from "../../src/auth/keys-document.ts";
import { readKeysFile } from "../../src/auth/keys-file.ts";
import { RefusedError, WrongUseError } from "../../src/cli/command.ts";
import { keyTable, reportIssuedKey, reportKeys, reportRevocation } from "../../src/cli/keys.ts";
import type { Instant } from "../../src/domain/instant.ts";
import { publicKey } from "../support/signed-request.ts";

async function issue(file: string, label: string): Promise<{ id: string; key: string }> {
  return JSON.parse(await reportIssuedKey({ file, kind: "public", label, json: true }));
}

t.test("an issued key is told once, with what to do with it, and the file is made", async (t) => {
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
  const listed = await reportKeys({ file, json: true });
  t.same(JSON.parse(listed), { keys: [entry] });
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
  t.equal(
    await reportRevocation(id, { file }),
    `Revoked the public key ${id} (lab). A running service refuses it within a second.`,
  );
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

const entries: readonly KeyEntry[] = [
  { id: "key_a", kind: "public", label: "the web site", createdAt: Date.UTC(2026, 0, 1) as Instant, revokedAt: null },
  {
    id: "key_long",
    kind: "secret",
    label: "lab",
    createdAt: Date.UTC(2026, 0, 2) as Instant,
    revokedAt: Date.UTC(2026, 1, 3) as Instant,
  },
];

t.test("keyTable aligns its columns and keeps the order", async (t) => {
  t.equal(
    keyTable(entries),
    [
      "ID        KIND    LABEL         CREATED                   REVOKED",
      "key_a     public  the web site  2026-01-01T00:00:00.000Z  -",
      "key_long  secret  lab           2026-01-02T00:00:00.000Z  2026-02-03T00:00:00.000Z",
    ].join("\n"),
  );
});

t.test("keyTable of no keys is its headings", async (t) => {
  t.equal(keyTable([]), "ID  KIND  LABEL  CREATED  REVOKED");
});
