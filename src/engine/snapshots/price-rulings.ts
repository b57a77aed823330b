/** What a data team has ruled on single prices: read from their files, and applied to prices that were read. */
import { firstNotBefore } from "../model/binary-search.ts";
import type { Uuid } from "../model/ids.ts";
import { elementsPerRow, firstRows, priceColumnNames } from "../model/price-columns.ts";
import type { PriceRuling } from "../model/records.ts";
import { UuidSet } from "../model/uuid-set.ts";
import type { Manifest } from "./manifest.ts";
import { foundText, ProblemList } from "./problem.ts";
import type { PlacedRecords } from "./read-tables.ts";
import { type DirectoryReading, type RecordFile, readRecordFile } from "./record-file.ts";
import { isRulingKind, type RulingKind } from "./snapshot-layout.ts";
import { ReadingCounter } from "./stored-file.ts";

/** In the order in which they were ruled; a uuid stands once in each list. */
export type PriceRulings = { readonly [Kind in RulingKind]: readonly PriceRuling[] };

export const noRulings: PriceRulings = { accepted: [], withdrawals: [] };

/**
 * Reads files of rulings. That a uuid is of no price is no problem: prices come and go.
 *
 * @param files At most one of each kind.
 */
export async function readRulings(
  reading: DirectoryReading,
  files: readonly RecordFile<RulingKind>[],
): Promise<PriceRulings> {
  const rulings: { [Kind in RulingKind]: readonly PriceRuling[] } = { ...noRulings };
  for (const file of files) {
    const lines = new Map<Uuid, number>();
    const list: PriceRuling[] = [];
    await readRecordFile<RulingKind>(reading, file, (ruling, line) => {
      const first = lines.get(ruling.uuid);
      if (first === undefined) {
        lines.set(ruling.uuid, line);
        list.push(ruling);
        return;
      }
      const found = `${foundText(ruling.uuid)}, as in line ${first}`;
      const wanted = "every price once";
      reading.problems.add({ file: file.name, line, kind: "duplicate", field: "uuid", found, wanted });
    });
    rulings[file.kind] = list;
  }
  return rulings;
}

/**
 * The rulings of a published snapshot. Cost: none of its other files is read.
 *
 * @throws {DatasetError} when a file is damaged.
 */
export async function readManifestRulings(
  directory: string,
  { files }: Pick<Manifest, "files">,
): Promise<PriceRulings> {
  const problems = new ProblemList();
  const listed = files.flatMap(({ name, kind, ...entry }): RecordFile<RulingKind>[] =>
    isRulingKind(kind) ? [{ name, kind, entry }] : [],
  );
  const rulings = await readRulings({ directory, problems, counter: new ReadingCounter() }, listed);
  problems.throwIfAny(directory);
  return rulings;
}

/** The rulings of both lists; where both have a price, those of the first. */
export function joinRulings(first: readonly PriceRuling[], second: readonly PriceRuling[]): readonly PriceRuling[] {
  const known = new Set(first.map(({ uuid }) => uuid));
  return [...first, ...second.filter(({ uuid }) => !known.has(uuid))];
}

/**
 * Leaves out the prices that are withdrawn.
 *
 * Cost: a look at each uuid, then as `dropRows`. Without withdrawals nothing is looked at.
 * @returns The other records, and how many rows were left out.
 */
export function withholdPrices<Placed extends PlacedRecords>(
  placed: Placed,
  withdrawals: readonly PriceRuling[],
): { readonly placed: Placed; readonly withheld: number } {
  const { uuids, rowCount } = placed.records.prices;
  const rows = new UuidSet(withdrawals.map(({ uuid }) => uuid)).rowsIn(uuids, rowCount);
  return { placed: dropRows(placed, rows), withheld: rows.length };
}

/**
 * Records without some prices, whose dictionaries keep all texts.
 *
 * Cost: the columns are moved up in place, so the prices given must not be used any more.
 * @param rows Those that go, ascending.
 */
export function dropRows<Placed extends PlacedRecords>(placed: Placed, rows: readonly number[]): Placed {
  if (rows.length === 0) return placed;
  const { prices: table } = placed.records;
  const rowCount = table.rowCount - rows.length;
  for (const name of priceColumnNames) {
    const width = elementsPerRow(name);
    rows.forEach((row, at) => {
      const end = rows[at + 1] ?? table.rowCount;
      // Neighbours that go leave nothing between them: of a long file appended again, millions.
      if (end > row + 1) table[name].copyWithin((row - at) * width, (row + 1) * width, end * width);
    });
  }
  const prices = { ...table, ...firstRows(table, rowCount), rowCount };
  const locationOfPrice: Placed["locationOfPrice"] = (row) => placed.locationOfPrice(row + countBefore(rows, row));
  return { ...placed, records: { ...placed.records, prices }, locationOfPrice };
}

/** How many rows were left out before a row that stays. @param rows Those left out, ascending. */
function countBefore(rows: readonly number[], row: number): number {
  return firstNotBefore(0, rows.length, (at) => (rows[at] as number) - at <= row);
}
