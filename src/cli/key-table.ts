import type { KeyEntry } from "../auth/key-record.ts";
import { instantText } from "../domain/instant.ts";

interface Column {
  readonly heading: string;
  readonly cellOf: (entry: KeyEntry) => string;
}

const columns: readonly Column[] = [
  { heading: "ID", cellOf: ({ id }) => id },
  { heading: "KIND", cellOf: ({ kind }) => kind },
  { heading: "LABEL", cellOf: ({ label }) => label },
  { heading: "CREATED", cellOf: ({ createdAt }) => instantText(createdAt) },
  { heading: "REVOKED", cellOf: ({ revokedAt }) => (revokedAt === null ? "-" : instantText(revokedAt)) },
];

const gap = "  ";

/** The keys as a table for a person, one line each under a line of headings, in the order given. */
export function keyTable(entries: readonly KeyEntry[]): string {
  const aligned = columns.map(({ heading, cellOf }) => {
    const width = Math.max(heading.length, ...entries.map((entry) => cellOf(entry).length));
    return { heading: heading.padEnd(width), cellOf: (entry: KeyEntry) => cellOf(entry).padEnd(width) };
  });
  const headings = aligned.map(({ heading }) => heading);
  const rows = entries.map((entry) => aligned.map(({ cellOf }) => cellOf(entry)));
  return [headings, ...rows].map((cells) => cells.join(gap).trimEnd()).join("\n");
}
