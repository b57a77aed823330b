import t from "tap";
import { type CropFilter, listCropCategories, listCrops } from "../../../src/engine/query/find-crops.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { crop, tinyDataset } from "../../support/tiny-dataset.ts";

const store = buildStore(
  tinyDataset({
    crops: [
      crop({ id: 10, name: "Tea", category: "Cash Crops", growingSeason: "All year" }),
      crop({ id: 2, name: "maize", subCategory: "Cereals", growingSeason: "Long RAINS" }),
      crop({ id: 4, name: "Barley", subCategory: "Cereals" }),
      crop({ id: 3, name: "Beans", subCategory: "legumes", growingSeason: "short rains" }),
    ],
  }),
);

const found = (filter: CropFilter) => listCrops(store, filter).map(({ id }) => id);

t.test("crops come by id and are filtered by category and part of the season, whatever its case", async (t) => {
  t.same(found({}), [2, 3, 4, 10]);
  t.same(found({ category: "Cash Crops" }), [10]);
  t.same(found({ season: "Rains" }), [2, 3]);
  t.same(found({ season: "rains", category: "Cash Crops" }), []);
});

t.test("crop categories, their sub-categories and crops come by folded name", async (t) => {
  t.same(listCropCategories(store), [
    { category: "Cash Crops", subCategories: [] },
    {
      category: "Food Crops",
      subCategories: [
        { name: "Cereals", crops: ["Barley", "maize"] },
        { name: "legumes", crops: ["Beans"] },
      ],
    },
  ]);
});
