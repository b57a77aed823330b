import t from "tap";
import { expectError, expectSuccess } from "../support/expect-answer.ts";
import { startApp } from "../support/start-app.ts";
import { county, tinyDataset } from "../support/tiny-dataset.ts";

const path = "/api/v1/counties";

t.test("counties are by number, in summary form: no wards, coordinates, economy or times", async (t) => {
  const app = await startApp(
    t,
    tinyDataset({
      counties: [
        county(47, { name: "Nairobi", capital: "Nairobi", population: 4_397_073, areaSqKm: 703.9 }),
        county(2, { coordinates: { latitude: -4.18, longitude: 39.45 }, subCounties: [] }),
        county(10, { subCounties: [{ id: 3, name: "Isiolo North", wards: ["Wabera"] }] }),
      ],
      markets: [{}],
    }),
  );
  t.strictSame(expectSuccess(t, "GET /counties", await app.get(path)), {
    data: [
      {
        id: 2,
        code: "002",
        name: "County 2",
        capital: "Capital 2",
        population: null,
        area_sq_km: null,
        sub_counties: [],
      },
      {
        id: 10,
        code: "010",
        name: "County 10",
        capital: "Capital 10",
        population: null,
        area_sq_km: null,
        sub_counties: [{ id: 3, name: "Isiolo North" }],
      },
      {
        id: 47,
        code: "047",
        name: "Nairobi",
        capital: "Nairobi",
        population: 4_397_073,
        area_sq_km: 703.9,
        sub_counties: [{ id: 470, name: "Sub-county 470" }],
      },
    ],
  });
  expectError(t, await app.get(`${path}?page=1&page_size=20`), {
    code: "VALIDATION_ERROR",
    fields: ["page", "page_size"],
  });
});
