import t from "tap";
import { keyDigest } from "../../src/auth/key-format.ts";
import { KeyRing } from "../../src/auth/key-record.ts";
import type { Instant } from "../../src/domain/instant.ts";
import {
  publicKey,
  revokedSecretKey,
  secretKey,
  testKeys,
  unknownPublicKey,
  unknownSecretKey,
} from "../support/signed-request.ts";

t.test("a ring finds its keys, good and revoked, and no other", async (t) => {
  const ring = testKeys().current();
  t.equal(ring.size, 4);
  t.match(ring.find(publicKey), { id: "key_public", kind: "public", revokedAt: null });
  t.match(ring.find(secretKey), { id: "key_secret", kind: "secret", revokedAt: null });
  t.match(ring.find(revokedSecretKey), { id: "key_revokedSecret", revokedAt: Number });
  for (const text of [unknownPublicKey, unknownSecretKey, "", "key_public", keyDigest(publicKey)]) {
    t.equal(ring.find(text), undefined);
  }
});

t.test("what a ring finds holds no digest", async (t) => {
  const at = 0 as Instant;
  const record = {
    id: "key_a",
    kind: "public",
    label: "a",
    digest: keyDigest("a"),
    createdAt: at,
    revokedAt: null,
  } as const;
  t.strictSame(new KeyRing([record]).find("a"), {
    id: "key_a",
    kind: "public",
    label: "a",
    createdAt: 0,
    revokedAt: null,
  });
});

t.test("a ring does not follow the array it was made from", async (t) => {
  const records = [
    {
      id: "key_a",
      kind: "public",
      label: "a",
      digest: keyDigest("a"),
      createdAt: 0 as Instant,
      revokedAt: null,
    } as const,
  ];
  const ring = new KeyRing(records);
  records.pop();
  t.equal(ring.find("a")?.id, "key_a");
});
