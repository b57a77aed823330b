/**
 * However a request is malformed, its answer is the documented error body. Broken HTTP is in
 * `test/faults/connections/broken-http.test.ts`.
 */
import t from "tap";
import type { ApiErrorCode } from "../../src/contract/errors.ts";
import { bodyBytesMax, detailsMax, receivedCharactersMax, targetCharactersMax } from "../../src/contract/limits.ts";
import { expectError } from "../support/expect-answer.ts";
import { publicKey, secretKey, signedHeaders } from "../support/signed-request.ts";
import {
  type ReceivedAnswer,
  type RunningApp,
  type SentHeaders,
  startApp,
  startSeconds,
} from "../support/start-app.ts";
import { uuidOf } from "../support/tiny-dataset.ts";

/** What is sent with a request line. A body is sent as it is and called JSON unless the headers say otherwise. */
interface Sent {
  readonly body?: string | Uint8Array;
  readonly headers?: SentHeaders;
}

/** Request line, code, fields at fault, and what else is sent. */
type Row = readonly [requestLine: string, code: ApiErrorCode, fields?: readonly string[] | undefined, sent?: Sent];

const product = uuidOf("product", 1);
const deep = `${"[".repeat(30_000)}${"]".repeat(30_000)}`;
const days = `"product_uuid":"${product}","start_date":"2026-01-01","end_date":"2026-12-31"`;

const targets: readonly Row[] = [
  ["POST /", "METHOD_NOT_ALLOWED"],
  ["GET /api/v1/", "NOT_FOUND"],
  ["GET /api/v1/nothing", "NOT_FOUND"],
  ["GET /api/v1/Crops", "NOT_FOUND"],
  ["GET /api/V1/crops", "NOT_FOUND"],
  ["GET /api/v1/crops/", "NOT_FOUND"],
  ["GET /api/v1//crops", "NOT_FOUND"],
  ["GET //api/v1/crops", "NOT_FOUND"],
  ["GET /api/v1/./crops", "NOT_FOUND"],
  ["GET /api/v1/products/../crops", "NOT_FOUND"],
  ["GET /api/v1/%2e%2e/v1/crops", "NOT_FOUND"],
  ["GET /api/v1/%63rops", "NOT_FOUND"],
  ["GET /api/v1/crops%2Fcategories", "NOT_FOUND"],
  ["GET /api/v1/crops%2fcategories", "NOT_FOUND"],
  [`GET /api/v1/products/${product}%2F`, "NOT_FOUND"],
  ["GET /api/v1/crops%00", "NOT_FOUND"],
  ["GET /api/v1/crops;a=1", "NOT_FOUND"],
  ["GET /api\\v1\\crops", "NOT_FOUND"],
  ["GET /api/v1/crops/1", "NOT_FOUND"],
  ["GET /api/v1/counties/1/subcounties", "NOT_FOUND"],
  ["GET /api/v1/counties/21/sub-counties/1", "NOT_FOUND"],
  ["GET /api/v1/products/%ZZ", "INVALID_UUID", ["uuid"]],
  ["GET /api/v1/products/%", "INVALID_UUID", ["uuid"]],
  ["GET /api/v1/products/%FF", "INVALID_UUID", ["uuid"]],
  ["GET /api/v1/products/%ED%A0%80", "INVALID_UUID", ["uuid"]],
  ["GET /api/v1/products/search", "METHOD_NOT_ALLOWED"],
  ["GET /api/v1/products/Categories", "INVALID_UUID", ["uuid"]],
  ["GET /api/v1/prices/nonsense?x=1", "INVALID_UUID", ["uuid"]],
  ["GET /api/v1/counties/one?x=1", "VALIDATION_ERROR", ["id"]],
  [`GET /api/v1/${"x".repeat(targetCharactersMax - 7)}`, "URI_TOO_LONG"],
  [`GET /api/v1/crops?season=${"x".repeat(targetCharactersMax)}`, "URI_TOO_LONG"],
];

