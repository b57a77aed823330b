import type { Dataset } from "../../src/domain/dataset.ts";
import type { Answer, Endpoint } from "../../src/http/endpoint.ts";
import { endpoints } from "../../src/http/endpoints.ts";
import { LazyList } from "../../src/http/json-text.ts";
import { andThen } from "../../src/query/run-in-slices.ts";
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
      latest: (body) => andThen(latest({ store, params: empty, query: empty, body }), withWholeLists),
      search: (body) => search({ store, params: empty, query: empty, body }),
      statistics: (body) => andThen(statistics({ store, params: empty, query: empty, body }), withWholeLists),
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

/** The other contenders make whole answers, so lists that would be made while the answer is written are made here. */
function withWholeLists<T>(value: T): T {
  if (value instanceof LazyList) return value.toJSON().map(withWholeLists) as T;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const object = value as Record<string, unknown>;
  for (const name in object) {
    const field = object[name];
    if (field instanceof LazyList || name === "data") object[name] = withWholeLists(field);
  }
  return value;
}
