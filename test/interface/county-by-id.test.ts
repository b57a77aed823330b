import t from "tap";
import { expectError, expectSuccess } from "../support/expect-answer.ts";
import { startApp } from "../support/start-app.ts";
import { county, tinyDataset } from "../support/tiny-dataset.ts";

const endpointName = "GET /counties/:id";

t.test("one county", async (t) => {
  const app = await startApp(
    t,
    tinyDataset({
      counties: [
        county(1, {
          name: "Mombasa",
          capital: "Mombasa",
          population: 1_208_333,
          areaSqKm: 219.9,
          coordinates: { latitude: -4.0435, longitude: 39.6682 },
          subCounties: [
            { id: 1, name: "Changamwe", wards: ["Port Reitz", "Kipevu"] },
            { id: 2, name: "Jomvu", wards: [] },
          ],
          economy: { mainActivities: ["Trade"], agriculturalProducts: [] },
        }),
        county(47),
      ],
      markets: [{}],
    }),
  );
  const get = (id: string) => app.get(`/api/v1/counties/${id}`);

  t.test("has coordinates, wards, economy and times", async (t) => {
    t.strictSame(expectSuccess(t, endpointName, await get("1")), {
      data: {
        id: 1,
        code: "001",
        name: "Mombasa",
        capital: "Mombasa",
        population: 1_208_333,
        area_sq_km: 219.9,
        coordinates: { latitude: -4.0435, longitude: 39.6682 },
        sub_counties: [
          { id: 1, name: "Changamwe", wards: ["Port Reitz", "Kipevu"] },
          { id: 2, name: "Jomvu", wards: [] },
        ],
        economy: { main_activities: ["Trade"], agricultural_products: [] },
        created_at: "2026-01-01T00:00:00.000Z",
        updated_at: "2026-01-01T00:00:00.000Z",
      },
    });
  });

  t.test("has null where nothing is known", async (t) => {
    t.match(expectSuccess(t, endpointName, await get("47")), {
      data: { id: 47, population: null, area_sq_km: null, coordinates: null, economy: null },
    });
  });

  t.test("numbers outside 1 to 47, and what is no plain number, are bad values", async (t) => {
    const bad = ["0", "48", "-1", "-0", "01", "047", "1.0", "1e0", "0x1", "+1", "%201", "1%20", "one", "NaN", "1,2"];
    for (const id of bad) {
      expectError(t, await get(id), { code: "VALIDATION_ERROR", fields: ["id"] }, id);
    }
    expectSuccess(t, endpointName, await get("%34%37"));
  });

  t.test("a county that is not in the snapshot is not found", async (t) => {
    for (const id of ["2", "46"]) expectError(t, await get(id), { code: "NOT_FOUND" }, id);
  });

  t.test("takes no parameters in the query", async (t) => {
    expectError(t, await get("1?id=1"), { code: "VALIDATION_ERROR", fields: ["id"] });
  });
});
