import type { Dataset } from "../../src/engine/model/dataset.ts";
import { findRow, type Uuid } from "../../src/engine/model/ids.ts";
import { latestPrices } from "../../src/engine/query/latest-prices.ts";
import { pageCount } from "../../src/engine/query/page.ts";
import { priceStatistics } from "../../src/engine/query/price-statistics.ts";
import { searchPrices } from "../../src/engine/query/search-prices.ts";
import { buildStoreOnThreads } from "../../src/engine/store/build-store.ts";
import { finish } from "../../src/engine/store/steps.ts";
import type { Store } from "../../src/engine/store/store.ts";
import { latestQuestion, searchQuestion } from "../../src/service/http/resources/prices/price-endpoints.ts";
import { statisticsQuestion } from "../../src/service/http/resources/prices/statistics-endpoints.ts";
import type { QuestionInputs } from "../questions/question.ts";
import type { Answer, ReadyContender } from "./contender.ts";
import {
  presentFoundPrices,
  presentLatestGroup,
  presentPriceDetail,
  presentStatistics,
  presentStatisticsMeta,
} from "./present-store.ts";

/** The queries of the service, asked as its endpoints ask them. Answers are plain, as those of the other contenders. */
export async function prepareOurs(dataset: Dataset): Promise<ReadyContender> {
  const store = await buildStoreOnThreads(dataset);
  return {
    title: "this service",
    contender: {
      price({ uuid }) {
        const row = findRow(store.rowByUuid, store.prices.uuids, uuid as Uuid);
        if (row === undefined) throw new RangeError(`there is no price ${uuid}`);
        return { data: presentPriceDetail(store, row) };
      },
      latest: (body) => ({
        data: finish(latestPrices(store, latestQuestion(body))).map((group) => presentLatestGroup(store, group)),
      }),
      search: (body) => finish(search(store, body)),
      statistics: (body) => finish(statistics(store, body)),
    },
  };
}

function* search(store: Store, body: QuestionInputs["search"]): Generator<number, Answer> {
  const question = searchQuestion(body);
  const { page, pageSize } = question;
  const { entries, total } = yield* searchPrices(store, question);
  return {
    data: presentFoundPrices(store, entries),
    meta: { page, page_size: pageSize, total, total_pages: pageCount(total, pageSize) },
  };
}

function* statistics(store: Store, body: QuestionInputs["statistics"]): Generator<number, Answer> {
  const question = statisticsQuestion(body);
  const work = priceStatistics(store, question);
  if ("problem" in work) throw new RangeError(`the statistics have the problem ${work.problem}`);
  const answer = yield* work;
  return {
    data: presentStatistics(store, body, question.grouping, answer),
    meta: presentStatisticsMeta(store, answer),
  };
}
