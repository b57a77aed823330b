/** A reader whose query fails during a load says so when it is stopped, and ends nothing before. */
import { setImmediate as nextTurn } from "node:timers/promises";
import t from "tap";
import { ClickHouseError } from "../../scripts/scale-out/clickhouse-server.ts";
import { readAllTheTime } from "../../scripts/scale-out/steady-reader.ts";
import { startServer } from "./fake-clickhouse.ts";

t.test("a reader sees all sums until it is stopped", async (t) => {
  let prices = 1;
  const { server, statements } = await startServer(t, () => `{"prices":${prices},"total":5}\n`);
  const reader = readAllTheTime(server);
  while (statements.length < 2) await nextTurn();
  prices = 2;
  const before = statements.length;
  while (statements.length < before + 2) await nextTurn();
  t.strictSame([...(await reader.stop())], ["1 prices, 5 in all", "2 prices, 5 in all"]);
});

t.test("a query that fails is thrown by stop, and is no unhandled rejection until then", async (t) => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", note);
  t.teardown(() => process.off("unhandledRejection", note));
  const { server } = await startServer(t, (_statement, _request, response) => {
    response.writeHead(500).end("Code: 60, Table default.prices does not exist");
    return undefined;
  });
  const reader = readAllTheTime(server);
  await t.rejects(server.ask("SELECT 1"), ClickHouseError, "by then the first query of the reader has failed as well");
  await nextTurn();
  t.strictSame(unhandled, []);
  await t.rejects(reader.stop(), ClickHouseError);
});
