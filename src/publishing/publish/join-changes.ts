/** Joins the files of changes of the publications between two snapshots: the prices that differ between them. */
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { isDeepStrictEqual } from "node:util";
import { createGunzip } from "node:zlib";
import { parse } from "csv-parse";
import { regularFileExists, systemErrorCode } from "../../engine/files/read-regular-file.ts";
import { csvRow } from "../../engine/model/csv-text.ts";
import { ForeseenError } from "../../engine/model/foreseen-error.ts";
import { readUuid, type Uuid } from "../../engine/model/ids.ts";
import { ifAvailable, readManifestOf } from "../../engine/snapshots/current-snapshot.ts";
import { changesFileName, type SnapshotId, snapshotPath } from "../../engine/snapshots/snapshot-layout.ts";
import { type ChangeKind, changeColumns, changeKinds } from "./changes-file.ts";
import { openSnapshotStore } from "./open-published.ts";
import { findPriceChanges, uuidWords } from "./price-changes.ts";

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
 * them is left out, and so is one that is again as it was.
 *
 * Cost: memory for each price that has changed, not for the others. Where prices have changed several times, both
 * snapshots are opened: the files do not have every field that may differ.
 *
 * @throws {ChangesMissingError} when a snapshot or its file of changes is missing, was not compared, or `after` does
 *   not descend from `before`.
 * @throws {DatasetError} when one of the two is to be opened and its records are broken.
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
      spans.set(row.uuid, { first: spans.get(row.uuid)?.first ?? row, last: row });
    }
  }
  const repeated = [...spans.values()].filter(isThereAgain).map(({ last }) => last.uuid as Uuid);
  const revised = await revisedOf(dataDirectory, before, after, repeated);
  const rows = [...spans.values()].flatMap((span) => {
    return isThereAgain(span) && !revised.has(span.last.uuid) ? [] : (netChange(span) ?? []);
  });
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
}

/** Returns whether a price has changed several times and is in both snapshots, so that it may be as it was. */
function isThereAgain({ first, last }: Span): boolean {
  return first !== last && first.price_before !== "" && last.price_after !== "";
}

/** The prices among some of two snapshots that differ between them. */
async function revisedOf(
  dataDirectory: string,
  before: SnapshotId,
  after: SnapshotId,
  uuids: readonly Uuid[],
): Promise<ReadonlySet<string>> {
  if (uuids.length === 0) return new Set();
  const stores = [
    await openSnapshotStore(dataDirectory, before),
    await openSnapshotStore(dataDirectory, after),
  ] as const;
  const changes = findPriceChanges(...stores, uuidWords(uuids));
  return new Set(Array.from(changes.after, (row) => readUuid(stores[1].prices.uuids, row)));
}

function netChange({ first, last }: Span): ChangeRow | undefined {
  if (first === last) return first;
  const isThere = { before: first.price_before !== "", after: last.price_after !== "" };
  if (!isThere.before && !isThere.after) return undefined;
  const [unit, currency] = [first.unit_before || first.unit, first.currency_before || first.currency];
  return {
    ...last,
    change: isThere.before ? (isThere.after ? "corrected" : last.change) : "added",
    price_before: first.price_before,
    unit_before: isThere.before && unit !== last.unit ? unit : "",
    currency_before: isThere.before && currency !== last.currency ? currency : "",
  };
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
  const lines: string[][] = [];
  try {
    await pipeline(createReadStream(path), createGunzip(), parse(), async (records) => {
      for await (const cells of records as AsyncIterable<string[]>) lines.push(cells);
    });
  } catch (error) {
    if (systemErrorCode(error) === "") throw error;
    throw found(`what cannot be read (${systemErrorCode(error)})`);
  }
  if (!isDeepStrictEqual(lines.shift(), changeColumns)) throw found("other columns");
  return lines.map((cells) => {
    const row = Object.fromEntries(changeColumns.map((name, at) => [name, cells[at]])) as ChangeRow;
    if (!(changeKinds as readonly string[]).includes(row.change)) throw found(JSON.stringify(row.change));
    return row;
  });
}
