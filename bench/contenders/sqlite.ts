/**
 * SQLite through Node's own binding: one table in memory with integer keys, and the indexes of a person who knows the
 * questions (sqlite-table.ts). Each question has its prepared statement, which names the index where the planner would
 * choose another. For medians, window functions, the built-in `median` and JavaScript were tried: fetching the samples
 * from a covering index and summing them up in JavaScript is the fastest, so that is what runs.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import type { LatestPricesInput, PriceSearchBody } from "../../src/service/http/resources/prices/price-endpoints.ts";
import type { PriceStatisticsBody } from "../../src/service/http/resources/prices/statistics-endpoints.ts";
import { type CodedFilter, type Conditions, codeFilter, joinConditions } from "./coded-filter.ts";
import type { Answer, ReadyContender } from "./contender.ts";
import { makePeerTables, type PeerTables } from "./peer-tables.ts";
import {
  type DetailRow,
  detailColumns,
  type FoundRow,
  foundColumns,
  type LatestRow,
  latestColumns,
  presentDetail,
  presentLatest,
  presentPage,
} from "./present-rows.ts";
import { presentStatistics } from "./present-statistics.ts";
import { figuresOf } from "./sample-figures.ts";
import { createSqliteDatabase } from "./sqlite-table.ts";

/** Loads a dataset into SQLite and indexes it. */
export async function prepareSqlite(dataset: Dataset): Promise<ReadyContender> {
  const tables = makePeerTables(dataset);
  const peer = new SqlitePeer(createSqliteDatabase(dataset, tables), tables, dataset.prices.rowCount);
  return {
    title: `SQLite ${process.versions["sqlite"]}`,
    contender: {
      price: ({ uuid }) => peer.price(uuid),
      latest: (body) => peer.latest(body),
      search: (body) => peer.search(body),
      statistics: (body) => peer.statistics(body),
    },
  };
}

const answerOrder = "recorded_at DESC, uuid";

/** Walking an index costs about a tenth, per entry, of fetching a price by its row number and sorting it. */
const walkShare = 0.1;

type SqlRow = unknown[];

