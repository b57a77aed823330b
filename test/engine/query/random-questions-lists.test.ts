/** Random questions about products, markets and crops get the same answer from the catalogue and from a plain scan. */
import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import type { Dataset } from "../../../src/engine/model/dataset.ts";
import type { CountyId } from "../../../src/engine/model/ids.ts";
import { cropCategories, marketTypes } from "../../../src/engine/model/vocabulary.ts";
import { listCropCategories, listCrops } from "../../../src/engine/query/find-crops.ts";
import { findMarkets } from "../../../src/engine/query/find-markets.ts";
import { findProducts, listProductCategories } from "../../../src/engine/query/find-products.ts";
import { pageOf } from "../../../src/engine/query/page.ts";
import { suggestProducts } from "../../../src/engine/query/suggest-products.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { finish } from "../../support/explorer-request.ts";
import {
  naiveCropCategories,
  naiveCrops,
  naiveMarkets,
  naiveProductCategories,
  naiveProductSearch,
  naiveProducts,
  naiveSuggestions,
} from "../../support/naive-lists.ts";
import { withPlaces } from "../../support/naive-now.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";
import { questionRuns } from "./question-runs.ts";

/** Parts of names and descriptions of the random datasets, as people write them, and some that are nowhere. */
const searchText = fc.constantFrom(
  "maize",
  "MAÏ",
  "cafe",
  "É",
  "maha",
  "swahili",
  "wakúlima",
  "KA",
  "b",
  "-",
  "quinoa",
  "swahili maize",
  " MAHA  beans ",
  "b a wak",
  "maize quinoa",
);
const category = fc.constantFrom("Cereals", "CEREALS", "cÉréales", "vegetables", "Fruit");
const subCategory = fc.constantFrom("Dry", "DRY", "fresh", "Frozen");
const page = fc.record({ number: fc.integer({ min: 1, max: 4 }), size: fc.constantFrom(1, 2, 3, 100) });

t.test("a list of products is the page of a scan", async () => {
  const question = fc.record({ category: maybe(category), search: maybe(searchText), page });
  fc.assert(
    fc.property(randomDataset({ priceCountMax: 0 }), question, (dataset, { category, search, page }) => {
      const filter = { text: search, categories: category === undefined ? undefined : [category] };
      const { entries, total } = pageOf(findProducts(buildStore(dataset), filter), page.number, page.size);
      const wanted = naiveProducts(dataset, withoutUndefined({ category, search }));
      assert.deepEqual([uuidsOf(entries), total], [onPage(wanted, page), wanted.length]);
    }),
    questionRuns,
  );
});

t.test("a search of products is that of a scan", async () => {
  const question = fc.record({
    text: maybe(searchText),
    categories: maybe(fc.array(category, { minLength: 1, maxLength: 3 })),
    subCategories: maybe(fc.array(subCategory, { minLength: 1, maxLength: 3 })),
    isActive: fc.boolean(),
  });
  fc.assert(
    fc.property(randomDataset({ priceCountMax: 0 }), question, (dataset, { text, ...conditions }) => {
      const found = findProducts(buildStore(dataset), { text, ...conditions });
      assert.deepEqual(uuidsOf(found), naiveProductSearch(dataset, withoutUndefined({ query: text, ...conditions })));
    }),
    questionRuns,
  );
});

t.test("suggestions are those of a scan", async () => {
  const word = fc.constantFrom("beans", "maharagwe", "cafe", "sukuma", "wiki", "mahindi", "white", "meupe");
  const names = fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { maxLength: 3 });
  const typed = fc.tuple(fc.array(word, { minLength: 1, maxLength: 2 }), fc.nat(9), fc.constantFrom("", "x", " ", "é"));
  fc.assert(
    fc.property(fc.array(fc.tuple(names, fc.boolean()), { maxLength: 8 }), typed, (products, [words, at, edit]) => {
      const dataset = tinyDataset({
        products: products.map(([[name = ["Oil"], ...others], isActive]) => {
          return { name: name.join(" "), alternativeNames: others.map((other) => other.join("-")), isActive };
        }),
      });
      const text = words.join(" ").slice(0, at) + edit + words.join(" ").slice(at + 1);
      const store = buildStore(dataset);
      const found = finish(suggestProducts(store, text));
      const uuids = found.map(({ product }) => store.catalogue.products[product]?.record.uuid);
      assert.deepEqual(uuids, naiveSuggestions(dataset, text));
    }),
    questionRuns,
  );
});

t.test("a list of markets is the page of a scan", async () => {
  const countyId = (dataset: Dataset) =>
    fc.constantFrom(...dataset.counties.map(({ id }) => id), 1 as CountyId, 47 as CountyId);
  const question = (dataset: Dataset) =>
    fc.record({
      countyId: maybe(countyId(dataset)),
      marketType: maybe(fc.constantFrom(...marketTypes)),
      search: maybe(searchText),
      near: maybe(fc.record({ latitude: fc.constantFrom(-4, 0, 90), longitude: fc.constantFrom(35, 38.5, -180) })),
      page,
    });
  const datasetAndQuestion = randomDataset({ priceCountMax: 0 })
    .map(withPlaces)
    .chain((dataset) => fc.tuple(fc.constant(dataset), question(dataset)));
  fc.assert(
    fc.property(datasetAndQuestion, ([dataset, { countyId, marketType, search, near, page }]) => {
      const filter = { countyId, marketType, text: search, near };
      const { entries, total } = pageOf(findMarkets(buildStore(dataset), filter), page.number, page.size);
      const wanted = naiveMarkets(dataset, withoutUndefined({ countyId, marketType, search, near }));
      assert.deepEqual([uuidsOf(entries), total], [onPage(wanted, page), wanted.length]);
    }),
    questionRuns,
  );
});

t.test("a list of crops is that of a scan", async () => {
  const question = fc.record({
    category: maybe(fc.constantFrom(...cropCategories)),
    season: maybe(fc.constantFrom("rains", "ALL YEAR", "(march–may)", "dry")),
  });
  fc.assert(
    fc.property(randomDataset({ priceCountMax: 0 }), question, (dataset, filter) => {
      const ids = listCrops(buildStore(dataset), filter).map(({ id }) => id);
      assert.deepEqual(ids, naiveCrops(dataset, withoutUndefined(filter)));
    }),
    questionRuns,
  );
});

t.test("the categories of products and crops are those of a scan", async () => {
  fc.assert(
    fc.property(randomDataset({ priceCountMax: 0 }), (dataset) => {
      const store = buildStore(dataset);
      assert.deepEqual(listProductCategories(store), naiveProductCategories(dataset));
      assert.deepEqual(listCropCategories(store), naiveCropCategories(dataset));
    }),
    questionRuns,
  );
});

/** Half of the conditions are left out. */
function maybe<T>(condition: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(condition, { nil: undefined, freq: 2 });
}

/** The twins take a condition that is not requested as absent. */
function withoutUndefined<T extends object>(conditions: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const entries = Object.entries(conditions).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof T]?: Exclude<T[Name], undefined> };
}

function uuidsOf(records: readonly { readonly uuid: string }[]): string[] {
  return records.map(({ uuid }) => uuid);
}

function onPage<T>(list: readonly T[], { number, size }: { number: number; size: number }): T[] {
  return list.slice((number - 1) * size, number * size);
}
