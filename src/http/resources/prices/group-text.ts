/**
 * Groups of statistics → JSON text. A group of a rollup is the same in every answer, so its text is kept: an answer
 * over whole periods is slices of kept texts.
 */
import { LRUCache } from "lru-cache";
import type { CountyId } from "../../../domain/ids.ts";
import type { Grouping, TimeGrouping } from "../../../domain/vocabulary.ts";
import { type FoundGroups, listGroups } from "../../../query/price-statistics.ts";
import { countyRecord, recordAt } from "../../../store/catalogue.ts";
import type { Group } from "../../../store/figures.ts";
import {
  groupOfRollup,
  type Rollup,
  type RollupGrouping,
  type RollupRange,
  rollupGroupings,
} from "../../../store/rollups.ts";
import type { Store } from "../../../store/store.ts";
import { type ByteText, byteText, joinBytes, noBytes } from "../../answer/byte-text.ts";
import { fragmentsByCode, type JsonText, writeList, writeText } from "../../answer/json-text.ts";
import { type Fragment, fragmentOf, type JsonWriter } from "../../answer/json-writer.ts";
import { countyReference, marketReference } from "./references.ts";

/** Neighbouring groups of a rollup whose text is kept as one. */
export const blockGroups = 128;

/** An answer of more groups of a rollup leaves in pieces, a block at a time, so that it holds no whole text. */
const wholeGroupsMax = 4 * blockGroups;

/** The text of the groups of a block, the last group first, each behind a comma; none of a group without prices. */
interface Block {
  readonly text: string;
  /** The text of the n-th group ends at `ends[n]` and begins at `ends[n + 1]`. */
  readonly ends: Uint32Array;
}

/** Beside text and ends: an object, heads, an entry in the table of the cache. */
const blockOverheadBytes = 256;

/** The kept texts of one thread. They are dropped with their store, the least recently used block first. */
export class RollupTexts {
  readonly #bytesMax: number;
  readonly #blocks = new WeakMap<Store, LRUCache<number, Block>>();

  /** @param bytesMax What the texts of a store may take. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /**
   * The texts of neighbouring groups, the last group first, block by block.
   *
   * Cost: a slice a block; a block that is not kept is written, 0.3 µs a group.
   */
  *slices(store: Store, grouping: RollupGrouping, { rollup, from, to }: RollupRange): Generator<ByteText> {
    const blocks = this.#blocksOf(store);
    const first = Math.floor(from / blockGroups);
    for (let number = Math.ceil(to / blockGroups) - 1; number >= first; number--) {
      const key = number * rollupGroupings.length + rollupGroupings.indexOf(grouping);
      let block = blocks.get(key);
      if (block === undefined) {
        block = writeBlock(store, grouping, rollup, number);
        blocks.set(key, block);
      }
      const { text, ends } = block;
      const start = number * blockGroups;
      const end = Math.min(to - start, ends.length - 1);
      yield text.slice(ends[end], ends[Math.max(from - start, 0)]) as ByteText;
    }
  }

