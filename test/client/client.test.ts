/** The TypeScript client against the app behind a real server. */
import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import t, { type Test } from "tap";
import { ApiError } from "../../src/client/api-error.ts";
import { operationIds } from "../../src/client/client.ts";
import { exportTable } from "../../src/client/generated-api.ts";
import { saveDownload } from "../../src/client/node.ts";
import type { ExportName } from "../../src/client/operation-types.ts";
import { createPublicClient, type PublicClient } from "../../src/client/public-client.ts";
import type { ClientOptions } from "../../src/client/send-request.ts";
import { createSignedClient, type SignedClient } from "../../src/client/signed.ts";
import { snapshotPath } from "../../src/engine/snapshots/snapshot-layout.ts";
import { makeDownloads } from "../../src/publishing/publish/make-downloads.ts";
import { DownloadFiles } from "../../src/service/serve/download-files.ts";
import { valuesOf } from "../support/fields-of.ts";
import { listenOn } from "../support/listen-on.ts";
import { publishedData } from "../support/published-data.ts";
import { publicKey, secretKey, unknownPublicKey } from "../support/signed-request.ts";
import { type RunningApp, startApp, startMilliseconds } from "../support/start-app.ts";
import { testAdmission } from "../support/test-admission.ts";
import { testLimits } from "../support/test-limits.ts";
import { tinyDataset, uuidOf } from "../support/tiny-dataset.ts";

const first = "20260301T083000Z-0123456789ab";
const second = "20260302T083000Z-0123456789ac";

const markets = Array.from({ length: 250 }, (_, at) => ({ name: `Market ${String(at).padStart(3, "0")}` }));
const prices = markets.map((_, market) => ({ market, price: market + 1 }));
const listed = (id: string) => tinyDataset({ snapshot: { id }, markets, prices });

/** The URLs, headers and statuses of what a client sends. */
interface Sent {
  readonly target: string;
  readonly headers: Headers;
  readonly status: number;
}

/** Options for a client of the app that keep what it sends. */
function optionsFor({ port }: RunningApp, apiKey: string): { readonly options: ClientOptions; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const baseUrl = `http://127.0.0.1:${port}`;
  const options: ClientOptions = {
    baseUrl,
    apiKey,
    async fetch(url, init) {
      const response = await fetch(url, init);
      sent.push({ target: url.slice(baseUrl.length), headers: new Headers(init.headers), status: response.status });
      return response;
    },
    wait: () => Promise.reject(new Error("the client waits, expected it not to")),
  };
  return { options, sent };
}

/** A client of a service that answers so. */
function answeredBy(fetch: NonNullable<ClientOptions["fetch"]>): PublicClient {
  return createPublicClient({ baseUrl: "https://prices.example.org", apiKey: publicKey, fetch });
}

function publicClient(app: RunningApp): PublicClient {
  return createPublicClient(optionsFor(app, publicKey).options);
}

function signedClient(app: RunningApp): SignedClient {
  return createSignedClient({ ...optionsFor(app, secretKey).options, now: () => startMilliseconds });
}

async function collect<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const collected: Row[] = [];
  for await (const row of rows) collected.push(row);
  return collected;
}

async function expectApiError(t: Test, work: () => Promise<unknown>, expected: Partial<ApiError>): Promise<ApiError> {
  const error = await work().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error(`an ApiError was expected, found ${String(error)}`);
  t.match(error, expected);
  return error;
}

