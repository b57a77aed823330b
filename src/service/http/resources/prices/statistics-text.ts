/**
 * An answer of statistics → JSON text. A group of a rollup is the same in every answer, so its text is kept: an answer
 * over whole periods is slices of kept texts.
 */
import { LRUCache } from "lru-cache";
import { type ByteText, byteText, joinBytes, jsonText, noBytes } from "../../../../contract/byte-text.ts";
import type { RollupTextSource } from "../../../../contract/endpoint.ts";
import type { CountyId } from "../../../../engine/model/ids.ts";
import { type Grouping, type TimeGrouping, timeGroupings } from "../../../../engine/model/vocabulary.ts";
import type { FoundGroups, StatisticsAnswer } from "../../../../engine/query/price-statistics.ts";
import { type Group, roundFigure } from "../../../../engine/store/figures.ts";
import {
  groupOfRollup,
  groupsOfRollup,
  type RollupGrouping,
  type RollupRange,
  rollupGroupings,
} from "../../../../engine/store/group-prices.ts";
import { rateSourcesOf } from "../../../../engine/store/price-conversion.ts";
import type { Store } from "../../../../engine/store/store.ts";
import { fragmentsByCode, type JsonText, joinTexts, writeText } from "../../answer/json-text.ts";
import { type Fragment, fragmentOf, type JsonWriter } from "../../answer/json-writer.ts";
import { countyReference, marketReference, productReference } from "../references.ts";
import type { PriceStatisticsBody } from "./schemas.ts";

/**
 * Groups whose text is made, and kept, as one. A few months need few more than they show, which counts where most
 * blocks are not kept; ten years take a tenth longer than with blocks of 128.
 */
export const blockGroups = 32;

/** An answer of more groups leaves in pieces, a block at a time, so that it holds no whole text. */
const wholeGroupsMax = 16 * blockGroups;

/** The text of neighbouring groups in the order of an answer, each behind a comma; none of a group without prices. */
interface Block {
  readonly text: ByteText;
  /** The text of the n-th group begins at `bounds[n]` and ends at `bounds[n + 1]`. */
  readonly bounds: Uint32Array;
}

/** Beside text and bounds: an object, heads, an entry in the table of the cache. */
const blockOverheadBytes = 256;

/** The kept texts of one thread. They are dropped with their store, the least recently used block first. */
export class RollupTexts implements RollupTextSource {
  readonly #bytesMax: number;
  readonly #blocks = new WeakMap<Store, LRUCache<number, Block>>();

  /** @param bytesMax What the texts of a store may take. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /**
   * The texts of neighbouring groups, at least one, the last group first, block by block.
   *
   * Cost: a slice a block; a block that is not kept is written, 0.3 µs a group.
   */
  *slices(store: Store, grouping: RollupGrouping, { rollup, from, to }: RollupRange): Generator<ByteText> {
    const blocks = this.#blocksOf(store);
    const startOf = groupStarts(store, grouping);
    for (let end = Math.ceil(to / blockGroups) * blockGroups; end > from; end -= blockGroups) {
      const start = end - blockGroups;
      const last = Math.min(end, rollup.keys.length);
      const key = start * rollupGroupings.length + rollupGroupings.indexOf(grouping);
      let block = blocks.get(key);
      if (block === undefined) {
        block = writeGroups(startOf, groupsOfRollup({ rollup, from: start, to: last }, groupOfRollup));
        blocks.set(key, block);
      }
      const { text, bounds } = block;
      yield text.slice(bounds[last - Math.min(to, last)], bounds[last - Math.max(from, start)]) as ByteText;
    }
  }

