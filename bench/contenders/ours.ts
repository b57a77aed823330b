import type { Dataset } from "../../src/domain/dataset.ts";
import type { Uuid } from "../../src/domain/ids.ts";
import { latestQuestion, searchQuestion, statisticsQuestion } from "../../src/http/resources/prices/questions.ts";
import { latestPrices } from "../../src/query/latest-prices.ts";
import { pageCount } from "../../src/query/page.ts";
import { priceStatistics } from "../../src/query/price-statistics.ts";
import { andThen } from "../../src/query/run-in-slices.ts";
import { searchPrices } from "../../src/query/search-prices.ts";
import { buildStoreOnThreads } from "../../src/store/build-store.ts";
import { findRow } from "../../src/store/uuid-index.ts";
import type { ReadyContender } from "./contender.ts";
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
        data: latestPrices(store, latestQuestion(body)).map((group) => presentLatestGroup(store, group)),
      }),
      search(body) {
        const question = searchQuestion(body);
        const { page, pageSize } = question;
        return andThen(searchPrices(store, question), ({ entries, total }) => ({
          data: presentFoundPrices(store, entries),
          meta: { page, page_size: pageSize, total, total_pages: pageCount(total, pageSize) },
        }));
      },
      statistics(body) {
        const question = statisticsQuestion(body);
        return andThen(priceStatistics(store, question), (answer) => {
          if ("problem" in answer) throw new RangeError(`the statistics have the problem ${answer.problem}`);
          return {
            data: presentStatistics(store, body, question.grouping, answer),
            meta: presentStatisticsMeta(store, answer),
          };
        });
      },
    },
  };
}