t.test("fields go where the operation has them: into path, query or body", async (t) => {
  const app = await startApp(t, listed(first));
  const { options, sent } = optionsFor(app, publicKey);
  const client = createPublicClient(options);
  const market = await client.getMarket({ uuid: uuidOf("market", 3) });
  t.match(market, { data: { uuid: uuidOf("market", 3), name: "Market 002" }, snapshot: first });
  const found = await client.listMarkets({ search: "market 00&1", page_size: 5, county_id: 47 });
  t.match(found, { data: [], meta: { total: 0 } });
  const several = [uuidOf("product", 2), uuidOf("product", 1)];
  t.equal((await client.listSeries({ product_uuids: several, market_uuid: uuidOf("market", 9) })).meta.total, 1);
  t.equal((await client.queryLatestPrices({ product_uuids: several, limit: 2 })).data[0]?.prices.length, 2);
  t.equal((await client.searchProducts()).meta.total, 2);
  t.strictSame(valuesOf(sent, "target"), [
    `/api/v1/markets/${uuidOf("market", 3)}`,
    "/api/v1/markets?search=market+00%261&page_size=5&county_id=47",
    `/api/v1/prices/series?product_uuids=${several.join("%2C")}&market_uuid=${uuidOf("market", 9)}`,
    "/api/v1/prices/latest",
    "/api/v1/products/search",
  ]);
  await t.rejects(client.getMarket({ uuid: "" }), { message: 'uuid is "", expected a value.' });
  await expectApiError(t, () => client.getMarket({ uuid: "../products?x" }), { code: "NOT_FOUND" });
});

t.test("a field that a method does not have throws, and nothing is sent", async (t) => {
  const app = await startApp(t, listed(first));
  const { options, sent } = optionsFor(app, secretKey);
  const client = createSignedClient({ ...options, now: () => startMilliseconds });
  type Call = (fields: object) => Promise<unknown> | AsyncGenerator<unknown>;
  const call = async (method: Call, fields: object): Promise<unknown> => {
    const answer = method(fields);
    return "next" in answer ? answer.next() : answer;
  };
  const operations = operationIds.map((id) => [id, client[id] as Call, ["no_such_field", "group_bye"]] as const);
  const exports = (Object.keys(exportTable) as ExportName[]).map(
    (name) => [name, (fields: object) => client.readExport(name, fields as never), ["page", "time", "format"]] as const,
  );
  const years = { start_date: "2025-01-01", end_date: "2025-12-31" };
  const methods: readonly (readonly [string, Call, readonly string[]])[] = [
    ...operations,
    ...exports,
    ["panel", (fields) => client.panel({ ...years, ...fields }), ["group_by", "page", "page_size", "formulas", "x"]],
    ["anomalies", (fields) => client.anomalies(fields), ["page", "page_size", "group_by"]],
    ["readPages", (fields) => client.readPages("listSeries", fields), ["group_by", "search"]],
    ["unpaged", (fields) => client.readPages("listUnits" as "listSeries", fields), ["page", "page_size"]],
    ["file", (fields) => client.downloadFile({ snapshot: first, file: "a.csv", ...fields }), ["page", "format"]],
    ["save", (fields) => saveDownload(client, { snapshot: first, file: "a", ...fields }, t.testdir()), ["overwrite"]],
  ];
  for (const [name, method, fields] of methods) {
    for (const field of fields) {
      const message = new RegExp(` has no field "${field}", expected `);
      await t.rejects(call(method, { [field]: 1 }), { name: "TypeError", message }, `${name} ${field}`);
    }
  }
  for (const search of [null, {}, Number, new Date(0)] as never[]) {
    await t.rejects(client.listProducts({ search }), { name: "TypeError", message: /^search is / });
  }
  await t.rejects(client.listAnomalies({ class: ["crisis,alert"] as never }), { message: /without commas/ });
  t.same(sent, [], "nothing is sent");
  t.ok(await client.listProducts({ search: undefined, no_such_field: undefined } as object), "undefined is not given");
  for await (const row of client.panel({ ...years, time: "year", ...{ group_by: undefined } })) t.ok(row);
});

