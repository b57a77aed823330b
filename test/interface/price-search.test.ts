/** Search of prices; test/golden has every field of the specified form. */
import t from "tap";
import type { CountyId } from "../../src/engine/model/ids.ts";
import { startEndpoint } from "../support/ask-endpoint.ts";
import { expectSuccess } from "../support/expect-answer.ts";
import { secretKey, signedHeaders } from "../support/signed-request.ts";
import { startSeconds } from "../support/start-app.ts";
import { type TinyDatasetParts, uuidOf } from "../support/tiny-dataset.ts";

const path = "/api/v1/prices/search";
const endpointName = "POST /prices/search";

interface Body {
  data: { uuid: string }[];
  meta: object;
}

/** 1 and 2 lie at both sides of midnight in Nairobi before 1 February; 2 and 3 are of one time. */
const parts: TinyDatasetParts = {
  products: [
    { name: "Maize", category: "Cereals" },
    { name: "Kale", category: "Vegetables" },
  ],
  markets: [
    { name: "Wakulima", type: "Wholesale" },
    { name: "Gikomba", type: "Retail" },
    { name: "Kongowea", type: "Wholesale", countyId: 1 as CountyId, setting: "refugee_camp" },
  ],
  prices: [
    { price: 10, recordedAt: "2026-01-31T20:59:59.999Z" },
    { price: 20, recordedAt: "2026-01-31T21:00:00.000Z", market: 1 },
    { price: 20.5, recordedAt: "2026-02-01T00:00:00+03:00", market: 2, currency: "USD", unit: "90 kg bag" },
    { price: 40, recordedAt: "2026-02-01T20:59:59.999Z", product: 1, unit: "bunch", qualityGrade: "Grade 1" },
    { price: 50, recordedAt: "2026-02-01T21:00:00.000Z", product: 1, market: 2, priceFlag: "actual" },
  ],
};

t.test("search of prices", async (t) => {
  const { app, ask: search, refuseAll } = await startEndpoint<Body>(t, endpointName, parts);

  t.test("detail adds price per base unit, notes, flag, times of entry, and the county to the market", async (t) => {
    const [plain] = (await search({ min_price: 20.5, max_price: 20.5 })).data;
    t.strictSame((await search({ min_price: 20.5, max_price: 20.5, detail: true })).data, [
      {
        ...plain,
        market: {
          uuid: uuidOf("market", 3),
          name: "Kongowea",
          type: "Wholesale",
          county: { id: 1, name: "Mombasa" },
          county_pcode: "KE001",
          setting: "refugee_camp",
        },
        price_per_base_unit: 0.227778,
        base_unit: "kg",
        notes: null,
        price_flag: null,
        suspicious: false,
        suspicious_reason: null,
        created_at: "2026-01-31T21:00:00.000Z",
        updated_at: "2026-01-31T21:00:00.000Z",
      },
    ]);
    t.strictSame(await search({ detail: false }), await search({}));
  });

  t.test("filters by price flag, which detail shows", async (t) => {
    const flagged = await search({ price_flag: "actual", detail: true });
    t.match(flagged, { data: [{ uuid: uuidOf("price", 5), price_flag: "actual" }], meta: { total: 1 } });
    t.notOk("price_flag" in ((await search({ price_flag: "actual" })).data[0] ?? {}));
  });

  t.test("an empty body asks for everything", async (t) => {
    const headers = signedHeaders({ method: "POST", path, key: secretKey, timestampSeconds: startSeconds });
    const answer = await app.send({ method: "POST", path, headers });
    t.strictSame(expectSuccess(t, endpointName, answer), await search({}));
  });

  t.test("refuses ranges that end before they begin", async () => {
    const days = { start_date: "2026-02-01", end_date: "2026-01-31" };
    await refuseAll([
      [days, "start_date"],
      [{ min_price: 2, max_price: 1.999 }, "min_price"],
      [{ ...days, min_price: 2, max_price: 1 }, "start_date", "min_price"],
    ]);
  });
});
