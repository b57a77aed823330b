import type { Dataset } from "../../src/domain/dataset.ts";
import type { Answer, Endpoint } from "../../src/http/endpoint.ts";
import { endpoints } from "../../src/http/endpoints.ts";
import { buildStoreOnThreads } from "../../src/store/build-store.ts";
import type { ReadyContender } from "./contender.ts";

/** The service itself, asked through the handlers of its endpoints. */
export async function prepareOurs(dataset: Dataset): Promise<ReadyContender> {
  const store = await buildStoreOnThreads(dataset);
  const price = handlerOf("GET", "/prices/:uuid");
  const latest = handlerOf("POST", "/prices/latest");
  const search = handlerOf("POST", "/prices/search");
  const statistics = handlerOf("POST", "/prices/statistics");
  const empty = {};
  return {
    title: "this service",
    contender: {
      price: (params) => price({ store, params, query: empty, body: empty }),
      latest: (body) => latest({ store, params: empty, query: empty, body }),
      search: (body) => search({ store, params: empty, query: empty, body }),
      statistics: (body) => statistics({ store, params: empty, query: empty, body }),
    },
  };
}

/** A handler may answer at once or, where an answer takes long, in slices. */
type Handler = (input: Parameters<Endpoint["handle"]>[0]) => Answer | Promise<Answer>;

function handlerOf(method: Endpoint["method"], path: string): Handler {
  const found = endpoints.find((endpoint) => endpoint.method === method && endpoint.path === path);
  if (found === undefined) throw new RangeError(`there is no endpoint ${method} ${path}`);
  return found.handle;
}
