/** Reads the decisions of a data team on single prices, and applies them to prices that were read. */
import { type Uuid, UuidSet } from "../model/ids.ts";
import { removeRows, rowBefore } from "../model/price-columns.ts";
import type { PriceDecision, Records } from "../model/records.ts";
import type { Manifest } from "./manifest.ts";
import { foundText, ProblemList } from "./problem.ts";
import type { PlacedRecords } from "./read-tables.ts";
import { type DirectoryReading, type RecordFile, readRecordFile } from "./record-file.ts";
import { type DecisionKind, isDecisionKind } from "./snapshot-layout.ts";
import { ReadingCounter } from "./stored-file.ts";

/** In the order in which they were made; a uuid stands once in each list. */
export type PriceDecisions = { readonly [Kind in DecisionKind]: readonly Records[Kind][] };

export const noDecisions: PriceDecisions = { accepted: [], withdrawals: [] };

/**
 * Reads files of decisions. That a uuid is of no price is no problem: prices come and go.
 *
 * @param files At most one of each kind.
 */
export async function readDecisions(
  reading: DirectoryReading,
  files: readonly RecordFile<DecisionKind>[],
): Promise<PriceDecisions> {
  const decisions = { ...noDecisions };
  const read = async <Kind extends DecisionKind>(file: RecordFile<Kind>): Promise<void> => {
    const lines = new Map<Uuid, number>();
    const list: Records[Kind][] = [];
    await readRecordFile<Kind>(reading, file, (decision, line) => {
      const first = lines.get(decision.uuid);
      if (first === undefined) {
        lines.set(decision.uuid, line);
        list.push(decision);
        return;
      }
      const found = `${foundText(decision.uuid)}, as in line ${first}`;
      const wanted = "every price once";
      reading.problems.add({ file: file.name, line, kind: "duplicate", field: "uuid", found, wanted });
    });
    Object.assign(decisions, { [file.kind]: list });
  };
  for (const file of files) await read(file);
  return decisions;
}

/**
 * Reads the decisions of a published snapshot. Cost: reads none of its other files.
 *
 * @throws {DatasetError} when a file is damaged.
 */
export async function readManifestDecisions(
  directory: string,
  { files }: Pick<Manifest, "files">,
): Promise<PriceDecisions> {
  const problems = new ProblemList();
  const listed = files.flatMap(({ name, kind, ...entry }): RecordFile<DecisionKind>[] =>
    isDecisionKind(kind) ? [{ name, kind, entry }] : [],
  );
  const decisions = await readDecisions({ directory, problems, counter: new ReadingCounter() }, listed);
  problems.throwIfAny(directory);
  return decisions;
}

/** Joins the decisions of both lists; where both have a price, those of the first. */
export function joinDecisions<Decision extends PriceDecision>(
  first: readonly Decision[],
  second: readonly Decision[],
): readonly Decision[] {
  const known = new Set(first.map(({ uuid }) => uuid));
  return [...first, ...second.filter(({ uuid }) => !known.has(uuid))];
}

/**
 * Leaves out the prices that are withdrawn.
 *
 * Cost: a read of each uuid, then as `dropRows`. Without withdrawals nothing is read.
 * @returns The other records, and how many rows were left out.
 */
export function withholdPrices<Placed extends PlacedRecords>(
  placed: Placed,
  withdrawals: readonly PriceDecision[],
): { readonly placed: Placed; readonly withheld: number } {
  const { uuids, rowCount } = placed.records.prices;
  const rows = new UuidSet(withdrawals.map(({ uuid }) => uuid)).rowsIn(uuids, rowCount);
  return { placed: dropRows(placed, rows), withheld: rows.length };
}

/**
 * Records without some prices, whose dictionaries keep all texts.
 *
 * Cost: the columns are moved up in place, so `placed` must not be used any more.
 * @param rows Rows to remove, ascending.
 */
export function dropRows<Placed extends PlacedRecords>(placed: Placed, rows: readonly number[]): Placed {
  if (rows.length === 0) return placed;
  const { prices: table } = placed.records;
  const rowCount = table.rowCount - rows.length;
  const prices = { ...table, ...removeRows(table, table.rowCount, rows), rowCount };
  const locationOfPrice: Placed["locationOfPrice"] = (row) => placed.locationOfPrice(rowBefore(rows, row));
  return { ...placed, records: { ...placed.records, prices }, locationOfPrice };
}
