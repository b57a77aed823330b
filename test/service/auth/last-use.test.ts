import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { keysDocumentText } from "../../../src/service/auth/keys-document.ts";
import { addLastUse, readLastUse, useDayOf } from "../../../src/service/auth/last-use.ts";
import { cannotChangeUser, sharedFolder } from "../../support/shared-folder.ts";
import { lacksPosix } from "../../support/why-skipped.ts";

function keysFileIn(t: Test): string {
  return join(t.testdir({ "keys.json": keysDocumentText([]) }), "keys.json");
}

t.test("a day of use is a day in UTC", async (t) => {
  t.equal(useDayOf(Date.UTC(2026, 10, 22) as Instant), "2026-11-22");
  t.equal(useDayOf((Date.UTC(2026, 10, 22) - 1) as Instant), "2026-11-21");
});

t.test("days are added beside the keys file, the later one of a key stays, and reading gives them back", async (t) => {
  const path = keysFileIn(t);
  t.same(await readLastUse(path), new Map(), "nothing was used yet");
  t.same(await addLastUse(path, new Map([["key_b", "2026-11-20"]])), new Map([["key_b", "2026-11-20"]]));
  const added = await addLastUse(
    path,
    new Map([
      ["key_b", "2026-11-19"],
      ["key_a", "2026-11-22"],
    ]),
  );
  t.same([...added].sort(), [
    ["key_a", "2026-11-22"],
    ["key_b", "2026-11-20"],
  ]);
  t.same(await readLastUse(path), added);
  t.equal(
    readFileSync(`${path}.use.json`, "utf8"),
    '{\n  "format": 1,\n  "last_used": {\n    "key_a": "2026-11-22",\n    "key_b": "2026-11-20"\n  }\n}\n',
  );
  if (process.platform !== "win32") t.equal(statSync(`${path}.use.json`).mode & 0o777, 0o600);
});

t.test("days that are known are not written again", async (t) => {
  const path = keysFileIn(t);
  const days = new Map([["key_a", "2026-11-22"]]);
  await addLastUse(path, days);
  const before = statSync(`${path}.use.json`, { bigint: true });
  t.same(await addLastUse(path, days), days);
  const after = statSync(`${path}.use.json`, { bigint: true });
  t.same([after.ino, after.mtimeNs], [before.ino, before.mtimeNs]);
});

t.test("all names of one keys file share one file of days", { skip: lacksPosix }, async (t) => {
  const folder = t.testdir({ real: { "keys.json": keysDocumentText([]) } });
  const link = join(folder, "keys.json");
  symlinkSync(join(folder, "real", "keys.json"), link);
  await addLastUse(link, new Map([["key_a", "2026-11-22"]]));
  t.same(await readLastUse(join(folder, "real", "keys.json")), new Map([["key_a", "2026-11-22"]]));
  t.notOk(existsSync(`${link}.use.json`));
});

t.test("a file of another form is named and left as it is", async (t) => {
  const path = keysFileIn(t);
  for (const content of [
    "",
    "[]",
    '{"format":2,"last_used":{}}',
    '{"format":1,"last_used":[]}',
    '{"format":1,"last_used":{"a":"2026-11-22"}}',
    '{"format":1,"last_used":{"key_a":"2026-02-30"}}',
    '{"format":1,"last_used":{"key_a":20261122}}',
  ]) {
    writeFileSync(`${path}.use.json`, content);
    const wanted = {
      code: "KEYS_FILE_INVALID",
      message:
        `${path}.use.json: found ${content.length} bytes of another form, expected { "format": 1, ` +
        `"last_used": { key id: day } }; it may be deleted`,
    };
    await t.rejects(readLastUse(path), wanted, content);
    await t.rejects(addLastUse(path, new Map([["key_a", "2026-11-22"]])), wanted, content);
    t.equal(readFileSync(`${path}.use.json`, "utf8"), content);
  }
});

t.test("what is no regular file, and a folder that cannot be written, are named", async (t) => {
  const path = keysFileIn(t);
  mkdirSync(`${path}.use.json`);
  await t.rejects(readLastUse(path), {
    code: "KEYS_FILE_UNREADABLE",
    message: /keys\.json\.use\.json: cannot be read/,
  });
  const nowhere = join(path, "..", "none", "keys.json");
  await t.rejects(addLastUse(nowhere, new Map([["key_a", "2026-11-22"]])), { code: "KEYS_FILE_UNWRITABLE" });
});

t.test("a user who may not write the folder gets an error", { skip: cannotChangeUser }, async (t) => {
  const path = join(sharedFolder(t), "keys.json");
  writeFileSync(path, keysDocumentText([]));
  chmodSync(path, 0o644);
  process.seteuid?.(5678);
  const result = await addLastUse(path, new Map([["key_a", "2026-11-22"]]))
    .catch((error: unknown) => error)
    .finally(() => process.seteuid?.(0));
  t.match(result, { code: "KEYS_FILE_UNWRITABLE", path });
  t.notOk(existsSync(`${path}.use.json`));
});
