import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import t from "tap";
import { Client } from "../../src/http/client-address.ts";
import type { Context, RequestState } from "../../src/http/context.ts";
import { answerSliceMilliseconds } from "../../src/http/limits.ts";
import { newRequest } from "../../src/http/receive-request.ts";
import { writeAnswer } from "../../src/http/write-answer.ts";
import { testAdmission } from "../support/test-admission.ts";

/** Pieces of which each takes longer than a slice. */
function* slowPieces(): Generator<string> {
  for (const piece of ["[1", ",2", ",3]"]) {
    const end = performance.now() + 2 * answerSliceMilliseconds;
    while (performance.now() < end);
    yield piece;
  }
}

t.test("a short answer that takes several slices leaves whole, with its length, and is no long answer", async (t) => {
  const admission = testAdmission({ answers: { total: 0, perAddress: 0 } });
  const app = new Koa<RequestState>();
  app.use((ctx) => {
    ctx.state = newRequest(ctx.req, new Client("127.0.0.1"), undefined);
    return writeAnswer(
      ctx as Context,
      slowPieces(),
      { type: "application/json", headers: [], coding: "identity" },
      admission,
    );
  });
  const server = createServer(app.callback()).listen(0, "127.0.0.1");
  t.teardown(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  for (const method of ["GET", "HEAD"]) {
    const response = await fetch(url, { method });
    t.equal(response.status, 200);
    t.equal(response.headers.get("content-length"), "7", method);
    t.equal(await response.text(), method === "GET" ? "[1,2,3]" : "");
  }
  t.strictSame(admission.figures("answers"), { held: 0, refused: { limit: 0, load: 0 } });
});
