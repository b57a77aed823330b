/** A client that names its snapshot is answered from that one or not at all. */
import t from "tap";
import { expectError } from "../../support/expect-answer.ts";
import { publicKey } from "../../support/signed-request.ts";
import { startApp } from "../../support/start-app.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

const path = "/api/v1/crops";
const current = "20260301T083000Z-0123456789ab";
const other = "20260302T083000Z-0123456789ac";

t.test("a reader of pages learns of a swap between two of them", async (t) => {
  const app = await startApp(t, tinyDataset({ snapshot: { id: current } }));
  const first = await app.get("/api/v1/markets?page_size=1");
  const pin = { "X-Snapshot-Id": String(first.headers["x-snapshot-id"]) };
  t.equal((await app.get("/api/v1/markets?page_size=1&page=2", pin)).status, 200);
  app.swap(tinyDataset({ snapshot: { id: other } }));
  const snapshots = { requested: current, current: other };
  const next = await app.get("/api/v1/markets?page_size=1&page=3", pin);
  expectError(t, next, { code: "SNAPSHOT_CHANGED", snapshots });
});

t.test("the id is checked after key, permission and input, and before If-None-Match", async (t) => {
  const app = await startApp(t, tinyDataset({ snapshot: { id: current } }));
  const pin = { "X-Snapshot-Id": other };
  expectError(t, await app.send({ method: "GET", path, headers: pin }), { code: "MISSING_API_KEY" });
  expectError(t, await app.post("/api/v1/prices/search", {}, pin), { code: "INSUFFICIENT_PERMISSIONS" });
  expectError(t, await app.get(`${path}?x=1`, pin), { code: "VALIDATION_ERROR", fields: ["x"] });
  expectError(t, await app.get("/api/v1/nothing", pin), { code: "NOT_FOUND" });
  const etag = String((await app.get(path)).headers.etag);
  const changed = await app.get(path, { ...pin, "If-None-Match": etag });
  expectError(t, changed, { code: "SNAPSHOT_CHANGED", snapshots: { requested: other, current } });
  const same = await app.get(path, { "X-Snapshot-Id": current, "If-None-Match": etag });
  t.strictSame([same.status, same.headers.vary], [304, "Accept, Accept-Encoding, X-Snapshot-Id"]);
  const head = await app.send({ method: "HEAD", path, headers: { "X-API-Key": publicKey, ...pin } });
  t.strictSame([head.status, head.text], [409, ""]);
});

t.test("what is no id of a snapshot is a bad value", async (t) => {
  const app = await startApp(t, tinyDataset({ snapshot: { id: current } }));
  const bad = [
    "",
    "latest",
    current.slice(1),
    `${current}0`,
    current.toUpperCase(),
    `${current}, ${current}`,
    `"${current}"`,
  ];
  for (const id of bad) {
    const answer = await app.get(path, { "X-Snapshot-Id": id });
    expectError(t, answer, { code: "VALIDATION_ERROR", fields: ["X-Snapshot-Id"] }, id);
  }
});

t.test("the documents that need no key belong to no snapshot", async (t) => {
  const app = await startApp(t, tinyDataset({ snapshot: { id: current } }));
  for (const document of ["/docs", "/openapi.json"]) {
    t.equal((await app.get(document, { "X-Snapshot-Id": other })).status, 200, document);
  }
});