t.test("a signed client signs path, query string and body as they are sent", async (t) => {
  const app = await startApp(t, listed(first));
  const client = signedClient(app);
  t.equal((await client.searchPrices({ min_price: 249.5 })).data[0]?.price, 250);
  t.equal((await client.listMarkets({ search: "é ü & ' ( ) * ~ %" })).meta.total, 0);
  const statistics = await client.getPriceStatistics({
    product_uuid: uuidOf("product", 1),
    start_date: "2026-01-01",
    end_date: "2026-12-31",
  });
  t.match(statistics.data.overall, { min_price: 1, max_price: 250, total_samples: 250 });
  t.notOk("searchPrices" in publicClient(app), "a public client has no operations that need a signature");
  const late = createSignedClient({ ...optionsFor(app, secretKey).options, now: () => startMilliseconds + 301_000 });
  await expectApiError(t, () => late.searchPrices(), { status: 401, code: "TIMESTAMP_EXPIRED" });
});

t.test("each kind of client takes its own kind of key, and no base URL but an origin", async (t) => {
  const baseUrl = "https://prices.example.org";
  t.throws(() => createPublicClient({ baseUrl, apiKey: secretKey }), { message: /expected a public key/ });
  t.throws(() => createSignedClient({ baseUrl, apiKey: publicKey }), { message: /expected a secret key/ });
  try {
    createPublicClient({ baseUrl, apiKey: secretKey });
  } catch (error) {
    t.notMatch(String(error), secretKey);
  }
  const addresses = [`${baseUrl}/api/v1`, `${baseUrl}/?a`, "prices.example.org", "https://me:you@prices.example.org"];
  for (const wrong of addresses) {
    t.throws(() => createPublicClient({ baseUrl: wrong, apiKey: publicKey }), TypeError, wrong);
  }
  t.doesNotThrow(() => createPublicClient({ baseUrl: `${baseUrl}/`, apiKey: publicKey }));
});

t.test("pages are read as they are asked for, as large as they may be, all of one snapshot", async (t) => {
  const app = await startApp(t, listed(first));
  const { options, sent } = optionsFor(app, publicKey);
  const client = createPublicClient(options);
  const names: string[] = [];
  for await (const { data, snapshot } of client.readPages("listMarkets", { market_type: "Retail" })) {
    t.equal(snapshot, first);
    names.push(...data.map(({ name }) => name));
  }
  t.strictSame(names, valuesOf(markets, "name"));
  t.strictSame(
    sent.map(({ target, headers }) => [target.split("?")[1], headers.get("X-Snapshot-Id")]),
    [
      ["page_size=100&market_type=Retail&page=1", null],
      ["page_size=100&market_type=Retail&page=2", first],
      ["page_size=100&market_type=Retail&page=3", first],
    ],
  );
  for await (const { data } of client.readPages("listSeries")) t.equal(data.length, 250, "one page of up to 1000");
  for await (const { data } of client.readPages("listMarkets", { search: "none" })) t.strictSame(data, []);

  const read: number[] = [];
  for await (const { meta } of client.readPages("listMarkets", { page: 2, page_size: 50 })) {
    read.push(meta.page);
    if (meta.page === 3) break;
  }
  t.strictSame(read, [2, 3]);
  t.equal(sent.length, 7, "no page was asked for after the reader had stopped");

  const pages = await collect(signedClient(app).readPages("searchPrices", { min_price: 100 }));
  const found = pages.flatMap(({ data }) => data.map(({ price }) => price));
  t.strictSame(new Set(found), new Set(Array.from({ length: 151 }, (_, at) => 100 + at)));
  t.equal(found.length, 151);
});

t.test("a swap between two pages ends the reading with an error, and never mixes two snapshots", async (t) => {
  const app = await startApp(t, listed(first));
  const client = publicClient(app);
  const pages = client.readPages("listMarkets");
  t.equal((await pages.next()).value?.snapshot, first);
  app.swap(listed(second));
  const details = { requested: first, current: second };
  await expectApiError(t, () => pages.next(), { status: 409, code: "SNAPSHOT_CHANGED", details });
  t.strictSame(await pages.next(), { value: undefined, done: true });
  await expectApiError(t, () => client.listCrops({}, { snapshot: first }), { code: "SNAPSHOT_CHANGED" });
  t.equal((await client.listCrops({}, { snapshot: second })).snapshot, second);
});

