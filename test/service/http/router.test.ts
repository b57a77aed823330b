import { createServer } from "node:http";
import Koa from "koa";
import { pino } from "pino";
import t from "tap";
import { apiPrefix } from "../../../src/contract/paths.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { AnswerCache } from "../../../src/service/http/answer/answer-cache.ts";
import { errorReply } from "../../../src/service/http/answer/error-reply.ts";
import { tagsOf } from "../../../src/service/http/answer/representation.ts";
import { sendReply } from "../../../src/service/http/answer/send-reply.ts";
import { endpoints } from "../../../src/service/http/endpoint-table.ts";
import { endpointRoute } from "../../../src/service/http/handle-request.ts";
import { Client } from "../../../src/service/http/request/client-address.ts";
import type { RequestState } from "../../../src/service/http/request/context.ts";
import { newRequest, requireWellFormed } from "../../../src/service/http/request/read-request.ts";
import { RouteTable } from "../../../src/service/http/router.ts";
import { listenOn } from "../../support/listen-on.ts";
import { noDownloads } from "../../support/no-downloads.ts";
import { testKeys } from "../../support/signed-request.ts";
import { testAdmission } from "../../support/test-admission.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

t.test("no endpoint is open to a request whose key no one has looked at", async (t) => {
  const store = buildStore(tinyDataset());
  const keys = testKeys().current();
  const admission = testAdmission();
  const log = pino({ level: "silent" });
  const deps = {
    currentStore: () => store,
    currentKeys: () => keys,
    now: () => 0,
    log,
    admission,
    downloads: noDownloads,
    renderErrorPage: () => undefined,
  };
  const app = new Koa<RequestState>();
  // As the app, without what asks for the key.
  const parts = { tagOf: tagsOf("1"), cache: new AnswerCache(0, () => store) };
  const table = new RouteTable(endpoints.map((endpoint) => endpointRoute(endpoint, deps, parts)));
  app.use(async (ctx) => {
    ctx.state = newRequest(ctx.req, new Client("127.0.0.1"), store);
    try {
      requireWellFormed(ctx);
      await sendReply(ctx, await table.reply(ctx));
    } catch (error) {
      await sendReply(ctx, errorReply(ctx, error, deps));
    }
  });
  const port = await listenOn(t, createServer(app.callback()));
  for (const { method, path } of endpoints) {
    const target = apiPrefix + path.replace(":uuid", "63ee0850-d07b-5001-9007-7b8ec8242380").replace(":id", "1");
    const response = await fetch(`http://127.0.0.1:${port}${target}`, { method });
    t.equal(response.status, 401, `${method} ${path}`);
    t.match(await response.json(), { code: "MISSING_API_KEY" });
  }
});
