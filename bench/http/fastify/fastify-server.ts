/**
 * A service on Fastify with a database behind it, for the questions of the race: the same keys, signatures and schemas
 * of requests as ours, the same data and meta in its answers, one log line a request to a file. Answers go through
 * Fastify's serializer. It sends no ETag, request id, snapshot id or CORS headers, which ours does.
 */
import type { Server } from "node:http";
import { pino } from "pino";
import type { Endpoint } from "../../../src/contract/endpoint.ts";
import { apiPrefix } from "../../../src/contract/paths.ts";
import { textFormats } from "../../../src/engine/model/check-value.ts";
import type { Dataset } from "../../../src/engine/model/dataset.ts";
import { endpoints } from "../../../src/service/http/endpoint-table.ts";
import type { LatestPricesInput, PriceSearchBody } from "../../../src/service/http/resources/prices/price-endpoints.ts";
import type { PriceStatisticsBody } from "../../../src/service/http/resources/prices/statistics-endpoints.ts";
import type { Contender } from "../../contenders/contender.ts";
import { makePeerTables } from "../../contenders/peer-tables.ts";
import { latestSchema, priceSchema, productsSchema, searchSchema, statisticsSchema } from "./answer-schemas.ts";
import { type CheckedRequest, requireKey, requireSignature, type StoredKey } from "./check-keys.ts";
import { type FastifyApp, loadFastify } from "./fastify-api.ts";
import { type ProductsQuery, productPages } from "./product-pages.ts";

export interface FastifySetup {
  readonly dataset: Dataset;
  /** Answers from the database. */
  readonly contender: Contender;
  readonly keys: readonly StoredKey[];
  readonly logFile: string;
}

export interface FastifyServer {
  readonly server: Server;
  /** Name and version. */
  readonly title: string;
}

/** The formats of our schemas that no standard has, as patterns, so that checking them costs Fastify little. */
const formats = Object.fromEntries(
  Object.entries(textFormats).flatMap(([name, { pattern }]) =>
    pattern === undefined ? [] : [[name, RegExp(pattern)]],
  ),
);

/** Log lines are written when so many bytes have come together; the file never waits for a reader. */
const logBytes = 4096;

/** Makes the app; the server does not listen yet. */
export async function createFastifyServer({
  dataset,
  contender,
  keys,
  logFile,
}: FastifySetup): Promise<FastifyServer & { readonly listen: () => Promise<unknown> }> {
  const { default: fastify, LogController } = await loadFastify();
  const log = pino({}, pino.destination({ dest: logFile, minLength: logBytes, sync: false }));
  const app = fastify<CheckedRequest>({
    loggerInstance: log,
    // Its own logging writes two lines a request.
    logController: new LogController({ disableRequestLogging: true }),
    ajv: { customOptions: { removeAdditional: false, formats } },
  });
  app.decorateRequest("key", undefined);
  app.decorateRequest("rawBody", "");
  app.addContentTypeParser("application/json", { parseAs: "string" }, parseBody);
  app.addHook("onRequest", requireKey(keys));
  app.addHook("onResponse", (request, reply, done) => {
    const { id, method, url, ip, key } = request;
    const bytes = reply.getHeader("content-length");
    const { statusCode: status, elapsedTime } = reply;
    log.info({ id, method, url, status, bytes, duration_ms: elapsedTime, key: key?.id, remote: ip }, "request");
    done();
  });
  app.setErrorHandler((error, _request, reply) => {
    // The contenders throw a RangeError for a uuid they do not know.
    const status = error instanceof RangeError ? 404 : (error.statusCode ?? 500);
    reply.code(status).send({ error: error.message });
  });
  const pageOfProducts = productPages(makePeerTables(dataset).products);
  addRoute(app, "GET", "/products", productsSchema, ({ query }) => pageOfProducts(query as ProductsQuery));
  addRoute(app, "GET", "/prices/latest", latestSchema, ({ query }) => contender.latest(query as LatestPricesInput));
  addRoute(app, "GET", "/prices/:uuid", priceSchema, ({ params }) => contender.price(params as { uuid: string }));
  addRoute(app, "POST", "/prices/search", searchSchema, ({ body }) => contender.search(body as PriceSearchBody));
  addRoute(app, "POST", "/prices/statistics", statisticsSchema, ({ body }) =>
    contender.statistics(body as PriceStatisticsBody),
  );
  return {
    server: app.server,
    title: `Fastify ${app.version}`,
    listen: () => app.listen({ port: 0, host: "127.0.0.1" }),
  };
}

/** A route with the access and the schemas of input that our endpoint has. */
function addRoute(
  app: FastifyApp<CheckedRequest>,
  method: Endpoint["method"],
  path: string,
  answer: object,
  handler: (request: CheckedRequest) => unknown,
): void {
  const ours = endpoints.find((endpoint) => endpoint.method === method && endpoint.path === path);
  if (ours === undefined) throw new RangeError(`there is no endpoint ${method} ${path}`);
  app.route({
    method,
    url: apiPrefix + path,
    schema: {
      params: ours.params,
      querystring: ours.query,
      ...(method === "POST" && { body: ours.body }),
      response: { 200: answer },
    },
    preValidation: requireSignature(ours.access),
    handler,
  });
}

/** Keeps the body as sent, for the signature. */
function parseBody(request: CheckedRequest, body: string, done: (error: Error | null, value?: unknown) => void): void {
  request.rawBody = body;
  try {
    done(null, JSON.parse(body));
  } catch (error) {
    done(Object.assign(error as Error, { statusCode: 400 }));
  }
}
