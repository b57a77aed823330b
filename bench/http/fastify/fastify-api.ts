/**
 * What the benchmarks use of the package `fastify`. It is written down here, and the package is loaded by name, because
 * types are checked where that package is not installed.
 */
import type { Server } from "node:http";
import type { Logger } from "pino";

export interface FastifyRequest {
  readonly method: string;
  /** As sent, with the query string. */
  readonly url: string;
  readonly id: string;
  readonly ip: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

export interface FastifyReply {
  readonly statusCode: number;
  /** Milliseconds since the request came. */
  readonly elapsedTime: number;
  getHeader(name: string): unknown;
  code(status: number): FastifyReply;
  send(body: unknown): FastifyReply;
}

export type FastifyHook<Request extends FastifyRequest> = (
  request: Request,
  reply: FastifyReply,
  done: (error?: Error) => void,
) => void;

export interface FastifyRoute<Request extends FastifyRequest> {
  readonly method: string;
  readonly url: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly preValidation: FastifyHook<Request>;
  readonly handler: (request: Request) => unknown;
}

export interface FastifyApp<Request extends FastifyRequest> {
  readonly version: string;
  readonly server: Server;
  decorateRequest(name: string, value: unknown): void;
  addContentTypeParser(
    type: string,
    options: { readonly parseAs: "string" },
    parse: (request: Request, body: string, done: (error: Error | null, value?: unknown) => void) => void,
  ): void;
  addHook(name: "onRequest" | "onResponse", hook: FastifyHook<Request>): void;
  setErrorHandler(
    handler: (error: Error & { statusCode?: number }, request: Request, reply: FastifyReply) => void,
  ): void;
  route(route: FastifyRoute<Request>): void;
  listen(where: { readonly port: number; readonly host: string }): Promise<string>;
}

interface FastifyModule {
  readonly default: <Request extends FastifyRequest>(options: {
    readonly loggerInstance: Logger;
    readonly logController: object;
    readonly ajv: { readonly customOptions: object };
  }) => FastifyApp<Request>;
  /** What Fastify logs by itself. */
  readonly LogController: new (options: {
    readonly disableRequestLogging: boolean;
  }) => object;
}

const packageName: string = "fastify";

/** Loads the package. */
export async function loadFastify(): Promise<FastifyModule> {
  return (await import(packageName)) as FastifyModule;
}
