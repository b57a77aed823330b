/** Prices of a table and the snapshot → the prices that an append would replace. */
import { join } from "node:path";
import type { Day, Instant } from "../../../engine/model/calendar.ts";
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import { type UuidLine, uuidLines } from "../../../engine/snapshots/find-lines.ts";
import type { UncheckedRecord } from "../../../engine/snapshots/record-texts.ts";
import { ImportRefusedError } from "../import-refused.ts";
import type { WireRecords } from "../wire-records.ts";
import { priceRecord } from "./build-sheet-records.ts";
import { dayOf } from "./date-cell.ts";
import type { CurrentRecords } from "./known-records.ts";
import type { Mapping } from "./mapping.ts";
import type { PriceFact } from "./price-identity.ts";
import type { PricesReading } from "./read-sheet-prices.ts";

/** A price that the snapshot has with other values, which an append would replace by those of a row. */
export interface ReplacedPrice {
  /** The row of the table. */
  readonly row: number;
  readonly uuid: string;
  /** True if it is withdrawn: nothing changes for readers before it is reinstated. */
  readonly withdrawn: boolean;
  /** In what they differ, as files call the fields; never empty. */
  readonly changes: ReturnType<typeof changesBetween>;
}

/** The files of the prices of a snapshot, and the uuids of withdrawn prices. */
type PricesPlace = CurrentRecords["pricesPlace"];

/**
 * Finds the prices of a snapshot that rows of a table would replace, in order of the rows, and compares the table with
 * the newest prices of its source.
 *
 * @param file The table, for messages.
 *
 * Cost: a read of each line of the snapshot's prices, and memory for a look-up of each price of the table.
 *
 * @throws {ImportRefusedError} when a price would replace one of another time, and the mapping does not decide on it.
 */
export async function findReplacedPrices(
  place: PricesPlace,
  { facts }: PricesReading,
  file: string,
  mapping: Pick<Mapping, "source" | "time_in_key">,
  now: Instant,
) {
  const { source } = mapping;
  const mark = Buffer.from(JSON.stringify(source));
  const factOf = new Map(facts.map((fact) => [fact.uuid, fact]));
  const replaced: ReplacedPrice[] = [];
  const countOf: MarketsOfDays = new Map();
  for await (const lines of knownPrices(place)) {
    for (const { uuid, bytes } of lines) {
      const fact = factOf.get(uuid);
      if (fact === undefined && !bytes.includes(mark)) continue;
      const before = JSON.parse(bytes.toString()) as UncheckedRecord;
      if (before["source"] === source) countPrice(countOf, before);
      // Readers see the record of the highest sequence, which comes first.
      if (fact === undefined) continue;
      factOf.delete(uuid);
      const changes = changesBetween(before, priceRecord(fact, source, now));
      if (changes.length > 0) replaced.push({ row: fact.line, uuid, withdrawn: place.withdrawn.has(uuid), changes });
    }
  }
  replaced.sort((a, b) => a.row - b.row);
  if (mapping.time_in_key === undefined) refuseOtherTimes(file, replaced);
  return {
    replaced,
    /** The number of prices that the snapshot does not have. */
    newCount: factOf.size,
    /** Undefined where the source has no price yet. */
    earlier: countOf.size === 0 ? undefined : comparedWith(facts, countOf),
  };
}

/** What the snapshot has of a table, and of its source before it. */
export type KnownPrices = Awaited<ReturnType<typeof findReplacedPrices>>;

/** @throws {ImportRefusedError} where a price would replace one of another time. */
function refuseOtherTimes(file: string, replaced: readonly ReplacedPrice[]): void {
  for (const { row, changes } of replaced) {
    const time = changes.find(({ field }) => field === "recorded_at");
    if (time === undefined) continue;
    const found = `the price of ${time.after} in row ${row}, and in the snapshot that of ${time.before} on that day`;
    const wanted = '"time_in_key" in the mapping, true where both count, false where this one replaces it';
    throw new ImportRefusedError(`${file}: found ${found}, expected ${wanted}`);
  }
}

/** The days of a source in the snapshot, with the number of prices of each market. */
type MarketsOfDays = Map<Day, Map<string, number>>;

function countPrice(countOf: MarketsOfDays, { recorded_at, market_uuid }: UncheckedRecord): void {
  const markets = getOrInsert(countOf, dayOf(Date.parse(String(recorded_at)) as Instant), () => new Map());
  markets.set(String(market_uuid), (markets.get(String(market_uuid)) ?? 0) + 1);
}

/** The newest days of the source, as many as the table spans, beside those of the table. */
function comparedWith(facts: readonly PriceFact[], countOf: MarketsOfDays) {
  const [first, last] = daysOf(facts);
  const newest = Math.max(...countOf.keys());
  const recent = [...countOf].filter(([day]) => day >= newest - (last - first)).map(([, markets]) => markets);
  const markets = new Set(recent.flatMap((counts) => [...counts.keys()]));
  const missing = markets.difference(new Set(facts.map(({ market }) => market.id)));
  const rowCount = recent.flatMap((counts) => [...counts.values()]).reduce((sum, count) => sum + count, 0);
  return { marketCount: markets.size, missingMarketCount: missing.size, rowCount, daysBefore: newest - last };
}

/** The days of the oldest and the newest price. @param facts At least one. */
export function daysOf(facts: readonly PriceFact[]): readonly [first: Day, last: Day] {
  const days = facts.map(({ recordedAt }) => dayOf(recordedAt)).sort((a, b) => a - b);
  return [days.at(0) as Day, days.at(-1) as Day];
}

/** All lines of the prices of a snapshot, those of the highest sequence first. */
async function* knownPrices({ directory, files }: PricesPlace): AsyncGenerator<readonly UuidLine[]> {
  const newestFirst = files.filter(({ kind }) => kind === "prices").toSorted((a, b) => b.sequence - a.sequence);
  for (const { name } of newestFirst) yield* uuidLines(join(directory, name));
}

/** Compares the fields that are no part of the identity of a price. */
function changesBetween(before: UncheckedRecord, after: WireRecords["prices"]) {
  return (["price", "recorded_at", "notes", "price_flag"] as const)
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }))
    .filter(({ field, before, after }) =>
      field === "recorded_at" ? Date.parse(String(before)) !== Date.parse(String(after)) : before !== after,
    );
}
