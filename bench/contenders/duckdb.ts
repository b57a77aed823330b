/**
 * DuckDB through its own Node package: one native table in memory, sorted as our store is (duckdb-table.ts), prepared
 * statements, parameters bound in the exact type of their column (with another type DuckDB filters after the scan and
 * skips nothing), and as many threads as there are cores. Of the ways to the newest prices per product, windows,
 * lateral joins, `arg_min` over rows and `min(rowid, n)` were tried; the last is the fastest by far.
 */
import type { Dataset } from "../../src/engine/model/dataset.ts";
import type { LatestPricesInput, PriceSearchBody } from "../../src/service/http/resources/prices/price-endpoints.ts";
import type { PriceStatisticsBody } from "../../src/service/http/resources/prices/statistics-endpoints.ts";
import { type CodedFilter, type Conditions, codeFilter, dayConditions } from "./coded-filter.ts";
import type { Answer, ReadyContender } from "./contender.ts";
import { type DuckDbConnection, type DuckDbStatement, loadDuckDb } from "./duckdb-api.ts";
import { createDuckDbTable } from "./duckdb-table.ts";
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
import { type FigureRow, presentFigureRows } from "./present-statistics.ts";

/** Loads a dataset into DuckDB. */
export async function prepareDuckDb(dataset: Dataset): Promise<ReadyContender> {
  const api = await loadDuckDb();
  const tables = makePeerTables(dataset);
  const peer = new DuckDbPeer(await createDuckDbTable(api, dataset, tables), tables);
  return {
    title: `DuckDB ${api.version().replace(/^v/, "")}`,
    contender: {
      price: ({ uuid }) => peer.price(uuid),
      latest: (body) => peer.latest(body),
      search: (body) => peer.search(body),
      statistics: (body) => peer.statistics(body),
    },
  };
}

const answerOrder = "recorded_at DESC, uuid";

/** Times come as numbers rather than bigints, uuids as texts: both are cheaper in the database. */
const inJavaScript = (columns: string): string =>
  `uuid::VARCHAR, ${columns.replace(/\b\w+_at\b/g, (column) => `${column}::DOUBLE`)}`;

type Rows = readonly (readonly unknown[])[];

class DuckDbPeer {
  readonly #connection: DuckDbConnection;
  readonly #tables: PeerTables;
  readonly #statements = new Map<string, DuckDbStatement>();

  constructor(connection: DuckDbConnection, tables: PeerTables) {
    this.#connection = connection;
    this.#tables = tables;
  }

  async price(uuid: string): Promise<Answer> {
    const sql = `SELECT ${inJavaScript(detailColumns)} FROM prices WHERE uuid = $1::UUID`;
    const statement = await this.#prepare(sql);
    statement.bindVarchar(1, uuid);
    const [row] = (await statement.runAndReadAll()).getRows();
    if (row === undefined) throw new RangeError(`no price has the uuid ${uuid}`);
    return presentDetail(this.#tables, row as unknown as DetailRow);
  }

  async search(body: PriceSearchBody): Promise<Answer> {
    const { page = 1, page_size: pageSize = 20 } = body;
    const conditions = dayConditions(codeFilter(this.#tables, body));
    const [counted] = await this.#all(`SELECT count(*)::DOUBLE FROM prices ${conditions.where}`, conditions);
    const total = counted?.[0] as number;
    const offset = (page - 1) * pageSize;
    // The limit stands in the text, for only a constant one lets DuckDB keep no more rows than it needs.
    const sql = `SELECT ${inJavaScript(foundColumns)} FROM prices ${conditions.where}
      ORDER BY ${answerOrder} LIMIT ${pageSize} OFFSET ${offset}`;
    const rows = offset < total ? await this.#all(sql, conditions) : [];
    return presentPage(this.#tables, body, rows as unknown as FoundRow[], total);
  }

  async latest(body: LatestPricesInput): Promise<Answer> {
    const { limit = 10, one_per_market: onePerMarket = false } = body;
    const filter = codeFilter(this.#tables, body);
    const conditions = dayConditions(filter);
    const rows = await this.#all(latestSql(filter, conditions, limit, onePerMarket), conditions);
    return presentLatest(this.#tables, rows as unknown as LatestRow[]);
  }

  async statistics(body: PriceStatisticsBody): Promise<Answer> {
    const { group_by: grouping = "month" } = body;
    const conditions = dayConditions(codeFilter(this.#tables, body));
    const sql = `
      SELECT ${grouping} AS key, avg(value), min(value), max(value), median(value), count(value)::INTEGER,
             stddev_samp(value), count(*)::INTEGER, (count(value) FILTER (is_converted = 1))::INTEGER
      FROM prices ${conditions.where} GROUP BY key`;
    const rows = (await this.#all(sql, conditions)) as unknown as readonly FigureRow[];
    return presentFigureRows(this.#tables, body, rows);
  }

  async #all(sql: string, { values, isPrice }: Conditions): Promise<Rows> {
    const statement = await this.#prepare(sql);
    for (const [at, value] of values.entries()) {
      if (isPrice[at] === true) statement.bindDouble(at + 1, value);
      else statement.bindInteger(at + 1, value);
    }
    return (await statement.runAndReadAll()).getRows();
  }

  async #prepare(sql: string): Promise<DuckDbStatement> {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = await this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** Within a product the row number ascends in answer order, so the newest prices are those of the least numbers. */
function latestSql({ product }: CodedFilter, { where }: Conditions, limit: number, onePerMarket: boolean): string {
  const columns = inJavaScript(latestColumns);
  if (!onePerMarket && product !== undefined) {
    return `SELECT ${columns} FROM prices ${where} ORDER BY ${answerOrder} LIMIT ${limit}`;
  }
  const newest = onePerMarket
    ? `(SELECT product, min(rowid) AS position FROM prices ${where} GROUP BY product, market, unit)`
    : `(SELECT product, rowid AS position FROM prices ${where})`;
  return `SELECT ${columns} FROM prices
    WHERE rowid IN (SELECT unnest(min(position, ${limit})) FROM ${newest} GROUP BY product) ORDER BY product, rowid`;
}
