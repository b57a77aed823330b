import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { readPublisherVersion } from "../../../src/engine/snapshots/publisher-version.ts";

const id = "20261120T083000Z-0123456789ab";

t.test("an announcement says which version has published the snapshot that it names", async (t) => {
  const data = t.testdir();
  const path = join(data, "announcement.json");
  const publisher = { version: "1.2.0", commit: "0123456789abcdef0123456789abcdef01234567" };
  t.equal(await readPublisherVersion(data, id), undefined, "no announcement");
  writeFileSync(path, JSON.stringify({ snapshot: id, publisher: { ...publisher, more: 1 } }));
  t.same(await readPublisherVersion(data, id), publisher);
  t.equal(await readPublisherVersion(data, "20261121T083000Z-0123456789ab"), undefined, "another snapshot");
  for (const wrong of [
    undefined,
    null,
    "1.2.0",
    ["1.2.0"],
    {},
    { version: "1.2.0" },
    { ...publisher, version: 1 },
    { ...publisher, version: "1.2.0\n\u001b[2Jnew" },
    { ...publisher, version: `1.2.0-${"a".repeat(60)}` },
    { ...publisher, commit: "main" },
    { ...publisher, commit: null },
  ]) {
    writeFileSync(path, JSON.stringify({ snapshot: id, publisher: wrong }));
    t.equal(await readPublisherVersion(data, id), undefined, JSON.stringify(wrong));
  }
});

t.test("an announcement that cannot be read says nothing", async (t) => {
  const data = t.testdir({ "announcement.json": "{" });
  t.equal(await readPublisherVersion(data, id), undefined);
  writeFileSync(join(data, "announcement.json"), " ".repeat(5000));
  t.equal(await readPublisherVersion(data, id), undefined);
  const other = t.testdir();
  mkdirSync(join(other, "announcement.json"));
  t.equal(await readPublisherVersion(other, id), undefined);
});
