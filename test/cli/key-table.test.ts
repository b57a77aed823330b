import t from "tap";
import type { KeyEntry } from "../../src/auth/key-record.ts";
import { keyTable } from "../../src/cli/key-table.ts";
import type { Instant } from "../../src/domain/instant.ts";

const entries: readonly KeyEntry[] = [
  { id: "key_a", kind: "public", label: "the web site", createdAt: Date.UTC(2026, 0, 1) as Instant, revokedAt: null },
  {
    id: "key_long",
    kind: "secret",
    label: "lab",
    createdAt: Date.UTC(2026, 0, 2) as Instant,
    revokedAt: Date.UTC(2026, 1, 3) as Instant,
  },
];

t.test("keyTable aligns its columns and keeps the order", async (t) => {
  t.equal(
    keyTable(entries),
    [
      "ID        KIND    LABEL         CREATED                   REVOKED",
      "key_a     public  the web site  2026-01-01T00:00:00.000Z  -",
      "key_long  secret  lab           2026-01-02T00:00:00.000Z  2026-02-03T00:00:00.000Z",
    ].join("\n"),
  );
});

t.test("keyTable of no keys is its headings", async (t) => {
  t.equal(keyTable([]), "ID  KIND  LABEL  CREATED  REVOKED");
});
