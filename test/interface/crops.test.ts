/** Lists of crops; test/golden has every field, and their categories. */
import t from "tap";
import { startEndpoint } from "../support/ask-endpoint.ts";
import { valuesOf } from "../support/fields-of.ts";
import { crop } from "../support/tiny-dataset.ts";

t.test("crops are by id as a number, of a category in any case and a part of the season", async (t) => {
  const { ask, refuse } = await startEndpoint<{ data: { id: number }[] }>(t, "GET /crops", {
    crops: [
      crop({ id: 30, name: "Tea", category: "Cash Crops", growingSeason: "All year" }),
      crop({ id: 4, name: "Maize", category: "Food Crops", growingSeason: "Long rains (March–May)" }),
      crop({ id: 101, name: "Kale", category: "Horticulture", growingSeason: "ALL YEAR" }),
      crop({ id: 5, name: "Sorghum", category: "Food Crops", growingSeason: null }),
    ],
  });
  for (const [query, ...ids] of [
    ["", 4, 5, 30, 101],
    ["?category=Food+Crops", 4, 5],
    ["?category=food%20CROPS", 4, 5],
    ["?season=all%20year", 30, 101],
    ["?season=%E2%80%93May)", 4],
    ["?season=all&category=Horticulture", 101],
  ] as const) {
    const { data } = await ask(query);
    t.same(valuesOf(data, "id"), ids, query);
  }
  const { message } = await refuse("?category=Cereals", "category");
  t.match(message, /expected one of Cash Crops, Food Crops, Horticulture\.$/);
});
