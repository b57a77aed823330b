import t from "tap";
import { cropCategories } from "../../../src/domain/vocabulary.ts";
import { cropRecords } from "../../../src/sample/reference/crops.ts";

t.test("crops are of all categories, numbered from 1, and some facts are unknown", (t) => {
  t.same(
    cropRecords.map(({ id }) => id),
    cropRecords.map((_, index) => index + 1),
  );
  t.equal(new Set(cropRecords.map(({ name }) => name)).size, cropRecords.length);
  t.same(new Set(cropRecords.map(({ category }) => category)), new Set(cropCategories));
  for (const field of [
    "subCategory",
    "growingSeason",
    "climateRequirements",
    "majorGrowingRegions",
    "varieties",
  ] as const) {
    t.ok(cropRecords.some((record) => record[field] === null) && cropRecords.some((record) => record[field] !== null));
  }
  t.end();
});
