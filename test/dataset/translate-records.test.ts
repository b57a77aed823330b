import t from "tap";
import { instantOf, translatePrice, translators, uuidOf } from "../../src/dataset/translate-records.ts";
import {
  countyRow,
  cropRow,
  marketRow,
  marketTypeRow,
  priceRow,
  productRow,
  unitCategoryRow,
} from "../support/snapshot-files.ts";

const newYear = Date.UTC(2026, 0, 1);

t.test("what is absent in a file is null in memory", async (t) => {
  t.match(translators.counties(countyRow()), { population: null, areaSqKm: null, coordinates: null, economy: null });
  t.same(translators.crops(cropRow()), {
    id: 1,
    name: "Maize",
    scientificName: null,
    category: "Food Crops",
    subCategory: null,
    varieties: null,
    growingSeason: null,
    maturityPeriod: null,
    climateRequirements: null,
    majorGrowingRegions: null,
  });
  t.match(translators.crops(cropRow({ climate_requirements: {} })).climateRequirements, {
    altitude: null,
    rainfall: null,
    temperature: null,
  });
  t.match(translators.markets(marketRow({ location: { latitude: 1, longitude: 2 }, contact: {} })), {
    location: { latitude: 1, longitude: 2, address: null },
    contact: { phone: null, email: null },
    subCounty: null,
  });
  t.match(translators.products(productRow()), { metadata: null, season: null, alternativeNames: null });
});

t.test("fields of several words change their spelling", async (t) => {
  const economy = { main_activities: ["Farming"], agricultural_products: ["Tea"] };
  t.match(translators.counties(countyRow({ area_sq_km: 1, economy })), {
    areaSqKm: 1,
    economy: { mainActivities: ["Farming"], agriculturalProducts: ["Tea"] },
  });
});

t.test("uuids become lower case and times become instants", async (t) => {
  const uuid = "ABCDEF00-0000-4000-8000-00000000000A";
  t.match(translators.products(productRow({ uuid, created_at: "2026-01-01T03:00:00+03:00" })), {
    uuid: uuid.toLowerCase(),
    createdAt: newYear,
    updatedAt: newYear,
  });
  t.equal(uuidOf(uuid), uuid.toLowerCase());
});

t.test("sub-counties come in order of id", async (t) => {
  const sub_counties = [
    { id: 9, name: "B", wards: [] },
    { id: 3, name: "A", wards: ["W"] },
  ];
  t.same(translators.counties(countyRow({ sub_counties })).subCounties, [sub_counties[1], sub_counties[0]]);
});

t.test("units and market types keep their order", async (t) => {
  t.same(translators.units(unitCategoryRow()).units[1], {
    name: "90 kg bag",
    abbreviation: "90 kg",
    baseUnit: "kg",
    conversionFactor: 90,
  });
  t.same(translators["market-types"](marketTypeRow()), marketTypeRow());
});

t.test("a price refers to positions", async (t) => {
  t.same(translatePrice(priceRow({ notes: "n" }), 4, 5), {
    uuid: "00000000-0000-4000-8000-000000000100",
    product: 4,
    market: 5,
    price: 60,
    unit: "kg",
    currency: "KES",
    recordedAt: Date.UTC(2026, 0, 15, 6),
    source: "WFP",
    qualityGrade: null,
    notes: "n",
    createdAt: newYear,
    updatedAt: newYear,
  });
});

t.test("a time that no check let pass is a bug", async (t) => {
  t.throws(() => instantOf("2026-13-01"), TypeError);
});
