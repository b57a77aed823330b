/** Rings of public keys that are called like their ids. */
import { keyDigest } from "../../src/contract/credentials.ts";
import type { Instant } from "../../src/engine/model/calendar.ts";
import type { KeyRecord } from "../../src/service/auth/key-record.ts";
import type { KeyRing } from "../../src/service/auth/key-ring.ts";

export function keyRecord(id: string): KeyRecord {
  const instants = { createdAt: 0 as Instant, expiresAt: null, revokedAt: null };
  return { id, kind: "public", label: id, digest: keyDigest(id), ...instants, ratePerMinute: 60, rotatedFrom: null };
}

/** Notes a use of the key of an id. */
export function useKey(ring: KeyRing, id: string): void {
  const entry = ring.find(id);
  if (entry === undefined) throw new Error(`the ring has no ${id}`);
  ring.noteUse(entry);
}
