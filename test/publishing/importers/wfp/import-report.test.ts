import t from "tap";
import { snakeCased } from "../../../../src/engine/model/snake-case.ts";
import { type ImportReport, reportText } from "../../../../src/publishing/importers/wfp/wfp-report.ts";

const report: ImportReport = {
  rowCount: 1_234_567,
  priceCount: 1,
  retailPriceCount: 1,
  wholesalePriceCount: 0,
  dayFirst: "2024-01-15",
  dayLast: "2024-03-15",
  productCount: 1,
  activeProductCount: 1,
  marketCount: 2,
  activeMarketCount: 1,
  exchangeRateCount: 3,
  continuationCount: 1,
  marketContinuationCount: 2,
  placeCount: 1,
  units: [{ wfpUnit: "90 KG", unit: "90 kg bag", priceCount: 1000 }],
  flags: [{ flag: "aggregate", priceCount: 999 }],
  notes: [{ note: "WFP price flags: guess", priceCount: 1 }],
  judgedPlaces: [{ marketId: 7, county: "Isiolo", reason: "the ward is there" }],
  placesWithoutLocation: ["Hola"],
  productsWithoutText: ["Candles"],
  leftOut: [{ reason: "forecast", rowCount: 2242, lineFirst: 17 }],
  otherCountries: [],
  marketsWithoutCounty: [{ marketId: 8, name: "Border post", admin2: "Meru North" }],
};

t.test("a person reads what was kept, converted and left out", async (t) => {
  t.equal(
    reportText(report),
    `Read 1,234,567 rows, 2024-01-15 to 2024-03-15.

Kept
  1 price: 1 retail, 0 wholesale
  1 product, 1 of them active
  2 markets at 1 place, 1 of them active
  3 exchange rates, 1 continuation of products and 2 of markets

Converted
  unit 90 KG to "90 kg bag": 1,000 prices
  price flag aggregate: 999 prices
  note "WFP price flags: guess": 1 price
  market 7 decided by hand, Isiolo County: the ward is there
  no coordinates: Hola
  plain description, no product text: Candles

Left out
  2,242 rows: a forecast, not a price (first at line 17)
  market 8 "Border post" has no county, its district is "Meru North"
`,
  );
});

t.test("an import that leaves nothing out says so", async (t) => {
  t.match(reportText({ ...report, leftOut: [], marketsWithoutCounty: [] }), /Left out\n {2}nothing\n$/);
});

t.test("the JSON report has snake_case keys at every depth", async (t) => {
  const parsed = snakeCased(report) as Record<string, unknown>;
  t.equal(parsed["row_count"], 1_234_567);
  t.same(parsed["left_out"], [{ reason: "forecast", row_count: 2242, line_first: 17 }]);
  t.same(parsed["units"], [{ wfp_unit: "90 KG", unit: "90 kg bag", price_count: 1000 }]);
});