class SqlitePeer {
  readonly #database: DatabaseSync;
  readonly #tables: PeerTables;
  readonly #rowCount: number;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, tables: PeerTables, rowCount: number) {
    this.#database = database;
    this.#tables = tables;
    this.#rowCount = rowCount;
  }

  price(uuid: string): Answer {
    const key = Buffer.from(uuid.replaceAll("-", ""), "hex");
    const row = this.#prepare(`SELECT uuid, ${detailColumns} FROM prices WHERE uuid = ?`).get(key);
    if (row === undefined) throw new RangeError(`no price has the uuid ${uuid}`);
    return presentDetail(this.#tables, withUuidText(row as unknown as SqlRow) as unknown as DetailRow);
  }

  search(body: PriceSearchBody): Answer {
    const { page = 1, page_size: pageSize = 20 } = body;
    const filter = codeFilter(this.#tables, body);
    const conditions = rowConditions(filter);
    const total = this.#count(filter, conditions);
    const offset = (page - 1) * pageSize;
    const rows = offset < total ? this.#page(filter, conditions, total, pageSize, offset) : [];
    return presentPage(this.#tables, body, rows, total);
  }

  latest(body: LatestPricesInput): Answer {
    const { limit = 10, one_per_market: onePerMarket = false } = body;
    const filter = codeFilter(this.#tables, body);
    const products = filter.product === undefined ? this.#tables.products.keys() : [filter.product];
    const rows: LatestRow[] = [];
    for (const product of products) {
      rows.push(
        ...(onePerMarket ? this.#newestOfEachMarket(product, limit) : this.#newest({ ...filter, product }, limit)),
      );
    }
    return presentLatest(this.#tables, rows);
  }

  statistics(body: PriceStatisticsBody): Answer {
    const { group_by: grouping = "month" } = body;
    const { where, values } = rowConditions(codeFilter(this.#tables, body));
    const rows = this.#all(`SELECT ${grouping}, value, is_converted FROM prices ${where}`, values);
    const samples = new Map<number, number[]>();
    let converted = 0;
    let excluded = 0;
    for (const [key, value, isConverted] of rows as readonly [number, number | null, number][]) {
      if (value === null) {
        excluded++;
        continue;
      }
      converted += isConverted;
      const group = samples.get(key);
      if (group === undefined) samples.set(key, [value]);
      else group.push(value);
    }
    const groups = [...samples].map(([key, group]) => figuresOf(key, Float64Array.from(group)));
    return presentStatistics(this.#tables, body, groups, { converted, excluded });
  }

  #count(filter: CodedFilter, { where, values }: Conditions): number {
    const [row] = this.#all(`SELECT count(*) FROM prices ${countHint(filter)} ${where}`, values);
    return row?.[0] as number;
  }

  #page(
    filter: CodedFilter,
    { where, values }: Conditions,
    total: number,
    pageSize: number,
    offset: number,
  ): FoundRow[] {
    const hint = this.#pageHint(filter, total, pageSize + offset);
    const order = `ORDER BY ${answerOrder}`;
    // Far pages are counted off on the index alone; only the rows of the page are then fetched.
    const sql =
      offset === 0
        ? `SELECT uuid, ${foundColumns} FROM prices ${hint} ${where} ${order} LIMIT ? OFFSET ?`
        : `SELECT uuid, ${foundColumns} FROM prices WHERE id IN (
             SELECT id FROM prices ${hint} ${where} ${order} LIMIT ? OFFSET ?) ${order}`;
    return this.#all(sql, [...values, pageSize, offset]).map(withUuidText) as unknown as FoundRow[];
  }

  /** A range of prices alone: walk all prices by time, or sort the prices of the range, whichever is less work. */
  #pageHint(filter: CodedFilter, total: number, wanted: number): string {
    const hint = countHint(filter);
    if (hint !== "INDEXED BY by_price") return hint;
    const walked = (wanted / total) * this.#rowCount;
    return walked * walkShare < total ? "INDEXED BY by_time" : hint;
  }

  #newest(filter: CodedFilter, limit: number): LatestRow[] {
    const { where, values } = rowConditions(filter);
    const sql = `SELECT uuid, ${latestColumns} FROM prices ${where} ORDER BY ${answerOrder} LIMIT ?`;
    return this.#all(sql, [...values, limit]).map(withUuidText) as unknown as LatestRow[];
  }

  /** A few are met soon on the way from the newest price; for many, each series is asked for its newest. */
  #newestOfEachMarket(product: number, limit: number): LatestRow[] {
    return limit > 50 ? this.#newestOfEachSeries(product, limit) : this.#walkToNewest(product, limit);
  }

  #newestOfEachSeries(product: number, limit: number): LatestRow[] {
    const sql = `
      SELECT uuid, ${latestColumns} FROM prices WHERE id IN (
        SELECT (SELECT id FROM prices WHERE product = series.product AND market = series.market AND unit = series.unit
                ORDER BY ${answerOrder} LIMIT 1)
        FROM series WHERE series.product = ?) ORDER BY ${answerOrder} LIMIT ?`;
    return this.#all(sql, [product, limit]).map(withUuidText) as unknown as LatestRow[];
  }

  #walkToNewest(product: number, limit: number): LatestRow[] {
    const seen = new Set<number>();
    const found: LatestRow[] = [];
    const sql = `SELECT uuid, ${latestColumns} FROM prices WHERE product = ? ORDER BY ${answerOrder}`;
    for (const row of this.#prepare(sql).iterate(product)) {
      const [, , market, , unit] = row as unknown as LatestRow;
      const series = market * this.#tables.unitNames.length + unit;
      if (seen.has(series)) continue;
      seen.add(series);
      found.push(withUuidText(row as unknown as SqlRow) as unknown as LatestRow);
      if (found.length === limit) break;
    }
    return found;
  }

  #all(sql: string, values: readonly number[]): readonly SqlRow[] {
    return this.#prepare(sql).all(...values) as unknown as readonly SqlRow[];
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      statement.setReturnArrays(true);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function rowConditions(filter: CodedFilter): Conditions {
  return joinConditions({
    "product = ?": filter.product,
    "market = ?": filter.market,
    "county = ?": filter.county,
    "market_type = ?": filter.marketType,
    "recorded_at >= ?": filter.instantFirst,
    "recorded_at < ?": filter.instantEnd,
    "price >= ?": filter.priceMin,
    "price <= ?": filter.priceMax,
  });
}

/**
 * The planner knows how many prices a day or a range of prices holds only on average; so each query names the index to
 * walk.
 */
function countHint({ product, market, county, priceMin, dayFirst }: CodedFilter): string {
  if (priceMin === undefined || product !== undefined || market !== undefined) return "";
  if (county !== undefined) return "INDEXED BY by_county";
  return dayFirst === undefined ? "INDEXED BY by_price" : "INDEXED BY by_time";
}

/** Puts the text of the uuid in place of its 16 bytes, the first column of every row. */
function withUuidText(row: SqlRow): SqlRow {
  row[0] = uuidText(row[0] as Uint8Array);
  return row;
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Five times as fast as through a Buffer. */
function uuidText(b: Uint8Array): string {
  const at = (index: number): string => hex[b[index] as number] as string;
  const node = `${at(10)}${at(11)}${at(12)}${at(13)}${at(14)}${at(15)}`;
  return `${at(0)}${at(1)}${at(2)}${at(3)}-${at(4)}${at(5)}-${at(6)}${at(7)}-${at(8)}${at(9)}-${node}`;
}
