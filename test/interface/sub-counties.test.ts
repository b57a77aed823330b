import t from "tap";
import { expectError, expectSuccess } from "../support/expect-answer.ts";
import { startApp } from "../support/start-app.ts";
import { county, tinyDataset } from "../support/tiny-dataset.ts";

const endpointName = "GET /counties/:id/sub-counties";

t.test("sub-counties of a county", async (t) => {
  const subCounties = [
    { id: 274, name: "Westlands", wards: ["Kitisuru", "Parklands/Highridge"] },
    { id: 275, name: "Dagoretti North", wards: [] },
  ];
  const app = await startApp(
    t,
    tinyDataset({
      counties: [county(1, { subCounties: [] }), county(47, { name: "Nairobi", subCounties })],
      markets: [{}],
    }),
  );
  const get = (id: string) => app.get(`/api/v1/counties/${id}/sub-counties`);

  t.test("come with the county's number and name and their wards", async (t) => {
    t.strictSame(expectSuccess(t, endpointName, await get("47")), {
      data: { county: { id: 47, name: "Nairobi" }, sub_counties: subCounties },
    });
    t.strictSame(expectSuccess(t, endpointName, await get("1")), {
      data: { county: { id: 1, name: "County 1" }, sub_counties: [] },
    });
  });

  t.test("have the same edges as counties", async (t) => {
    for (const id of ["0", "48", "x", "1.5"])
      expectError(t, await get(id), { code: "VALIDATION_ERROR", fields: ["id"] });
    expectError(t, await get("2"), { code: "NOT_FOUND" });
    expectError(t, await app.get("/api/v1/counties/47/sub-counties?page=1"), {
      code: "VALIDATION_ERROR",
      fields: ["page"],
    });
    expectError(t, await app.get("/api/v1/counties/47/sub-counties/274"), { code: "NOT_FOUND" });
    expectError(t, await app.get("/api/v1/counties/47/sub_counties"), { code: "NOT_FOUND" });
  });
});