const methods: readonly Row[] = [
  ["POST /api/v1/crops", "METHOD_NOT_ALLOWED", undefined, { body: "{}" }],
  ["PUT /api/v1/products", "METHOD_NOT_ALLOWED"],
  ["PATCH /api/v1/markets", "METHOD_NOT_ALLOWED"],
  ["DELETE /api/v1/counties/99", "METHOD_NOT_ALLOWED"],
  ["TRACE /api/v1/crops", "METHOD_NOT_ALLOWED"],
  ["PROPFIND /api/v1/crops", "METHOD_NOT_ALLOWED"],
  ["GET /api/v1/prices/search", "METHOD_NOT_ALLOWED"],
  ["GET /api/v1/prices/statistics", "METHOD_NOT_ALLOWED"],
  ["POST /api/v1/products/categories", "METHOD_NOT_ALLOWED"],
  [`POST /api/v1/prices/${product}`, "METHOD_NOT_ALLOWED"],
  ["PURGE /api/v1/nothing", "NOT_FOUND"],
];

const queries: readonly Row[] = [
  ["GET /api/v1/products?page", "VALIDATION_ERROR", ["page"]],
  ["GET /api/v1/products?%E9=1", "VALIDATION_ERROR", ["%E9=1"]],
  ["GET /api/v1/products?=1", "VALIDATION_ERROR", [""]],
  ["GET /api/v1/products?__proto__[page]=1", "VALIDATION_ERROR", ["__proto__[page]"]],
  ["GET /api/v1/markets?page=0&county_id=0&nonsense", "VALIDATION_ERROR", ["nonsense", "page", "county_id"]],
  ["GET /api/v1/prices/latest?product_uuids=", "VALIDATION_ERROR", ["product_uuids[0]"]],
  [
    `GET /api/v1/prices/latest?product_uuids=x,${product},`,
    "VALIDATION_ERROR",
    ["product_uuids[0]", "product_uuids[2]"],
  ],
];

const bodies: readonly Row[] = [
  ["GET /api/v1/crops", "VALIDATION_ERROR", ["body"], { body: "{}" }],
  ["HEAD /api/v1/nothing", "NOT_FOUND"],
  ["POST /api/v1/prices/search", "PAYLOAD_TOO_LARGE", undefined, { body: " ".repeat(bodyBytesMax + 1) }],
  ["POST /api/v1/prices/search", "PAYLOAD_TOO_LARGE", undefined, { body: Buffer.alloc(3 * bodyBytesMax) }],
  ["POST /api/v1/prices/search", "UNSUPPORTED_MEDIA_TYPE", undefined, typed(undefined)],
  ["POST /api/v1/prices/search", "UNSUPPORTED_MEDIA_TYPE", undefined, typed("text/json")],
  ["POST /api/v1/prices/search", "UNSUPPORTED_MEDIA_TYPE", undefined, encoded("gzip")],
  ["POST /api/v1/prices/search", "MALFORMED_JSON", undefined, { body: "{" }],
  ["POST /api/v1/prices/search", "MALFORMED_JSON", undefined, { body: Buffer.from('{"a":"\u00e9"}', "latin1") }],
  ["POST /api/v1/prices/search", "MALFORMED_JSON", undefined, { body: "[".repeat(60_000) }],
  ["POST /api/v1/prices/search", "VALIDATION_ERROR", ["body"], { body: "[]" }],
  ["POST /api/v1/prices/search", "VALIDATION_ERROR", ["body"], { body: deep }],
  ["POST /api/v1/prices/search", "VALIDATION_ERROR", ["product_uuid"], { body: `{"product_uuid":${deep}}` }],
  ["POST /api/v1/prices/search", "VALIDATION_ERROR", ["x"], { body: `{"x":${deep}}` }],
  ["POST /api/v1/prices/search", "VALIDATION_ERROR", ["min_price"], { body: '{"min_price":1e999}' }],
  ["POST /api/v1/prices/latest", "VALIDATION_ERROR", ["product_uuids[0]"], { body: '{"product_uuids":[1]}' }],
];

