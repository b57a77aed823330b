/** What a data team has ruled on single prices: read from their files, and applied to prices that were read. */
import { firstNotBefore } from "../domain/binary-search.ts";
import type { PriceTable } from "../domain/dataset.ts";
import type { Uuid } from "../domain/ids.ts";
import { elementsPerRow, firstRows, priceColumnNames } from "../domain/price-columns.ts";
import type { PriceRuling } from "../domain/records.ts";
import { UuidSet } from "../domain/uuid-set.ts";
import type { Manifest } from "./manifest.ts";
import type { PricesReading } from "./prices/read-prices.ts";
import { foundText, ProblemList } from "./problem.ts";
import { type RecordFile, readRecordFile } from "./record-file.ts";
import { isRulingKind, type RulingKind } from "./snapshot-layout.ts";
import { ReadingCounter } from "./stored-file.ts";

/** In the order in which they were ruled; a uuid stands once in each list. */
export type PriceRulings = { readonly [Kind in RulingKind]: readonly PriceRuling[] };

export const noRulings: PriceRulings = { accepted: [], withdrawals: [] };

/**
 * Reads files of rulings.
 *
 * @param files At most one of each kind.
 * @param problems Receives whatever is wrong. That a uuid is of no price is no problem: prices come and go.
 */
export async function readRulings(
  directory: string,
  files: readonly RecordFile<RulingKind>[],
  problems: ProblemList,
  counter: ReadingCounter,
): Promise<PriceRulings> {
  const rulings: { [Kind in RulingKind]: readonly PriceRuling[] } = { ...noRulings };
  for (const file of files) {
    const lines = new Map<Uuid, number>();
    const list: PriceRuling[] = [];
    await readRecordFile<RulingKind>(directory, file, problems, counter, (ruling, line) => {
      const first = lines.get(ruling.uuid);
      if (first === undefined) {
        lines.set(ruling.uuid, line);
        list.push(ruling);
        return;
      }
      const found = `${foundText(ruling.uuid)}, as in line ${first}`;
      problems.add({ file: file.name, line, kind: "duplicate", field: "uuid", found, wanted: "every price once" });
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
  const rulings = await readRulings(directory, listed, problems, new ReadingCounter());
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
 * @returns How many rows were left out, and where each of the others comes from.
 */
export function withholdPrices(
  table: PriceTable,
  locationOf: PricesReading["locationOf"],
  withdrawals: readonly PriceRuling[],
): PlacedPrices & { readonly withheld: number } {
  const rows = new UuidSet(withdrawals.map(({ uuid }) => uuid)).rowsIn(table.uuids, table.rowCount);
  return { ...dropRows(table, locationOf, rows), withheld: rows.length };
}

/** Prices, and where each row comes from. */
interface PlacedPrices extends Pick<PricesReading, "locationOf"> {
  readonly prices: PriceTable;
}

/**
 * A table without some rows; its dictionaries keep all texts.
 *
 * Cost: the columns are moved up in place, so the table given must not be used any more.
 * @param rows Those that go, ascending.
 */
export function dropRows(
  table: PriceTable,
  locationOf: PricesReading["locationOf"],
  rows: readonly number[],
): PlacedPrices {
  if (rows.length === 0) return { prices: table, locationOf };
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
  return { prices, locationOf: (row) => locationOf(row + countBefore(rows, row)) };
}

/** How many rows were left out before a row that stays. @param rows Those left out, ascending. */
function countBefore(rows: readonly number[], row: number): number {
  return firstNotBefore(0, rows.length, (at) => (rows[at] as number) - at <= row);
}
