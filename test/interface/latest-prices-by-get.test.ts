import t from "tap";
import { expectError, expectSuccess } from "../support/expect-answer.ts";
import { latestDataset } from "../support/latest-dataset.ts";
import { startApp } from "../support/start-app.ts";
import { uuidOf } from "../support/tiny-dataset.ts";

const path = "/api/v1/prices/latest";
const endpointName = "GET /prices/latest";
const maize = uuidOf("product", 1);
const kale = uuidOf("product", 2);

t.test("latest prices by GET", async (t) => {
  const app = await startApp(t, latestDataset);

  t.test("answer as POST does with the same fields", async (t) => {
    const questions: [string, object][] = [
      ["", {}],
      ["?", {}],
      ["?limit=2", { limit: 2 }],
      [`?product_uuids=${maize}`, { product_uuids: [maize] }],
      [`?product_uuids=${maize},${kale}&limit=1`, { product_uuids: [maize, kale], limit: 1 }],
      [`?product_uuids=${maize}%2C${kale}&limit=1`, { product_uuids: [maize, kale], limit: 1 }],
      [`?product_uuids=${maize}&limit=1&product_uuids=${kale}`, { product_uuids: [maize, kale], limit: 1 }],
      [`?product_uuids=${maize.toUpperCase()}`, { product_uuids: [maize] }],
      [`?product_uuids=${uuidOf("product", 9)}`, { product_uuids: [uuidOf("product", 9)] }],
      [
        `?market_uuid=${uuidOf("market", 2)}&one_per_market=true`,
        { market_uuid: uuidOf("market", 2), one_per_market: true },
      ],
      ["?one_per_market=false&county_id=1", { one_per_market: false, county_id: 1 }],
      [
        "?one_per_market=true&limit=1000&market_type=Retail",
        { one_per_market: true, limit: 1000, market_type: "Retail" },
      ],
      ["?county_id=47", { county_id: 47 }],
      ["?limit=100", { limit: 100 }],
      ["?limit=%31", { limit: 1 }],
    ];
    for (const [query, body] of questions) {
      const byGet = expectSuccess(t, endpointName, await app.get(path + query));
      const byPost = expectSuccess(t, "POST /prices/latest", await app.post(path, body));
      t.strictSame(byGet, byPost, query);
    }
  });

  t.test("take up to 100 products, with commas and repeated together", async (t) => {
    const fifty = Array(50).fill(kale).join(",");
    expectSuccess(t, endpointName, await app.get(`${path}?product_uuids=${fifty}&product_uuids=${fifty}`));
    const answer = await app.get(`${path}?product_uuids=${fifty}&product_uuids=${fifty},${kale}`);
    expectError(t, answer, { code: "VALIDATION_ERROR", fields: ["product_uuids"] });
  });

  t.test("refuses what is no question", async (t) => {
    const bad: [string, string[]][] = [
      ["limit=0", ["limit"]],
      ["limit=101", ["limit"]],
      ["limit=101&one_per_market=false", ["limit"]],
      ["limit=1001&one_per_market=true", ["limit"]],
      ["limit=1&limit=1", ["limit"]],
      ["limit=", ["limit"]],
      ["limit", ["limit"]],
      ["limit=1e1", ["limit"]],
      ["one_per_market=1", ["one_per_market"]],
      ["one_per_market=True", ["one_per_market"]],
      ["one_per_market=", ["one_per_market"]],
      ["product_uuids=", ["product_uuids[0]"]],
      [`product_uuids=${maize},`, ["product_uuids[1]"]],
      [`product_uuids=${maize},%20${kale}`, ["product_uuids[1]"]],
      ["product_uuids[]=x", ["product_uuids[]"]],
      ["product_uuid=x", ["product_uuid"]],
      [`market_uuid=${uuidOf("market", 1)},${uuidOf("market", 2)}`, ["market_uuid"]],
      ["county_id=48", ["county_id"]],
      ["county_id=0", ["county_id"]],
      ["market_type=RETAIL", ["market_type"]],
      ["page=1", ["page"]],
      ["__proto__=1&constructor=2&toString=3", ["__proto__", "constructor", "toString"]],
    ];
    for (const [query, fields] of bad) {
      expectError(t, await app.get(`${path}?${query}`), { code: "VALIDATION_ERROR", fields }, query);
    }
  });
});
