import { type KeyKind, keyDigest, signRequest } from "../../src/contract/credentials.ts";
import type { Instant } from "../../src/engine/model/calendar.ts";
import type { KeysFollower } from "../../src/service/auth/follow-keys.ts";
import type { KeyRecord } from "../../src/service/auth/key-record.ts";
import { KeyRing } from "../../src/service/auth/key-ring.ts";

/** Keys with good checksums. "Unknown" ones are in no ring. */
export const publicKey = "svc_pub_PublicKeyForTestsOnly000000345A2i";
export const secretKey = "svc_sec_SecretKeyForTestsOnly0000003hsi35";
export const revokedPublicKey = "svc_pub_RevokedPublicForTestsOnly0048tIY2";
export const revokedSecretKey = "svc_sec_RevokedSecretForTestsOnly002ub22m";
export const expiredPublicKey = "svc_pub_ExpiredPublicForTestsOnly000XGWeO";
export const expiredSecretKey = "svc_sec_ExpiredSecretForTestsOnly001l0hcg";
export const unknownPublicKey = "svc_pub_UnknownPublicForTestsOnly002EhOuc";
export const unknownSecretKey = "svc_sec_UnknownSecretForTestsOnly0008P0NI";

/** When the two keys expire that are expired where `startApp` has its clock. */
export const expiryMilliseconds: number = Date.UTC(2026, 10, 20);

/** The six keys above that are not unknown, as a running service has them. */
export function testKeys(): KeysFollower {
  const ring = new KeyRing([
    testRecord("key_public", "public", publicKey, null),
    testRecord("key_secret", "secret", secretKey, null),
    testRecord("key_revokedPublic", "public", revokedPublicKey, 1_767_225_600_000),
    testRecord("key_revokedSecret", "secret", revokedSecretKey, 1_767_225_600_000),
    testRecord("key_expiredPublic", "public", expiredPublicKey, null, expiryMilliseconds),
    testRecord("key_expiredSecret", "secret", expiredSecretKey, null, expiryMilliseconds),
  ]);
  return { startedWithoutFile: false, current: () => ring, close() {} };
}

export interface RequestToSign {
  readonly method: string;
  /** Path with query string, as it will be sent. */
  readonly path: string;
  readonly body?: string | Uint8Array;
  readonly key: string;
  /** Now, when absent. */
  readonly timestampSeconds?: number;
}

/** The three headers of a request that is signed with a secret key. */
export function signedHeaders({ method, path, body = "", key, timestampSeconds }: RequestToSign): {
  "X-API-Key": string;
  "X-Signature": string;
  "X-Signature-Timestamp": string;
} {
  const timestamp = String(timestampSeconds ?? Math.floor(Date.now() / 1000));
  return {
    "X-API-Key": key,
    "X-Signature": signRequest(key, { method, path, timestamp, body: Buffer.from(body) }),
    "X-Signature-Timestamp": timestamp,
  };
}

function testRecord(
  id: string,
  kind: KeyKind,
  key: string,
  revokedAt: number | null,
  expiresAt: number | null = null,
): KeyRecord {
  return {
    id,
    kind,
    label: id,
    digest: keyDigest(key),
    createdAt: 1_735_689_600_000 as Instant,
    expiresAt: expiresAt as Instant | null,
    revokedAt: revokedAt as Instant | null,
    ratePerMinute: null,
    rotatedFrom: null,
  };
}
