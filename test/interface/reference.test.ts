import t from "tap";
import { startEndpoint } from "../support/ask-endpoint.ts";

t.test("units of measurement are in the order of the file, categories and units alike", async (t) => {
  const unitsOf = (...names: [string, number][]) =>
    names.map(([name, conversionFactor]) => ({
      name,
      abbreviation: name,
      baseUnit: names[0]?.[0] ?? "",
      conversionFactor,
    }));
  const { ask } = await startEndpoint(t, "GET /reference/units", {
    unitCategories: [
      { category: "weight", units: unitsOf(["kg", 1], ["90 kg bag", 90], ["g", 0.001]) },
      { category: "count", units: unitsOf(["bunch", 1]) },
    ],
    products: [{}],
  });
  const presented = (base_unit: string, ...names: [string, number][]) =>
    names.map(([name, conversion_factor]) => ({ name, abbreviation: name, base_unit, conversion_factor }));
  t.strictSame(await ask(), {
    data: [
      { category: "weight", units: presented("kg", ["kg", 1], ["90 kg bag", 90], ["g", 0.001]) },
      { category: "count", units: presented("bunch", ["bunch", 1]) },
    ],
  });
});

t.test("market types are in the order of the file with their characteristics", async (t) => {
  const marketTypes = [
    { type: "Wholesale", description: "Sold in bulk.", characteristics: ["Large lots", "Traders"] },
    { type: "Urban", description: "In towns.", characteristics: [] },
  ] as const;
  const { ask } = await startEndpoint(t, "GET /reference/market-types", { marketTypes });
  t.strictSame(await ask(), { data: marketTypes });
});