t.test("an export is read row by row, with filters, by a client whose key opens it", async (t) => {
  const app = await startApp(t, listed(first));
  const { options, sent } = optionsFor(app, secretKey);
  const client = createSignedClient({ ...options, now: () => startMilliseconds });
  const product_uuids = [uuidOf("product", 1), uuidOf("product", 2)];
  const rows = await collect(client.readExport("prices", { product_uuids, min_price: 100 }));
  t.strictSame(new Set(valuesOf(rows, "price")), new Set(Array.from({ length: 151 }, (_, at) => 100 + at)));
  t.equal(rows.length, 151);
  const years = { start_date: "2020-01-01", end_date: "2030-12-31" };
  const counties = { ...years, county_ids: [47, 1] };
  const panel = await collect(client.readExport("statistics", { ...counties, group_by: "year,county" }));
  t.ok(panel.length > 0);
  for (const { group_by, county_pcode } of panel)
    t.match({ group_by, county_pcode }, { group_by: "year,county", county_pcode: /^KE0/ });
  t.strictSame(await collect(client.panel({ ...counties, time: "year" })), panel);
  const names = valuesOf(await collect(publicClient(app).readExport("markets")), "name");
  t.strictSame(names, valuesOf(markets, "name"));
  for await (const _ of client.readExport("prices", { min_price: 251 })) t.fail("no price is so high");
  const limited = () => publicClient(app).readExport("prices").next();
  await expectApiError(t, limited, { status: 401, code: "INSUFFICIENT_PERMISSIONS" });
  const older = () => client.readExport("markets", {}, { snapshot: second }).next();
  await expectApiError(t, older, { status: 409, code: "SNAPSHOT_CHANGED" });
  t.equal(sent.filter(({ status }) => status === 200).length, 4);

  const whole = await client.listAnomalies({ level: "market", page_size: 1000 });
  t.strictSame(await collect(client.anomalies({ level: "market" })), whole.data);
});

