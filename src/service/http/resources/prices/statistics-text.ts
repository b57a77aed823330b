/**
 * An answer of statistics → JSON text. A group of a rollup is the same in every answer, so its text is cached: an
 * answer over whole periods is slices of cached texts.
 */

import { LRUCache } from "lru-cache";
import { type ByteText, byteText, joinBytes, jsonText } from "../../../../contract/byte-text.ts";
import type { RollupTextSource } from "../../../../contract/endpoint.ts";
import * as s from "../../../../contract/schema.ts";
import { type CoveredFigures, coverageColumns, groupColumns } from "../../../../engine/export/statistics-table.ts";
import type { Columns } from "../../../../engine/export/table-columns.ts";
import { countMonths, type MonthRange } from "../../../../engine/model/calendar.ts";
import { getOrInsert } from "../../../../engine/model/get-or-insert.ts";
import type { CountyId } from "../../../../engine/model/ids.ts";
import { type Fields, type Schema, scalar } from "../../../../engine/model/json-schema.ts";
import { type Grouping, groupings, type TimeGrouping, timeGroupings } from "../../../../engine/model/vocabulary.ts";
import { type FoundGroups, listGroups } from "../../../../engine/query/found-groups.ts";
import type { Coverage } from "../../../../engine/query/group-coverage.ts";
import type { StatisticsAnswer } from "../../../../engine/query/price-statistics.ts";
import type { PriceStatistics } from "../../../../engine/query/questions.ts";
import { countyRecord, recordAt } from "../../../../engine/store/catalogue.ts";
import { type Group, roundFigure } from "../../../../engine/store/figures.ts";
import { groupsOfRollup, type RollupRange } from "../../../../engine/store/group-prices.ts";
import { rateSourcesOf } from "../../../../engine/store/price-conversion.ts";
import type { Store } from "../../../../engine/store/store.ts";
import { joinTexts, objectText } from "../../answer/json-text.ts";
import { fragmentOf, type JsonText, type WriteItem, writeList, writeText } from "../../answer/json-writer.ts";
import { presentRecord } from "../../answer/present-record.ts";
import { rowWriter, withValue } from "../../answer/row-writer.ts";
import { answerFields } from "../table-fields.ts";

/**
 * Groups whose text is made, and cached, as one. A few months need few more than they show, which counts where most
 * blocks are not cached; ten years take a tenth longer than with blocks of 128.
 */
export const blockGroups = 32;

/** An answer of more groups is sent in pieces, a block at a time, so that it holds no whole text. */
const wholeGroupsMax = 16 * blockGroups;

/** The text of neighbouring groups in the order of an answer, each behind a comma; none of a group without prices. */
interface Block {
  readonly text: ByteText;
  /** The text of the n-th group begins at `bounds[n]` and ends at `bounds[n + 1]`. */
  readonly bounds: Uint32Array;
}

/** Beside text and bounds: an object, heads, an entry in the table of the cache. */
const blockOverheadBytes = 256;

/** The cached texts of one thread. They are dropped with their store, the least recently used block first. */
export class RollupTexts implements RollupTextSource {
  readonly #bytesMax: number;
  readonly #blocks = new WeakMap<Store, LRUCache<number, Block>>();

  /** @param bytesMax The bytes that the texts of a store may take. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /**
   * The texts of neighbouring groups, at least one, the last group first, block by block.
   *
   * Cost: a slice a block; a block that is not cached is written, 0.3 µs a group.
   */
  *slices(store: Store, grouping: TimeGrouping, { rollup, from, to }: RollupRange): Generator<ByteText> {
    const blocks = this.#blocksOf(store);
    for (let end = Math.ceil(to / blockGroups) * blockGroups; end > from; end -= blockGroups) {
      const start = end - blockGroups;
      const last = Math.min(end, rollup.keys.length);
      const key = start * timeGroupings.length + timeGroupings.indexOf(grouping);
      let block = blocks.get(key);
      if (block === undefined) {
        block = writeGroups(groupWriters[grouping](store), groupsOfRollup({ rollup, from: start, to: last }));
        blocks.set(key, block);
      }
      const { text, bounds } = block;
      yield text.slice(bounds[last - Math.min(to, last)], bounds[last - Math.max(from, start)]) as ByteText;
    }
  }

  #blocksOf(store: Store): LRUCache<number, Block> {
    const sizeCalculation = ({ text, bounds }: Block): number => text.length + bounds.byteLength + blockOverheadBytes;
    return getOrInsert(this.#blocks, store, () => new LRUCache({ maxSize: this.#bytesMax, sizeCalculation }));
  }
}

function writeGroups(write: WriteItem<Group>, groups: readonly Group[]): Block {
  const bounds = new Uint32Array(groups.length + 1);
  const text = writeText((writer) => {
    for (const [at, group] of groups.entries()) {
      if (group.count > 0) {
        writer.fragment(comma);
        write(writer, group);
      }
      bounds[at + 1] = writer.length;
    }
  });
  return { text, bounds };
}

