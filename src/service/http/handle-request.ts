/**
 * The order of work of a request, top to bottom. Nothing under the prefix is answered without a valid key, OPTIONS
 * apart; the key is checked and pays a token of its limit before the body is read, and the signature is checked after
 * it. Whatever is elsewhere needs no key, and a request for it pays a token of the limit of its address, except for
 * files that never change.
 */
import { isBelowPrefix } from "../../contract/paths.ts";
import { admitRequest } from "./admission/admit-request.ts";
import { authenticateKey, authenticateSignature } from "./admission/authenticate.ts";
import { requireCapacity } from "./admission/require-capacity.ts";
import { errorReply } from "./answer/error-reply.ts";
import type { Reply } from "./answer/reply.ts";
import { sendReply } from "./answer/send-reply.ts";
import { Clients } from "./connection/client-address.ts";
import type { Context } from "./context.ts";
import type { AppDependencies } from "./dependencies.ts";
import { newRequest, readBody, requireWellFormed } from "./input/receive-request.ts";
import { recordAtEnd } from "./request-log.ts";
import { optionsReply, type RouteTable } from "./router.ts";

/**
 * Handles the requests of an app, as one Koa middleware: a layer for each step would cost a closure and two promises a
 * request.
 */
export function requestHandler(table: RouteTable, deps: AppDependencies): (ctx: Context) => Promise<void> {
  const { clients = new Clients(), currentStore, admission } = deps;
  return async (ctx) => {
    ctx.state = newRequest(ctx.req, clients.of(ctx.req), currentStore());
    recordAtEnd(ctx, deps);
    try {
      const reply = await findReply(ctx, table, deps);
      await sendReply(ctx, reply, admission);
    } catch (error) {
      // In a later microtask, when what follows in the same packet is parsed: a body that is broken makes the reply the
      // last of its connection. A reply whose head has left is broken off by what sends it, so nothing has left here.
      await undefined;
      await sendReply(ctx, errorReply(ctx, error, deps), admission);
    }
  };
}

/** The reply to a request, without its body. @throws {ApiError} What the reply is then. */
function findReply(ctx: Context, table: RouteTable, deps: AppDependencies): Reply | Promise<Reply> {
  const { req, state } = ctx;
  // Before any work: what is refused must cost little.
  requireCapacity(req, deps.admission);
  requireWellFormed(ctx);
  if (req.method === "OPTIONS") return optionsReply(ctx, table);
  if (!isBelowPrefix(state.path)) {
    admitWithoutKey(ctx, table, deps);
    return route(ctx, table);
  }
  admitKey(ctx, deps);
  const body = readBody(req, ctx.res);
  if (body === undefined) {
    requireSignature(ctx, deps);
    return route(ctx, table);
  }
  return body.then((bytes) => {
    state.body = bytes;
    requireSignature(ctx, deps);
    return route(ctx, table);
  });
}

function admitWithoutKey(ctx: Context, table: RouteTable, { rateLimits, admission }: AppDependencies): void {
  // A page is of no use without its style, and sending that costs less than refusing it.
  if (!table.isImmutable(ctx.state.path)) rateLimits?.admitKeyless(ctx.state.client);
  admitRequest(ctx, admission);
}

function admitKey(ctx: Context, deps: AppDependencies): void {
  const { state } = ctx;
  const principal = authenticateKey(ctx, deps);
  state.principal = principal;
  state.allowance = deps.rateLimits?.admit(principal, state.client);
}

/** A secret key signs its requests; a public one does not. */
function requireSignature(ctx: Context, deps: AppDependencies): void {
  const { principal } = ctx.state;
  if (principal?.kind === "secret") authenticateSignature(ctx, principal, deps);
}

/** Path, method, permission, input, snapshot. */
function route(ctx: Context, table: RouteTable): Reply | Promise<Reply> {
  const { path } = ctx.state;
  // `%2F` is no way to write a path here: no identifier holds a slash.
  if (path.includes("%") && /%2f/i.test(path)) throw table.notFound(path, ctx.req.method as string);
  return table.reply(ctx);
}
