import t from "tap";
import type { Schema } from "../../../src/engine/model/json-schema.ts";
import { type Records, recordFormats } from "../../../src/engine/model/records.ts";
import { checkRecord } from "../../../src/engine/snapshots/check-record.ts";
import type { UncheckedRecord } from "../../../src/engine/snapshots/record-texts.ts";
import type { RecordKind } from "../../../src/engine/snapshots/snapshot-layout.ts";
import {
  continuationRow,
  countyRow,
  cropRow,
  exchangeRateRow,
  marketContinuationRow,
  marketRow,
  marketTypeRow,
  priceRow,
  productRow,
  testUuid,
  unitCategoryRow,
} from "../../support/snapshot-files.ts";
import { crop } from "../../support/tiny-dataset.ts";

const rows = {
  counties: countyRow,
  crops: cropRow,
  units: unitCategoryRow,
  "market-types": marketTypeRow,
  products: productRow,
  markets: marketRow,
  "exchange-rates": exchangeRateRow,
  continuations: continuationRow,
  "market-continuations": marketContinuationRow,
  prices: priceRow,
} as const satisfies Record<RecordKind, (fields?: object) => object>;

/** `field: found` of every fault of a record with these fields. */
function faults(kind: RecordKind, fields: object): string[] {
  const checked = checkRecord(recordFormats[kind] as Schema, rows[kind](fields) as UncheckedRecord);
  return (checked.faults ?? []).map((fault) => `${fault.field} ${fault.kind} ${fault.found}`);
}

const required: Readonly<Record<RecordKind, readonly string[]>> = {
  counties: ["id", "code", "name", "capital", "sub_counties", "created_at", "updated_at"],
  crops: ["id", "name", "category"],
  units: ["category", "units"],
  "market-types": ["type", "description", "characteristics"],
  products: ["uuid", "name", "category", "description", "common_units", "is_active", "created_at", "updated_at"],
  markets: ["uuid", "name", "type", "county_id", "operating_days", "is_active", "created_at", "updated_at"],
  "exchange-rates": ["month", "currency", "rate", "source"],
  continuations: [
    ...["product_uuid", "continues_uuid", "market_type", "last_month", "first_month", "overlap_months", "judgement"],
    "evidence",
  ],
  "market-continuations": [
    ...["market_uuid", "continues_uuid", "last_month", "first_month", "overlap_months", "evidence"],
  ],
  prices: [
    ...["uuid", "product_uuid", "market_uuid", "price", "unit", "currency", "recorded_at", "source"],
    ...["created_at", "updated_at"],
  ],
};

const nullable: Readonly<Record<RecordKind, readonly string[]>> = {
  counties: ["population", "area_sq_km", "coordinates", "economy"],
  crops: [
    ...["scientific_name", "sub_category", "varieties", "growing_season", "maturity_period", "climate_requirements"],
    "major_growing_regions",
  ],
  units: [],
  "market-types": [],
  products: ["sub_category", "alternative_names", "season", "storage_requirements", "metadata"],
  markets: ["sub_county", "location", "operating_hours", "description", "facilities", "contact", "alternative_names"],
  "exchange-rates": [],
  continuations: ["ratio"],
  "market-continuations": [],
  prices: ["quality_grade", "notes", "price_flag"],
};

for (const kind of Object.keys(rows) as RecordKind[]) {
  t.test(`${kind}: every required field must be there and not null, every other may be missing or null`, async (t) => {
    t.same(faults(kind, {}), []);
    for (const field of required[kind]) {
      t.same(faults(kind, { [field]: undefined }), [`${field} missing-field missing`], `without ${field}`);
      t.not(faults(kind, { [field]: null }).length, 0, `${field} null`);
    }
    for (const field of nullable[kind]) {
      t.same(faults(kind, { [field]: null }), [], `${field} null`);
      t.same(faults(kind, { [field]: undefined }), [], `without ${field}`);
    }
    t.same(faults(kind, { colour: 1 }), ["colour unknown-field unknown"]);
  });
}

