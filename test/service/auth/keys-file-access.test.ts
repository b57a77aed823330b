import { chmodSync, chownSync, linkSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import {
  giveLockToOwner,
  keysFileExposure,
  readAccess,
  readersText,
} from "../../../src/service/auth/keys-file-access.ts";
import { isNotRoot, lacksPosix } from "../../support/why-skipped.ts";

t.test("a keys file is for its owner; what lets others in is named", { skip: lacksPosix }, async (t) => {
  const path = join(t.testdir({ "keys.json": "" }), "keys.json");
  const uid = process.getuid?.() || 1234;
  if (process.getuid?.() === 0) chownSync(path, uid, uid);
  for (const [mode, actions] of [
    [0o600, undefined],
    [0o400, undefined],
    [0o700, undefined],
    [0o640, "read"],
    [0o604, "read"],
    [0o620, "change"],
    [0o606, "read and change"],
    [0o666, "read and change"],
  ] as const) {
    chmodSync(path, mode);
    const problem = `found mode 0${mode.toString(8)}, which lets other users ${actions} it, expected 0600`;
    t.equal(await keysFileExposure(path), actions && `${path}: ${problem}`);
  }
});

t.test("a file of root's may be read by a group, and no more", { skip: isNotRoot }, async (t) => {
  const path = join(t.testdir({ "keys.json": "" }), "keys.json");
  chmodSync(path, 0o640);
  t.equal(await keysFileExposure(path), undefined);
  for (const mode of [0o644, 0o660]) {
    chmodSync(path, mode);
    t.type(await keysFileExposure(path), "string");
  }
});

t.test("a file that is not there is exposed to no one", async (t) => {
  const path = join(t.testdir(), "keys.json");
  t.equal(await keysFileExposure(path), undefined);
  t.equal(await readAccess(path), undefined);
  writeFileSync(path, "");
  t.equal(await readAccess(join(path, "keys.json")), undefined);
});

t.test("who may read a file is said where that need not be the service", { skip: lacksPosix }, async (t) => {
  const self = process.geteuid?.() ?? 0;
  t.equal(readersText({ uid: 0, gid: 0, mode: 0o600 }), "root only, mode 0600");
  t.equal(readersText({ uid: 4711, gid: 12, mode: 0o600 }), "user 4711 only, mode 0600");
  t.equal(readersText({ uid: 0, gid: 12, mode: 0o640 }), "root and group 12 only, mode 0640");
  t.equal(readersText({ uid: 0, gid: 0, mode: 0o644 }), undefined, "everyone may");
  if (self !== 0) t.equal(readersText({ uid: self, gid: 0, mode: 0o600 }), undefined, "the user's own");
});

t.test("root gives away an empty lock of its own, and nothing else under that name", { skip: isNotRoot }, async (t) => {
  const folder = t.testdir({ empty: "", full: "x", linked: "", aimed: "", other: "" });
  const pathOf = (name: string) => join(folder, name);
  linkSync(pathOf("linked"), pathOf("second name"));
  symlinkSync(pathOf("aimed"), pathOf("link"));
  chownSync(pathOf("other"), 77, 77);
  for (const name of ["empty", "full", "linked", "link", "other"]) {
    await giveLockToOwner(pathOf(name), { uid: 1234, gid: 4321, mode: 0o600 });
  }
  t.match(statSync(pathOf("empty")), { uid: 1234, gid: 4321 });
  for (const name of ["full", "linked", "aimed"]) t.equal(statSync(pathOf(name)).uid, 0, name);
  t.equal(statSync(pathOf("other")).uid, 77);
});