t.test("rows come whole, however the bytes arrive; an export that is cut is never taken for a whole one", async (t) => {
  const rows = ["Gĩthũrai", "Soko 🌽", "c"].map((name) => ({ name }));
  const bytes = new TextEncoder().encode(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const clientOf = (start: (controller: ReadableStreamDefaultController<Uint8Array>) => void, cancel?: () => void) =>
    answeredBy(async () => new Response(new ReadableStream({ start, ...(cancel === undefined ? {} : { cancel }) })));
  const read = (client: PublicClient): Promise<unknown[]> => collect(client.readExport("products"));
  const byteByByte = clientOf((controller) => {
    for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
    controller.close();
  });
  t.strictSame(await read(byteByByte), rows);
  const withoutEnd = clientOf((controller) => {
    controller.enqueue(bytes.subarray(0, -4));
    controller.close();
  });
  await t.rejects(read(withoutEnd), TypeError);
  const reset = clientOf((controller) => {
    controller.enqueue(bytes.subarray(0, bytes.indexOf(10) + 1));
    controller.error(new TypeError("terminated"));
  });
  await t.rejects(read(reset), { message: "terminated" });
  let isCancelled = false;
  const stopped = clientOf(
    (controller) => controller.enqueue(bytes),
    () => {
      isCancelled = true;
    },
  );
  for await (const row of stopped.readExport("products")) {
    t.strictSame(row, rows[0]);
    break;
  }
  t.ok(isCancelled, "the rest is given up");
});

t.test("a file of a snapshot is read or saved, and checked against its SHA-256", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 1);
  const [snapshot] = ids as [(typeof ids)[0]];
  const { path } = await makeDownloads(data, snapshot);
  const downloads = new DownloadFiles(data);
  const client = signedClient(await startApp(t, listed(first), { deps: { downloads } }));
  const [entry] = (await client.listDownloads()).data;
  t.match(entry, { snapshot, state: "made", files: { length: 16 } });
  for (const { name: file, bytes, sha256, media_type: mediaType } of entry?.files ?? []) {
    // The list of changes lies with the snapshot.
    const folder = file === "changes.csv.gz" ? snapshotPath(data, snapshot) : path;
    const content = readFileSync(join(folder, file));
    const download = await client.downloadFile({ snapshot, file });
    t.match(download, { snapshot, mediaType, bytes, sha256 });
    t.ok(content.equals(await download.read()), file);
    const place = join(root, file);
    t.match(await saveDownload(client, { snapshot, file }, place), { snapshot, mediaType, bytes, sha256 });
    t.ok(content.equals(readFileSync(place)), file);
  }
  const opened = publicClient(await startApp(t, listed(first), { deps: { downloads, exportAccess: "public" } }));
  const { body, sha256 } = await opened.downloadFile({ snapshot, file: "prices.parquet" });
  const hash = createHash("sha256");
  for await (const chunk of body) hash.update(chunk);
  t.equal(hash.digest("hex"), sha256, "as a stream");
  const closed = publicClient(await startApp(t, listed(first), { deps: { downloads } }));
  const refused = { status: 401, code: "INSUFFICIENT_PERMISSIONS" } as const;
  await expectApiError(t, () => closed.listDownloads(), refused);
  await expectApiError(t, () => closed.downloadFile({ snapshot, file: "series.csv" }), refused);
  await expectApiError(t, () => client.downloadFile({ snapshot, file: "none.csv" }), { code: "NOT_FOUND" });
  await t.rejects(client.downloadFile({ snapshot, file: "" }), { message: 'file is "", expected a value.' });

  // It has the same length, so that only the SHA-256 differs.
  const wrong = readFileSync(join(path, "series.csv")).fill("x", 0, 1);
  writeFileSync(join(path, "series.csv"), wrong);
  const message = /^series\.csv has SHA-256 \w{64}, expected \w{64}\.$/;
  const broken = { snapshot, file: "series.csv" };
  await t.rejects(
    client.downloadFile(broken).then((download) => download.read()),
    { message },
  );
  const place = join(root, "series.csv");
  const before = readFileSync(place);
  await t.rejects(saveDownload(client, broken, place), { message });
  t.ok(before.equals(readFileSync(place)), "what was saved before is still there");
  const nowhere = join(root, "none", "series.csv");
  await t.rejects(saveDownload(client, broken, nowhere), { code: "ENOENT" });
  const ended = AbortSignal.abort(new Error("ended"));
  await t.rejects(saveDownload(client, broken, place, { signal: ended }), { message: "ended" });
  t.notOk(readdirSync(root).some((name) => name.endsWith(".partial")) || existsSync(nowhere));
});

t.test("a file that comes short, or is described as none, is refused", async (t) => {
  const answered = (headers: Readonly<Record<string, string>>, content = "abc"): PublicClient =>
    answeredBy(async () => new Response(content, { headers }));
  const etag = `"${createHash("sha256").update("abc").digest("hex")}"`;
  const fields = { snapshot: first, file: "a.csv" };
  const whole = await answered({ ETag: etag, "Content-Length": "3" }).downloadFile(fields);
  t.equal(new TextDecoder().decode(await whole.read()), "abc");
  const short = await answered({ ETag: etag, "Content-Length": "4" }).downloadFile(fields);
  await t.rejects(short.read(), { message: "a.csv ends after 3 bytes, expected 4." });
  for (const headers of [{ ETag: etag }, { "Content-Length": "3" }, { ETag: '"abc"', "Content-Length": "3" }]) {
    await t.rejects(answered(headers).downloadFile(fields), { message: /no Content-Length or no SHA-256/ });
  }
});

