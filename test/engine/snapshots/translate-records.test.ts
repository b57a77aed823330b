import t from "tap";
import { type Records, recordFormats } from "../../../src/engine/model/records.ts";
import { checkRecord } from "../../../src/engine/snapshots/check-record.ts";
import {
  countyRow,
  cropRow,
  marketRow,
  marketTypeRow,
  priceRow,
  productRow,
  unitCategoryRow,
} from "../../support/snapshot-files.ts";

const newYear = Date.UTC(2026, 0, 1);

/** The record in memory of a fit record of a file. */
function inMemory<Kind extends keyof Records>(kind: Kind, row: object): Records[Kind] {
  const { record, faults } = checkRecord(recordFormats[kind], row as Readonly<Record<string, unknown>>);
  if (record === undefined) throw new TypeError(JSON.stringify(faults));
  return record;
}

t.test("what is absent in a file is null in memory", async (t) => {
  t.match(inMemory("counties", countyRow()), { population: null, areaSqKm: null, coordinates: null, economy: null });
  t.same(inMemory("crops", cropRow()), {
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
  t.match(inMemory("crops", cropRow({ climate_requirements: {} })).climateRequirements, {
    altitude: null,
    rainfall: null,
    temperature: null,
  });
  t.match(inMemory("markets", marketRow({ location: { latitude: 1, longitude: 2 }, contact: {} })), {
    location: { latitude: 1, longitude: 2, address: null },
    contact: { phone: null, email: null },
    subCounty: null,
  });
  t.match(inMemory("products", productRow()), { metadata: null, season: null, alternativeNames: null });
});

t.test("fields of several words change their spelling", async (t) => {
  const economy = { main_activities: ["Farming"], agricultural_products: ["Tea"] };
  t.match(inMemory("counties", countyRow({ area_sq_km: 1, economy })), {
    areaSqKm: 1,
    economy: { mainActivities: ["Farming"], agriculturalProducts: ["Tea"] },
  });
});

t.test("uuids become lower case and times become instants", async (t) => {
  const uuid = "ABCDEF00-0000-4000-8000-00000000000A";
  t.match(inMemory("products", productRow({ uuid, created_at: "2026-01-01T03:00:00+03:00" })), {
    uuid: uuid.toLowerCase(),
    createdAt: newYear,
    updatedAt: newYear,
  });
});

t.test("units and market types keep their order", async (t) => {
  t.same(inMemory("units", unitCategoryRow()).units[1], {
    name: "90 kg bag",
    abbreviation: "90 kg",
    baseUnit: "kg",
    conversionFactor: 90,
  });
  t.same(inMemory("market-types", marketTypeRow()), marketTypeRow());
});

t.test("a price refers to uuids", async (t) => {
  const product_uuid = "ABCDEF00-0000-4000-8000-00000000000A";
  t.same(inMemory("prices", priceRow({ notes: "n", product_uuid })), {
    uuid: "00000000-0000-4000-8000-000000000100",
    productUuid: product_uuid.toLowerCase(),
    marketUuid: marketRow().uuid,
    price: 60,
    unit: "kg",
    currency: "KES",
    recordedAt: Date.UTC(2026, 0, 15, 6),
    source: "WFP",
    qualityGrade: null,
    notes: "n",
    priceFlag: null,
    createdAt: newYear,
    updatedAt: newYear,
  });
});

t.test("times are the same after more of them than are remembered", async (t) => {
  const times = Array.from({ length: 10_000 }, (_, index) => newYear + index * 60_000);
  for (let round = 0; round < 2; round++) {
    const isSame = (time: number): boolean =>
      inMemory("prices", priceRow({ recorded_at: new Date(time).toISOString() })).recordedAt === time;
    t.ok(times.every(isSame));
  }
});

t.test("free-form metadata stays as it is", async (t) => {
  const metadata = { some_key: [1, { created_at: "x" }] };
  t.same(inMemory("products", productRow({ metadata })).metadata, metadata);
});
