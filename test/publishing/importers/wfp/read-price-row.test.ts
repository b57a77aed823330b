import t from "tap";
import { type Day, dayFromText } from "../../../../src/engine/model/calendar.ts";
import {
  type PriceFact,
  priceKey,
  readPriceRow,
  type UnitOfPrice,
  unitOfPrice,
} from "../../../../src/publishing/importers/wfp/read-price-row.ts";
import { readReferenceData } from "../../../../src/publishing/importers/wfp/reference-data.ts";

const reference = await readReferenceData();
const unitOf = (text: string, commodityId: number): UnitOfPrice | undefined =>
  unitOfPrice(text, commodityId, reference);
const maize = 51;
const today = dayFromText("2024-01-15") as Day;

t.test("known units have their names", async (t) => {
  t.same(unitOf("90 KG", maize), { name: "90 kg bag", added: null });
  t.same(unitOf("KG", maize), { name: "kg", added: null });
  t.same(unitOf("Unit", 254), { name: "piece", added: null });
  t.same(unitOf("500 ML", 794), { name: "500 ml packet", added: null });
});

t.test("a package that belongs to some goods is a plain pack for all others", async (t) => {
  t.equal(unitOf("400 G", 55)?.name, "400 g loaf");
  t.equal(unitOf("400 G", maize)?.name, "400 g pack");
  t.equal(unitOf("64 KG", 114)?.name, "64 kg crate");
  t.equal(unitOf("64 KG", maize)?.name, "64 kg pack");
});

t.test("a stated size becomes a pack that converts to its base unit", async (t) => {
  const unknown = { goods: null, source: null };
  for (const [text, category, name, abbreviation, base_unit, conversion_factor] of [
    ["2.5 KG", "Weight", "2.5 kg pack", "2.5 kg", "kg", 2.5],
    ["5 L", "Volume", "5 litre pack", "5 l", "litre", 5],
    ["250ML", "Volume", "250 ml pack", "250 ml", "litre", 0.25],
  ] as const) {
    const added = { category, name, abbreviation, base_unit, conversion_factor, ...unknown };
    t.same(unitOf(text, 96)?.added, added);
  }
  for (const grams of [3, 7, 700, 750, 999.9]) {
    t.equal(unitOf(`${grams} G`, maize)?.added?.conversion_factor, grams / 1000);
  }
  t.equal(unitOf("05.0 KG", maize)?.name, "5 kg pack", "one size has one name");
});

t.test("1 KG and 1 L are the base units themselves", async (t) => {
  t.same(unitOf("1 KG", maize), { name: "kg", added: null });
  t.same(unitOf("1 L", 96), { name: "litre", added: null });
});

t.test("any other text is no unit", async (t) => {
  for (const text of ["", "Sack", "0 KG", "-5 KG", "KG 5", "1e3 KG", "5 KG bag", "5 LB", "1234567 KG", "NaN KG"]) {
    t.equal(unitOf(text, maize), undefined, text);
  }
});

t.test("every part of the key of a price counts", async (t) => {
  const fact = {
    day: dayFromText("2023-03-15") as PriceFact["day"],
    marketId: 184,
    commodityId: 67,
    wfpUnit: "90 KG",
    priceType: "Wholesale" as const,
  };
  const keys = [
    fact,
    { ...fact, day: dayFromText("2023-03-16") as PriceFact["day"] },
    { ...fact, marketId: 185 },
    { ...fact, commodityId: 68 },
    { ...fact, wfpUnit: "KG" },
    { ...fact, priceType: "Retail" as const },
  ].map(priceKey);
  t.equal(new Set(keys).size, keys.length);
});

t.test("flags of the export are one price flag, unknown ones are notes; a day after today is no price", async (t) => {
  const place = { admin2: "Nairobi", market: "Nairobi", market_id: "1", latitude: "", longitude: "" };
  const goods = { category: "", commodity: "Maize", commodity_id: "51", unit: "KG" };
  const price = { pricetype: "Retail", currency: "KES", price: "50" };
  const row = { line: 2, countries: [], date: "2024-01-15", ...place, ...goods, ...price };
  const flagged: readonly (readonly [text: string, flag: string | null, notes: string | null])[] = [
    ["actual", "actual", null],
    ["aggregate", "aggregate", null],
    ["actual,aggregate", "actual_aggregate", null],
    ["aggregate, actual", "actual_aggregate", null],
    ["", null, null],
    ["actual,guess", null, "WFP price flags: actual, guess"],
  ];
  for (const [priceflag, flag, notes] of flagged) {
    t.match(readPriceRow({ ...row, priceflag }, reference, today), { flag, notes }, priceflag);
  }
  t.equal(readPriceRow({ ...row, priceflag: "actual,forecast" }, reference, today), "forecast");
  t.equal(readPriceRow({ ...row, priceflag: "", date: "2024-01-16" }, reference, today), "date_future");
});
