/** What a client sees of broken invariants, of a service without data, and of a swap in the middle of its request. */

import { once } from "node:events";
import { connect } from "node:net";
import t from "tap";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { expectError } from "../../support/expect-answer.ts";
import { publicKey, secretKey, signedHeaders } from "../../support/signed-request.ts";
import { startApp, startSeconds } from "../../support/start-app.ts";
import { tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

t.test("a handler that throws is a 500 without internals, and the log has the cause", async (t) => {
  const store = buildStore(tinyDataset({ prices: [{}] }));
  const broken: Store = { ...store, catalogue: { ...store.catalogue, counties: new Map() } };
  const app = await startApp(t, undefined, { deps: { currentStore: () => broken } });
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const answers = [
    await app.get(`/api/v1/markets/${uuidOf("market", 1)}`, { "X-Request-Id": "broken", traceparent }),
    await app.get("/api/v1/markets"),
    await app.signedPost("/api/v1/prices/search", {}),
  ];
  for (const answer of answers) {
    const { message } = expectError(t, answer, { code: "INTERNAL_ERROR" });
    t.equal(message, "Something went wrong here; the log knows more.");
    t.notMatch(answer.text, /catalogue|RangeError|\.ts|county/);
  }
  const lines = app.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const failures = lines.filter(({ msg }) => msg === "request failed");
  t.equal(failures.length, answers.length);
  t.match(failures[0], {
    level: 50,
    request_id: "broken",
    trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
    err: { type: "RangeError", message: "county 47 is not in the catalogue", stack: /catalogue\.ts/ },
  });
  t.match(await app.logLineOf("broken"), { status: 500, code: "INTERNAL_ERROR" });
  t.equal((await app.get("/api/v1/crops")).status, 200, "and the service serves on");
});

t.test("keys that cannot be asked for are a 500 too", async (t) => {
  const failing = () => {
    throw new Error(`no ring for ${publicKey}`);
  };
  const app = await startApp(t, undefined, { deps: { currentKeys: failing } });
  const answer = await app.get("/api/v1/crops");
  expectError(t, answer, { code: "INTERNAL_ERROR" });
  t.notOk(answer.text.includes(publicKey));
});

t.test("a request sees one snapshot from its start to its end", async (t) => {
  const [before, after] = ["20261120T083000Z-0123456789ab", "20261121T083000Z-ba9876543210"] as const;
  const app = await startApp(t, tinyDataset({ snapshot: { id: before }, prices: [{ price: 1 }] }));
  const path = "/api/v1/prices/statistics";
  const body = JSON.stringify({ product_uuid: uuidOf("product", 1), start_date: "2026-01-01", end_date: "2026-12-31" });
  const signed = signedHeaders({ method: "POST", path, body, key: secretKey, timestampSeconds: startSeconds });

  const socket = connect(app.port, "127.0.0.1");
  socket.setEncoding("utf8");
  const headers = Object.entries({ ...signed, Host: "x", Expect: "100-continue", Connection: "close" });
  socket.write(`POST ${path} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}`);
  socket.write(`Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`);
  const [interim] = await once(socket, "data");
  t.match(interim, /^HTTP\/1\.1 100 /, "the request has been taken up");
  app.swap(tinyDataset({ snapshot: { id: after }, prices: [{ price: 2 }] }));
  const meanwhile = await app.signedPost(path, JSON.parse(body));
  t.equal(meanwhile.headers["x-snapshot-id"], after, "anyone who comes now sees the next one");
  t.match(meanwhile.body, { data: { overall: { average_price: 2 } }, meta: { snapshot: after } });

  socket.write(body);
  let text = "";
  for await (const piece of socket) text += piece;
  t.match(text, `X-Snapshot-Id: ${before}`);
  t.match(JSON.parse(text.slice(text.indexOf("\r\n\r\n"))), {
    data: { overall: { average_price: 1 } },
    meta: { snapshot: before },
  });
});

t.test("a client that goes away in the middle troubles no one", async (t) => {
  const app = await startApp(t);
  const socket = connect(app.port, "127.0.0.1");
  const id = "gone";
  socket.write(
    `POST /api/v1/products/search HTTP/1.1\r\nHost: x\r\nX-API-Key: ${publicKey}\r\nX-Request-Id: ${id}\r\n`,
  );
  socket.write("Content-Length: 10\r\nExpect: 100-continue\r\n\r\n");
  await once(socket, "data");
  socket.write("{");
  socket.resetAndDestroy();
  t.match(await app.logLineOf(id), { aborted: true });
  t.equal((await app.get("/api/v1/crops")).status, 200);
  t.strictSame(
    app.logLines.filter((line) => (JSON.parse(line) as { level: number }).level > 30),
    [],
  );
});
