import { once } from "node:events";
import { connect } from "node:net";
import t from "tap";
import { programVersion } from "../../../src/engine/files/program-version.ts";
import { createAdminServer } from "../../../src/service/serve/admin.ts";
import { valuesOf } from "../../support/fields-of.ts";
import { rawExchange } from "../../support/raw-exchange.ts";
import { serveAdmin } from "../../support/serve-admin.ts";
import { startingState } from "../../support/starting-state.ts";

t.test("a process without a store is live but not ready", async (t) => {
  const { url } = await serveAdmin(t);
  const live = await fetch(`${url}/live`);
  t.strictSame([live.status, await live.json()], [200, { status: "live" }]);
  const ready = await fetch(`${url}/ready`);
  t.strictSame(
    [ready.status, await ready.json()],
    [503, { status: "not ready", reason: "no snapshot is served yet", ...programVersion() }],
  );
  for (const [method, path] of [
    ["GET", "/snapshot"],
    ["POST", "/reload"],
  ] as const) {
    const response = await fetch(url + path, { method });
    t.strictSame([response.status, await response.json()], [503, { status: "not ready" }]);
  }
  const metrics = await fetch(`${url}/metrics`);
  const text = await metrics.text();
  t.match(text, /^server_threads_listening 0$/m, "figures are there at any time");
  const { version, commit } = programVersion();
  t.match(text, `build_info{version="${version}",commit="${commit}",node_version="${process.versions.node}"} 1\n`);
});

t.test("answers are JSON that is not kept, one line each", async (t) => {
  const { url } = await serveAdmin(t);
  for (const path of ["/live", "/ready", "/nowhere"]) {
    const response = await fetch(url + path);
    t.equal(response.headers.get("Content-Type"), "application/json");
    t.equal(response.headers.get("Cache-Control"), "no-store");
    t.match(await response.text(), /^\{.*\}\n$/);
  }
});

t.test("a client that waits for 100 Continue gets the answer, for no body is read", async (t) => {
  const { hostname, port } = new URL((await serveAdmin(t)).url);
  const head = "GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: 2\r\n";
  const socket = connect(Number(port), hostname, () => socket.write(`${head}Expect: 100-continue\r\n\r\n`));
  const [bytes] = (await once(socket, "data")) as [Buffer];
  t.match(bytes.toString(), /^HTTP\/1\.1 200 OK\r\n/);
  socket.destroy();
});

t.test("other paths are 404 whatever the method, other methods 405", async (t) => {
  const { url } = await serveAdmin(t);
  for (const [method, path, status, allow] of [
    ["GET", "/", 404, null],
    ["GET", "/reload", 405, "POST"],
    ["POST", "/snapshot", 405, "GET, HEAD"],
    ["POST", "/metrics", 405, "GET, HEAD"],
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

t.test("a request that is no HTTP gets the status and the code of one error", async (t) => {
  const { port } = await serveAdmin(t);
  for (const [sent, status, code] of [
    ["no request\r\n\r\n", 400, "BAD_REQUEST"],
    [`GET /live HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(100_000)}\r\n\r\n`, 431, "HEADERS_TOO_LARGE"],
  ] as const) {
    const { answers } = await rawExchange(port, sent);
    t.match(answers, [{ status, text: new RegExp(`"code":"${code}"`) }]);
    t.notOk(Object.keys(answers[0]?.headers ?? {}).some((name) => name.startsWith("access-control")));
  }
});

t.test("a request that asks for an upgrade is answered as usual, and so is what follows it", async (t) => {
  const { port } = await serveAdmin(t);
  for (const header of ["Connection", "Proxy-Connection"]) {
    const asked = `GET /live HTTP/1.1\r\nHost: localhost\r\n${header}: Upgrade\r\nUpgrade: h2c\r\n`;
    for (const [sent, statuses] of [
      [
        [`${asked}\r\n`, "GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"],
        [200, 404],
      ],
      [
        [`${asked}\r\n`, "BROKEN\r\n\r\n"],
        [200, 400],
      ],
      [[`${asked}\r\nBROKEN\r\n\r\n`], [200, 400]],
      [[`${asked}Transfer-Encoding: chunked\r\n\r\nzz\r\n`], [400]],
    ] as const) {
      const { answers } = await rawExchange(port, sent);
      t.strictSame(valuesOf(answers, "status"), statuses);
    }
  }
});

t.test("an answer may take its time, as that to a reload does", async (t) => {
  const { server } = createAdminServer(
    startingState(),
    () => undefined,
    (error) => t.error(error),
  );
  t.equal(server.timeout, 0);
});
