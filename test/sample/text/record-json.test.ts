import t from "tap";
import { recordJson } from "../../../src/sample/text/record-json.ts";

t.test("fields become snake_case at every depth, instants become text, free-form metadata stays", (t) => {
  const record = {
    uuid: "u",
    areaSqKm: 1.5,
    economy: { mainActivities: ["Trade"], agriculturalProducts: [] },
    subCounties: [{ id: 1, name: "North" }],
    metadata: { someKey: { createdAt: 5 } },
    contact: null,
    isActive: true,
    createdAt: 0,
    updatedAt: Date.UTC(2026, 0, 15, 10, 30),
  };
  t.same(recordJson([record]), [
    {
      uuid: "u",
      area_sq_km: 1.5,
      economy: { main_activities: ["Trade"], agricultural_products: [] },
      sub_counties: [{ id: 1, name: "North" }],
      metadata: { someKey: { createdAt: 5 } },
      contact: null,
      is_active: true,
      created_at: "1970-01-01T00:00:00.000Z",
      updated_at: "2026-01-15T10:30:00.000Z",
    },
  ]);
  t.end();
});
