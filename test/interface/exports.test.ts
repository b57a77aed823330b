/** Exports over HTTP; that their rows are right, test/engine/export compares with a scan. */
import { once } from "node:events";
import { parse } from "csv-parse/sync";
import t from "tap";
import type { CountyId } from "../../src/engine/model/ids.ts";
import { buildStore } from "../../src/engine/store/build-store.ts";
import { endpointsWith } from "../../src/service/http/endpoint-table.ts";
import { endpointOf } from "../support/ask-endpoint.ts";
import { listsDataset } from "../support/every-endpoint.ts";
import { tuplesOf } from "../support/fields-of.ts";
import { askWithoutReading } from "../support/long-answer.ts";
import { naivePriceRows } from "../support/naive-exports.ts";
import { type RunningApp, startApp } from "../support/start-app.ts";
import { startCached } from "../support/start-cached.ts";
import { holdsWithin } from "../support/start-process.ts";
import { placesOf, testAdmission } from "../support/test-admission.ts";
import { tinyDataset, uuidOf } from "../support/tiny-dataset.ts";

const prefix = "/api/v1/exports";
const days = "start_date=2026-01-01&end_date=2026-12-31";

const dataset = tinyDataset({
  products: [{ name: "=Maize, white" }, { name: "Kale" }],
  prices: [
    { price: 4500, unit: "90 kg bag", recordedAt: "2026-01-31T21:00:00Z", notes: 'aggregate, "flag"' },
    { price: 60, recordedAt: "2026-01-01T06:00:00Z", priceFlag: "aggregate" },
    { price: 5, product: 1, market: 1, unit: "bunch", recordedAt: "2026-03-01T06:00:00Z" },
  ],
});

/** The text of an export, with the secret key. */
async function textOf(app: RunningApp, path: string): Promise<string> {
  const { status, text } = await app.signedGet(`${prefix}/${path}`);
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return text;
}

/** The rows of a CSV, by the names of its header. */
async function rowsOf(app: RunningApp, path: string): Promise<Record<string, string>[]> {
  return parse(await textOf(app, path), { columns: true });
}

type Row = Record<string, string | number | object | null>;

async function jsonRowsOf(app: RunningApp, path: string): Promise<Row[]> {
  const lines = (await textOf(app, path)).split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Row);
}

t.test("exports of prices cite the sources of their rows, in headers", async (t) => {
  const licence = { id: "CC BY 3.0 IGO", url: "https://cc.example/by/" };
  const details = { title: "Programme mondial 100 % été", url: "https://wfp.example/", licence, generated: null };
  const team = { title: null, url: null, licence: { ...licence, id: "CC BY" }, generated: null };
  const cited = tinyDataset({
    snapshot: { sources: { WFP: details, Team: team } },
    products: [{ name: "Maize" }, { name: "Kale" }],
    prices: [
      { recordedAt: "2026-01-01T06:00:00Z" },
      { recordedAt: "2026-01-01T06:00:00Z", market: 1 },
      { recordedAt: "2026-02-01T06:00:00Z", product: 1, source: "Team" },
    ],
  });
  const app = await startApp(t, cited);
  const both =
    /^Programme .*; Team, CC BY, https:\/\/cc\.example\/by\/\. Food prices in Kenya, snapshot .*, accessed <date>\.$/;
  for (const path of ["prices.csv", "prices.ndjson", `statistics.csv?${days}`, "series.csv"]) {
    const { headers } = await app.signedGet(`${prefix}/${path}`);
    const text = String(headers["x-citation"]);
    t.match(text, /^[ -~]{1,400}$/, path);
    t.match(decodeURIComponent(text), both, path);
    t.equal(headers["link"], '<https://cc.example/by/>; rel="license"', path);
    t.match(headers["access-control-expose-headers"], /X-Citation, Link/);
  }
  const maize = await app.signedGet(`${prefix}/prices.csv?product_uuid=${uuidOf("product", 1)}`);
  t.match(
    decodeURIComponent(String(maize.headers["x-citation"])),
    /^Programme mondial 100 % été, https.*IGO, https:\S+ Food/,
  );
  const late = await app.signedGet(`${prefix}/prices.csv?start_date=2026-01-15`);
  t.match(late.headers["x-citation"], /^Team, CC BY, https:\/\/cc\.example\/by\/\. Food/);
  const none = await app.signedGet(`${prefix}/prices.csv?start_date=2026-03-01`);
  t.match(none.headers["x-citation"], /^Food/);
  t.notOk("link" in none.headers);
  const ofOneSource = await startApp(t, dataset);
  const empty = await ofOneSource.signedGet(`${prefix}/prices.csv?start_date=2030-01-01`);
  t.match(empty.headers["x-citation"], /^Food/, "of a snapshot with one source");
  t.notOk("x-citation" in (await app.get(`${prefix}/markets.csv`)).headers, "of no source of prices");
});

