import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import t from "tap";
import { answerChunkBytes } from "../../src/contract/limits.ts";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { Admission, createAdmissionMemory } from "../../src/service/http/admission/admission.ts";
import { Overload } from "../../src/service/http/admission/overload.ts";
import { longTarget } from "../support/long-answer.ts";
import { publicKey } from "../support/signed-request.ts";
import { startApp } from "../support/start-app.ts";
import { testAdmission } from "../support/test-admission.ts";
import { tinyDataset } from "../support/tiny-dataset.ts";

/** An overload that a test switches on and off. */
class SwitchedOverload extends Overload {
  isOn = false;
  isTooMuch = false;
  refusesAnswers = false;

  override refusesRequest(): boolean {
    return this.isOn;
  }

  override refusesTooMany(): boolean {
    return this.isTooMuch;
  }

  override refusesAnswer(): boolean {
    return this.refusesAnswers;
  }
}

function switchedAdmission(): { readonly admission: Admission; readonly overload: SwitchedOverload } {
  const overload = new SwitchedOverload();
  return { admission: new Admission(createAdmissionMemory(0), testAdmission().limits, 0, overload), overload };
}

t.test("an overloaded thread refuses before it looks at anything", async (t) => {
  const { admission, overload } = switchedAdmission();
  const app = await startApp(t, undefined, { deps: { admission } });
  overload.isOn = true;
  // No key, no such path, a body that is no JSON.
  const headers = { "X-Request-Id": "refused-1", "Content-Type": "application/json" };
  const { status, headers: answered, body } = await app.send({ method: "POST", path: "/nowhere", headers, body: "{" });
  t.equal(status, 503);
  t.match(answered, {
    "content-type": "application/json",
    "cache-control": "no-store",
    "retry-after": "5",
    "x-request-id": "refused-1",
  });
  t.strictSame(body, {
    error: "unavailable",
    message: "The service is overloaded; try again after Retry-After seconds.",
    code: "SERVICE_UNAVAILABLE",
    request_id: "refused-1",
  });
  t.match(await app.logLineOf("refused-1"), { status: 503, code: "SERVICE_UNAVAILABLE", target: "/nowhere" });
  t.equal(admission.figures("requests").refused.load, 1);
  overload.isOn = false;
  t.equal((await app.get("/api/v1/counties")).status, 200, "the connection serves the next request");
});

t.test("where even refusing is too much, the connection is not read for a while", async (t) => {
  const { admission, overload } = switchedAdmission();
  const app = await startApp(t, undefined, { deps: { admission } });
  overload.isOn = true;
  overload.isTooMuch = true;
  const socket = connect(app.port, "127.0.0.1").setEncoding("utf8");
  t.teardown(() => socket.destroy());
  const request = "GET /docs HTTP/1.1\r\nHost: test\r\n\r\n";
  socket.write(request);
  t.match(String((await once(socket, "data"))[0]), /^HTTP\/1\.1 503 /);
  overload.isOn = false;
  socket.write(request);
  let isAnswered = false;
  const answered = once(socket, "data").then(([text]) => {
    isAnswered = true;
    return String(text);
  });
  await delay(10);
  t.notOk(isAnswered);
  t.match(await answered, /^HTTP\/1\.1 200 /, "then it is read again");
});

t.test("a long answer that is refused gets a whole 503, and a short one is answered", async (t) => {
  const { admission, overload } = switchedAdmission();
  const app = await startApp(t, wideDataset(), { deps: { admission } });
  const { text } = await app.get(longTarget);
  t.ok(text.length > answerChunkBytes);
  overload.refusesAnswers = true;
  const { status, body } = await app.get(longTarget);
  t.equal(status, 503);
  t.match(body, { code: "SERVICE_UNAVAILABLE" });
  t.strictSame(admission.figures("answers"), { held: 0, refused: { limit: 0, load: 1 } });
  t.equal((await app.get("/api/v1/counties")).status, 200);
});

t.test("what is probably long is refused before it is made, and nothing else of its endpoint", async (t) => {
  const { admission, overload } = switchedAdmission();
  const app = await startApp(t, wideDataset(), { deps: { admission, answerCacheBytes: 2 ** 20 } });
  const product = (await app.get("/api/v1/products?page_size=1")).body as { data: readonly { uuid: string }[] };
  const uuid = product.data[0]?.uuid;
  const kept = "/api/v1/prices/latest?one_per_market=true&limit=999";
  await app.get(kept);
  overload.refusesAnswers = true;
  // Ten products, so this one is in fact short.
  t.equal((await app.get("/api/v1/prices/latest?limit=10")).status, 503);
  t.equal((await app.get(`/api/v1/prices/latest?limit=10&product_uuids=${uuid}`)).status, 200);
  const statistics = (body: object): Promise<{ readonly status: number | undefined }> =>
    app.signedPost("/api/v1/prices/statistics", { product_uuid: uuid, end_date: "2026-12-31", ...body });
  t.equal((await statistics({ start_date: "2006-01-01", group_by: "day" })).status, 503);
  t.equal((await statistics({ start_date: "2006-01-01", group_by: "week" })).status, 503);
  t.equal((await statistics({ start_date: "2006-01-01", group_by: "month" })).status, 200);
  t.equal((await statistics({ start_date: "2006-01-01", group_by: "market" })).status, 200);
  t.equal((await statistics({ start_date: "2026-01-01", group_by: "day" })).status, 200);
  t.match((await app.get("/api/v1/prices/latest?limit=none")).body, { code: "VALIDATION_ERROR" });
  t.equal((await app.get(kept)).status, 503, "an answer from the cache that is long");
  t.equal((await app.send({ method: "HEAD", path: kept, headers: { "X-API-Key": publicKey } })).status, 200);
  overload.refusesAnswers = false;
  t.equal((await app.get(longTarget)).status, 200);
  t.strictSame(admission.figures("requests").held, 0);
  t.strictSame(admission.figures("answers"), { held: 0, refused: { limit: 0, load: 4 } });
});

/** One price of each of ten products at each of 100 markets. */
function wideDataset(): Dataset {
  const products = Array.from({ length: 10 }, (_, at) => ({ name: `Product ${at}` }));
  const markets = Array.from({ length: 100 }, (_, at) => ({ name: `Market ${at}` }));
  const prices = products.flatMap((_, product) => markets.map((_, market) => ({ product, market, price: 1 + market })));
  return tinyDataset({ products, markets, prices });
}
