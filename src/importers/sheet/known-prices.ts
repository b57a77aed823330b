/** What a snapshot has of the prices of a table: which of them an append would replace. */
import { join } from "node:path";
import { findLines } from "../../dataset/find-lines.ts";
import type { Manifest } from "../../dataset/manifest.ts";
import type { ProblemList } from "../../dataset/problem.ts";
import type { UncheckedRecord } from "../../dataset/record-texts.ts";
import type { WireRecords } from "../../dataset/wire-records.ts";
import type { Uuid } from "../../domain/ids.ts";
import { priceUuid } from "./build-records.ts";
import type { PricesReading } from "./read-prices.ts";

/** A price that the snapshot has with other values, which an append would replace by those of a row. */
export interface ReplacedPrice {
  /** The row of the table. */
  readonly row: number;
  readonly uuid: string;
  /** In what they differ; never empty. */
  readonly changes: readonly PriceChange[];
}

interface PriceChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Where a snapshot has its prices. */
export interface PricesPlace {
  readonly directory: string;
  readonly files: Manifest["files"];
}

/**
 * Finds the prices of a snapshot that rows of a table would replace, in order of the rows; and warns of rows whose
 * price it has under the other identity, with or without the heading in it: an append would leave both.
 *
 * Cost: a look at each line of the snapshot's prices.
 *
 * @param records The prices as they are to be appended.
 * @param warnings Receives the rows whose other identity the snapshot has, unless the mapping has decided on it.
 */
export async function findReplacedPrices(
  { directory, files }: PricesPlace,
  { facts, priceColumn }: PricesReading,
  records: readonly WireRecords["prices"][],
  { file, source, isDecided }: { readonly file: string; readonly source: string; readonly isDecided: boolean },
  warnings: ProblemList,
): Promise<ReplacedPrice[]> {
  const rowOf = new Map(facts.map((fact) => [priceUuid(fact, source), fact.line]));
  const otherRows = new Map(
    (isDecided ? [] : facts).map((fact) => [
      priceUuid({ ...fact, heading: priceColumn.plainHeading }, source),
      fact.line,
    ]),
  );
  const known = await readKnown(directory, files, [...rowOf.keys(), ...otherRows.keys()] as Uuid[]);
  const isKeyed = priceColumn.keyHeading !== null;
  for (const [uuid, line] of otherRows) {
    if (!known.has(uuid)) continue;
    const found = `a price that the snapshot has ${isKeyed ? "without" : "with"} the heading in its identity`;
    const wanted = `"heading_in_key": ${!isKeyed} in the mapping to replace it, ${isKeyed} to keep both`;
    warnings.add({ file, line, kind: "duplicate", found, wanted });
  }
  return records
    .flatMap((record): ReplacedPrice[] => {
      const before = known.get(record.uuid);
      const changes = before === undefined ? [] : changesBetween(before, record);
      return changes.length === 0 ? [] : [{ row: rowOf.get(record.uuid) as number, uuid: record.uuid, changes }];
    })
    .sort((a, b) => a.row - b.row);
}

/** By uuid the records that readers see: those of the highest sequence. */
async function readKnown(
  directory: string,
  files: Manifest["files"],
  uuids: readonly Uuid[],
): Promise<ReadonlyMap<string, UncheckedRecord>> {
  const wanted = new Set(uuids);
  const known = new Map<string, UncheckedRecord>();
  const newestFirst = files.filter(({ kind }) => kind === "prices").toSorted((a, b) => b.sequence - a.sequence);
  for (const { name } of newestFirst) {
    for (const [uuid, { record }] of await findLines(join(directory, name), wanted)) {
      known.set(uuid, record);
      wanted.delete(uuid);
    }
  }
  return known;
}

/** What is not part of the identity of a price, as files call it. */
const comparedFields = ["price", "recorded_at", "notes", "price_flag"] as const;

function changesBetween(before: UncheckedRecord, after: WireRecords["prices"]): PriceChange[] {
  return comparedFields
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }))
    .filter(({ field, before, after }) =>
      field === "recorded_at" ? Date.parse(String(before)) !== Date.parse(String(after)) : before !== after,
    );
}
