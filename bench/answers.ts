/**
 * What compressing answers costs and saves, and what the answer cache saves of making them:
 * `npm run bench -- answers [--prices 1m] [--write]`. Times are medians of mitata, in process, of one thread.
 */

import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";
import { measure } from "mitata";
import { type ByteText, bytesOf, byteText } from "../src/contract/byte-text.ts";
import type { Endpoint } from "../src/contract/endpoint.ts";
import { endpointName } from "../src/contract/endpoint.ts";
import { answerChunkBytes } from "../src/contract/limits.ts";
import { type AnswerBody, FileAnswer } from "../src/contract/reply-body.ts";
import { buildStoreOnThreads } from "../src/engine/store/build-store.ts";
import { finish } from "../src/engine/store/steps.ts";
import type { Store } from "../src/engine/store/store.ts";
import { AnswerCache } from "../src/service/http/answer/answer-cache.ts";
import { type Compression, compressedBytesMin, compressWhole } from "../src/service/http/answer/representation.ts";
import { endpoints } from "../src/service/http/endpoint-table.ts";
import { noDownloads } from "../test/support/no-downloads.ts";
import { QuestionParameters } from "./questions/question-parameters.ts";
import { readCount } from "./read-count.ts";
import { readOptions } from "./read-options.ts";
import { bytesText, countText, durationText, ratioText } from "./report/figure-text.ts";
import { describedMachine, describeMachine } from "./report/machine.ts";
import { markdownTable } from "./report/markdown-table.ts";
import { writeFigures } from "./report/write-readme.ts";
import { generateDataset } from "./sample/generate-dataset.ts";

const values = readOptions({ prices: { type: "string", default: "1m" }, write: { type: "boolean", default: false } });
const machine = describeMachine();
const prices = readCount(values.prices);
const dataset = generateDataset({ prices, seed: 1 });
const store = await buildStoreOnThreads(dataset);
const questions = readerQuestions();

const report = [
  describedMachine(machine, []),
  `${countText(prices)} prices`,
  await compressionTable(),
  await cacheTable(),
].join("\n\n");
process.stdout.write(`${report}\n`);
if (values.write) await writeFigures("answers", report);

interface AskedQuestion {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly input: { readonly params: object; readonly query: object; readonly body: object };
}

function readerQuestions(): AskedQuestion[] {
  const parameters = new QuestionParameters(dataset, 1);
  const { uuid, product, market } = parameters.anyPrice();
  const days = parameters.wholeMonths();
  const ask = (name: string, endpoint: string, input: Partial<AskedQuestion["input"]> = {}): AskedQuestion => ({
    name,
    endpoint: endpointNamed(endpoint),
    input: { params: {}, query: {}, body: {}, ...input },
  });
  return [
    ask("price by uuid", "GET /prices/:uuid", { params: { uuid } }),
    ask("product by uuid", "GET /products/:uuid", { params: { uuid: product } }),
    ask("market by uuid", "GET /markets/:uuid", { params: { uuid: market } }),
    ask("county", "GET /counties/:id", { params: { id: 47 } }),
    ask("counties", "GET /counties"),
    ask("crops", "GET /crops"),
    ask("units", "GET /reference/units"),
    ask("products, page of 20", "GET /products"),
    ask("products with a text", "GET /products", { query: { search: "a" } }),
    ask("markets, page of 20", "GET /markets"),
    ask("latest, one product", "GET /prices/latest", { query: { product_uuids: [product] } }),
    ask("latest, all products", "GET /prices/latest", { query: { limit: 30 } }),
    ask("search, 20 rows", "POST /prices/search", { body: { product_uuid: product } }),
    ask("search, 100 rows", "POST /prices/search", { body: { product_uuid: product, page_size: 100 } }),
    ask("statistics by month", "POST /prices/statistics", { body: { product_uuid: product, ...days } }),
  ];
}

function endpointNamed(name: string): Endpoint {
  const found = endpoints.find((endpoint) => endpointName(endpoint) === name);
  if (found === undefined) throw new RangeError(`no endpoint is called ${name}`);
  return found;
}