const comma = fragmentOf(",");
const [listStart, listEnd, emptyList] = [byteText("["), byteText("]"), byteText("[]")];

/**
 * `data` of a statistics answer. @param rollupTexts Caches the texts of groups of rollups; none are cached when absent.
 */
export function presentStatistics(
  store: Store,
  { start_date, end_date }: { readonly start_date: string; readonly end_date: string },
  grouping: Grouping,
  { product, unit, found, overall, coverage }: StatisticsAnswer,
  rollupTexts?: RollupTextSource,
): JsonText {
  const { uuid, name } = recordAt(store.catalogue.products, product);
  return objectText({
    product: jsonText({ uuid, name, unit }),
    period: jsonText({ start_date, end_date }),
    statistics:
      coverage === null
        ? groupListText(store, grouping, found, rollupTexts)
        : writeList(
            listGroups(found).map((group) => ({ ...group, coverage: coverage.get(group.key) as Coverage })),
            coveredWriters[grouping](store),
          ),
    overall: jsonText({
      average_price: roundFigure(overall?.average ?? 0),
      min_price: roundFigure(overall?.min ?? 0),
      max_price: roundFigure(overall?.max ?? 0),
      total_samples: overall?.count ?? 0,
    }),
  });
}

/**
 * `meta` of a statistics answer: what the figures were made of.
 *
 * @param requested The months of the days of the request, where months with prices are counted.
 */
export function presentStatisticsMeta(
  { snapshot, catalogue }: Store,
  { refugeeCamps = "include" }: Pick<PriceStatistics, "refugeeCamps">,
  answer: StatisticsAnswer,
  requested: MonthRange | undefined,
): ByteText {
  const { missingRates, monthsWithPrices, sameMarkets } = answer;
  const months = requested !== undefined && {
    months_with_prices: monthsWithPrices,
    months_in_period: countMonths(requested),
  };
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
    refugee_camps: refugeeCamps,
    refugee_camp_samples: answer.campSamples,
    ...months,
    ...(sameMarkets !== null && { same_markets: sameMarkets }),
    ...(exchangeRate && { exchange_rate: exchangeRate }),
    ...(Object.keys(answer.coarserSamples).length === 0 ? {} : { coarser_samples: answer.coarserSamples }),
  });
}

/**
 * The groups of an answer as a JSON list.
 *
 * @param texts Caches the texts of groups of rollups; none are cached when absent.
 */
export function groupListText(
  store: Store,
  grouping: Grouping,
  found: FoundGroups,
  texts?: RollupTextSource,
): JsonText {
  const { before, rollup, after } = found;
  const write = groupWriters[grouping](store);
  if (texts === undefined || rollup === null || rollup.from >= rollup.to) return writeList(listGroups(found), write);
  const textsOf = (groups: readonly Group[]) => (groups.length === 0 ? [] : [writeGroups(write, groups).text]);
  const slices = texts.slices(store, grouping as TimeGrouping, rollup);
  const pieces = listPieces([textsOf(before), slices, textsOf(after)]);
  return rollup.to - rollup.from > wholeGroupsMax ? pieces : joinTexts(...pieces);
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

const codeOfKey = () => (group: Group) => group.key;

/** A field of the key of a group. */
function ofKey(fieldOf: (key: number, store: Store) => unknown): Schema {
  return withValue<Schema, Group>(scalar("string"), { codeOf: codeOfKey, cellOf: fieldOf });
}

/** Fields that name a group: its period, or the name and the identity of a market or county. */
function keyFields(grouping: Grouping): Fields {
  if (grouping !== "market" && grouping !== "county") {
    return { period: ofKey((key, { periods }) => periods[grouping].labels[key]) };
  }
  const recordOf = (key: number, { catalogue }: Store): { readonly name: string } =>
    grouping === "market" ? recordAt(catalogue.markets, key) : countyRecord(catalogue, key as CountyId);
  const reference = grouping === "market" ? s.marketReference : s.countyReference;
  return {
    period: ofKey((key, store) => recordOf(key, store).name),
    [grouping]: ofKey((key, store) => presentRecord(reference, recordOf(key, store))),
  };
}

type Writers<Row> = Readonly<Record<Grouping, (store: Store) => WriteItem<Row>>>;

function writersOf<Row extends Group>(columns: Columns<Row>): Writers<Row> {
  const writers = groupings.map((grouping) => {
    const row = s.exactly({ ...keyFields(grouping), ...answerFields(columns, {}) });
    return [grouping, rowWriter<Row>(row)];
  });
  return Object.fromEntries(writers);
}

const groupWriters = writersOf(groupColumns);

const coveredWriters = writersOf<Group & CoveredFigures>([...groupColumns, ...coverageColumns]);
