import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { announceSnapshot } from "../../../src/publishing/publish/announce-snapshot.ts";
import { rollbackSnapshot } from "../../../src/publishing/publish/rollback-snapshot.ts";
import { readAnnouncement, sequenceMax } from "../../../src/publishing/transfer/announcement.ts";
import { createPublisherKey, parsePublicKey, signatureFault } from "../../../src/publishing/transfer/publisher-key.ts";
import { currentOf, publishedData } from "../../support/published-data.ts";

t.test("an unsigned announcement is signed once a key is set, and by another key once that is set", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 1);
  const unsigned = await announceSnapshot({ dataDirectory: data });
  t.match(unsigned, { snapshot: ids[0], signature: null });
  t.same(await announceSnapshot({ dataDirectory: data }), unsigned, "without a key it is there already");
  let { sequence } = unsigned;
  for (const name of ["key", "other"]) {
    const signingKeyFile = join(root, name);
    const publicKey = parsePublicKey(await createPublisherKey(signingKeyFile)) ?? null;
    const signed = await announceSnapshot({ dataDirectory: data, signingKeyFile });
    t.not(publicKey, null);
    t.equal(signatureFault(signed, publicKey), undefined, name);
    t.match(signed, { snapshot: ids[0], sequence: ++sequence });
    t.same(await announceSnapshot({ dataDirectory: data, signingKeyFile }), signed, "it is there already");
    t.same(await announceSnapshot({ dataDirectory: data }), signed, "without a key it stays");
  }
});

t.test("the last sequence number is announced, and nothing is changed after it", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 3);
  const path = join(data, "announcement.json");
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), sequence: sequenceMax - 1 }));
  await rollbackSnapshot({ dataDirectory: data, id: ids[1] });
  t.match(await readAnnouncement(data), { sequence: sequenceMax, snapshot: ids[1] });
  const refused = { name: "AnnouncementError", message: /the greatest there is/ };
  await t.rejects(rollbackSnapshot({ dataDirectory: data, id: ids[0] }), refused);
  t.equal(await currentOf(data), ids[1]);
  t.match(await announceSnapshot({ dataDirectory: data, above: 7 }), { sequence: 8, snapshot: ids[1] });
});
