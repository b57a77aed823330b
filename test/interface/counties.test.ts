/** Counties and their sub-counties; test/golden has every field. */
import t from "tap";
import { endpointOf, startEndpoint } from "../support/ask-endpoint.ts";
import { valuesOf } from "../support/fields-of.ts";
import { county } from "../support/tiny-dataset.ts";

t.test("counties are by number, whatever the order of the file", async (t) => {
  const counties = [county(47), county(2), county(10)];
  const { ask } = await startEndpoint<{ data: { id: number }[] }>(t, "GET /counties", { counties, markets: [{}] });
  const { data } = await ask();
  t.same(valuesOf(data, "id"), [2, 10, 47]);
});

t.test("a county and its sub-counties are found by its number, which has one spelling", async (t) => {
  const subCounties = [{ id: 274, name: "Westlands", wards: ["Kitisuru", "Parklands/Highridge"] }];
  const counties = [county(1, { subCounties: [] }), county(47, { name: "Nairobi", subCounties })];
  const { app, ask } = await startEndpoint(t, "GET /counties/:id/sub-counties", { counties, markets: [{}] });
  t.strictSame(await ask("47"), { data: { county: { id: 47, name: "Nairobi" }, sub_counties: subCounties } });
  t.strictSame(await ask("1"), { data: { county: { id: 1, name: "County 1" }, sub_counties: [] } });
  for (const name of ["GET /counties/:id", "GET /counties/:id/sub-counties"]) {
    const { ask, miss, refuse } = endpointOf(t, app, name);
    t.match(await ask("%34%37"), { data: { sub_counties: [{ id: 274 }] } });
    for (const id of ["2", "46"]) await miss(id);
    for (const id of ["-1", "+1", "%201", "1%20", "one", "1,2", "1e0", "x", "01", "1.0"]) await refuse(id, "id");
  }
});