t.test("bad requests are answered as the tables say", async (t) => {
  const app = await startApp(t);
  t.ok([targets, methods, queries, bodies].flat().length >= 60, "the tables are full");
  for (const [name, rows] of Object.entries({ targets, methods, queries, bodies })) {
    t.test(name, async (t) => {
      for (const [requestLine, code, fields, sent = {}] of rows) {
        const answer = await send(app, requestLine, sent);
        const about = `${requestLine.slice(0, 80)} ${JSON.stringify(String(sent.body ?? "").slice(0, 40))}`;
        if (requestLine.startsWith("HEAD")) t.strictSame([answer.status, answer.text], [404, ""]);
        else expectError(t, answer, { code, fields }, about);
      }
    });
  }
  t.test("and none of them troubles the service", async (t) => {
    t.strictSame(
      app.logLines.filter((line) => JSON.parse(line).level > 30),
      [],
      "nothing was logged as an error",
    );
    t.equal((await app.get("/api/v1/crops")).status, 200);
  });
});

t.test("requests just inside the limits are good", async (t) => {
  const app = await startApp(t);
  const season = "x".repeat(200);
  const padding = "&".repeat(targetCharactersMax - `/api/v1/crops?season=${season}`.length);
  const longest = `/api/v1/crops?season=${season}${padding}`;
  t.equal(longest.length, targetCharactersMax);
  t.equal((await app.get(longest)).status, 200);
  const largest = `{}${" ".repeat(bodyBytesMax - 2)}`;
  t.equal((await send(app, "POST /api/v1/prices/search", { body: largest })).status, 200);
  for (const type of [
    "application/json",
    "APPLICATION/JSON",
    'application/json;charset="UTF-8"',
    "application/json ; charset=utf-8",
  ]) {
    t.equal((await send(app, "POST /api/v1/prices/search", typed(type))).status, 200, type);
  }
  t.equal((await send(app, "POST /api/v1/prices/search", encoded("Identity"))).status, 200);
});

t.test("an error repeats what was received only in part, and never a key", async (t) => {
  const app = await startApp(t);
  const long = "x".repeat(5000);
  const search = "POST /api/v1/products/search";
  const answersTo = async (text: string): Promise<ReceivedAnswer[]> => [
    await app.get(`/api/v1/products?page=${text}`),
    await app.get(`/api/v1/products?${text}=1`),
    await app.get(`/api/v1/products?search=%ZZ${text}`),
    await app.get(`/api/v1/products?a=1&a=${text}`),
    await app.get(`/api/v1/products/${text}`),
    await app.post("/api/v1/products/search", { query: [text] }),
    await app.post("/api/v1/products/search", { query: { [text]: text } }),
    await app.post("/api/v1/products/search", { [text]: 1 }),
    await app.post("/api/v1/products/search", {}, { "Content-Type": text }),
    await send(app, search, { body: `{"${text}":1,"${text}":1}` }),
    await send(app, search, { body: text }),
    await send(app, "POST /api/v1/prices/statistics", { body: `{${days},"unit":"${text}"}` }),
  ];
  const more = await app.get(`/api/v1/products?${long}&${long.slice(0, 2500)}&${long.slice(0, 500)}&a&a`);
  for (const { text, status } of [more, ...(await answersTo(long))]) {
    t.ok(status >= 400 && text.length < 10 * receivedCharactersMax, `${text.length} characters`);
  }
  const coded = await send(app, search, { headers: { "Transfer-Encoding": `${secretKey}, chunked` } });
  const digits = secretKey.slice("svc_sec_".length, -1);
  for (const { text, headers } of [coded, ...(await answersTo(secretKey))]) {
    t.notOk(`${text}${JSON.stringify(headers)}`.includes(digits), text.slice(0, 200));
  }
});

