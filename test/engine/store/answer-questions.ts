import { listCropCategories, listCrops } from "../../../src/engine/query/find-crops.ts";
import { findMarkets } from "../../../src/engine/query/find-markets.ts";
import { findProducts, listProductCategories } from "../../../src/engine/query/find-products.ts";
import { latestPrices } from "../../../src/engine/query/latest-prices.ts";
import { pageOf } from "../../../src/engine/query/page.ts";
import type { LatestPrices, PriceSearch, PriceStatistics } from "../../../src/engine/query/questions.ts";
import { searchPrices } from "../../../src/engine/query/search-prices.ts";
import { finish } from "../../../src/engine/store/steps.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { askStatistics } from "../../support/statistics-groups.ts";
import { allUuids, storedPrice, uuidsOfRows } from "./stored-prices.ts";

export interface Questions {
  readonly searches: readonly PriceSearch[];
  readonly latest: readonly LatestPrices[];
  readonly statistics: readonly PriceStatistics[];
}

/** What a store answers, free of row numbers and of memory, so that it can be compared and sent to another thread. */
export async function answerQuestions(store: Store, questions: Questions): Promise<object> {
  return {
    everyPrice: (await allUuids(store)).map((uuid) => storedPrice(store, uuid)),
    searches: await Promise.all(
      questions.searches.map(async (question) => {
        const { entries, total } = finish(searchPrices(store, question));
        return { uuids: uuidsOfRows(store, entries), total };
      }),
    ),
    latest: questions.latest.map((question) =>
      finish(latestPrices(store, question)).map(({ product, rows }) => ({ product, uuids: uuidsOfRows(store, rows) })),
    ),
    statistics: await Promise.all(questions.statistics.map((question) => askStatistics(store, question))),
    products: pageOf(findProducts(store, {}), 1, 100),
    productCategories: listProductCategories(store),
    markets: pageOf(findMarkets(store, {}), 1, 100),
    crops: listCrops(store, {}),
    cropCategories: listCropCategories(store),
  };
}