t.test("a file whose connection is lost goes on where it was cut, and is whole", async (t) => {
  const content = randomBytes(100_000);
  const etag = `"${createHash("sha256").update(content).digest("hex")}"`;
  const asked: (string | null)[] = [];
  /** Each answer loses its connection after so many bytes. */
  const cutAfter = (bytes: number, change: Partial<{ status: number; etag: string }> = {}): PublicClient =>
    answeredBy(async (_, { headers }) => {
      const range = new Headers(headers).get("Range");
      asked.push(range);
      const from = range === null ? 0 : Number(/^bytes=(\d+)-$/.exec(range)?.[1]);
      const rest = content.subarray(from);
      let isSent = false;
      const stream = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (!isSent) controller.enqueue(rest.subarray(0, bytes));
          else if (bytes >= rest.length) controller.close();
          else controller.error(new TypeError("terminated"));
          isSent = true;
        },
      });
      const status = range === null ? 200 : (change.status ?? 206);
      const sent = range === null ? etag : (change.etag ?? etag);
      return new Response(stream, { status, headers: { ETag: sent, "Content-Length": String(rest.length) } });
    });
  const fields = { snapshot: first, file: "prices.csv.gz" };
  const read = async (client: PublicClient) => await (await client.downloadFile(fields)).read();
  t.ok(content.equals(await read(cutAfter(30_000))));
  t.strictSame(asked, [null, "bytes=30000-", "bytes=60000-", "bytes=90000-"]);
  const saved = join(t.testdir({}), "saved");
  await saveDownload(cutAfter(45_000), fields, saved);
  t.ok(content.equals(readFileSync(saved)));
  let calls = 0;
  const restarting = answeredBy(async (_, { headers }) => {
    if (++calls === 2) throw new TypeError("fetch failed");
    const from = calls === 1 ? 0 : 40_000;
    t.equal(new Headers(headers).get("Range"), calls === 1 ? null : "bytes=40000-");
    const body = content.subarray(from, calls === 1 ? 40_000 : undefined);
    const sent = { ETag: etag, "Content-Length": String(content.length - from) };
    return new Response(body, { status: calls === 1 ? 200 : 206, headers: sent });
  });
  t.ok(content.equals(await read(restarting)), "a service that restarts");
  const cut = { message: "prices.csv.gz ends after 30000 bytes, expected 100000." };
  await t.rejects(read(cutAfter(30_000, { status: 200 })), cut, "a service without Range");
  await t.rejects(read(cutAfter(30_000, { etag: '"another"' })), cut, "another file");
  asked.length = 0;
  await t.rejects(read(cutAfter(0)), { message: /ends after 0 bytes/ });
  t.equal(asked.length, 4, "the beginning, and three times the rest");
  const control = new AbortController();
  const { body } = await cutAfter(10).downloadFile(fields, { signal: control.signal });
  control.abort();
  const reader = body.getReader();
  await t.rejects(
    (async () => {
      while (!(await reader.read()).done);
    })(),
  );
});

t.test("an equal request costs no body until the snapshot changes", async (t) => {
  const app = await startApp(t, listed(first));
  const { options, sent } = optionsFor(app, publicKey);
  const client = createPublicClient(options);
  const statuses = (): number[] => sent.splice(0).map(({ status }) => status);
  const answer = await client.listMarkets({ page_size: 100 });
  const again = await client.listMarkets({ page_size: 100 });
  t.strictSame(again, answer);
  t.not(again.data, answer.data, "a caller that changes its answer changes no one else's");
  t.strictSame(statuses(), [200, 304]);
  app.swap(listed(second));
  t.equal((await client.listMarkets({ page_size: 100 })).snapshot, second);
  await client.listMarkets({ page_size: 100 }, { snapshot: second });
  t.strictSame(statuses(), [200, 304]);
  await client.queryLatestPrices({});
  await client.queryLatestPrices({});
  t.strictSame(statuses(), [200, 200], "answers to POST are not kept");

  const forgetful = createPublicClient({ ...options, cachedCharactersMax: 0 });
  await forgetful.listCounties();
  await forgetful.listCounties();
  t.strictSame(statuses(), [200, 200]);
});