t.test("prices are a file that names its snapshot, with escaped formulas unless they are wanted raw", async (t) => {
  const app = await startApp(t, dataset);
  const { status, headers, text } = await app.signedGet(`${prefix}/prices.csv`);
  t.equal(status, 200);
  t.match(headers, {
    "content-type": "text/csv; charset=utf-8; header=present",
    "content-disposition": `attachment; filename="prices-${headers["x-snapshot-id"]}.csv"`,
    "access-control-expose-headers": /\bETag\b.*, Content-Disposition\b/,
    "content-length": String(Buffer.byteLength(text)),
    "cache-control": "private, no-cache",
    vary: "Accept, Accept-Encoding",
    etag: /^"[\w-]{27}"$/,
  });
  const raw = await app.signedGet(`${prefix}/prices.csv?formulas=raw&start_date=2026-02-01&end_date=2026-02-01`);
  t.match(
    [text, raw.text].map((file) => file.split("\r\n")[1]),
    [/,"'=Maize, white",/, /,"=Maize, white",/],
  );
  t.strictSame(await jsonRowsOf(app, "prices.ndjson"), naivePriceRows(dataset, {}));
});

t.test("filters take up to 100 products, and are refused where they contradict each other", async (t) => {
  const app = await startApp(t, dataset);
  const [maize, kale] = [uuidOf("product", 1), uuidOf("product", 2)];
  const many = Array.from({ length: 100 }, (_, at) => uuidOf("product", at + 1)).join();
  t.equal((await jsonRowsOf(app, `prices.ndjson?product_uuids=${many}`)).length, 3);
  const refuse = (table: string, query: string, field: string) =>
    endpointOf(t, app, `GET /exports/${table}`).refuse(query, field);
  await refuse("prices.csv", `?product_uuids=${many},${kale}`, "product_uuids");
  await refuse("prices.csv", `?product_uuid=${maize}&product_uuids=${maize}`, "product_uuids");
  await refuse("prices.csv", "?min_price=2&max_price=1", "min_price");
  for (const grouping of ["month,year", "market,county", "county,month", "month&group_by=county"]) {
    await refuse("statistics.csv", `?${days}&group_by=${grouping}`, "group_by");
  }
  await refuse("statistics.csv", `?${days}&county_id=1&county_ids=1`, "county_ids");
  await refuse("statistics.csv", `?${days}&county_ids=1,48`, "county_ids[1]");
  await refuse("statistics.csv", `?${days}&market_uuids=${many},${kale}`, "market_uuids");
  await refuse("statistics.csv", `?${days}&unit=litre`, "unit");
  await refuse("series.csv", "?unit=KG", "unit");
  const { details } = await refuse("statistics.csv", `?${days}&group_by=county,month`, "group_by");
  t.match(
    details?.[0]?.message,
    /^group_by is "county,month", expected one of day, .*"month,county".*the time first\.$/,
  );
});

t.test("a panel has rows for each time of each county or market that has prices", async (t) => {
  const app = await startApp(t, dataset);
  const panelOf = async (query: string) =>
    tuplesOf(
      await jsonRowsOf(app, `statistics.ndjson?${query}`),
      "group_by",
      "product",
      "period",
      "county_id",
      "market",
    );
  t.strictSame(await panelOf("group_by=month,county&county_ids=47"), [
    ["month,county", "=Maize, white", "2026-01", 47, null],
    ["month,county", "=Maize, white", "2026-02", 47, null],
    ["month,county", "Kale", "2026-03", 47, null],
  ]);
  t.strictSame(await panelOf(`group_by=year,market&market_uuids=${uuidOf("market", 2)}`), [
    ["year,market", "Kale", "2026", 47, "Gikomba"],
  ]);
});

