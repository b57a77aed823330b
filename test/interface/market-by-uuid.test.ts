import t from "tap";
import { expectError, expectSuccess } from "../support/expect-answer.ts";
import { startApp } from "../support/start-app.ts";
import { tinyDataset, uuidOf } from "../support/tiny-dataset.ts";

const endpointName = "GET /markets/:uuid";

t.test("one market", async (t) => {
  const app = await startApp(
    t,
    tinyDataset({
      markets: [
        {
          name: "Wakulima",
          type: "Wholesale",
          subCounty: "Starehe",
          location: { latitude: -1.2921, longitude: 36.8219, address: null },
          operatingDays: ["Monday", "Saturday"],
          operatingHours: "04:00-17:00",
          description: "The main wholesale market.",
          facilities: [],
          contact: { phone: "+254 20 000000", email: null },
        },
        { isActive: false },
      ],
    }),
  );
  const get = (uuid: string) => app.get(`/api/v1/markets/${uuid}`);

  t.test("has every field of the detail form, null inside present objects", async (t) => {
    const body = {
      data: {
        uuid: uuidOf("market", 1),
        name: "Wakulima",
        type: "Wholesale",
        county: { id: 47, name: "Nairobi", code: "047" },
        sub_county: "Starehe",
        location: { latitude: -1.2921, longitude: 36.8219, address: null },
        operating_days: ["Monday", "Saturday"],
        operating_hours: "04:00-17:00",
        description: "The main wholesale market.",
        facilities: [],
        contact: { phone: "+254 20 000000", email: null },
        is_active: true,
        created_at: "2026-01-01T00:00:00.000Z",
        updated_at: "2026-01-01T00:00:00.000Z",
      },
    };
    t.strictSame(expectSuccess(t, endpointName, await get(uuidOf("market", 1))), body);
    t.strictSame(expectSuccess(t, endpointName, await get(uuidOf("market", 1).toUpperCase())), body);
  });

  t.test("has null for what is unknown", async (t) => {
    t.match(expectSuccess(t, endpointName, await get(uuidOf("market", 2))), {
      data: {
        sub_county: null,
        location: null,
        operating_days: [],
        operating_hours: null,
        description: null,
        facilities: null,
        contact: null,
        is_active: false,
      },
    });
  });

  t.test("is not found under another uuid, a product's among them", async (t) => {
    expectError(t, await get(uuidOf("market", 3)), { code: "NOT_FOUND" });
    expectError(t, await get(uuidOf("product", 1)), { code: "NOT_FOUND" });
    expectError(t, await get("categories"), { code: "INVALID_UUID", fields: ["uuid"] });
    expectError(t, await get(`${uuidOf("market", 1)}?a=1`), { code: "VALIDATION_ERROR", fields: ["a"] });
  });
});

t.test("detail names the market that the place was before, and the one that it is after", async (t) => {
  const [old, town] = [uuidOf("market", 1), uuidOf("market", 2)];
  const months = { lastMonth: "2020-12", firstMonth: "2021-02", overlapMonths: 0 };
  const marketContinuations = [{ marketUuid: town, continuesUuid: old, ...months, evidence: "One point." }];
  const markets = [{ name: "Lodwar" }, { name: "Lodwar Town" }, {}];
  const app = await startApp(t, tinyDataset({ markets, marketContinuations }));
  const stated = { last_month: "2020-12", first_month: "2021-02", overlap_months: 0, evidence: "One point." };
  for (const [uuid, continues, continued_by] of [
    [town, { market: { uuid: old, name: "Lodwar" }, ...stated }, null],
    [old, null, { market: { uuid: town, name: "Lodwar Town" }, ...stated }],
    [uuidOf("market", 3), null, null],
  ] as const) {
    const { data } = expectSuccess<{ data: object }>(
      t,
      endpointName,
      await app.get(`/api/v1/markets/${uuid}?detail=true`),
    );
    t.match(data, { continues, continued_by });
  }
  const { data } = expectSuccess<{ data: object }>(t, endpointName, await app.get(`/api/v1/markets/${town}`));
  t.notOk("continues" in data || "continued_by" in data);
  const list = await app.get("/api/v1/markets?detail=true&page_size=1");
  t.match(JSON.parse(list.text), { data: [{ name: "Lodwar", continued_by: { market: { uuid: town } } }] });
});