  #blocksOf(store: Store): LRUCache<number, Block> {
    let blocks = this.#blocks.get(store);
    if (blocks === undefined) {
      const sizeCalculation = ({ text, bounds }: Block): number => text.length + bounds.byteLength + blockOverheadBytes;
      blocks = new LRUCache({ maxSize: this.#bytesMax, sizeCalculation });
      this.#blocks.set(store, blocks);
    }
    return blocks;
  }
}

function writeGroups(startOf: GroupStart, groups: readonly Group[]): Block {
  const bounds = new Uint32Array(groups.length + 1);
  const text = writeText((writer) => {
    for (const [at, group] of groups.entries()) {
      if (group.count > 0) writeGroup(writer, startOf(group.key), group);
      bounds[at + 1] = writer.length;
    }
  });
  return { text, bounds };
}

const [listStart, listEnd, emptyList] = [byteText("["), byteText("]"), byteText("[]")];

/** `data` of a statistics answer. @param rollupTexts Keeps the texts of groups of rollups; none when absent. */
export function presentStatistics(
  store: Store,
  body: PriceStatisticsBody,
  grouping: Grouping,
  { product, unit, found, overall }: StatisticsAnswer,
  rollupTexts?: RollupTextSource,
): JsonText {
  const start = JSON.stringify({
    product: { ...productReference(store.catalogue, product), unit },
    period: { start_date: body.start_date, end_date: body.end_date },
  });
  const end = JSON.stringify({
    average_price: roundFigure(overall?.average ?? 0),
    min_price: roundFigure(overall?.min ?? 0),
    max_price: roundFigure(overall?.max ?? 0),
    total_samples: overall?.count ?? 0,
  });
  const list = groupListText(store, grouping, found, rollupTexts);
  return joinTexts(byteText(`${start.slice(0, -1)},"statistics":`), list, byteText(`,"overall":${end}}`));
}

/** `meta` of a statistics answer: what the figures were made of. */
export function presentStatisticsMeta({ snapshot, catalogue }: Store, answer: StatisticsAnswer): ByteText {
  const { missingRates } = answer;
  const exchangeRate = answer.isConverted && {
    from: [...new Set(catalogue.exchangeRates.map(({ currency }) => currency))],
    sources: rateSourcesOf(catalogue),
    months_without_rate: missingRates.months,
    samples_without_rate: missingRates.count,
  };
  return jsonText({
    converted_samples: answer.convertedSamples,
    excluded_samples: answer.excludedSamples,
    currency: answer.currency,
    time_zone: snapshot.timeZone,
    snapshot: snapshot.id,
    market_types: answer.samplesByType,
    suspicious_samples: answer.suspiciousSamples,
    ...(exchangeRate && { exchange_rate: exchangeRate }),
    ...(Object.keys(answer.coarserSamples).length === 0 ? {} : { coarser_samples: answer.coarserSamples }),
  });
}

/**
 * The groups of an answer as a JSON list.
 *
 * @param texts Keeps the texts of groups of rollups; none when absent.
 */
export function groupListText(
  store: Store,
  grouping: Grouping,
  found: FoundGroups,
  texts?: RollupTextSource,
): JsonText {
  const { before, rollup, after } = found;
  const startOf = groupStarts(store, grouping);
  const parts = [writtenTexts(startOf, before)];
  if (rollup !== null && rollup.from < rollup.to) {
    if (texts === undefined) parts.push(writtenTexts(startOf, groupsOfRollup(rollup, groupOfRollup)));
    else parts.push(texts.slices(store, grouping as RollupGrouping, rollup));
  }
  parts.push(writtenTexts(startOf, after));
  const pieces = listPieces(parts);
  const length = before.length + (rollup === null ? 0 : rollup.to - rollup.from) + after.length;
  if (length > wholeGroupsMax) return pieces;
  let whole = noBytes;
  for (const piece of pieces) whole = joinBytes(whole, piece);
  return whole;
}

/** A list of texts that each stand behind a comma. */
function* listPieces(parts: readonly Iterable<ByteText>[]): Generator<ByteText> {
  let isFirst = true;
  for (const part of parts) {
    for (const text of part) {
      if (text.length === 0) continue;
      yield isFirst ? joinBytes(listStart, text.slice(1) as ByteText) : text;
      isFirst = false;
    }
  }
  yield isFirst ? emptyList : listEnd;
}

function* writtenTexts(startOf: GroupStart, groups: readonly Group[]): Generator<ByteText> {
  for (let at = 0; at < groups.length; at += blockGroups) {
    yield writeGroups(startOf, groups.slice(at, at + blockGroups)).text;
  }
}

/**
 * A comma, and the fields that name the group of a key: its label, and the identity of a market or county; ends where
 * its first figure begins.
 */
type GroupStart = (key: number) => Fragment;

function groupStarts(store: Store, grouping: Grouping): GroupStart {
  if (grouping === "market") return marketStarts(store);
  return grouping === "county" ? countyStarts(store) : periodStarts[grouping](store);
}

const firstFigure = ',"average_price":';

const periodStarts = Object.fromEntries(
  timeGroupings.map((grouping) => [
    grouping,
    fragmentsByCode(({ periods }, code) => `,{"period":"${periods[grouping].labels[code]}"${firstFigure}`),
  ]),
) as Record<TimeGrouping, ReturnType<typeof fragmentsByCode>>;

const marketStarts = fragmentsByCode(({ catalogue }, code) => {
  const market = marketReference(catalogue, code);
  return `,{"period":${JSON.stringify(market.name)},"market":${JSON.stringify(market)}${firstFigure}`;
});

const countyStarts = fragmentsByCode(({ catalogue }, id) => {
  const county = countyReference(catalogue, id as CountyId);
  return `,{"period":${JSON.stringify(county.name)},"county":${JSON.stringify(county)}${firstFigure}`;
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
