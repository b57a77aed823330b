/**
 * Loads the NDJSON export of a snapshot into two ClickHouse servers on this machine, as two shards behind a Distributed
 * table, and compares what they and the service answer to three questions. Everything is started here, on ports and in
 * a folder of its own, and ended here. Skips where ClickHouse is missing.
 */
import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { Readable } from "node:stream";
import { createSignedClient } from "../../src/client/signed.ts";
import { freePort, hasProgram, report, runNode, Trial, waitUntil } from "../deploy/trial.ts";

/** A server of the cluster. */
interface Shard {
  readonly httpPort: number;
  readonly tcpPort: number;
}

/** A row of an answer, or as much of it as the query asks for. */
type Row = Readonly<Record<string, unknown>>;

/** What two figures may differ by: the service rounds its own to 6 decimals. */
const differenceMax = 1e-6;

const product = "8279063d-b290-5e29-a97f-e7b9ef6a7e2a";

// Debian has the server where users without rights of administration do not look.
process.env["PATH"] = [process.env["PATH"], "/usr/sbin"].join(delimiter);
if (hasProgram("clickhouse-server", "clickhouse-server")) await Trial.run(tryClickHouse);

async function tryClickHouse(trial: Trial): Promise<void> {
  await trial.copyData();
  const apiKey = await trial.issueKey("secret");
  const { port } = await trial.startInstance({ THREADS: "1" }, await freePort(), await freePort());
  const client = createSignedClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey });
  const { data: dataset } = await client.getDataset();

  const shards = await startShards(trial);
  const [first] = shards;
  for (const shard of shards) for (const statement of await statementsOf("prices.sql")) await ask(shard, statement);
  const file = trial.path("prices.ndjson");
  const exported = ["export", "--format", "ndjson", "--table", "prices", "--out", file];
  await runNode(["scripts/snapshot.ts", ...exported], await trial.environment());
  const startedAt = performance.now();
  await insert(first, file);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const counts = [await countPrices(shards[0]), await countPrices(shards[1])] as const;
  report(`loaded ${counts.join(" + ")} prices of ${dataset.snapshot} in ${seconds} s`);
  assert.equal(counts[0] + counts[1], dataset.rows.prices);
  assert.ok(Math.min(...counts) > 0, "both shards have prices");

  const days = { start_date: "2015-01-01", end_date: "2025-12-31" };
  const months = { product_uuid: product, ...days, market_type: "Wholesale", group_by: "month" } as const;
  await compare(first, "monthly-statistics.sql", client.readExport("statistics", months));
  const retail = {
    county_id: 47,
    market_type: "Retail",
    start_date: "2020-01-01",
    min_price: 100,
    max_price: 500,
  } as const;
  await compare(first, "newest-prices.sql", client.readPages("searchPrices", retail));
  const series = ["product_uuid", "market_uuid", "unit", "currency"];
  await compare(first, "series.sql", client.readExport("series"), series);
  report("ClickHouse: all as expected");
}

/** Starts two servers that know each other, and waits until both answer. */
async function startShards(trial: Trial): Promise<readonly [Shard, Shard]> {
  const shards = [
    { httpPort: await freePort(), tcpPort: await freePort() },
    { httpPort: await freePort(), tcpPort: await freePort() },
  ] as const;
  const [first, second] = shards;
  for (const [at, { httpPort, tcpPort }] of shards.entries()) {
    const folder = trial.path(`shard-${at + 1}`);
    await mkdir(folder);
    const environment = {
      ...process.env,
      ...{ SHARD_HTTP_PORT: `${httpPort}`, SHARD_TCP_PORT: `${tcpPort}` },
      ...{ SHARD_PATH: `${folder}/`, SHARD_TMP_PATH: `${folder}/tmp/` },
      ...{ FIRST_TCP_PORT: `${first.tcpPort}`, SECOND_TCP_PORT: `${second.tcpPort}` },
    };
    const configuration = join(import.meta.dirname, "clickhouse-shard.xml");
    const logFile = `${folder}.log`;
    const child = trial.spawn("clickhouse-server", [`--config-file=${configuration}`], logFile, environment);
    await waitUntil(`shard ${at + 1} answers`, async () => {
      if (child.exitCode !== null) throw new Error(`shard ${at + 1} has ended: ${await readFile(logFile, "utf8")}`);
      return await fetch(`http://127.0.0.1:${httpPort}/ping`)
        .then(({ ok }) => ok)
        .catch(() => false);
    });
  }
  return shards;
}

/** Sends a statement. @returns What it answers. @throws with the message of ClickHouse. */
async function ask({ httpPort }: Shard, statement: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${httpPort}/`, { method: "POST", body: statement });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${text.trim()} in ${statement}`);
  return text;
}

async function rowsOf(shard: Shard, query: string): Promise<Row[]> {
  const lines = (await ask(shard, `${query} FORMAT JSONEachRow`)).split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Row);
}

async function countPrices(shard: Shard): Promise<number> {
  const [row] = await rowsOf(shard, "SELECT toUInt32(count()) AS prices FROM prices");
  return Number(row?.["prices"]);
}

/** Inserts a file of rows into all shards through one of them; done when all have theirs. */
async function insert({ httpPort }: Shard, file: string): Promise<void> {
  const query = new URLSearchParams({
    query: "INSERT INTO all_prices FORMAT JSONEachRow",
    insert_distributed_sync: "1",
  });
  const body = Readable.toWeb(createReadStream(file));
  const answer = await fetch(`http://127.0.0.1:${httpPort}/?${query}`, { method: "POST", body, duplex: "half" });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${text.trim()} in ${query}`);
}

/** The statements of a file beside this one, without their comments. */
async function statementsOf(name: string): Promise<string[]> {
  const text = await readFile(join(import.meta.dirname, name), "utf8");
  return text
    .replaceAll(/^--.*\n/gm, "")
    .split(";")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}

/**
 * Asks a question of both, and compares every column that the query has, row by row.
 *
 * @param sortedBy Columns by which both answers are sorted first; none where the query gives them in the order of the
 *   service.
 */
async function compare(
  shard: Shard,
  name: string,
  answers: AsyncIterable<Row | { readonly data: readonly Row[] }>,
  sortedBy: readonly string[] = [],
): Promise<void> {
  const startedAt = performance.now();
  const found = await rowsOf(shard, (await statementsOf(name)).join());
  const milliseconds = Math.round(performance.now() - startedAt);
  const wanted: Row[] = [];
  for await (const answer of answers) wanted.push(...(Array.isArray(answer["data"]) ? answer["data"] : [answer]));
  assert.ok(found.length > 0, `${name} has rows`);
  assert.equal(found.length, wanted.length, `${name}: rows`);
  const keyOf = (row: Row): string => sortedBy.map((column) => row[column]).join("|");
  const inOrder = (rows: readonly Row[]): Row[] => rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const [ours, theirs] = sortedBy.length === 0 ? [wanted, found] : [inOrder(wanted), inOrder(found)];
  for (const [at, row] of theirs.entries()) {
    for (const [column, value] of Object.entries(row)) {
      const expected = ours[at]?.[column];
      const isFigure = typeof value === "number" && typeof expected === "number";
      const isEqual = isFigure
        ? Math.abs(value - expected) <= differenceMax * Math.max(1, expected)
        : value === expected;
      assert.ok(isEqual, `${name}, row ${at + 1}: ${column} is ${value} in ClickHouse and ${expected} in the service`);
    }
  }
  const columns = Object.keys(found[0] ?? {}).length;
  report(`${name}: ${found.length} rows of ${columns} columns are equal; ClickHouse took ${milliseconds} ms`);
}
