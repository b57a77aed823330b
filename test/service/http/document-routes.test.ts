import { createServer } from "node:http";
import Koa from "koa";
import t from "tap";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { AnswerCache } from "../../../src/service/http/answer/answer-cache.ts";
import { tagsOf } from "../../../src/service/http/answer/representation.ts";
import { sendReply } from "../../../src/service/http/answer/send-reply.ts";
import { documentRoutes } from "../../../src/service/http/document-routes.ts";
import { endpoints } from "../../../src/service/http/endpoint-table.ts";
import { Client } from "../../../src/service/http/request/client-address.ts";
import type { Context, RequestState } from "../../../src/service/http/request/context.ts";
import { newRequest } from "../../../src/service/http/request/read-request.ts";
import { documentsOf } from "../../../src/site/docs/documents.ts";
import { listenOn } from "../../support/listen-on.ts";
import { testAdmission } from "../../support/test-admission.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

t.test("a document is rendered once for a store, and again after a failure", async (t) => {
  // Rendering reads the endpoints, always as often.
  let reads = 0;
  let isBroken = true;
  const watched = new Proxy(endpoints, {
    get(target, name, receiver) {
      reads++;
      if (isBroken) throw new Error("broken");
      return Reflect.get(target, name, receiver);
    },
  });
  let store = storeOf("the first source");
  const cache = new AnswerCache(2 ** 20, () => store);
  const [route] = documentRoutes(documentsOf(watched, false), false, { tagOf: tagsOf("1"), cache }).filter(
    ({ path }) => path === "/docs",
  );
  const app = new Koa<RequestState>();
  app.silent = true;
  app.use(async (ctx) => {
    const client = new Client("127.0.0.1");
    ctx.state = newRequest(ctx.req, client, store);
    ctx.state.place = testAdmission().placeFor(undefined, client);
    const reply = await route?.reply(ctx as Context, {});
    if (reply !== undefined) await sendReply(ctx as Context, reply);
  });
  const url = `http://127.0.0.1:${await listenOn(t, createServer(app.callback()))}/docs`;
  const ask = (): Promise<Response> => fetch(url, { headers: { Connection: "close" } });

  t.equal((await ask()).status, 500);
  isBroken = false;
  reads = 0;
  const first = await (await ask()).text();
  t.match(first, "<li>the first source</li>");
  const readsOnce = reads;
  t.ok(readsOnce > 0);
  t.equal(await (await ask()).text(), first);
  t.equal(reads, readsOnce);
  store = storeOf("the second source");
  t.match(await (await ask()).text(), "<li>the second source</li>");
  t.equal(reads, 2 * readsOnce);
});

function storeOf(source: string): Store {
  return buildStore(tinyDataset({ snapshot: { id: source, attribution: [source], sources: {} } }));
}
