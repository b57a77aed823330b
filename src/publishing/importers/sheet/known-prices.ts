/** Prices of a table and the snapshot → the prices that an append would replace. */
import { join } from "node:path";
import type { Day, Instant } from "../../../engine/model/calendar.ts";
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import { type UuidLine, uuidLines } from "../../../engine/snapshots/find-lines.ts";
import type { Manifest } from "../../../engine/snapshots/manifest.ts";
import type { UncheckedRecord } from "../../../engine/snapshots/record-texts.ts";
import type { WireRecords } from "../../../engine/snapshots/wire-records.ts";
import { ImportRefusedError } from "../import-refused.ts";
import { priceRecord } from "./build-sheet-records.ts";
import { dayOf } from "./date-cell.ts";
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
  /** In what they differ; never empty. */
  readonly changes: readonly PriceChange[];
}

interface PriceChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The files of the prices of a snapshot. */
export interface PricesPlace {
  readonly directory: string;
  readonly files: Manifest["files"];
  /** The uuids of withdrawn prices. */
  readonly withdrawn: ReadonlySet<string>;
}

/** The table whose prices are looked for. */
export interface ImportedTable {
  readonly file: string;
  readonly mapping: Pick<Mapping, "source" | "time_in_key">;
  readonly now: Instant;
}

/**
 * Finds the prices of a snapshot that rows of a table would replace, in order of the rows, and compares the table with
 * the newest prices of its source.
 *
 * Cost: a read of each line of the snapshot's prices, and memory for a look-up of each price of the table.
 *
 * @throws {ImportRefusedError} when a price would replace one of another time, and the mapping does not decide on it.
 */
export async function findReplacedPrices(
  place: PricesPlace,
  { facts }: PricesReading,
  { file, mapping, now }: ImportedTable,
): Promise<KnownPrices> {
  const { source } = mapping;
  const factOf = new Map(facts.map((fact) => [fact.uuid, fact]));
  const replaced: ReplacedPrice[] = [];
  const earlier = new EarlierPrices(source);
  for await (const lines of knownPrices(place)) {
    for (const { uuid, bytes } of lines) {
      earlier.add(bytes);
      const fact = factOf.get(uuid);
      // Readers see the record of the highest sequence, which comes first.
      if (fact === undefined) continue;
      factOf.delete(uuid);
      const before = JSON.parse(bytes.toString()) as UncheckedRecord;
      const changes = changesBetween(before, priceRecord(fact, source, now));
      if (changes.length > 0) replaced.push({ row: fact.line, uuid, withdrawn: place.withdrawn.has(uuid), changes });
    }
  }
  replaced.sort((a, b) => a.row - b.row);
  refuseOtherTimes(file, mapping, replaced);
  return { replaced, newCount: factOf.size, earlier: earlier.comparedWith(facts) };
}

/** What the snapshot has of a table, and of its source before it. */
export interface KnownPrices {
  readonly replaced: readonly ReplacedPrice[];
  /** Prices that the snapshot does not have. */
  readonly newCount: number;
  /** Undefined where the source has no price yet. */
  readonly earlier: ReturnType<EarlierPrices["comparedWith"]>;
}

/** @throws {ImportRefusedError} where a price would replace one of another time, and the mapping leaves it open. */
function refuseOtherTimes(file: string, { time_in_key }: ImportedTable["mapping"], replaced: readonly ReplacedPrice[]) {
  if (time_in_key !== undefined) return;
  const timeOf = ({ changes }: ReplacedPrice) => changes.find(({ field }) => field === "recorded_at");
  const other = replaced.find(timeOf);
  const { before, after } = (other && timeOf(other)) ?? {};
  if (other === undefined) return;
  const found = `the price of ${after} in row ${other.row}, and in the snapshot that of ${before} on the same day`;
  const wanted = '"time_in_key" in the mapping, true where both count, false where this one replaces it';
  throw new ImportRefusedError(`${file}: found ${found}, expected ${wanted}`);
}

/** The prices of a source in the snapshot: the days of each market, with their numbers of prices. */
class EarlierPrices {
  readonly #mark: Buffer;
  readonly #source: string;
  readonly #countOf = new Map<Day, Map<string, number>>();

  constructor(source: string) {
    this.#source = source;
    this.#mark = Buffer.from(JSON.stringify(source));
  }

  /** @param line A price of any source. */
  add(line: Buffer): void {
    if (!line.includes(this.#mark)) return;
    const { source, recorded_at, market_uuid } = JSON.parse(line.toString()) as UncheckedRecord;
    if (source !== this.#source) return;
    const markets = getOrInsert(this.#countOf, dayOf(Date.parse(String(recorded_at)) as Instant), () => new Map());
    markets.set(String(market_uuid), (markets.get(String(market_uuid)) ?? 0) + 1);
  }

  /** The newest days of the source, as many as the table spans, beside those of the table. */
  comparedWith(facts: readonly PriceFact[]) {
    if (this.#countOf.size === 0) return undefined;
    const days = facts.map(({ recordedAt }) => dayOf(recordedAt));
    const [first, last] = [days.reduce((a, b) => (b < a ? b : a)), days.reduce((a, b) => (b > a ? b : a))];
    const newest = Math.max(...this.#countOf.keys()) as Day;
    const recent = [...this.#countOf].filter(([day]) => day >= newest - (last - first)).map(([, markets]) => markets);
    const markets = new Set(recent.flatMap((counts) => [...counts.keys()]));
    const missing = markets.difference(new Set(facts.map(({ market }) => market.id)));
    const rowCount = recent.flatMap((counts) => [...counts.values()]).reduce((sum, count) => sum + count, 0);
    return { marketCount: markets.size, missingMarketCount: missing.size, rowCount, daysBefore: newest - last };
  }
}

/** All lines of the prices of a snapshot, those of the highest sequence first. */
async function* knownPrices({ directory, files }: PricesPlace): AsyncGenerator<readonly UuidLine[]> {
  const newestFirst = files.filter(({ kind }) => kind === "prices").toSorted((a, b) => b.sequence - a.sequence);
  for (const { name } of newestFirst) yield* uuidLines(join(directory, name));
}

/** The fields that are no part of the identity of a price, as files call them. */
const comparedFields = ["price", "recorded_at", "notes", "price_flag"] as const;

function changesBetween(before: UncheckedRecord, after: WireRecords["prices"]): PriceChange[] {
  return comparedFields
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }))
    .filter(({ field, before, after }) =>
      field === "recorded_at" ? Date.parse(String(before)) !== Date.parse(String(after)) : before !== after,
    );
}
