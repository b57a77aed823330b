import fc from "fast-check";
import t from "tap";
import { apiErrors } from "../../../src/contract/errors.ts";
import { countedEndpoints } from "../../../src/service/http/app.ts";
import {
  createCounters,
  durationBounds,
  noEndpoint,
  type RequestFigures,
  readCounters,
  requestCounter,
} from "../../../src/service/serve/shared-counters.ts";
import { valuesOf } from "../../support/fields-of.ts";

const endpoints = ["GET /a", "GET /b", "POST /b"];

/** Three of one status, which are counted apart. */
const codes = ["MISSING_API_KEY", "INVALID_API_KEY", "TIMESTAMP_EXPIRED", "NOT_FOUND", "INTERNAL_ERROR"] as const;

const aRequest = fc.record({
  thread: fc.integer({ min: 1, max: 3 }),
  endpoint: fc.constantFrom(...endpoints, undefined),
  ending: fc.constantFrom(200, 204, 206, 301, 302, 303, 304, ...codes, undefined),
  milliseconds: fc.oneof(
    fc.constantFrom(...durationBounds.map((seconds) => seconds * 1000)),
    fc.integer({ min: 0, max: 20_000 }),
  ),
});
type Request = typeof aRequest extends fc.Arbitrary<infer Value> ? Value : never;

/** Status and code by the status of a success, or the code of an error. */
function outcomeOf(ending: Request["ending"]): Pick<CountedEntry, "status" | "code"> {
  if (typeof ending === "string") return { status: apiErrors[ending].status, code: ending };
  return { status: ending, code: undefined };
}
type CountedEntry = Parameters<ReturnType<typeof requestCounter>>[1];

/** The slow and obvious way: keep all requests, then count. */
function countAll(requests: readonly Request[]): RequestFigures[] {
  const nameOf = ({ endpoint = noEndpoint, ending }: Request): string => {
    const { status = "aborted", code = "" } = outcomeOf(ending);
    return `${endpoint}\n${status}\n${code}`;
  };
  return [...Map.groupBy(requests, nameOf)].map(([name, group]) => {
    const [endpoint = "", status = "", code = ""] = name.split("\n");
    const times = group.map(({ milliseconds }) => milliseconds / 1000);
    const bounds = [...durationBounds, Number.POSITIVE_INFINITY];
    return {
      endpoint,
      status,
      ...(code === "" ? {} : { code }),
      count: group.length,
      sum: times.reduce((sum, time) => sum + time, 0),
      classes: bounds.map(
        (bound, place) => times.filter((time) => time <= bound && time > (bounds[place - 1] ?? -1)).length,
      ),
    };
  });
}

const rounded = (figures: readonly RequestFigures[]): object[] =>
  figures
    .map((figure) => ({ ...figure, sum: Number(figure.sum.toFixed(6)) }))
    .sort((a, b) => nameOfSeries(a).localeCompare(nameOfSeries(b)));

const nameOfSeries = ({ endpoint, status, code }: RequestFigures): string => `${endpoint} ${status} ${code}`;

t.test("what threads count is what all requests kept would give", async (t) => {
  fc.assert(
    fc.property(fc.array(aRequest, { maxLength: 60 }), (requests) => {
      const counters = createCounters(3);
      const counts = [1, 2, 3].map((thread) => requestCounter(counters, endpoints, thread));
      for (const { thread, endpoint, ending, milliseconds } of requests) {
        counts[thread - 1]?.(endpoint, { ...outcomeOf(ending), duration_ms: milliseconds });
      }
      t.strictSame(rounded(readCounters(counters, endpoints)), rounded(countAll(requests)));
    }),
  );
});

t.test("a status was not foreseen and an endpoint is unknown are counted as others", async (t) => {
  const counters = createCounters(1);
  requestCounter(counters, endpoints, 1)("PUT /c", { status: 418, code: undefined, duration_ms: 1 });
  t.match(readCounters(counters, endpoints), [{ endpoint: noEndpoint, status: "other", count: 1 }]);
});

t.test("more endpoints than there is room for are refused", async (t) => {
  const many = Array.from({ length: 65 }, (_, place) => `GET /${place}`);
  t.throws(() => requestCounter(createCounters(1), many, 1), new RangeError("65 endpoints, at most 64"));
});

t.test("all endpoints of the service have series of their own", async (t) => {
  const counters = createCounters(1);
  const count = requestCounter(counters, countedEndpoints, 1);
  for (const endpoint of countedEndpoints) count(endpoint, { status: 200, duration_ms: 1 } as CountedEntry);
  t.strictSame(valuesOf(readCounters(counters, countedEndpoints), "endpoint"), countedEndpoints);
});
