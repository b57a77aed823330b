import t from "tap";
import { expectError, expectSuccess } from "../support/expect-answer.ts";
import { startApp } from "../support/start-app.ts";
import { crop, tinyDataset } from "../support/tiny-dataset.ts";

const path = "/api/v1/crops";
const endpointName = "GET /crops";

const dataset = tinyDataset({
  crops: [
    crop({ id: 30, name: "Tea", category: "Cash Crops", growingSeason: "All year" }),
    crop({
      id: 4,
      name: "Maize",
      scientificName: "Zea mays",
      category: "Food Crops",
      subCategory: "Cereals",
      varieties: ["H614", "DK 8031"],
      growingSeason: "Long rains (March–May)",
      maturityPeriod: "4 to 6 months",
      climateRequirements: { altitude: "0–2,200 m", rainfall: null, temperature: "18–30 °C" },
      majorGrowingRegions: ["Trans Nzoia", "Uasin Gishu"],
    }),
    crop({ id: 101, name: "Kale", category: "Horticulture", growingSeason: "ALL YEAR" }),
    crop({ id: 5, name: "Sorghum", category: "Food Crops", growingSeason: null }),
  ],
});

interface Body {
  data: { id: number }[];
}

t.test("list of crops", async (t) => {
  const app = await startApp(t, dataset);
  const idsOf = async (query: string) =>
    expectSuccess<Body>(t, endpointName, await app.get(path + query)).data.map(({ id }) => id);

  t.test("answers every field of a crop, by id as a number, unknown ones null", async (t) => {
    const body = expectSuccess<Body>(t, endpointName, await app.get(path));
    t.same(
      body.data.map(({ id }) => id),
      [4, 5, 30, 101],
    );
    t.strictSame(body.data.slice(0, 2), [
      {
        id: 4,
        name: "Maize",
        scientific_name: "Zea mays",
        category: "Food Crops",
        sub_category: "Cereals",
        varieties: ["H614", "DK 8031"],
        growing_season: "Long rains (March–May)",
        maturity_period: "4 to 6 months",
        climate_requirements: { altitude: "0–2,200 m", rainfall: null, temperature: "18–30 °C" },
        major_growing_regions: ["Trans Nzoia", "Uasin Gishu"],
      },
      {
        id: 5,
        name: "Sorghum",
        scientific_name: null,
        category: "Food Crops",
        sub_category: null,
        varieties: null,
        growing_season: null,
        maturity_period: null,
        climate_requirements: null,
        major_growing_regions: null,
      },
    ]);
  });

  t.test("category is matched in any case and closed", async (t) => {
    t.same(await idsOf("?category=Food%20Crops"), [4, 5]);
    t.same(await idsOf("?category=Food+Crops"), [4, 5], "plus is a blank");
    t.same(await idsOf("?category=Cash%20Crops"), [30]);
    t.same(await idsOf("?category=Horticulture"), [101]);
    t.same(await idsOf("?category=food%20CROPS"), [4, 5]);
    for (const value of ["Food%20Crops%20", "Cereals", ""]) {
      const answer = await app.get(`${path}?category=${value}`);
      const { message } = expectError(t, answer, { code: "VALIDATION_ERROR", fields: ["category"] });
      t.match(message, /expected one of Cash Crops, Food Crops, Horticulture\.$/);
    }
  });

  t.test("season is a part of the growing season in any case; unknown seasons never match", async (t) => {
    t.same(await idsOf("?season=all%20year"), [30, 101]);
    t.same(await idsOf("?season=LONG"), [4]);
    t.same(await idsOf("?season=%E2%80%93May)"), [4]);
    t.same(await idsOf("?season=harvest"), []);
    t.same(await idsOf("?season=all&category=Horticulture"), [101]);
  });

  t.test("there are no pages", async (t) => {
    for (const field of ["page", "page_size", "search", "Category"]) {
      expectError(t, await app.get(`${path}?${field}=1`), { code: "VALIDATION_ERROR", fields: [field] });
    }
  });
});

t.test("no crops are an empty list", async (t) => {
  const app = await startApp(t, tinyDataset({ crops: [] }));
  t.strictSame(expectSuccess(t, endpointName, await app.get(path)), { data: [] });
});