/** Values that a field takes, and values that it does not. */
const edges: readonly [RecordKind, string, readonly unknown[], readonly unknown[]][] = [
  ["counties", "id", [1, 47], [0, 48, 1.5, "1"]],
  ["counties", "code", ["047", "000"], ["47", "0047", "04a", "٠٤٧", 47]],
  ["counties", "population", [0, 4_397_073], [-1, 1.5, "1", 2 ** 53]],
  ["counties", "area_sq_km", [0.1, 694.9], [0, -1, "1"]],
  ["counties", "sub_counties", [[], [{ id: 1, name: "A", wards: [] }]], [[{ id: 0, name: "A", wards: [] }], [{}], {}]],
  [
    "counties",
    "coordinates",
    [
      { latitude: -90, longitude: -180 },
      { latitude: 90, longitude: 180 },
    ],
    [{}, []],
  ],
  ["counties", "economy", [{ main_activities: [], agricultural_products: ["Tea"] }], [{ main_activities: [] }]],
  ["crops", "id", [1, 2 ** 53 - 1], [0, -1, 2 ** 53, 1.5]],
  ["crops", "category", ["Cash Crops", "Food Crops", "Horticulture"], ["cash crops", "Trees", ""]],
  ["crops", "varieties", [[], ["H614"]], [[""], [null], "H614"]],
  ["crops", "climate_requirements", [{}, { altitude: "low", rainfall: null }], [{ altitude: 1 }, { soil: "loam" }]],
  ["units", "units", [[]], [[{ name: "kg" }], {}]],
  ["market-types", "type", ["Wholesale", "Retail", "Rural", "Urban"], ["retail", "Roadside"]],
  ["market-types", "characteristics", [[], ["A"]], [[" A"], "A"]],
  ["products", "uuid", [testUuid(1), "ABCDEFAB-0000-F000-0000-000000000000"], ["", `${testUuid(1)}0`, "x", 1]],
  ["products", "common_units", [["kg"], ["kg", "bag"]], [[], [""], "kg"]],
  ["products", "is_active", [true, false], [0, "true"]],
  ["products", "metadata", [{}, { a: [1, { b: null }] }], [[], "a", 1]],
  ["markets", "type", ["Rural", "Urban"], ["urban"]],
  ["markets", "county_id", [1, 47], [0, 48]],
  [
    "markets",
    "location",
    [
      { latitude: 0, longitude: 0 },
      { latitude: 0, longitude: 0, address: null },
    ],
    [{}],
  ],
  ["markets", "operating_days", [[], ["Monday", "Sunday"]], [["monday"], ["Mon"], [1], "Monday"]],
  ["markets", "contact", [{}, { phone: "1", email: null }], [{ phone: "" }, { fax: "1" }]],
  [
    "prices",
    "price",
    [Number.MIN_VALUE, 1e12, 0.01],
    [1e12 + 0.001, 1e300, 0, -0, -1, "60", Number.POSITIVE_INFINITY, Number.NaN],
  ],
  ["prices", "currency", ["KES", "USD"], ["kes", "KE", "KESH", "KÉS", "KES\n"]],
  [
    "prices",
    "recorded_at",
    ["2026-01-15T10:30:00Z", "2026-01-15T10:30:00.123+03:00", "2024-02-29T00:00:00Z"],
    ["2026-01-15", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-01-15t10:30:00Z", "2026-01-15T10:30:60Z", 0],
  ],
  ["prices", "source", ["WFP", "a  b"], ["", " ", " WFP", "WFP ", "WFP\n", "\u00a0WFP", 1]],
  ["prices", "notes", ["free"], ["", 1]],
  ["prices", "price_flag", ["actual", "aggregate", "actual_aggregate", "forecast"], ["", "Actual", "guess", true]],
];

for (const [kind, field, fit, invalid] of edges) {
  t.test(`${kind}: ${field} on both sides of its limits`, async (t) => {
    for (const value of fit) t.same(faults(kind, { [field]: value }), [], JSON.stringify(value));
    for (const value of invalid) t.not(faults(kind, { [field]: value }).length, 0, JSON.stringify(value));
  });
}

t.test("coordinates beyond the poles or the date line are named by their path", async (t) => {
  const coordinates = { latitude: -90.001, longitude: 180.001 };
  t.same(faults("counties", { coordinates }), [
    "coordinates.latitude value -90.001",
    "coordinates.longitude value 180.001",
  ]);
});

t.test("units: a factor must be one with which no price is converted to infinity", async (t) => {
  const unit = { name: "kg", abbreviation: "kg", base_unit: "kg" };
  for (const factor of [0, -1, 1e-320, 9e-10, 1.1e9, 1e308]) {
    t.same(faults("units", { units: [{ ...unit, conversion_factor: factor }] }), [
      `units[0].conversion_factor value ${factor}`,
    ]);
  }
  for (const factor of [1e-9, 0.001, 90, 1e9]) {
    t.same(faults("units", { units: [{ ...unit, conversion_factor: factor }] }), []);
  }
});

t.test("metadata may nest 32 deep and no deeper", async (t) => {
  function nested(levels: number): unknown {
    return levels === 0 ? 1 : { a: nested(levels - 1) };
  }
  t.same(faults("products", { metadata: nested(32) }), []);
  t.equal(faults("products", { metadata: nested(33) }).length, 1);
});

t.test("every fault of a record is reported, with what was wanted", async (t) => {
  const { faults } = checkRecord(
    recordFormats.prices,
    priceRow({ price: 0, recorded_at: "2026-13-01", "a/b~c": 1 }) as never,
  );
  t.same(
    faults?.toSorted((a, b) => (String(a.field) < String(b.field) ? -1 : 1)),
    [
      { kind: "unknown-field", field: "a/b~c", found: "unknown", wanted: "only the fields of the format" },
      { kind: "value", field: "price", found: "0", wanted: "a number above 0 and at most 1e12" },
      { kind: "value", field: "recorded_at", found: '"2026-13-01"', wanted: "an RFC 3339 time" },
    ],
  );
});

t.test("fields of a prototype are as unknown as others", async (t) => {
  const price = JSON.parse(JSON.stringify(priceRow()).replace("{", '{"__proto__":1,"constructor":2,'));
  t.same(
    checkRecord(recordFormats.prices, price)
      .faults?.map((fault) => fault.field)
      .sort(),
    ["__proto__", "constructor"],
  );
});

const newYear = Date.UTC(2026, 0, 1);

/** The record in memory of a fit record of a file. */
function inMemory<Kind extends keyof Records>(kind: Kind, row: object): Records[Kind] {
  const { record, faults } = checkRecord(recordFormats[kind], row as Readonly<Record<string, unknown>>);
  if (record === undefined) throw new TypeError(JSON.stringify(faults));
  return record;
}

t.test("what is absent in a file is null in memory", async (t) => {
  t.match(inMemory("counties", countyRow()), { population: null, areaSqKm: null, coordinates: null, economy: null });
  t.same(inMemory("crops", cropRow()), crop());
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

t.test("uuids become lower case and times become instants", async (t) => {
  const uuid = "ABCDEF00-0000-4000-8000-00000000000A";
  t.match(inMemory("products", productRow({ uuid, created_at: "2026-01-01T03:00:00+03:00" })), {
    uuid: uuid.toLowerCase(),
    createdAt: newYear,
    updatedAt: newYear,
  });
});
