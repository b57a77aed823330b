/** Every parameter of every endpoint: the values that it takes, those that it refuses, and names that it has not. */
import t from "tap";
import { type Endpoint, endpointName, isFromStore } from "../../src/contract/endpoint.ts";
import { apiPrefix } from "../../src/contract/paths.ts";
import { endpoints } from "../../src/service/http/endpoint-table.ts";
import { bundledStore } from "../support/bundled-data.ts";
import { expectError, expectNoTrouble } from "../support/expect-answer.ts";
import { secretKey, signedHeaders } from "../support/signed-request.ts";
import { type ReceivedAnswer, type RunningApp, startApp, startSeconds } from "../support/start-app.ts";

/** Values of a parameter. In a query they are sent as texts, in a body as JSON. */
interface Kind {
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
  /** Refused as texts of a query. */
  readonly badTexts?: readonly string[];
  /** Refused as values of a body. */
  readonly badValues?: readonly unknown[];
  /** Fields of the question beside it. */
  readonly beside?: Readonly<Record<string, string>>;
}

function integer(least: number, greatest: number, good = [least, greatest]): Kind {
  return {
    good,
    bad: [least - 1, greatest + 1, 1.5, ""],
    badTexts: [..."x 0x1 2e1 +1 01 1.0 NaN null 1,2".split(" "), " 1", "1 ", "٣", "9".repeat(20)],
    badValues: ["1", null, [1], true, 1e308],
  };
}

function choice(...good: string[]): Kind {
  const [first = ""] = good;
  const others = good.includes(first.toUpperCase()) ? [] : [first.toUpperCase()];
  return { good, bad: ["", "nothing", ` ${first}`, `${first},${first}`, ...others], badValues: [null, [first], 1] };
}

const truth: Kind = {
  good: [true, false],
  bad: [1, "", "yes"],
  badTexts: ["0", "True", "TRUE", "null"],
  badValues: ["true", null, 0, []],
};

function text(good: string): Kind {
  return {
    good: [good],
    bad: ["", " ", " \t", "x".repeat(201)],
    badTexts: ["%"],
    badValues: [null, [good], 5, {}, "\ud83c"],
  };
}

/** A text of which something must be left once marks and signs are taken away. */
function searched(good: string): Kind {
  const { bad, ...others } = text(good);
  return { ...others, good: [good, "x".repeat(200)], bad: [...bad, "\u0301", "’", "\u200b"] };
}

const days = ["2026-02-30", "2025-02-29", "2100-02-29", "2026-1-1", "20260101", "2026-01-01T00:00:00Z", "2026-02-01\n"];

function day(...good: string[]): Kind {
  return { good, bad: ["", ...days, "٢٠٢٦-٠٢-٠١"], badValues: [null, 20_260_101, {}, [good[0]]] };
}

function month(good: string): Kind {
  return { good: [good], bad: ["", "2026-13", "2026-00", "2026-1", "2026-4", `${good}-01`, " 2026-01"] };
}

function uuid(good: string): Kind {
  const cut = good.slice(1);
  return {
    good: [good, good.toUpperCase()],
    bad: [
      "",
      "x",
      cut,
      `${good}0`,
      ` ${good}`,
      `${good}\n`,
      `{${good}}`,
      `${good},${good}`,
      good.replaceAll("-", ""),
      `g${cut}`,
    ],
    badValues: [null, [good], 5],
  };
}

function list(item: Kind): Kind {
  const [one] = item.good;
  return {
    good: [[one], Array(100).fill(one)],
    bad: [Array(101).fill(one)],
    badValues: [[], one, null],
  };
}

const number: Kind = {
  good: [0, 20.5, -5],
  bad: ["", "x", "1,5"],
  badTexts: ["1e3", "+1", "01", "NaN", ".5", "1."],
  badValues: ["10", null, [1]],
};

const product = uuid("8279063d-b290-5e29-a97f-e7b9ef6a7e2a");
const market = uuid("e5832903-cb0a-540c-a9ce-fed7db5c3099");
const county = integer(1, 47);

