/** Keys of publishers: made for their owner alone, and refused where others may read them. */

import { generateKeyPairSync } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { readCurrent } from "../../../src/engine/snapshots/current-snapshot.ts";
import { readAnnouncement } from "../../../src/publishing/transfer/announcement.ts";
import {
  createPublisherKey,
  parsePublicKey,
  readPublisherKey,
  signatureFault,
} from "../../../src/publishing/transfer/publisher-key.ts";
import { runCommand } from "../../cli/run-command.ts";
import { publishedData } from "../../support/published-data.ts";

t.test("a key is made once, for its owner alone", async (t) => {
  const root = t.testdir({ data: {} });
  const path = join(root, "publisher.key");
  const made = await runCommand("snapshot", ["publisher-key"], root, { SNAPSHOT_KEY_FILE: path });
  t.equal(made.code, 0, made.stderr);
  const text = /ORIGIN_PUBLIC_KEY=([\w-]{43})\b/.exec(made.stdout)?.[1] ?? "";
  t.ok(parsePublicKey(text), made.stdout);
  t.equal(statSync(path).mode & 0o777, 0o600);
  const before = readFileSync(path, "utf8");
  const again = await runCommand("snapshot", ["publisher-key"], root, { SNAPSHOT_KEY_FILE: path });
  t.match(again.stdout + again.stderr, path);
  t.equal(readFileSync(path, "utf8"), before, "a key is never replaced");
});

t.test("a key that others may read, or that is none, is refused by name", async (t) => {
  const root = t.testdir({ data: { keys: {} } });
  const data = join(root, "data");
  const read = (path: string): Promise<unknown> => readPublisherKey(path, data);
  const refused = (found: string) => ({ name: "PublisherKeyError", message: new RegExp(`: found ${found}`) });

  await createPublisherKey(join(data, "keys", "key"));
  await t.rejects(read(join(data, "keys", "key")), refused("a key inside the dataset directory"));
  symlinkSync(join(data, "keys", "key"), join(root, "link"));
  await t.rejects(read(join(root, "link")), refused("a key inside the dataset directory"));

  await createPublisherKey(join(root, "key"));
  chmodSync(join(root, "key"), 0o640);
  await t.rejects(read(join(root, "key")), refused("mode 640"));

  writeFileSync(join(root, "text"), "no key", { mode: 0o600 });
  await t.rejects(read(join(root, "text")), refused("no private key"));
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  writeFileSync(join(root, "ec"), privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  await t.rejects(read(join(root, "ec")), refused("a key of type ec"));
  mkdirSync(join(root, "folder"));
  await t.rejects(read(join(root, "folder")), refused("nothing that can be read"));
  await t.rejects(read(join(root, "none")), refused("nothing that can be read .ENOENT"));
});

t.test("a command whose key cannot be used changes nothing; with one, what it publishes is signed", async (t) => {
  const root = t.testdir();
  const { data, ids } = await publishedData(root, 2);
  const before = await readAnnouncement(data);
  const inside = join(data, "key");
  await createPublisherKey(inside);
  const run = (keyFile: string) =>
    runCommand("snapshot", ["rollback", ids[0] as string], root, { DATA_DIR: data, SNAPSHOT_KEY_FILE: keyFile });
  t.match(await run(inside), { code: 1, stderr: /SNAPSHOT_KEY_FILE .*: found a key inside the dataset directory/ });
  t.equal(await readCurrent(data), ids[1]);
  t.same(await readAnnouncement(data), before);

  const key = join(root, "key");
  const publicKey = parsePublicKey(await createPublisherKey(key));
  if (publicKey === undefined) throw new Error("found no public key");
  t.match(await run(key), { code: 0 });
  const announced = await readAnnouncement(data);
  t.match(announced, { snapshot: ids[0], sequence: (before?.sequence ?? 0) + 1 });
  t.ok(announced !== undefined && signatureFault(announced, publicKey) === undefined);
});
