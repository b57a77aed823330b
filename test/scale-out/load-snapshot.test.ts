/** A load that fails leaves what was served, against a server that answers as ClickHouse does, and fails on demand. */
import t, { type Test } from "tap";
import { ClickHouseError, ClickHouseServer } from "../../scripts/scale-out/clickhouse-server.ts";
import { loadSnapshot } from "../../scripts/scale-out/load-snapshot.ts";
import type { SnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";
import { ndjson, priceRow, priceRows, writeCurrentSnapshot } from "../support/snapshot-files.ts";
import { addSnapshot, type FakeServer, startServer, tableNames } from "./fake-clickhouse.ts";

async function writeData(t: Test): Promise<{ dataDirectory: string; id: SnapshotId }> {
  const dataDirectory = t.testdir({});
  const files = { "prices/1.ndjson": ndjson([priceRow({ ...priceRows(1)[0], price: 9 })]) };
  const entries = { "prices/1.ndjson": { sequence: 1, replaces: 1 } };
  const snapshot = { tables: { prices: priceRows(40) }, files, entries };
  return { dataDirectory, id: (await writeCurrentSnapshot(dataDirectory, snapshot)) as SnapshotId };
}

/** Publishes another snapshot after the one of `writeData`. @returns Its id. */
async function writeNext(dataDirectory: string): Promise<SnapshotId> {
  return (await writeCurrentSnapshot(dataDirectory, { tables: { prices: priceRows(41) } })) as SnapshotId;
}

/** A server that refuses the first statement with such a beginning. */
async function refusingServer(t: Test, beginning: string): Promise<FakeServer> {
  let isRefused = false;
  return await startServer(t, (statement, _, response) => {
    if (isRefused || !statement.startsWith(beginning)) return undefined;
    isRefused = true;
    response.writeHead(500).end("Code: 117, refused");
    return undefined;
  });
}

function endingOf(id: SnapshotId): string {
  return id.replaceAll("-", "_");
}

/** Whether all four names of a server mean a snapshot, and nothing of a load is left. */
function servesOnly(t: Test, { tables }: FakeServer, id: SnapshotId): void {
  for (const name of tableNames) t.ok(tables.get(name)?.includes(` ${name}_${endingOf(id)}`), name);
  t.strictSame(
    [...tables.keys()].filter((name) => /_(?:before|next)$/.test(name)),
    [],
  );
}

t.test("tables are made on every server, filled and counted on all of them, and then exchanged", async (t) => {
  const data = await writeData(t);
  const [first, other] = [await startServer(t), await startServer(t)];
  other.rows = 40;
  const loaded = await loadSnapshot({ ...data, servers: [first.server, other.server] });
  t.match(loaded, { isServedAlready: false, rows: 40, replaced: 1, withheld: 0, removed: [] });
  for (const fake of [first, other]) servesOnly(t, fake, data.id);
  const ending = endingOf(data.id);
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

t.test("a load that was ended between the exchange of two servers goes on at the other, in any order", async (t) => {
  const data = await writeData(t);
  const ending = endingOf(data.id);
  const old = "20260102T000000Z_000000000002";
  for (const isFirstBehind of [false, true]) {
    const [done, behind] = [await startServer(t), await startServer(t)];
    addSnapshot(done, old);
    addSnapshot(done, ending, "");
    addSnapshot(behind, old, "");
    addSnapshot(behind, ending, "_next");
    for (const fake of [done, behind]) fake.rows = 40;
    const [first, last] = isFirstBehind ? [behind, done] : [done, behind];
    const loaded = await loadSnapshot({ ...data, servers: [first.server, last.server] });
    t.match(loaded, { isServedAlready: false, rows: 40, removed: [] }, "the rows are those of all shards");
    const has = ({ statements }: FakeServer, start: string): boolean => statements.some((one) => one.startsWith(start));
    t.strictSame([has(done, "RENAME"), has(behind, "RENAME")], [false, true]);
    for (const fake of [done, behind]) {
      servesOnly(t, fake, data.id);
      t.notOk(has(fake, "INSERT INTO prices"));
      t.notOk(has(fake, "DROP TABLE IF EXISTS prices_2"), "nothing that is served is removed");
    }
  }
});

t.test("a load that was ended after it renamed does not block the next snapshot", async (t) => {
  for (const name of tableNames) {
    const data = await writeData(t);
    const fake = await refusingServer(t, `DROP TABLE ${name}_before`);
    const servers = [fake.server] as const;
    await t.rejects(loadSnapshot({ ...data, servers }), ClickHouseError);
    t.ok(fake.tables.has(`${name}_before`), "the name of the snapshot before is left");
    t.ok((await loadSnapshot({ ...data, servers })).isServedAlready, "the snapshot is served");
    const id = await writeNext(data.dataDirectory);
    t.match(await loadSnapshot({ ...data, id, servers }), { isServedAlready: false, rows: 41 });
    servesOnly(t, fake, id);
  }
});

t.test("a first load that was ended before it renamed is not served, and is loaded again", async (t) => {
  for (const name of [...tableNames.slice(1).map((table) => `CREATE TABLE IF NOT EXISTS ${table} `), "RENAME TABLE"]) {
    const data = await writeData(t);
    const fake = await refusingServer(t, name);
    const servers = [fake.server] as const;
    await t.rejects(loadSnapshot({ ...data, servers }), ClickHouseError);
    t.ok(fake.tables.has("prices"), "a name is there");
    t.match(await loadSnapshot({ ...data, servers }), { isServedAlready: false, rows: 40 }, name);
    servesOnly(t, fake, data.id);
  }
});

t.test("a snapshot without prices is loaded once, as any other", async (t) => {
  const dataDirectory = t.testdir({});
  const id = (await writeCurrentSnapshot(dataDirectory, { tables: { prices: [] } })) as SnapshotId;
  const fake = await startServer(t);
  const request = { dataDirectory, id, servers: [fake.server] } as const;
  t.match(await loadSnapshot(request), { isServedAlready: false, rows: 0 });
  servesOnly(t, fake, id);
  t.match(await loadSnapshot(request), { isServedAlready: true, rows: 0 });
});

t.test("the snapshot that is served is not loaded again, and older ones than the one before are removed", async (t) => {
  const data = await writeData(t);
  const [oldest, old] = ["20260101T000000Z_000000000001", "20260102T000000Z_000000000002"] as const;
  const fake = await startServer(t);
  addSnapshot(fake, oldest);
  addSnapshot(fake, old, "");
  const { removed } = await loadSnapshot({ ...data, servers: [fake.server] });
  t.strictSame(removed, [oldest]);
  t.ok(fake.statements.includes(`DROP TABLE IF EXISTS prices_${oldest}`));
  t.notOk(fake.statements.includes(`DROP TABLE IF EXISTS prices_${old}`));
  fake.statements.length = 0;
  t.match(await loadSnapshot({ ...data, servers: [fake.server] }), { isServedAlready: true, rows: 0 });
  t.notOk(
    fake.statements.some((one) => !/^S(?:ELECT|HOW)/.test(one)),
    "it was only asked",
  );
});

t.test("where a server refuses, its message is shown, the load is removed, and nothing is exchanged", async (t) => {
  const data = await writeData(t);
  const drops = `DROP TABLE IF EXISTS prices_${endingOf(data.id)}`;
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
  const fake = await startServer(t);
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