/** By name, or by endpoint and name where a name has several meanings. */
const kinds: Readonly<Record<string, Kind>> = {
  base: month("2019-01"),
  categories: list(text("Cereals")),
  category: text("Cereals"),
  "GET /crops category": { good: ["Food Crops", "food CROPS"], bad: ["", "Cereals", "Food Crops "] },
  class: list(choice("normal", "stress", "alert", "crisis")),
  county_id: county,
  county_ids: list(county),
  currency: text("KES"),
  detail: truth,
  direction: choice("asc", "desc"),
  end_date: day("2099-12-31", "9999-12-31"),
  end_month: month("2099-12"),
  formulas: choice("escaped", "raw"),
  group_by: choice("day", "week", "month", "quarter", "year", "market", "county"),
  is_active: truth,
  lang: choice("en", "sw"),
  level: choice("market", "county", "country"),
  "GET /exports/index.csv level": choice("county", "country"),
  limit: { ...integer(1, 1000), good: [1, 100] },
  longest_gap_months_max: integer(0, Number.MAX_SAFE_INTEGER),
  market_type: choice("Wholesale", "Retail", "Rural", "Urban"),
  market_uuid: market,
  market_uuids: list(market),
  markets_min: { ...integer(1, 50), beside: { level: "country" } },
  max_price: number,
  min_price: number,
  month: month("2026-01"),
  months_with_prices_min: integer(1, Number.MAX_SAFE_INTEGER),
  near: {
    good: ["90,180", "-90,-180", "-0.123456,0"],
    bad: ["90.1,0", "0,180.000001", "-91,0", "0.1234567,0", "0,+36", "0, 36", "0", "1,2,3", "1e1,0", "0;1", ""],
  },
  one_per_market: truth,
  page: integer(1, Number.MAX_SAFE_INTEGER),
  page_size: integer(1, 100),
  "GET /prices/series page_size": integer(1, 1000),
  "GET /prices/anomalies page_size": integer(1, 1000),
  price_flag: choice("actual", "aggregate", "actual_aggregate", "forecast"),
  product_uuid: product,
  product_uuids: list(product),
  q: searched("maize"),
  query: searched("maize"),
  recorded_since: day("2024-02-29", "0000-01-01"),
  refugee_camps: choice("include", "exclude", "only"),
  same_markets: truth,
  search: searched("maize"),
  season: text("rains"),
  sort: choice("name", "last_recorded_at"),
  "GET /prices/anomalies sort": choice("name", "alps", "percent_of_usual", "year_before", "previous"),
  "GET /exports/anomalies.csv sort": choice("name", "alps", "percent_of_usual", "year_before", "previous"),
  start_date: day("2020-02-29", "0000-01-01"),
  start_month: month("2006-01"),
  sub_categories: list(text("Dry")),
  suspicious: truth,
  unit: text("kg"),
  "GET /counties/:id id": { ...county, bad: [0, 48, 1.5] },
  "GET /counties/:id/sub-counties id": { ...county, bad: [0, 48, 1.5] },
  "GET /prices/:uuid uuid": { ...uuid("00000000-0000-4000-8000-000000000000"), good: [] },
  "GET /products/:uuid uuid": product,
  "GET /markets/:uuid uuid": market,
};

type Fields = Readonly<Record<string, unknown>>;

/** Fields of which a question has one. */
const alternatives = [
  ["product_uuid", "product_uuids", "q"],
  ["market_uuid", "market_uuids"],
  ["county_id", "county_ids"],
];

/** A question to an endpoint: the example of its description with another value in one field. */
function exampleWith({ example, query, body, method }: Endpoint, field: string, value: unknown, kind: Kind): Fields {
  const known = method === "GET" ? query.properties : body.properties;
  const fields = Object.entries({ ...example.query, ...example.body, ...kind.beside });
  const others = alternatives.find((names) => names.includes(field)) ?? [];
  const left = fields.filter(([name]) => name in known && !others.includes(name));
  return { ...Object.fromEntries(left), [field]: value };
}

function textOf(value: unknown): string {
  const texts = Array.isArray(value) ? value : [value];
  return texts.map((one) => encodeURIComponent(String(one))).join(",");
}