t.test("an error names a bounded number of fields, each once", async (t) => {
  const app = await startApp(t);
  const names = Array.from({ length: 300 }, (_, at) => `f${at}`);
  const answers = [
    await app.get(`/api/v1/products?${names.join("&")}`),
    await app.get(`/api/v1/products?${[...names, ...names].join("&")}`),
    await app.get(`/api/v1/products?${"a&".repeat(3000)}`),
    await app.post("/api/v1/products/search", Object.fromEntries(names.map((name) => [name, 1]))),
    await app.post("/api/v1/prices/latest", { product_uuids: names.slice(0, 100) }),
  ];
  const counts = answers.map(({ body }) => {
    const fields = (body as { details: { field: string }[] }).details.map(({ field }) => field);
    return [fields.length, new Set(fields).size];
  });
  t.strictSame(counts, [
    [detailsMax, detailsMax],
    [detailsMax, detailsMax],
    [1, 1],
    [detailsMax, detailsMax],
    [detailsMax, detailsMax],
  ]);
});

t.test("a detail says what was found, what was wanted, and repeats a short value as it came", async (t) => {
  const app = await startApp(t);
  const details = async (body: object) =>
    ((await app.post("/api/v1/prices/latest", body)).body as { details: object[] }).details;
  t.strictSame(
    await details({ limit: "10", county_id: [1], one_per_market: null, product_uuids: [product, { a: 1 }] }),
    [
      {
        field: "product_uuids[1]",
        message: 'product_uuids[1] is an object, {"a":1}, expected a UUID of 36 characters.',
        received: { a: 1 },
      },
      {
        field: "county_id",
        message: "county_id is [1], expected an integer from 1 to 47; /counties lists the numbers.",
        received: [1],
      },
      { field: "limit", message: 'limit is "10", expected an integer from 1 to 1000.', received: "10" },
      { field: "one_per_market", message: "one_per_market is null, expected true or false.", received: null },
    ],
  );
});

t.test("what is unknown is said first, with the nearest name, and all else beside it", async (t) => {
  const app = await startApp(t);
  const messages = ({ body }: ReceivedAnswer): string[] =>
    (body as { details: { message: string }[] }).details.map(({ message }) => message);
  const query = async (text: string): Promise<string[]> => messages(await app.get(`/api/v1/prices/latest?${text}`));
  const [unknown, ...rest] = await query("product_uuids[]=a&product_uuids[]=b");
  t.match(unknown, /^"product_uuids\[\]" is unknown here, expected only .*; did you mean product_uuids\?$/);
  t.strictSame(rest, []);
  const ofSeasons = messages(await app.signedGet("/api/v1/prices/seasonality?product=a"));
  t.match(ofSeasons, [/did you mean product_uuid\?$/, /^product_uuid is missing/]);
  const spellings = {
    "product_uuids[0]": "product_uuids",
    productUuids: "product_uuids",
    "PRODUCT-UUIDS": "product_uuids",
    "product.uuids": "product_uuids",
    product_uuid: "product_uuids",
    "product%5Fuids%5B%5D": "product_uuids",
    market: "market_uuid",
    county: "county_id",
    limits: "limit",
    onePerMarket: "one_per_market",
  };
  for (const [name, nearest] of Object.entries(spellings)) {
    const [first] = await query(`limit=0&market_uuid=%ZZ&${name}=1&${name}=2`);
    t.ok(first?.endsWith(`; did you mean ${nearest}?`), `${name}: ${first}`);
  }
  for (const name of ["x", "zz", "nothing_like_it", "__proto__", "a".repeat(5000)]) {
    const [first] = await query(`${name}=1`);
    t.match(first, / is unknown here, expected only .*[a-z_]\.$/, name.slice(0, 20));
  }
  const all = await query(`limit=0&limit=1&product_uuids=${product}&pages=1&county_id=99&market_uuid=%ZZ&xs=%ZZ`);
  t.strictSame(
    all.map((message) => message.split(" ", 4).join(" ")),
    [
      '"pages" is unknown here,',
      '"xs" is unknown here,',
      "limit is given more",
      "market_uuid=%ZZ is not UTF-8",
      "county_id is 99, expected",
    ],
  );
  const body = messages(await app.post("/api/v1/prices/latest", { limit: 0, productUuids: [product] }));
  t.match(body, [/^"productUuids" is unknown here.*did you mean product_uuids\?$/, /^limit is 0/]);
});