  #blocksOf(store: Store): LRUCache<number, Block> {
    let blocks = this.#blocks.get(store);
    if (blocks === undefined) {
      const sizeCalculation = ({ text, ends }: Block): number => text.length + ends.byteLength + blockOverheadBytes;
      blocks = new LRUCache({ maxSize: this.#bytesMax, sizeCalculation });
      this.#blocks.set(store, blocks);
    }
    return blocks;
  }
}

function writeBlock(store: Store, grouping: RollupGrouping, rollup: Rollup, number: number): Block {
  const from = number * blockGroups;
  const length = Math.min(blockGroups, rollup.keys.length - from);
  const ends = new Uint32Array(length + 1);
  const startOf = groupStarts(store, grouping);
  const text = writeText((writer) => {
    for (let at = length - 1; at >= 0; at--) {
      const group = groupOfRollup(rollup, from + at);
      if (group.count > 0) writeBehindComma(writer, startOf(group.key), group);
      ends[at] = writer.length;
    }
  });
  return { text, ends };
}

/**
 * The groups of an answer as a JSON list.
 *
 * @param texts Keeps the texts of groups of rollups; none when absent.
 */
export function groupListText(store: Store, grouping: Grouping, found: FoundGroups, texts?: RollupTexts): JsonText {
  const { rollup } = found;
  if (rollup === null || texts === undefined) {
    const startOf = groupStarts(store, grouping);
    return writeList(listGroups(found), (writer, group) => writeGroup(writer, startOf(group.key), group));
  }
  const pieces = piecesWithRollup(store, grouping as RollupGrouping, { ...found, rollup }, texts);
  if (rollup.to - rollup.from > wholeGroupsMax) return pieces;
  let whole = noBytes;
  for (const piece of pieces) whole = joinBytes(whole, piece);
  return whole;
}

const [listStart, listEnd, emptyList] = [byteText("["), byteText("]"), byteText("[]")];

function* piecesWithRollup(
  store: Store,
  grouping: RollupGrouping,
  found: FoundGroups & { readonly rollup: RollupRange },
  texts: RollupTexts,
): Generator<ByteText> {
  let isFirst = true;
  for (const piece of piecesBehindCommas(store, grouping, found, texts)) {
    if (piece.length === 0) continue;
    yield isFirst ? joinBytes(listStart, piece.slice(1) as ByteText) : piece;
    isFirst = false;
  }
  yield isFirst ? emptyList : listEnd;
}

function* piecesBehindCommas(
  store: Store,
  grouping: RollupGrouping,
  { before, rollup, after }: FoundGroups & { readonly rollup: RollupRange },
  texts: RollupTexts,
): Generator<ByteText> {
  yield textBehindCommas(store, grouping, before);
  yield* texts.slices(store, grouping, rollup);
  yield textBehindCommas(store, grouping, after);
}

function textBehindCommas(store: Store, grouping: RollupGrouping, groups: readonly Group[]): ByteText {
  if (groups.length === 0) return noBytes;
  const startOf = groupStarts(store, grouping);
  return writeText((writer) => {
    for (const group of groups) if (group.count > 0) writeBehindComma(writer, startOf(group.key), group);
  });
}

const comma = fragmentOf(",");

function writeBehindComma(writer: JsonWriter, start: Fragment, group: Group): void {
  writer.fragment(comma);
  writeGroup(writer, start, group);
}

/**
 * The fields that name a group: its label, and the identity of a market or county; ends where its first figure begins.
 */
function groupStarts(store: Store, grouping: Grouping): (key: number) => Fragment {
  if (grouping === "market") return marketStarts(store);
  return grouping === "county" ? countyStarts(store) : periodStarts[grouping](store);
}

const firstFigure = ',"average_price":';

const startsOf = (grouping: TimeGrouping): ReturnType<typeof fragmentsByCode> =>
  fragmentsByCode(({ periods }, code) => `{"period":"${periods[grouping].labels[code]}"${firstFigure}`);

const periodStarts = {
  day: startsOf("day"),
  week: startsOf("week"),
  month: startsOf("month"),
  quarter: startsOf("quarter"),
  year: startsOf("year"),
};

const marketStarts = fragmentsByCode((store, code) => {
  const { name } = recordAt(store.catalogue.markets, code);
  return `{"period":${JSON.stringify(name)},"market":${JSON.stringify(marketReference(store, code))}${firstFigure}`;
});

const countyStarts = fragmentsByCode((store, id) => {
  const { name } = countyRecord(store.catalogue, id as CountyId);
  const county = JSON.stringify(countyReference(store, id as CountyId));
  return `{"period":${JSON.stringify(name)},"county":${county}${firstFigure}`;
});

const minStart = fragmentOf(',"min_price":');
const maxStart = fragmentOf(',"max_price":');
const medianStart = fragmentOf(',"median_price":');
const countStart = fragmentOf(',"sample_count":');
const deviationStart = fragmentOf(',"std_deviation":');
const objectEnd = fragmentOf("}");

function writeGroup(writer: JsonWriter, start: Fragment, group: Group): void {
  writer.fragment(start);
  writer.figure(group.mean);
  writer.fragment(minStart);
  writer.figure(group.min);
  writer.fragment(maxStart);
  writer.figure(group.max);
  writer.fragment(medianStart);
  writer.figure(group.median);
  writer.fragment(countStart);
  writer.number(group.count);
  writer.fragment(deviationStart);
  writer.figure(group.deviation);
  writer.fragment(objectEnd);
}
