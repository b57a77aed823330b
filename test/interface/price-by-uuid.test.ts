import t from "tap";
import type { Instant } from "../../src/engine/model/calendar.ts";
import type { CountyId } from "../../src/engine/model/ids.ts";
import { expectError, expectSuccess } from "../support/expect-answer.ts";
import { startApp } from "../support/start-app.ts";
import { tinyDataset, uuidOf } from "../support/tiny-dataset.ts";

const endpointName = "GET /prices/:uuid";

t.test("one price", async (t) => {
  const app = await startApp(
    t,
    tinyDataset({
      markets: [
        { name: "Kongowea", type: "Wholesale", countyId: 1 as CountyId, subCounty: "Nyali" },
        { name: "Gikomba" },
      ],
      prices: [
        {
          price: 3200.25,
          unit: "90 kg bag",
          recordedAt: "2026-01-15T10:30:00+03:00",
          source: "WFP",
          qualityGrade: "Grade 1",
          notes: "aggregate",
          createdAt: 1_768_500_000_000 as Instant,
          updatedAt: 1_768_500_000_001 as Instant,
        },
        { product: 1, market: 1, unit: "bunch", recordedAt: "1999-12-31T21:00:00.007Z" },
      ],
    }),
  );
  const get = (uuid: string) => app.get(`/api/v1/prices/${uuid}`);

  t.test("has every field of the detail form; the county is the market's, by name", async (t) => {
    const body = {
      data: {
        uuid: uuidOf("price", 1),
        product: {
          uuid: uuidOf("product", 1),
          name: "Maize",
          category: "Cereals",
          description: "Grain; Mahindi in Swahili.",
        },
        market: {
          uuid: uuidOf("market", 1),
          name: "Kongowea",
          type: "Wholesale",
          county: "Mombasa",
          sub_county: "Nyali",
        },
        price: 3200.25,
        unit: "90 kg bag",
        currency: "KES",
        recorded_at: "2026-01-15T07:30:00.000Z",
        source: "WFP",
        quality_grade: "Grade 1",
        notes: "aggregate",
        created_at: "2026-01-15T18:00:00.000Z",
        updated_at: "2026-01-15T18:00:00.001Z",
      },
    };
    t.strictSame(expectSuccess(t, endpointName, await get(uuidOf("price", 1))), body);
    t.strictSame(expectSuccess(t, endpointName, await get(uuidOf("price", 1).toUpperCase())), body);
  });

  t.test("has null for what is unknown", async (t) => {
    t.match(expectSuccess(t, endpointName, await get(uuidOf("price", 2))), {
      data: {
        market: { county: "Nairobi", sub_county: null },
        quality_grade: null,
        notes: null,
        recorded_at: "1999-12-31T21:00:00.007Z",
        created_at: "1999-12-31T21:00:00.007Z",
      },
    });
  });

  t.test("is not found under another uuid; fixed segments are no prices", async (t) => {
    expectError(t, await get(uuidOf("price", 3)), { code: "NOT_FOUND" });
    expectError(t, await get(uuidOf("product", 1)), { code: "NOT_FOUND" });
    expectError(t, await get("1"), { code: "INVALID_UUID", fields: ["uuid"] });
    expectError(t, await get("Latest"), { code: "INVALID_UUID", fields: ["uuid"] });
    for (const segment of ["search", "statistics"]) {
      const answer = await get(segment);
      expectError(t, answer, { code: "METHOD_NOT_ALLOWED" }, segment);
      t.equal(answer.headers["allow"], "POST, OPTIONS");
    }
    expectError(t, await app.post(`/api/v1/prices/${uuidOf("price", 1)}`, {}), { code: "METHOD_NOT_ALLOWED" });
    expectError(t, await get(`${uuidOf("price", 1)}?x=1`), { code: "VALIDATION_ERROR", fields: ["x"] });
  });
});

t.test("without any prices, none is found", async (t) => {
  const app = await startApp(t);
  expectError(t, await app.get(`/api/v1/prices/${uuidOf("price", 1)}`), { code: "NOT_FOUND" });
});