function queryOf(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${value === "%" ? "%FF" : textOf(value)}`)
    .join("&");
}

interface Sent {
  readonly params?: Fields;
  readonly queryText?: string;
  readonly body?: Fields | undefined;
}

/** Asks an endpoint with its example, but for the parts that differ from it. */
function send(app: RunningApp, endpoint: Endpoint, { params, queryText, body }: Sent): Promise<ReceivedAnswer> {
  const { method, path: template, example } = endpoint;
  const values = { ...example.params, ...params };
  const filled = template.replaceAll(/:(\w+)/g, (_, name: string) => textOf((values as Fields)[name]));
  const query = queryText ?? queryOf(example.query ?? {});
  const path = apiPrefix + filled + (query === "" ? "" : `?${query}`);
  const sent = body ?? example.body;
  const text = sent === undefined ? "" : JSON.stringify(sent);
  const headers = signedHeaders({ method, path, body: text, key: secretKey, timestampSeconds: startSeconds });
  return app.send({ method, path, body: text, headers: { ...headers, "Content-Type": "application/json" } });
}

/** The code and the fields of an error; nothing of a good answer. */
function refusalOf({ status, body }: ReceivedAnswer): unknown[] {
  if (status === 200) return [];
  const { code, details = [] } = body as { code: string; details?: { field: string }[] };
  return [code, ...details.map(({ field }) => field)];
}

const asked = endpoints.filter(isFromStore);

t.test("every parameter takes its good values and refuses its bad ones by name", async (t) => {
  const store = await bundledStore();
  const app = await startApp(t, undefined, { deps: { currentStore: () => store } });
  const met = new Set<string>();
  // Both forms of an export are of one schema.
  for (const endpoint of asked.filter(({ path }) => !path.endsWith(".ndjson"))) {
    const { params, query, body, form } = endpoint;
    const name = endpointName(endpoint);
    for (const part of ["params", "query", "body"] as const) {
      for (const [field, { type }] of Object.entries({ params, query, body }[part].properties)) {
        const row = [`${name} ${field}`, field].find((key) => key in kinds);
        if (row === undefined) throw new Error(`${name} has ${field}, expected its values here`);
        const kind = kinds[row] as Kind;
        met.add(row);
        const ask = (value: unknown): Promise<ReceivedAnswer> => {
          if (part === "params") return send(app, endpoint, { params: { [field]: value } });
          const fields = exampleWith(endpoint, field, value, kind);
          return send(app, endpoint, part === "query" ? { queryText: queryOf(fields) } : { body: fields });
        };
        // The rows of an export take long; its filters are tested in filters.test.ts.
        const good = form.kind === "table" ? [] : kind.good;
        const more = part === "body" ? kind.badValues : kind.badTexts;
        const bad = [...kind.bad, ...(more ?? [])].filter((value) => part !== "params" || value !== "");
        const found = await Promise.all([...good, ...bad].map(ask));
        const code = field === "uuid" ? "INVALID_UUID" : "VALIDATION_ERROR";
        t.strictSame(
          found.map((answer, at) => [[...good, ...bad][at], answer.status, ...refusalOf(answer)]),
          [...good.map((value) => [value, 200]), ...bad.map((value) => [value, 400, code, field])],
          `${name} ${field}`,
        );
        expectError(t, found.at(-1) as ReceivedAnswer, { code, fields: [field] }, `${name} ${field}`);
        if (type !== "array" && part === "query") {
          const twice = queryOf(exampleWith(endpoint, field, kind.good[0], kind));
          const again = send(app, endpoint, { queryText: `${twice}&${field}=${textOf(kind.good[0])}` });
          expectError(t, await again, { code, fields: [field] }, `${name} ${field} twice`);
        }
      }
    }
  }
  t.strictSame(new Set(Object.keys(kinds)), met, "every row is of a parameter");
  expectNoTrouble(t, app);
});

t.test("no endpoint takes a name that it does not know, a body with GET, or a query with POST", async (t) => {
  const store = await bundledStore();
  const app = await startApp(t, undefined, { deps: { currentStore: () => store } });
  for (const endpoint of asked) {
    const { method, query, body } = endpoint;
    const name = endpointName(endpoint);
    const known = Object.keys(method === "GET" ? query.properties : body.properties);
    const capital = known.slice(0, 1).map((field) => field.replace(/^./, (letter) => letter.toUpperCase()));
    const foreign = ["page", "page_size", "county_id", "start_date", "currency", "formulas"].filter(
      (one) => !known.includes(one),
    );
    const unknown = [...capital, ...foreign, "x", "__proto__", "constructor", "toString", "hasOwnProperty", "page[]"];
    const found = await Promise.all(
      unknown.map((field) => {
        const named = JSON.parse(`{"${field}":1}`) as Fields;
        const text = `${queryOf(endpoint.example.query ?? {})}&${field}=1`;
        return send(
          app,
          endpoint,
          method === "GET" ? { queryText: text } : { body: { ...endpoint.example.body, ...named } },
        );
      }),
    );
    t.strictSame(
      found.map(refusalOf),
      unknown.map((field) => ["VALIDATION_ERROR", field]),
      name,
    );
    const misplaced = await send(app, endpoint, method === "GET" ? { body: {} } : { queryText: "page=1" });
    const fields = [method === "GET" ? "body" : "page"];
    expectError(t, misplaced, { code: "VALIDATION_ERROR", fields }, `${name}, misplaced`);
  }
});

t.test("no answer repeats a key, in any field, alone or beside all others", async (t) => {
  const store = await bundledStore();
  const app = await startApp(t, undefined, { deps: { currentStore: () => store } });
  const digits = secretKey.slice("svc_sec_".length).toLowerCase();
  for (const endpoint of asked) {
    const { method, query, body, example } = endpoint;
    const name = endpointName(endpoint);
    const known = Object.keys(method === "GET" ? query.properties : body.properties);
    const all = Object.fromEntries(
      known.map((field) => [field, (kinds[`${name} ${field}`] ?? kinds[field])?.good.at(-1)]),
    );
    const others: Fields[] = [{}, { ...example.query, ...example.body }, all];
    const keyed = known.flatMap((field) =>
      others.map((fields): Fields => ({ ...fields, [field]: `maize ${secretKey} b` })),
    );
    const answers = await Promise.all(
      keyed.map((fields) => send(app, endpoint, method === "GET" ? { queryText: queryOf(fields) } : { body: fields })),
    );
    for (const { text, headers } of answers) {
      t.notOk(`${text}${JSON.stringify(headers)}`.toLowerCase().includes(digits), `${name}: ${text.slice(0, 200)}`);
    }
    t.ok(answers.length >= 3 * known.length && answers.every(({ status }) => status < 500), `${name} answers`);
  }
  expectNoTrouble(t, app);
});
