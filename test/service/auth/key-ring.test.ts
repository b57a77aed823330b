import { once } from "node:events";
import t from "tap";
import { keyDigest } from "../../../src/contract/credentials.ts";
import { KeyRing } from "../../../src/service/auth/key-ring.ts";
import { keyRecord, useKey } from "../../support/key-rings.ts";
import {
  expiredPublicKey,
  publicKey,
  revokedSecretKey,
  secretKey,
  testKeys,
  unknownPublicKey,
  unknownSecretKey,
} from "../../support/signed-request.ts";
import { startWorker } from "../../support/start-worker.ts";

t.test("a ring finds its keys, good, revoked and expired, and no other", async (t) => {
  const ring = testKeys().current();
  t.equal(ring.records.length, 6);
  t.match(ring.find(publicKey), { id: "key_public", kind: "public", revokedAt: null });
  t.match(ring.find(secretKey), { id: "key_secret", kind: "secret", revokedAt: null });
  t.match(ring.find(revokedSecretKey), { id: "key_revokedSecret", revokedAt: Number });
  t.match(ring.find(expiredPublicKey), { id: "key_expiredPublic", expiresAt: Number });
  for (const text of [unknownPublicKey, unknownSecretKey, "", "key_public", keyDigest(publicKey)]) {
    t.equal(ring.find(text), undefined);
  }
});

t.test("what a ring finds holds no digest", async (t) => {
  const { digest: _digest, ...entry } = keyRecord("key_a");
  t.strictSame(new KeyRing([keyRecord("key_a")]).find("key_a"), { ...entry, position: 0, chain: entry.id });
});

t.test("a key is found again, and what was unknown stays unknown", async (t) => {
  const ring = new KeyRing([keyRecord("key_a"), keyRecord("key_b")]);
  const first = ring.find("key_a");
  for (let times = 0; times < 3; times++) {
    t.equal(ring.find("key_a"), first);
    t.equal(ring.find("key_b")?.id, "key_b");
    for (const text of ["key_c", "key_", "Key_a", keyDigest("key_a")]) t.equal(ring.find(text), undefined);
  }
  const withoutKey = new KeyRing([keyRecord("key_b")], ring.used);
  t.equal(withoutKey.find("key_a"), undefined, "another ring has found nothing yet");
});

t.test("a ring does not follow the array it was made from", async (t) => {
  const records = [keyRecord("key_a")];
  const ring = new KeyRing(records);
  records.pop();
  t.equal(ring.find("key_a")?.id, "key_a");
});

t.test("rings over the same flags share what was used, which is taken once", async (t) => {
  const records = ["key_a", "key_b", "key_c"].map(keyRecord);
  const supervisor = new KeyRing(records);
  const threads = [new KeyRing(records, supervisor.used), new KeyRing(records, supervisor.used)] as const;
  t.strictSame(supervisor.takeUsed(), []);
  useKey(threads[0], "key_c");
  useKey(threads[1], "key_a");
  useKey(threads[1], "key_a");
  t.strictSame(supervisor.takeUsed(), ["key_a", "key_c"]);
  t.strictSame(supervisor.takeUsed(), []);
  useKey(threads[0], "key_a");
  t.strictSame(supervisor.takeUsed(), ["key_a"]);
});

t.test("the flags are one memory in all threads", async (t) => {
  const ring = new KeyRing([keyRecord("key_a"), keyRecord("key_b")]);
  const module = new URL("../../../src/service/auth/key-ring.ts", import.meta.url).href;
  const code = `
    import { workerData } from "node:worker_threads";
    const { KeyRing } = await import(${JSON.stringify(module)});
    const ring = new KeyRing(workerData.records, workerData.used);
    ring.noteUse(ring.find("key_b"));`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const worker = startWorker(url, { records: ring.records, used: ring.used });
  t.same(await once(worker, "exit"), [0]);
  t.strictSame(ring.takeUsed(), ["key_b"]);
});
