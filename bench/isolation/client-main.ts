/**
 * A client that asks the questions that cost most, back to back: `node client-main.ts BASE_URL PUBLIC_KEY SECRET_KEY`.
 * It stands for one on another machine: it parses no answer, and its lower priority leaves the processors to the
 * service and to the look-ups.
 */
import { Agent, request } from "node:http";
import { constants, setPriority } from "node:os";
import { headersOf } from "../http/request-headers.ts";

const [baseUrl = "", publicKey = "", secretKey = ""] = process.argv.slice(2);
const keys = { publicKey, secretKey };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const days = { start_date: "2000-01-01", end_date: "2026-12-31" };

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
for (let turn = 0; ; turn++) {
  // Each snapshot has other products.
  const response = await fetch(`${baseUrl}/api/v1/products?page_size=20`, { headers: { "X-API-Key": publicKey } });
  const { data } = (await response.json()) as { data: readonly { uuid: string }[] };
  const product_uuid = data[turn % data.length]?.uuid;
  for (const body of [
    { product_uuid, ...days, group_by: "day" },
    { product_uuid, start_date: "2016-01-02", end_date: "2026-10-30", group_by: "market", market_type: "Retail" },
  ]) {
    await ask("/api/v1/prices/statistics", body);
  }
  for (const body of [
    { min_price: 50 + (turn % 10), max_price: 60 + (turn % 10), page_size: 100, page: 50 },
    { market_type: "Rural", min_price: 10, start_date: "2016-01-02", page_size: 100, page: 1 },
  ]) {
    await ask("/api/v1/prices/search", body);
  }
  // The process that has started this one waits until its code has run.
  if (turn === 0) process.send?.("asking");
}

function ask(target: string, fields: object): Promise<void> {
  const body = JSON.stringify(fields);
  const headers = headersOf({ method: "POST", target, body, access: "secret" }, keys);
  return new Promise((resolve, reject) => {
    request(baseUrl + target, { method: "POST", agent, headers }, (incoming) => {
      const { statusCode } = incoming;
      // Not found: the snapshot was swapped in between.
      if (statusCode !== 200 && statusCode !== 404) reject(new Error(`${target} ${body}: ${statusCode}`));
      incoming.on("end", resolve).on("error", reject).resume();
    })
      .on("error", reject)
      .end(body);
  });
}
