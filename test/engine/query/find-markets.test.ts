import t from "tap";
import type { CountyId } from "../../../src/engine/model/ids.ts";
import { findMarkets, type MarketFilter } from "../../../src/engine/query/find-markets.ts";
import { pageOf } from "../../../src/engine/query/page.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

const store = buildStore(tinyDataset());

function found(filter: MarketFilter, page = 1, pageSize = 10): [string[], number] {
  const { entries, total } = pageOf(findMarkets(store, filter), page, pageSize);
  return [entries.map(({ name }) => name), total];
}

t.test("markets come by name and are filtered by county, type and part of the name", async (t) => {
  t.same(found({}), [["Gikomba", "Kongowea", "Wakulima"], 3]);
  t.same(found({ countyId: 47 as CountyId }), [["Gikomba", "Wakulima"], 2]);
  t.same(found({ marketType: "Wholesale" }), [["Kongowea", "Wakulima"], 2]);
  t.same(found({ countyId: 47 as CountyId, marketType: "Wholesale", text: "KÚL" }), [["Wakulima"], 1]);
  t.same(found({ text: "ULI wak" }), [["Wakulima"], 1], "words in any order");
  t.same(found({ text: "nairobi" }), [[], 0], "a county is no name of a market");
});

t.test("a page of markets has the total of all", async (t) => {
  t.same(found({}, 2, 2), [["Wakulima"], 3]);
  t.same(found({}, 3, 2), [[], 3]);
});
