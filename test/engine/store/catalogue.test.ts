import t from "tap";
import type { CountyId, Uuid } from "../../../src/engine/model/ids.ts";
import { buildCatalogue } from "../../../src/engine/store/catalogue.ts";
import { marketsOfCounty } from "../../../src/engine/store/runs.ts";
import { valuesOf } from "../../support/fields-of.ts";
import { county, crop, tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

t.test("products and markets are in the order of folded names, equal ones in that of uuids", async (t) => {
  const named = [
    { name: "Wakulima" },
    { name: "éclair" },
    { name: "wakúlima" },
    { name: "Zebra" },
    { name: "Ecuador" },
    { name: "Ｆinger" },
  ];
  const { products, markets, marketsByName } = buildCatalogue(tinyDataset({ products: named, markets: named }));
  const order = ["éclair", "Ecuador", "Ｆinger", "Wakulima", "wakúlima", "Zebra"];
  t.same(
    products.map(({ record }) => record.name),
    order,
  );
  t.same(
    marketsByName.map((code) => markets[code]?.record.name),
    order,
  );
});

t.test("markets are numbered by county, type, then name, so that those of a county are neighbours", async (t) => {
  const catalogue = buildCatalogue(
    tinyDataset({
      markets: [
        { name: "A", type: "Rural", countyId: 47 as CountyId },
        { name: "D", type: "Wholesale", countyId: 47 as CountyId },
        { name: "C", type: "Wholesale", countyId: 47 as CountyId },
        { name: "B", type: "Rural", countyId: 1 as CountyId },
      ],
    }),
  );
  t.same(
    catalogue.markets.map(({ record }) => record.name),
    ["B", "C", "D", "A"],
  );
  t.same(marketsOfCounty(catalogue, 1), { from: 0, to: 1 });
  t.same(marketsOfCounty(catalogue, 47), { from: 1, to: 4 });
  for (const id of [2, 0, 48, 1.5, Number.NaN]) {
    const { from, to } = marketsOfCounty(catalogue, id);
    t.equal(from, to, String(id));
  }
});

t.test("a uuid leads to the place of its record", async (t) => {
  const catalogue = buildCatalogue(tinyDataset());
  for (const [code, { record }] of catalogue.products.entries()) {
    t.equal(catalogue.productCodes.get(record.uuid), code, record.name);
  }
  for (const [code, { record }] of catalogue.markets.entries()) {
    t.equal(catalogue.marketCodes.get(record.uuid), code, record.name);
  }
  t.equal(catalogue.productCodes.get(uuidOf("product", 9)), undefined);
  t.equal(catalogue.marketCodes.get("" as Uuid), undefined);
});

t.test("counties and crops are in the order of ids, units and market types in that of their files", async (t) => {
  const dataset = tinyDataset({
    counties: [county(47), county(9), county(21)],
    crops: [crop({ id: 10 }), crop({ id: 9 })],
    markets: [],
  });
  const catalogue = buildCatalogue(dataset);
  t.same([...catalogue.counties.keys()], [9, 21, 47]);
  t.same(valuesOf(catalogue.crops, "id"), [9, 10]);
  t.same(catalogue.unitCategories, dataset.unitCategories);
  t.same([...catalogue.units.keys()], ["kg", "90 kg bag", "g", "litre", "piece", "bunch"]);
  t.same(catalogue.marketTypes, dataset.marketTypes);
});

t.test("a record without description has nothing to find in it", async (t) => {
  const { markets } = buildCatalogue(tinyDataset({ markets: [{ description: null }, { description: "Où?" }] }));
  t.same(valuesOf(markets, "searchDescription"), ["", "ou?"]);
});
