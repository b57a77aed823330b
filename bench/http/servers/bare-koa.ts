import { createServer, type Server } from "node:http";
import Router from "@koa/router";
import Koa, { type Context } from "koa";
import { apiPrefix } from "../../../src/contract/paths.ts";
import { type PreparedBodies, plainHeaders, preparedKey, readText } from "./prepared-bodies.ts";

/** What Koa with a router of five routes costs: bodies are read, prepared bodies are sent, and nothing is checked. */
export function createBareKoa(bodies: PreparedBodies): Server {
  const answer = (ctx: Context, body: string): void => {
    const prepared = bodies.get(preparedKey({ target: ctx.url, body }));
    if (prepared === undefined) return;
    ctx.set(plainHeaders(prepared));
    ctx.body = prepared.text;
  };
  const get = (ctx: Context): void => answer(ctx, "");
  const post = async (ctx: Context): Promise<void> => answer(ctx, await readText(ctx.req));
  const router = new Router({ prefix: apiPrefix })
    .get("/products", get)
    .get("/prices/latest", get)
    .get("/prices/:uuid", get)
    .post("/prices/search", post)
    .post("/prices/statistics", post);
  const app = new Koa();
  app.use(router.routes());
  return createServer(app.callback());
}
