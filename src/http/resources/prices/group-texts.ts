/**
 * The JSON text of groups of statistics. Groups of rollups never change while a store is served, so their text is kept:
 * an answer of whole periods is a slice of it. It is made and kept in blocks of neighbouring positions, so that the
 * first question about a product never waits for the text of all its days.
 */
import { LRUCache } from "lru-cache";
import type { CountyId } from "../../../domain/ids.ts";
import { roundFigure } from "../../../domain/round-figure.ts";
import type { Grouping } from "../../../domain/vocabulary.ts";
import type { FoundGroups } from "../../../query/price-statistics.ts";
import { countyRecord, recordAt } from "../../../store/catalogue.ts";
import type { Group } from "../../../store/figures.ts";
import type { Range } from "../../../store/lower-bound.ts";
import type { TimeGrouping } from "../../../store/periods.ts";
import { groupOfRollup, type Rollup } from "../../../store/rollups.ts";
import type { Store } from "../../../store/store.ts";
import { type ByteText, byteText } from "../../answer/byte-text.ts";
import { type JsonText, listText } from "../../answer/json-text.ts";

/** Groups in a block: about 20 kB of text, so that a piece of an answer stays below a chunk. */
const blockGroups = 128;

/** Positions of a rollup that lie in one block. */
interface BlockRange extends Range {
  readonly grouping: TimeGrouping;
  readonly rollup: Rollup;
}

/** The text of a block, oldest first, a comma before each group. */
interface GroupBlock {
  readonly text: ByteText;
  /** Where each group begins, by its distance from the newest end of the block; one more entry is the end. */
  readonly offsets: Uint32Array;
}

/** Beside text and offsets: objects, key, and the entry in the cache. */
const blockOverheadBytes = 512;

/** The kept texts of one thread: of each store, as long as that store lives. */
export class RollupTexts {
  readonly #bytesMax: number;
  readonly #blocks = new WeakMap<Store, LRUCache<string, GroupBlock>>();

  /** @param bytesMax What the texts of a store may take; the least recently used are dropped first. At least 1. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** What the texts of a store take. */
  bytesOf(store: Store): number {
    return this.#blocks.get(store)?.calculatedSize ?? 0;
  }

  /** The groups at positions [from, to) of a block, oldest first, with a comma before each. */
  textOf(store: Store, { grouping, rollup, from, to }: BlockRange): ByteText {
    const blocks = this.#blocksOf(store);
    const start = from - (from % blockGroups);
    const key = `${grouping} ${start}`;
    let block = blocks.get(key);
    if (block === undefined) {
      block = makeBlock(store, {
        grouping,
        rollup,
        from: start,
        to: Math.min(start + blockGroups, rollup.keys.length),
      });
      blocks.set(key, block);
    }
    const { text, offsets } = block;
    return text.slice(offsets[to - start], offsets[from - start]) as ByteText;
  }

  #blocksOf(store: Store): LRUCache<string, GroupBlock> {
    let blocks = this.#blocks.get(store);
    if (blocks === undefined) {
      blocks = new LRUCache({
        maxSize: this.#bytesMax,
        sizeCalculation: ({ text, offsets }) => text.length + offsets.byteLength + blockOverheadBytes,
      });
      this.#blocks.set(store, blocks);
    }
    return blocks;
  }
}

/**
 * Positions ascend towards older groups, so that a text, oldest first, has the offsets of the oldest group at its
 * start.
 */
function makeBlock(store: Store, { grouping, rollup, from, to }: BlockRange): GroupBlock {
  const offsets = new Uint32Array(to - from + 1);
  const texts: string[] = [];
  let length = 0;
  for (let at = to - 1; at >= from; at--) {
    const group = groupOfRollup(rollup, at);
    if (group.count > 0) {
      const text = `,${groupText(store, grouping, group)}`;
      texts.push(text);
      length += text.length;
    }
    offsets[at - from] = length;
  }
  return { text: byteText(texts.join("")), offsets };
}

/**
 * The list of groups of an answer.
 *
 * @param texts undefined where no texts are kept; then all are made.
 */
export function groupListText(
  store: Store,
  grouping: Grouping,
  { before, ofRollup, after }: FoundGroups,
  texts: RollupTexts | undefined,
): JsonText {
  const blocks: (BlockRange | readonly Group[])[] = [...blocksOfGroups(before)];
  if (ofRollup !== null) blocks.push(...blocksOfRange({ ...ofRollup, grouping: grouping as TimeGrouping }));
  blocks.push(...blocksOfGroups(after));
  return listText(blocks, (block) => {
    if (!("rollup" in block)) return byteText(block.map((group) => groupText(store, grouping, group)).join());
    const text = texts === undefined ? makeBlock(store, block).text : texts.textOf(store, block);
    return text.slice(1) as ByteText;
  });
}

function blocksOfGroups(groups: readonly Group[]): Group[][] {
  const found = groups.filter(({ count }) => count > 0);
  const blocks: Group[][] = [];
  for (let at = 0; at < found.length; at += blockGroups) blocks.push(found.slice(at, at + blockGroups));
  return blocks;
}

/** The blocks of a range, oldest first, those without any figures left out. */
function blocksOfRange({ grouping, rollup, from, to }: BlockRange): BlockRange[] {
  const blocks: BlockRange[] = [];
  for (let end = to; end > from; ) {
    const start = Math.max(from, (Math.ceil(end / blockGroups) - 1) * blockGroups);
    if (rollup.counts.subarray(start, end).some((count) => count > 0)) {
      blocks.push({ grouping, rollup, from: start, to: end });
    }
    end = start;
  }
  return blocks;
}

/** A group by its label, for a market or county also its identity, and its figures. */
function groupText(store: Store, grouping: Grouping, { key, count, ...figures }: Group): string {
  return JSON.stringify({
    ...groupIdentity(store, grouping, key),
    average_price: roundFigure(figures.mean),
    min_price: roundFigure(figures.min),
    max_price: roundFigure(figures.max),
    median_price: roundFigure(figures.median),
    sample_count: count,
    std_deviation: roundFigure(figures.deviation),
  });
}

function groupIdentity({ catalogue, periods }: Store, grouping: Grouping, key: number): object {
  if (grouping === "market") {
    const { uuid, name } = recordAt(catalogue.markets, key);
    return { period: name, market: { uuid, name } };
  }
  if (grouping === "county") {
    const { name } = countyRecord(catalogue, key as CountyId);
    return { period: name, county: { id: key, name } };
  }
  return { period: periods[grouping].labels[key] };
}
