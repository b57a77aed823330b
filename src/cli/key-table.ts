import type { KeyEntry } from "../auth/key-record.ts";
import { instantText } from "../domain/instant.ts";
import { textTable } from "./text-table.ts";

/** The keys as a table for a person, one line each under a line of headings, in the order given. */
export function keyTable(entries: readonly KeyEntry[]): string {
  return textTable(
    ["ID", "KIND", "LABEL", "CREATED", "REVOKED"],
    entries.map(({ id, kind, label, createdAt, revokedAt }) => [
      id,
      kind,
      label,
      instantText(createdAt),
      revokedAt === null ? "-" : instantText(revokedAt),
    ]),
  );
}
