/** Prices of a table and the snapshot → the prices that an append would replace. */
import { join } from "node:path";
import { firstNotBefore } from "../../../engine/model/binary-search.ts";
import type { Instant } from "../../../engine/model/calendar.ts";
import { type UuidLine, uuidLines } from "../../../engine/snapshots/find-lines.ts";
import type { Manifest } from "../../../engine/snapshots/manifest.ts";
import type { ProblemList } from "../../../engine/snapshots/problem.ts";
import type { UncheckedRecord } from "../../../engine/snapshots/record-texts.ts";
import type { WireRecords } from "../../../engine/snapshots/wire-records.ts";
import { priceRecord } from "./build-sheet-records.ts";
import type { Mapping } from "./mapping.ts";
import { type PriceFact, uuidWithHeading } from "./price-identity.ts";
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
  readonly mapping: Pick<Mapping, "source" | "heading_in_key">;
  readonly now: Instant;
}

/**
 * Finds the prices of a snapshot that rows of a table would replace, in order of the rows; and warns of rows whose
 * price it has under the other identity, with or without the heading in it: an append would leave both.
 *
 * Cost: a read of each line of the snapshot's prices, and memory for a look-up of each price of the table.
 *
 * @param warnings Receives the rows whose other identity the snapshot has, unless the mapping has decided on it.
 */
export async function findReplacedPrices(
  place: PricesPlace,
  { facts, priceColumn }: PricesReading,
  { file, mapping, now }: ImportedTable,
  warnings: ProblemList,
): Promise<ReplacedPrice[]> {
  const { source, heading_in_key } = mapping;
  const isDecided = heading_in_key !== undefined;
  const otherOf = (fact: PriceFact): string => uuidWithHeading(source, fact, priceColumn.plainHeading);
  const others = new UuidPrefixes(isDecided ? [] : facts, otherOf);
  const factOf = new Map(facts.map((fact) => [fact.uuid, fact]));
  const replaced: ReplacedPrice[] = [];
  const otherKnown = new Set<string>();
  for await (const lines of knownPrices(place)) {
    for (const { uuid, bytes } of lines) {
      if (others.mayHave(uuid)) otherKnown.add(uuid);
      const fact = factOf.get(uuid);
      // Readers see the record of the highest sequence, which comes first.
      if (fact === undefined) continue;
      factOf.delete(uuid);
      const before = JSON.parse(bytes.toString()) as UncheckedRecord;
      const changes = changesBetween(before, priceRecord(fact, source, now));
      if (changes.length > 0) replaced.push({ row: fact.line, uuid, withdrawn: place.withdrawn.has(uuid), changes });
    }
  }
  const isKeyed = priceColumn.keyHeading !== null;
  for (const fact of otherKnown.size === 0 ? [] : facts) {
    if (!otherKnown.has(otherOf(fact))) continue;
    const found = `a price that the snapshot has ${isKeyed ? "without" : "with"} the heading in its identity`;
    const wanted = `"heading_in_key": ${!isKeyed} in the mapping to replace it, ${isKeyed} to keep both`;
    warnings.add({ file, line: fact.line, kind: "duplicate", found, wanted });
  }
  return replaced.sort((a, b) => a.row - b.row);
}

/** The first 48 bits of uuids: enough to pass over almost all others, in a tenth of the memory of the texts. */
class UuidPrefixes {
  readonly #prefixes: Float64Array;

  constructor(facts: readonly PriceFact[], uuidOf: (fact: PriceFact) => string) {
    this.#prefixes = new Float64Array(facts.length);
    for (const [at, fact] of facts.entries()) this.#prefixes[at] = prefixOf(uuidOf(fact));
    this.#prefixes.sort();
  }

  mayHave(uuid: string): boolean {
    const prefix = prefixOf(uuid);
    const at = firstNotBefore(0, this.#prefixes.length, (index) => (this.#prefixes[index] as number) < prefix);
    return this.#prefixes[at] === prefix;
  }
}

function prefixOf(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
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
