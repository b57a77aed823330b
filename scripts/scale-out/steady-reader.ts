/** A reader that asks a ClickHouse server all the time, as others do while a snapshot is loaded. */
import type { ClickHouseServer } from "./clickhouse-server.ts";

export interface SteadyReader {
  /** Ends the reading. @returns All sums that were seen. @throws {ClickHouseError} where a query has failed. */
  readonly stop: () => Promise<ReadonlySet<string>>;
}

/** The number and the sum of all prices, as a text. */
export async function sumOf(asked: ClickHouseServer): Promise<string> {
  const [row] = await asked.rows("SELECT count() AS prices, round(sum(price), 2) AS total FROM prices");
  return `${row?.["prices"]} prices, ${row?.["total"]} in all`;
}

/** Asks for the sum of all prices again and again, until it is stopped or a query fails. */
export function readAllTheTime(asked: ClickHouseServer): SteadyReader {
  const seen = new Set<string>();
  let isWanted = true;
  const reading = (async () => {
    while (isWanted) seen.add(await sumOf(asked));
  })();
  // `stop` throws it. Unhandled until then, it would end the process, and leave what the process has to remove.
  reading.catch(() => {});
  return {
    async stop() {
      isWanted = false;
      await reading;
      return seen;
    },
  };
}
