/** A load that fails leaves what was served, against a server that answers as ClickHouse does, and fails on demand. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import t, { type Test } from "tap";
import { ClickHouseError, ClickHouseServer } from "../../scripts/scale-out/clickhouse-server.ts";
import { loadSnapshot } from "../../scripts/scale-out/load-snapshot.ts";
import type { SnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";
import { ndjson, priceRow, priceRows, writeCurrentSnapshot } from "../support/snapshot-files.ts";

interface FakeServer {
  readonly server: ClickHouseServer;
  readonly statements: string[];
  /** Rows that came with the last insert. */
  rows: number;
  /** True if the last insert came to its end. */
  isWhole: boolean;
}

/** @param answer Answers a statement in place of the server; undefined leaves it. */
async function startServer(
  t: Test,
  answer: (statement: string, request: IncomingMessage, response: ServerResponse) => string | undefined,
): Promise<FakeServer> {
  const listener = createServer(async (request, response) => {
    const query = new URL(request.url ?? "", "http://localhost").searchParams.get("query");
    const statement = query ?? (await text(request));
    fake.statements.push(statement);
    const given = answer(statement, request, response);
    if (given !== undefined || response.headersSent) {
      if (!response.headersSent) response.end(given);
      return;
    }
    if (query !== null) {
      fake.isWhole = false;
      const rows = await text(request).catch(() => undefined);
      if (rows === undefined) return;
      fake.rows = rows.split("\n").length - 1;
      fake.isWhole = true;
    }
    const isCount = /^SELECT (?:count\(\)|sum\(price_count\))/.test(statement);
    response.end(isCount ? `{"prices":${fake.rows}}\n` : "");
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  t.teardown(() => {
    listener.closeAllConnections();
    listener.close();
  });
  const url = new URL(`http://127.0.0.1:${(listener.address() as AddressInfo).port}`);
  const fake: FakeServer = { server: new ClickHouseServer(url), statements: [], rows: 0, isWhole: false };
  return fake;
}

async function writeData(t: Test): Promise<{ dataDirectory: string; id: SnapshotId }> {
  const dataDirectory = t.testdir({});
  const files = { "prices/1.ndjson": ndjson([priceRow({ ...priceRows(1)[0], price: 9 })]) };
  const entries = { "prices/1.ndjson": { sequence: 1, replaces: 1 } };
  const snapshot = { tables: { prices: priceRows(40) }, files, entries };
  return { dataDirectory, id: (await writeCurrentSnapshot(dataDirectory, snapshot)) as SnapshotId };
}

/** As a server that serves a snapshot, or none. */
function servingServer(
  t: Test,
  served: () => string | undefined,
  further: readonly string[] = [],
): Promise<FakeServer> {
  return startServer(t, (statement) => {
    if (statement.startsWith("SHOW CREATE")) return `… Distributed(farm_prices, currentDatabase(), prices_${served()})`;
    if (!statement.includes("system.tables")) return undefined;
    const endings = statement.includes("= 'prices'") ? [] : further;
    const names = statement.includes("= 'prices'") && served() !== undefined ? ["prices"] : [];
    return [...names, ...endings.map((ending) => `series_${ending}`)]
      .map((name) => `${JSON.stringify({ name })}\n`)
      .join("");
  });
}

t.test("tables are made on every server, filled and counted on all of them, and then exchanged", async (t) => {
  const data = await writeData(t);
  const first = await startServer(t, () => undefined);
  const other = await startServer(t, (statement) =>
    /^SELECT (?:count|sum\(price)/.test(statement) ? '{"prices":40}\n' : undefined,
  );
  const loaded = await loadSnapshot({ ...data, servers: [first.server, other.server] });
  t.match(loaded, { rows: 40, replaced: 1, withheld: 0, removed: [] });
  const ending = data.id.replaceAll("-", "_");
  for (const { statements } of [first, other]) {
    const starts = [`CREATE TABLE prices_${ending}`, "CREATE TABLE prices_next", "INSERT INTO series_"];
    const places = [...starts, "SELECT count()", "RENAME TABLE"].map((start) => {
      t.equal(statements.filter((one) => one.startsWith(start)).length, start.startsWith("SELECT") ? 2 : 1, start);
      return statements.findIndex((one) => one.startsWith(start));
    });
    t.strictSame(
      places,
      places.toSorted((a, b) => a - b),
    );
  }
  t.notOk(
    other.statements.some((one) => one.startsWith("INSERT INTO prices_next")),
    "rows go in through the first",
  );
});

t.test("a load that was ended between the exchange of two servers goes on at the other", async (t) => {
  const data = await writeData(t);
  const ending = data.id.replaceAll("-", "_");
  const old = "20260102T000000Z_000000000002";
  const [done, behind] = [await servingServer(t, () => ending), await servingServer(t, () => old, [old, ending])];
  done.rows = 40;
  const loaded = await loadSnapshot({ ...data, servers: [done.server, behind.server] });
  t.match(loaded, { rows: 40, removed: [] });
  const has = ({ statements }: FakeServer, start: string): boolean => statements.some((one) => one.startsWith(start));
  t.strictSame([has(done, "RENAME"), has(behind, "RENAME")], [false, true]);
  for (const fake of [done, behind]) {
    t.notOk(has(fake, "INSERT INTO prices"));
    t.notOk(has(fake, `DROP TABLE IF EXISTS prices_`), "nothing that is served is removed");
  }
});

t.test("the snapshot that is served is not loaded again, and older ones than the one before are removed", async (t) => {
  const data = await writeData(t);
  const ending = data.id.replaceAll("-", "_");
  const listed = ["20260101T000000Z_000000000001", "20260102T000000Z_000000000002"];
  let served = listed[1];
  const fake = await servingServer(t, () => served, listed);
  const { removed } = await loadSnapshot({ ...data, servers: [fake.server] });
  t.strictSame(removed, [listed[0]]);
  t.ok(fake.statements.includes(`DROP TABLE IF EXISTS prices_${listed[0]}`));
  t.notOk(fake.statements.includes(`DROP TABLE IF EXISTS prices_${listed[1]}`));
  served = ending;
  fake.statements.length = 0;
  t.equal((await loadSnapshot({ ...data, servers: [fake.server] })).rows, 0);
  t.notOk(
    fake.statements.some((one) => !/^S(?:ELECT|HOW)/.test(one)),
    "it was only asked",
  );
});

t.test("where a server refuses, its message is shown, the load is removed, and nothing is exchanged", async (t) => {
  const data = await writeData(t);
  const drops = `DROP TABLE IF EXISTS prices_${data.id.replaceAll("-", "_")}`;
  for (const refused of [
    "CREATE TABLE series_2",
    "CREATE TABLE prices_next",
    "INSERT INTO prices_next",
    "INSERT INTO s",
  ]) {
    const fake = await startServer(t, (statement, _, response) => {
      if (!statement.startsWith(refused)) return undefined;
      response.writeHead(500).end("Code: 117, Unknown field");
      return undefined;
    });
    const loading = loadSnapshot({ ...data, servers: [fake.server] });
    await t.rejects(loading, { constructor: ClickHouseError, message: /: Code: 117, Unknown field in / }, refused);
    t.notOk(fake.statements.some((one) => one.startsWith("RENAME")));
    const refusedAt = fake.statements.findIndex((one) => one.startsWith(refused));
    t.ok(fake.statements.lastIndexOf(drops) > refusedAt, "the tables of the load are removed");
  }
});

t.test("a count that differs from what was sent is refused", async (t) => {
  const data = await writeData(t);
  const fake = await startServer(t, (statement) =>
    statement.startsWith("SELECT sum(price_count)") ? '{"prices":39}\n' : undefined,
  );
  const message = "series_next: found 39 prices, expected the 40 sent";
  await t.rejects(loadSnapshot({ ...data, servers: [fake.server] }), new ClickHouseError(message));
  t.notOk(fake.statements.some((one) => one.startsWith("RENAME")));
});

t.test("rows that end in an error are cut off, so that a server never takes a part for the whole", async (t) => {
  const dataDirectory = t.testdir({});
  const broken = { "prices.ndjson": ndjson(priceRows(3000)).replace(/"price":\d+(?=[^\n]*\n$)/, '"price":-1') };
  const id = (await writeCurrentSnapshot(dataDirectory, { files: broken })) as SnapshotId;
  const fake = await startServer(t, () => undefined);
  await t.rejects(loadSnapshot({ dataDirectory, id, servers: [fake.server] }), { name: "DatasetError" });
  t.equal(fake.isWhole, false);
  t.notOk(fake.statements.some((one) => one.startsWith("RENAME")));
});

t.test("a server that goes away while rows are sent ends the load with its name", async (t) => {
  const data = await writeData(t);
  const fake = await startServer(t, (statement, request) => {
    if (!statement.startsWith("INSERT INTO prices_next")) return undefined;
    request.socket.destroy();
    return "";
  });
  const loading = loadSnapshot({ ...data, servers: [fake.server] });
  await t.rejects(loading, {
    constructor: ClickHouseError,
    message: /^127\.0\.0\.1:\d+: .+ in INSERT INTO prices_next/,
  });
  const nobody = new ClickHouseServer(new URL("http://127.0.0.1:9"));
  await t.rejects(loadSnapshot({ ...data, servers: [nobody] }), {
    message: /^127\.0\.0\.1:9: connect ECONNREFUSED/,
  });
});
