import type { AddressInfo } from "node:net";
import t, { type Test } from "tap";
import { createAdminServer, type ServiceState } from "../../src/serve/admin.ts";
import { buildStore } from "../../src/store/build-store.ts";
import { tinyDataset } from "../support/tiny-dataset.ts";

async function serveAdmin(t: Test, state: Partial<ServiceState>): Promise<string> {
  const server = createAdminServer({ currentStore: () => undefined, brokenSnapshots: [], ...state });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

t.test("a process without a store is live but not ready", async (t) => {
  const url = await serveAdmin(t, {});
  const live = await fetch(`${url}/live`);
  t.strictSame([live.status, await live.json()], [200, { status: "live" }]);
  const ready = await fetch(`${url}/ready`);
  t.strictSame([ready.status, await ready.json()], [503, { status: "not ready" }]);
});

t.test("a process with a store is ready, and says what it serves and what was broken", async (t) => {
  const store = buildStore(tinyDataset({ prices: [{}, {}] }));
  const brokenSnapshots: string[] = [];
  const url = await serveAdmin(t, { currentStore: () => store, brokenSnapshots });
  brokenSnapshots.push("20261121T083000Z-0123456789ab");
  const ready = await fetch(`${url}/ready`);
  t.strictSame(
    [ready.status, await ready.json()],
    [
      200,
      {
        status: "ready",
        snapshot: "20261120T083000Z-0123456789ab",
        prices: 2,
        broken_snapshots: ["20261121T083000Z-0123456789ab"],
      },
    ],
  );
});

t.test("answers are JSON that nobody keeps, one line each", async (t) => {
  const url = await serveAdmin(t, {});
  for (const path of ["/live", "/ready", "/nowhere"]) {
    const response = await fetch(url + path);
    t.equal(response.headers.get("Content-Type"), "application/json");
    t.equal(response.headers.get("Cache-Control"), "no-store");
    t.match(await response.text(), /^\{.*\}\n$/);
  }
});

t.test("other paths are 404 whatever the method, other methods 405", async (t) => {
  const url = await serveAdmin(t, {});
  for (const [method, path, status, allow] of [
    ["GET", "/", 404, null],
    ["POST", "/reload", 404, null],
    ["GET", "/LIVE", 404, null],
    ["POST", "/live", 405, "GET, HEAD"],
    ["PUT", "/ready?now", 405, "GET, HEAD"],
    ["HEAD", "/live?now", 200, null],
    ["HEAD", "/ready", 503, null],
  ] as const) {
    const response = await fetch(url + path, { method });
    t.equal(response.status, status, `${method} ${path}`);
    t.equal(response.headers.get("Allow"), allow);
    if (method === "HEAD") t.equal(await response.text(), "");
  }
});