t.test("an error has status, code, details and the request's name in the log", async (t) => {
  const app = await startApp(t, listed(first));
  const client = publicClient(app);
  const wrong = client.listMarkets.bind(client, { page_size: 101 });
  const error = await expectApiError(t, wrong, {
    name: "ApiError",
    status: 400,
    code: "VALIDATION_ERROR",
    message: "page_size is 101, expected an integer from 1 to 100.",
    details: [{ field: "page_size", received: 101, message: String }],
  } as unknown as Partial<ApiError>);
  t.match(await app.logLineOf(String(error.requestId)), { status: 400, code: "VALIDATION_ERROR" });
  const unknown = createPublicClient(optionsFor(app, unknownPublicKey).options);
  await expectApiError(t, () => unknown.listCounties(), { status: 401, code: "INVALID_API_KEY" });
  const signal = AbortSignal.abort(new Error("no longer wanted"));
  await t.rejects(client.listCounties({}, { signal }), { message: "no longer wanted" });
});

t.test("the client waits as long as it is asked to, and no longer than it may", async (t) => {
  const { rateLimits, pass } = testLimits(3);
  const app = await startApp(t, listed(first), { deps: { rateLimits } });
  const { options, sent } = optionsFor(app, secretKey);
  const waited: number[] = [];
  let now = startMilliseconds;
  const patient = createSignedClient({
    ...options,
    now: () => now,
    async wait(milliseconds) {
      waited.push(milliseconds);
      pass(milliseconds / 1000);
      now += milliseconds;
      app.setTime(now);
    },
  });
  for (let asked = 0; asked < 5; asked++) await patient.searchPrices({ page_size: 1 });
  t.strictSame(waited, [20_000, 20_000]);
  const signatures = sent.slice(3, 5).map(({ headers }) => headers.get("X-Signature-Timestamp"));
  t.strictSame(
    signatures.map((text) => Number(text) * 1000),
    [startMilliseconds - 500, startMilliseconds + 19_500],
    "each attempt is signed again",
  );
  const limited = { status: 429, code: "RATE_LIMITED", retryAfterSeconds: 20 } as const;
  const hurried = createSignedClient({ ...options, now: () => now, retryAfterMaxSeconds: 19 });
  await expectApiError(t, () => hurried.searchPrices(), limited);
  const idle: number[] = [];
  const stubborn = createSignedClient({
    ...options,
    now: () => now,
    async wait(milliseconds) {
      idle.push(milliseconds);
    },
  });
  await expectApiError(t, () => stubborn.searchPrices(), limited);
  t.strictSame(idle, [20_000, 20_000], "no more attempts than it may make");
});

t.test("the timer between two attempts ends with the signal", async (t) => {
  const admission = testAdmission({ requests: { total: 0, forSecretKeys: 0 } });
  const app = await startApp(t, undefined, { deps: { admission } });
  const { wait: _, ...options } = optionsFor(app, publicKey).options;
  const control = new AbortController();
  const client = createPublicClient({
    ...options,
    async fetch(url, init) {
      const response = await fetch(url, init);
      // After the client has begun to wait.
      setTimeout(() => control.abort(new Error("no longer wanted")), 20);
      return response;
    },
  });
  await t.rejects(client.listCounties({}, { signal: control.signal }), { message: "no longer wanted" });
});

t.test("what somebody else answers is an error without a code, and no key follows a redirection", async (t) => {
  const asked: IncomingMessage[] = [];
  const server = createServer((incoming, outgoing) => {
    asked.push(incoming);
    if (incoming.url === "/api/v1/counties") outgoing.writeHead(302, { Location: "/elsewhere" }).end();
    else outgoing.writeHead(502, { "Content-Type": "text/html", "Retry-After": "soon" }).end("<h1>Bad gateway</h1>");
  });
  const port = await listenOn(t, server);
  const client = createPublicClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: publicKey });
  await expectApiError(t, () => client.listCrops(), {
    status: 502,
    code: undefined,
    retryAfterSeconds: undefined,
    message: "The answer is 502 Bad Gateway; it does not come from the service.",
  });
  await expectApiError(t, () => client.listCounties(), {
    status: 302,
    message: "The answer is 302 Found, which leads to /elsewhere; it does not come from the service.",
  });
  t.strictSame(valuesOf(asked, "url"), ["/api/v1/crops", "/api/v1/counties"]);
});
