/** What has changed between two snapshots, from the files of changes of the publications between them. */
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { parse } from "csv-parse";
import { regularFileExists, systemErrorCode } from "../../engine/files/read-regular-file.ts";
import { csvRow } from "../../engine/model/csv-text.ts";
import { ForeseenError } from "../../engine/model/foreseen-error.ts";
import { ifAvailable, readManifestOf } from "../../engine/snapshots/current-snapshot.ts";
import { changesFileName, type SnapshotId, snapshotPath } from "../../engine/snapshots/snapshot-layout.ts";
import { type ChangeKind, changeColumns } from "./changes-file.ts";

/** The changes between two snapshots cannot be joined. */
export class ChangesMissingError extends ForeseenError {}

/** A line of a file of changes: its cells by column, as they stand there. */
export type ChangeRow = Readonly<Record<(typeof changeColumns)[number], string>>;

export interface JoinedChanges {
  /** By uuid. */
  readonly rows: readonly ChangeRow[];
  readonly counts: Readonly<Record<ChangeKind, number>>;
  /** The snapshots whose files are joined, oldest first: without `before`, with `after`. */
  readonly publications: readonly SnapshotId[];
}

/**
 * Joins what was published after one snapshot, up to another that descends from it. A price that came and went between
 * them is left out, and so is one that was away and is again as it was.
 *
 * Cost: memory for each price that has changed, not for the others.
 *
 * @throws {ChangesMissingError} when a snapshot or its file of changes is missing, was not compared, or `after` does
 *   not descend from `before`.
 */
export async function joinChanges(
  dataDirectory: string,
  before: SnapshotId,
  after: SnapshotId,
): Promise<JoinedChanges> {
  const publications = await descentOf(dataDirectory, before, after);
  const spans = new Map<string, Span>();
  for (const id of publications) {
    for (const row of await readChanges(dataDirectory, id)) {
      const span = spans.get(row.uuid);
      if (span === undefined) spans.set(row.uuid, { first: row, last: row, isCorrected: row.change === "corrected" });
      else spans.set(row.uuid, { ...span, last: row, isCorrected: span.isCorrected || row.change === "corrected" });
    }
  }
  const rows = [...spans.values()].flatMap((span) => netChange(span) ?? []);
  rows.sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
  const counts = { added: 0, corrected: 0, withdrawn: 0, gone: 0 };
  for (const { change } of rows) counts[change as ChangeKind]++;
  return { rows, counts, publications };
}

/** The joined changes as text of CSV, as a file of changes has it. */
export function* joinedText({ rows }: JoinedChanges): Generator<string> {
  yield csvRow(changeColumns);
  for (const row of rows) yield csvRow(changeColumns.map((name) => row[name]));
}

/** The first and the last change of a price. */
interface Span {
  readonly first: ChangeRow;
  readonly last: ChangeRow;
  readonly isCorrected: boolean;
}

function netChange({ first, last, isCorrected }: Span): ChangeRow | undefined {
  if (first === last) return first;
  const isThere = { before: first.price_before !== "", after: last.price_after !== "" };
  if (!isThere.before && !isThere.after) return undefined;
  const [unit, currency] = [first.unit_before || first.unit, first.currency_before || first.currency];
  const joined = {
    ...last,
    change: isThere.before ? (isThere.after ? "corrected" : last.change) : "added",
    price_before: first.price_before,
    unit_before: isThere.before && unit !== last.unit ? unit : "",
    currency_before: isThere.before && currency !== last.currency ? currency : "",
  };
  if (!isThere.before || !isThere.after || isCorrected) return joined;
  const isMoved = first.product !== last.product || first.market !== last.market || first.day !== last.day;
  const isOther = isMoved || joined.unit_before !== "" || joined.currency_before !== "";
  return isOther || first.price_before !== last.price_after ? joined : undefined;
}

/** The snapshots from behind one to another, oldest first. */
async function descentOf(dataDirectory: string, before: SnapshotId, after: SnapshotId): Promise<SnapshotId[]> {
  await requireKept(dataDirectory, before);
  const ids: SnapshotId[] = [];
  for (let id = after; id !== before; ) {
    const { parent } = await requireKept(dataDirectory, id);
    if (parent === null || parent < before) {
      const wanted = `one that descends from ${before}, the earlier one first`;
      throw new ChangesMissingError(`${after}: found a snapshot that follows ${parent ?? "none"}, expected ${wanted}`);
    }
    ids.unshift(id);
    id = parent;
  }
  return ids;
}

async function requireKept(dataDirectory: string, id: SnapshotId) {
  const manifest = await ifAvailable(readManifestOf(dataDirectory, id));
  if (manifest !== undefined) return manifest;
  throw new ChangesMissingError(`snapshot ${id}: found none that can be read, expected it to be kept`);
}

/** Reads the changes of one publication. */
async function readChanges(dataDirectory: string, id: SnapshotId): Promise<ChangeRow[]> {
  const path = join(snapshotPath(dataDirectory, id), changesFileName);
  const found = (what: string): ChangesMissingError =>
    new ChangesMissingError(`${path}: found ${what}, expected the changes of ${id}`);
  if (!(await regularFileExists(path))) throw found("no such file");
  const rows: ChangeRow[] = [];
  try {
    await pipeline(createReadStream(path), createGunzip(), parse({ columns: true }), async (records) => {
      for await (const row of records as AsyncIterable<ChangeRow>) rows.push(row);
    });
  } catch (error) {
    if (systemErrorCode(error) === "") throw error;
    throw found(`what cannot be read (${systemErrorCode(error)})`);
  }
  const unlisted = rows.find(({ uuid }) => !uuid);
  if (unlisted !== undefined) throw found(JSON.stringify(unlisted.change));
  return rows;
}
