/**
 * PostgreSQL through the package `postgres`, which sends statements of one connection one after the other without
 * waiting (pipelining) and prepares each once a connection. Statistics are summed up in the database. It answers what
 * the race over HTTP asks: prices of one product.
 */
import type { Dataset } from "../../src/engine/model/dataset.ts";
import type { LatestPricesInput, PriceSearchBody } from "../../src/service/http/resources/prices/price-endpoints.ts";
import type { PriceStatisticsBody } from "../../src/service/http/resources/prices/statistics-endpoints.ts";
import { type CodedFilter, codeFilter, dayConditions, type PeerFilter } from "./coded-filter.ts";
import type { Answer, ReadyContender } from "./contender.ts";
import { makePeerTables, type PeerTables } from "./peer-tables.ts";
import { loadPostgres, type PostgresClient } from "./postgres-api.ts";
import { createPostgresTable } from "./postgres-table.ts";
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

/** Where a new and empty database is. */
export interface PostgresServer {
  /** The folder of the server's socket. */
  readonly socketFolder: string;
  readonly user: string;
}

/** More connections than cores let statements wait in the database rather than here. */
const connectionsMax = 4;

/** Loads a dataset into PostgreSQL and indexes it. */
export async function preparePostgres(dataset: Dataset, server: PostgresServer): Promise<ReadyContender> {
  const postgres = await loadPostgres();
  const tables = makePeerTables(dataset);
  const { socketFolder: host, user: username } = server;
  const client = postgres({ host, username, database: "postgres", max: connectionsMax, onnotice: () => {} });
  await createPostgresTable(client, dataset, tables);
  const [version] = await client.unsafe("SHOW server_version").values();
  const peer = new PostgresPeer(client, tables);
  return {
    title: `PostgreSQL ${version?.[0]}`,
    contender: {
      price: ({ uuid }) => peer.price(uuid),
      latest: (body) => peer.latest(body),
      search: (body) => peer.search(body),
      statistics: (body) => peer.statistics(body),
    },
  };
}

/** With the name of the table: a bare name would mean the converted column of the answer, which no index holds. */
const answerOrder = "prices.recorded_at DESC, prices.uuid";

/** The driver makes texts of bigints and numbers of floats. */
const inJavaScript = (columns: string): string =>
  `uuid, ${columns.replace(/\b\w+_at\b/g, (column) => `${column}::float8`)}`;

type Rows = readonly (readonly unknown[])[];

class PostgresPeer {
  readonly #client: PostgresClient;
  readonly #tables: PeerTables;

  constructor(client: PostgresClient, tables: PeerTables) {
    this.#client = client;
    this.#tables = tables;
  }

  async price(uuid: string): Promise<Answer> {
    const [row] = await this.#all(`SELECT ${inJavaScript(detailColumns)} FROM prices WHERE uuid = ?`, [uuid]);
    if (row === undefined) throw new RangeError(`no price has the uuid ${uuid}`);
    return presentDetail(this.#tables, row as unknown as DetailRow);
  }

  async search(body: PriceSearchBody): Promise<Answer> {
    const { page = 1, page_size: pageSize = 20 } = body;
    const { where, values } = dayConditions(this.#filterOf(body));
    const [[counted], rows] = await Promise.all([
      this.#all(`SELECT count(*)::integer FROM prices ${where}`, values),
      this.#all(`SELECT ${inJavaScript(foundColumns)} FROM prices ${where} ORDER BY ${answerOrder} LIMIT ? OFFSET ?`, [
        ...values,
        pageSize,
        (page - 1) * pageSize,
      ]),
    ]);
    return presentPage(this.#tables, body, rows as unknown as FoundRow[], counted?.[0] as number);
  }

  async latest(body: LatestPricesInput): Promise<Answer> {
    const { limit = 10, one_per_market: onePerMarket = false } = body;
    if (onePerMarket) throw new RangeError("the race over HTTP asks for no prices of each market");
    const { where, values } = dayConditions(this.#filterOf(body));
    const sql = `SELECT ${inJavaScript(latestColumns)} FROM prices ${where} ORDER BY ${answerOrder} LIMIT ?`;
    return presentLatest(this.#tables, (await this.#all(sql, [...values, limit])) as unknown as LatestRow[]);
  }

  async statistics(body: PriceStatisticsBody): Promise<Answer> {
    const { group_by: grouping = "month" } = body;
    const { where, values } = dayConditions(this.#filterOf(body));
    const sql = `
      SELECT ${grouping} AS key, avg(value), min(value), max(value),
             percentile_cont(0.5) WITHIN GROUP (ORDER BY value), count(value)::integer, stddev_samp(value),
             count(*)::integer, (count(value) FILTER (WHERE is_converted = 1))::integer
      FROM prices ${where} GROUP BY key`;
    const rows = (await this.#all(sql, values)) as unknown as readonly FigureRow[];
    return presentFigureRows(this.#tables, body, rows);
  }

  /** @throws {RangeError} when the question is not about one product, for which the indexes are made. */
  #filterOf(filter: PeerFilter): CodedFilter {
    const coded = codeFilter(this.#tables, filter);
    if (coded.product === undefined) throw new RangeError("the race over HTTP asks for one product");
    return coded;
  }

  /** @param sql With `?` for each value. */
  #all(sql: string, values: readonly unknown[]): Promise<Rows> {
    let parameter = 0;
    return this.#client
      .unsafe(
        sql.replaceAll("?", () => `$${++parameter}`),
        values,
        { prepare: true },
      )
      .values();
  }
}