async function textOf({ endpoint, input }: AskedQuestion): Promise<ByteText> {
  const text = await endpoint.handle({ store, downloads: noDownloads, ...input }, finish);
  if (text instanceof FileAnswer) throw new Error(`${endpoint.path} answers with a file`);
  return wholeOf(text);
}

function wholeOf(body: AnswerBody): ByteText {
  return typeof body === "string" ? body : ([...body].join("") as ByteText);
}

async function medianTime(call: () => unknown): Promise<number> {
  const { p50 } = await measure(call, { min_cpu_time: 150e6, inner_gc: false });
  return p50 / 1000;
}

/** The windows are those of src/service/http/answer/representation.ts. */
function codingLevels(): readonly { readonly name: string; readonly compress: (body: Buffer) => Buffer }[] {
  const window = 18;
  return [
    ...[1, 3, 6].map((level) => ({ name: `gzip ${level}`, compress: (body: Buffer) => gzipSync(body, { level }) })),
    ...[0, 1, 2, 3, 4, 5].map((level) => ({
      name: `brotli ${level}`,
      compress: (body: Buffer) =>
        brotliCompressSync(body, {
          params: { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_LGWIN]: window },
        }),
    })),
    ...[-1, 1, 2, 3, 5].map((level) => ({
      name: `zstd ${level}`,
      compress: (body: Buffer) =>
        zstdCompressSync(body, {
          params: { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_windowLog]: window },
        }),
    })),
  ];
}

async function compressionTable(): Promise<string> {
  const wanted = [
    "products, page of 20",
    "search, 20 rows",
    "search, 100 rows",
    "statistics by month",
    "latest, all products",
  ];
  const bodies = await Promise.all(
    questions
      .filter(({ name }) => wanted.includes(name))
      .map(async (question) => ({ name: question.name, body: bytesOf(await textOf(question)) })),
  );
  const levels = codingLevels();
  const rows: string[][] = levels.map(({ name }) => [name]);
  for (const { body } of bodies) {
    for (const [at, { compress }] of levels.entries()) {
      const time = durationText(await medianTime(() => compress(body)));
      rows[at]?.push(`${time}, ${bytesText(compress(body).length)}`);
    }
  }
  const titles = bodies.map(({ name, body }) => ` ${name} (${bytesText(body.length)})`);
  return markdownTable(["coding and level", ...titles], rows);
}

async function cacheTable(): Promise<string> {
  const rows: string[][] = [];
  for (const question of questions) {
    const text = await textOf(question);
    const made = await medianTime(() => makeText(question));
    const compressed = text.length > answerChunkBytes ? undefined : await medianTime(() => makeText(question, "gzip"));
    const found = await medianTime(findAnswer(question, text));
    rows.push([
      question.name,
      bytesText(text.length),
      durationText(made),
      compressed === undefined ? "" : durationText(compressed),
      durationText(found),
      ratioText(made / found),
      question.endpoint.form.kind === "list" ? "yes" : "no",
    ]);
  }
  return markdownTable(["question", " body", " made", " in gzip", " found", " made to found", "cached"], rows);
}

/** Queries of these questions end in one slice, so nothing is waited for. */
function makeText({ endpoint, input }: AskedQuestion, coding?: Compression): ByteText {
  const text = endpoint.handle({ store: store as Store, downloads: noDownloads, ...input }, finish);
  if (text instanceof Promise) throw new Error(`${endpoint.path} takes several slices`);
  const whole = wholeOf(text);
  return coding === undefined || whole.length < compressedBytesMin
    ? whole
    : byteText(compressWhole(bytesOf(whole), coding));
}

/** A hit: the key, and the search among as many answers as 64 MiB may hold of this size. */
function findAnswer({ endpoint, input }: AskedQuestion, bytes: ByteText): () => unknown {
  const cache = new AnswerCache(64 * 2 ** 20, () => store);
  const sent = [endpointName(endpoint), JSON.stringify(input)] as const;
  for (let other = 0; other < 20_000; other++)
    cache.add(store, `${other}`, { bytes: byteText("{}"), coding: "identity", plainBytes: 2 });
  cache.add(store, sent.join(" "), { bytes, coding: "identity", plainBytes: bytes.length });
  return () => cache.find(store, sent.join(" "));
}
