import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import t from "tap";
import type { Store } from "../../../src/engine/store/store.ts";
import { Client } from "../../../src/service/http/connection/client-address.ts";
import type { Context, RequestState } from "../../../src/service/http/context.ts";
import type { AppDependencies } from "../../../src/service/http/dependencies.ts";
import { documentRoutes } from "../../../src/service/http/document-routes.ts";
import { endpoints } from "../../../src/service/http/endpoint-table.ts";
import { newRequest } from "../../../src/service/http/input/receive-request.ts";
import { testAdmission } from "../../support/test-admission.ts";

t.test("a document is rendered once for all requests and each attribution, and again after a failure", async (t) => {
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
  let attribution: readonly string[] = ["the first source"];
  const [route] = documentRoutes(watched, { admission: testAdmission() } as AppDependencies).filter(
    ({ path }) => path === "/docs",
  );
  // Requests wait until as many have come as are sent together.
  let together = 1;
  const waiting: (() => void)[] = [];
  const app = new Koa<RequestState>();
  app.silent = true;
  app.use(async (ctx) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === together) for (const go of waiting.splice(0)) go();
    });
    const store = { snapshot: { id: "a", attribution, sources: {} } } as unknown as Store;
    ctx.state = newRequest(ctx.req, new Client("127.0.0.1"), store);
    await route?.serve(ctx as Context, {});
  });
  const server = createServer(app.callback()).listen(0, "127.0.0.1");
  t.teardown(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`;
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
  attribution = ["the second source"];
  together = 4;
  const answers = await Promise.all(Array.from({ length: together }, ask));
  for (const answer of answers) t.match(await answer.text(), "<li>the second source</li>");
  t.equal(reads, 2 * readsOnce);
});