t.test(
  "statistics without days are of all prices, and count months from the first to the last of the rows",
  async (t) => {
    const app = await startApp(t, dataset);
    const years = (query: string) => rowsOf(app, `statistics.csv?group_by=year&${query}`);
    const [maize, kale] = [
      { product: "'=Maize, white", months_with_prices: "2", first_month: "2026-01", last_month: "2026-02" },
      { product: "Kale", months_with_prices: "1", first_month: "2026-03", last_month: "2026-03" },
    ];
    t.match(await years(""), [
      { ...maize, months_in_period: "3" },
      { ...kale, months_in_period: "3" },
    ]);
    t.match(await years(`product_uuid=${uuidOf("product", 1)}`), [{ ...maize, months_in_period: "2" }]);
    t.match(await years("end_date=2026-06-30"), [
      { ...maize, months_in_period: "6" },
      { ...kale, months_in_period: "6" },
    ]);
    t.match(await years("start_date=2025-06-30"), [
      { ...maize, months_in_period: "3" },
      { ...kale, months_in_period: "3" },
    ]);
    t.match(await years("start_date=2026-02-28"), [{ ...kale, months_in_period: "2" }]);
    t.strictSame(await years("start_date=2027-01-01"), []);
  },
);

t.test("same_markets is for times, and for times of counties", async (t) => {
  const app = await startApp(t, dataset);
  const { refuse, send } = endpointOf(t, app, "GET /exports/statistics.ndjson");
  const query = "?same_markets=true&group_by=";
  for (const grouping of ["market", "county", "month,market"]) await refuse(query + grouping, "same_markets");
  for (const grouping of ["day", "year", "month,county"]) t.equal((await send(query + grouping)).status, 200, grouping);
});

t.test("exchange rates and continuations are tables, with any key", async (t) => {
  const exchangeRates = [
    { month: "2026-01", currency: "KES", rate: 129.5, source: "implied by WFP" },
    { month: "2026-01", currency: "UGX", rate: 3600, source: "=central bank" },
  ];
  const [later, earlier] = [uuidOf("product", 1), uuidOf("product", 2)];
  const continuation = {
    ...{ productUuid: later, continuesUuid: earlier, lastMonth: "2022-12", firstMonth: "2023-01", overlapMonths: 0 },
    ...({ marketType: "Retail", ratio: null, judgement: "similar goods", evidence: "the names" } as const),
  };
  const products = [{ name: "Maize (white)" }, { name: "Maize" }];
  const [laterMarket, earlierMarket] = [uuidOf("market", 2), uuidOf("market", 1)];
  const months = { lastMonth: "2020-12", firstMonth: "2023-12", overlapMonths: 0 };
  const marketContinuations = [
    { marketUuid: laterMarket, continuesUuid: earlierMarket, ...months, evidence: "one point" },
  ];
  const markets = [{ name: "Hola" }, { name: "Hola Town" }];
  const continued = { continuations: [continuation], marketContinuations };
  const app = await startApp(t, tinyDataset({ products, markets, exchangeRates, ...continued, prices: [{}] }));
  const namedTextOf = async (table: string): Promise<string> => {
    const { status, text, headers } = await app.get(`${prefix}/${table}`);
    t.equal(status, 200, table);
    t.match(headers["content-disposition"], `filename="${table.replace(".", `-${headers["x-snapshot-id"]}.`)}"`);
    return text;
  };
  t.equal(
    await namedTextOf("exchange-rates.csv"),
    "month,currency,rate,source\r\n2026-01,KES,129.5,implied by WFP\r\n2026-01,UGX,3600,'=central bank\r\n",
  );
  t.match((await namedTextOf("exchange-rates.ndjson")).split("\n")[1], JSON.stringify(exchangeRates[1]));
  t.strictSame(JSON.parse(await namedTextOf("continuations.ndjson")), {
    ...{ product_uuid: later, product: "Maize (white)", continues_uuid: earlier, continues: "Maize" },
    ...{ market_type: "Retail", last_month: "2022-12", first_month: "2023-01", overlap_months: 0 },
    ...{ ratio: null, judgement: "similar goods", evidence: "the names" },
  });
  t.equal((parse(await namedTextOf("continuations.csv")) as string[][]).length, 2);
  const { type, county_id } = JSON.parse((await namedTextOf("markets.ndjson")).split("\n")[0] as string);
  t.strictSame(JSON.parse(await namedTextOf("market-continuations.ndjson")), {
    ...{ market_uuid: laterMarket, market: "Hola Town", continues_uuid: earlierMarket, continues: "Hola" },
    ...{ market_type: type, county_id, last_month: "2020-12", first_month: "2023-12", overlap_months: 0 },
    evidence: "one point",
  });
  t.equal((parse(await namedTextOf("market-continuations.csv")) as string[][]).length, 2);
});

