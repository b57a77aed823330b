import t from "tap";
import { unitOfTrade } from "../../../src/importers/wfp/unit-of-trade.ts";

const maize = 51;

t.test("known units have their names", async (t) => {
  t.same(unitOfTrade("90 KG", maize), { name: "90 kg bag", added: null });
  t.same(unitOfTrade("KG", maize), { name: "kg", added: null });
  t.same(unitOfTrade("Unit", 254), { name: "piece", added: null });
  t.same(unitOfTrade("500 ML", 794), { name: "500 ml packet", added: null });
});

t.test("a package that belongs to some goods is a plain pack for all others", async (t) => {
  t.equal(unitOfTrade("400 G", 55)?.name, "400 g loaf");
  t.equal(unitOfTrade("400 G", maize)?.name, "400 g pack");
  t.equal(unitOfTrade("64 KG", 114)?.name, "64 kg crate");
  t.equal(unitOfTrade("64 KG", maize)?.name, "64 kg pack");
});

t.test("a stated size becomes a pack that converts to its base unit", async (t) => {
  t.same(unitOfTrade("2.5 KG", maize)?.added, {
    category: "Weight",
    unit: { name: "2.5 kg pack", abbreviation: "2.5 kg", baseUnit: "kg", conversionFactor: 2.5 },
  });
  t.same(unitOfTrade("750 G", maize)?.added?.unit.conversionFactor, 0.75);
  t.same(unitOfTrade("5 L", 96)?.added, {
    category: "Volume",
    unit: { name: "5 litre pack", abbreviation: "5 l", baseUnit: "litre", conversionFactor: 5 },
  });
  t.same(unitOfTrade("250ML", 96)?.added?.unit, {
    name: "250 ml pack",
    abbreviation: "250 ml",
    baseUnit: "litre",
    conversionFactor: 0.25,
  });
  t.equal(unitOfTrade("05.0 KG", maize)?.name, "5 kg pack", "one size has one name");
});

t.test("1 KG and 1 L are the base units themselves", async (t) => {
  t.same(unitOfTrade("1 KG", maize), { name: "kg", added: null });
  t.same(unitOfTrade("1 L", 96), { name: "litre", added: null });
});

t.test("any other text is no unit", async (t) => {
  for (const text of ["", "Sack", "0 KG", "-5 KG", "KG 5", "1e3 KG", "5 KG bag", "5 LB", "1234567 KG", "NaN KG"]) {
    t.equal(unitOfTrade(text, maize), undefined, text);
  }
});
