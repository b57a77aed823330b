import t from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import {
  entryOf,
  generateKeyId,
  isExpired,
  isKeyId,
  isKeyLabel,
  isKeyRate,
  type KeyEntry,
  type KeyRecord,
} from "../../../src/service/auth/key-record.ts";
import { secretKey } from "../../support/signed-request.ts";

t.test("generateKeyId makes ids that isKeyId accepts, none of those taken", async (t) => {
  const taken = new Set<string>();
  for (let count = 1; count <= 200; count++) {
    const id = generateKeyId(taken);
    t.ok(isKeyId(id) && !taken.has(id) && id.length === 12, id);
    taken.add(id);
  }
});

t.test("generateKeyId draws again when an id is taken", async (t) => {
  let refusals = 3;
  const taken = { has: () => refusals-- > 0 } as unknown as ReadonlySet<string>;
  t.ok(isKeyId(generateKeyId(taken)));
  t.equal(refusals, -1);
});

t.test("isKeyId wants key_ and 1 to 32 letters or digits", async (t) => {
  for (const id of ["key_a", `key_${"Z".repeat(32)}`]) t.ok(isKeyId(id), id);
  for (const id of ["key_", `key_${"Z".repeat(33)}`, "key_a b", "KEY_a", "key_a\n", "key_é", ""])
    t.notOk(isKeyId(id), id);
});

t.test("isKeyLabel wants 1 to 100 printable characters and no key", async (t) => {
  for (const label of ["a", "x".repeat(100), "Wakulima wa Murang'a", "👩‍🌾 team"]) t.ok(isKeyLabel(label), label);
  const refused = [
    "",
    "  ",
    "x".repeat(101),
    "a\nb",
    "a\u001b[31mb",
    "a\u2028b",
    "a\ud800b",
    secretKey,
    `for ${secretKey}`,
  ];
  for (const label of refused) t.notOk(isKeyLabel(label), label.replace(/[^ -~]/g, "?"));
});

t.test("isKeyRate wants a whole number from 1 to 100,000,000", async (t) => {
  for (const rate of [1, 6000, 100_000_000]) t.ok(isKeyRate(rate), String(rate));
  for (const rate of [0, -1, 1.5, 100_000_001, Number.NaN]) t.notOk(isKeyRate(rate), String(rate));
});

const entry: KeyEntry = {
  id: "key_a",
  kind: "public",
  label: "a",
  createdAt: 0 as Instant,
  expiresAt: null,
  revokedAt: null,
  ratePerMinute: 6000,
  rotatedFrom: "key_b",
};

t.test("entryOf leaves the digest out", async (t) => {
  const record: KeyRecord = { ...entry, digest: "0".repeat(64) };
  t.strictSame(entryOf(record), entry);
});

t.test("a key is expired from the very instant on", async (t) => {
  const expiring = { ...entry, expiresAt: 1000 as Instant };
  t.same(
    [999, 1000, 1001].map((now) => isExpired(expiring, now as Instant)),
    [false, true, true],
  );
  t.equal(isExpired(entry, Number.MAX_SAFE_INTEGER as Instant), false);
});