t.test("an operator may open what needs a signature, and the description says so", async (t) => {
  const [closed, opened] = [endpointsWith("secret"), endpointsWith("public")];
  const paths = closed.filter(({ access }, at) => access !== opened[at]?.access).map(({ path }) => path);
  t.ok(paths.includes("/exports/index.csv") && paths.includes("/exports/statistics.ndjson"));
  for (const [exportAccess, wanted] of [
    ["secret", "Needs a secret key and a signed request."],
    ["public", "A public key suffices."],
  ] as const) {
    const app = await startApp(t, dataset, { deps: { exportAccess } });
    const description = (await app.get("/openapi.json")).body as { paths: Record<string, { get: object }> };
    t.match(description.paths[`${prefix}/prices.csv`]?.get, { description: wanted });
    for (const path of paths) {
      const { status, body } = await app.get(`/api/v1${path}`);
      if (exportAccess === "public") t.not(status, 401, path);
      else t.match(body, { code: "INSUFFICIENT_PERMISSIONS" }, path);
    }
  }
});

t.test("a long export is sent in chunks, whole, and no cache keeps it", async (t) => {
  const lists = listsDataset();
  const { app, searches } = await startCached(t, lists);
  const path = `${prefix}/prices.csv`;
  const plain = await app.signedGet(path);
  t.equal(plain.headers["transfer-encoding"], "chunked");
  t.equal((parse(plain.text) as string[][]).length, 1 + lists.prices.rowCount);
  app.swap(listsDataset(1));
  t.not((await app.signedGet(path)).text, plain.text);
  t.same(searches, [], "the cache is not even searched");
});

/** An export that no client can take at once: 8 MB. */
const wideStore = buildStore(
  tinyDataset({
    markets: Array.from({ length: 100 }, (_, at) => ({ name: `Soko ${at}`, countyId: 47 as CountyId })),
    products: Array.from({ length: 200 }, (_, at) => ({ name: `Zao ${at}` })),
    prices: Array.from({ length: 20_000 }, (_, at) => ({ product: at % 200, market: at % 100 })),
  }),
);

t.test("exports of an outdated store are cut by a reset, those of others go on", async (t) => {
  const admission = testAdmission();
  const app = await startApp(t, undefined, {
    deps: { admission, currentStore: () => wideStore, exportAccess: "public" },
  });
  const socket = await askWithoutReading(app.port, `${prefix}/prices.ndjson`);
  t.ok(await holdsWithin(2000, () => placesOf(admission, "answers").held === 1));
  t.equal(admission.cutAnswersFrom(buildStore(dataset)), 0);
  // It has its place before it waits for its reader.
  t.ok(await holdsWithin(2000, () => admission.cutAnswersFrom(wideStore) === 1));
  socket.resume();
  const [error] = (await once(socket, "error")) as [NodeJS.ErrnoException];
  t.equal(error.code, "ECONNRESET");
  t.ok(await holdsWithin(2000, () => placesOf(admission, "answers").held === 0));
  t.equal(admission.cutAnswersFrom(wideStore), 0);
});

t.test(
  "series and statistics in dollars, with the source of the rates, and nothing where a month has none",
  async (t) => {
    const rated = tinyDataset({
      exchangeRates: [{ month: "2026-01", currency: "KES", rate: 125, source: "implied by WFP" }],
      prices: [
        { price: 4500, unit: "90 kg bag", recordedAt: "2026-01-05T06:00:00Z" },
        { price: 60, recordedAt: "2026-02-05T06:00:00Z" },
      ],
    });
    const app = await startApp(t, rated);
    t.match(await rowsOf(app, "series.csv?currency=USD"), [
      { unit: "90 kg bag", currency: "USD", latest_price: "36", latest_price_per_base_unit: "0.4" },
      { unit: "kg", currency: "USD", latest_price: "", exchange_rate_source: "implied by WFP" },
    ]);
    const statistics = `statistics.csv?${days}&currency=USD&product_uuid=${uuidOf("product", 1)}`;
    t.match(await rowsOf(app, statistics), [
      { period: "2026-01", currency: "USD", average_price: "0.4", samples_without_rate: "1", excluded_samples: "1" },
    ]);
    for (const table of ["series.csv", "statistics.csv"]) {
      await endpointOf(t, app, `GET /exports/${table}`).refuse(
        `?${table === "series.csv" ? "" : days}&currency=EUR`,
        "currency",
      );
    }
  },
);