t.test("a number is quoted as it was sent, also one that JavaScript does not hold", async (t) => {
  const app = await startApp(t);
  const first = ({ text }: ReceivedAnswer): string => /"details":\[(\{.*?\})/.exec(text)?.[1] ?? text;
  const json = async (body: string): Promise<string> =>
    first(
      await app.send({
        method: "POST",
        path: "/api/v1/prices/latest",
        headers: { "X-API-Key": publicKey, "Content-Type": "application/json" },
        body,
      }),
    );
  const big = "9007199254740993";
  const others = `"product_uuids":["${product}"]`;
  t.match(
    await json(`{${others},"limit":${big}}`),
    `"message":"limit is ${big}, expected an integer from 1 to 1000.","received":${big}}`,
  );
  t.match(await json(`{${others},"x":{"limit":9007199254740992},"limit" : -${big}}`), /"x\\" is unknown/);
  t.match(await json(`{${others},"limit":12345678901234567890123}`), '"received":12345678901234567890123}');
  t.match(await json(`{${others},"limit":1.50}`), '"received":1.50}');
  t.match(await json(`{${others},"limits":${big}}`), `"received":${big}}`);
  t.match(await json(`{"product_uuids":["${product}", ${big}]}`), `"message":"product_uuids[1] is ${big}, expected`);
  t.match(await json(`{${others},"limit":1${"0".repeat(300)}}`), `"received":"1${"0".repeat(199)}…"`);
  t.match(await json(`{${others},"limit":1e999}`), '"received":null');
  const crops = async (query: string): Promise<string> => first(await app.get(`/api/v1/products?${query}`));
  t.match(
    await crops(`page=${big}`),
    `"message":"page is ${big}, expected an integer up to 9007199254740991.","received":${big}}`,
  );
  t.match(await crops(`page=9007199254740992&page_size=${big}`), '"received":9007199254740992}');
  t.match(await crops(`page_size=-${big}`), `"received":-${big}}`);
  t.match(first(await app.get(`/api/v1/counties/${big}`)), `"received":${big}}`);
});

t.test("a list that is too long is one problem, however many of its items are bad", async (t) => {
  const app = await startApp(t);
  const fieldsOf = ({ body }: ReceivedAnswer): string[] =>
    (body as { details: { field: string }[] }).details.map(({ field }) => field);
  const empty = new Array<string>(21_000).fill("");
  t.strictSame(fieldsOf(await app.post("/api/v1/prices/latest", { product_uuids: empty })), ["product_uuids"]);
  t.strictSame(fieldsOf(await app.post("/api/v1/prices/latest", { product_uuids: empty, limit: 0, x: 1 })), [
    "x",
    "product_uuids",
    "limit",
  ]);
  const twoLists = { categories: empty.slice(0, 9000), sub_categories: empty.slice(0, 9000) };
  t.strictSame(fieldsOf(await app.post("/api/v1/products/search", twoLists)), ["categories", "sub_categories"]);
  const commas = ",".repeat(8000);
  const answer = await app.get(`/api/v1/prices/latest?product_uuids=${commas}`);
  t.strictSame(fieldsOf(answer), ["product_uuids"]);
  t.match((answer.body as { message: string }).message, /^product_uuids is .*, expected a list of 1 to 100 items\.$/);
  t.strictSame(fieldsOf(await app.get(`/api/v1/prices/latest?product_uuids=${",".repeat(99)}`)).length, detailsMax);
});

function typed(type: string | undefined): Sent {
  return { body: "{}", headers: { "Content-Type": type } };
}

function encoded(coding: string): Sent {
  return { body: "{}", headers: { "Content-Encoding": coding } };
}

/** With the secret key, signed, where there is a body or a secret endpoint; otherwise with the public key. */
function send(app: RunningApp, requestLine: string, { body = "", headers = {} }: Sent): Promise<ReceivedAnswer> {
  const [method = "", path = ""] = requestLine.split(" ");
  const authentication =
    method === "POST"
      ? signedHeaders({ method, path, body, key: secretKey, timestampSeconds: startSeconds })
      : { "X-API-Key": publicKey };
  const type = body.length === 0 ? {} : { "Content-Type": "application/json" };
  return app.send({ method, path, body, headers: { ...authentication, ...type, ...headers } });
}
