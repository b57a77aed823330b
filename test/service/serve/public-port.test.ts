import { once } from "node:events";
import { createServer } from "node:net";
import { pino } from "pino";
import t from "tap";
import { Clients } from "../../../src/service/http/request/client-address.ts";
import { ListenError, reservePort } from "../../../src/service/serve/ports.ts";
import { testConnections } from "../../support/test-admission.ts";
import { lacksLinux } from "../../support/why-skipped.ts";

const log = pino({ level: "silent" });

t.test("a reserved port says that the service is starting, until it is released", async (t) => {
  const lines: string[] = [];
  const kept = pino({}, { write: (line: string) => void lines.push(line) });
  const port = await reservePort("127.0.0.1", 0, kept, testConnections(), new Clients({ hops: 1 }));
  t.teardown(() => port.close());
  t.equal(port.baseUrl, `http://127.0.0.1:${port.port}`);
  const response = await fetch(`${port.baseUrl}/api/v1/crops`, {
    headers: { "X-Request-Id": "early", "X-Forwarded-For": "203.0.113.9" },
  });
  t.equal(response.status, 503);
  t.equal(response.headers.get("Retry-After"), "5");
  t.equal(response.headers.get("X-Request-Id"), "early");
  t.equal(response.headers.get("X-Content-Type-Options"), "nosniff");
  t.match(await response.json(), { code: "SERVICE_UNAVAILABLE", request_id: "early" });
  const line = { request_id: "early", status: 503, code: "SERVICE_UNAVAILABLE", client: "203.0.113.9" };
  t.match(
    lines.map((text) => JSON.parse(text)),
    [line],
  );
  await port.release();
  await port.release();
  await t.rejects(fetch(port.baseUrl), { cause: { code: "ECONNREFUSED" } });
});

t.test("a port is one service's, also after its release", { skip: lacksLinux }, async (t) => {
  const port = await reservePort("127.0.0.1", 0, log, testConnections());
  await t.rejects(reservePort("127.0.0.1", port.port, log, testConnections()), ListenError);
  await port.release();
  await t.rejects(reservePort("127.0.0.1", port.port, log, testConnections()), ListenError);
  t.ok(port.isShareable);
  const shared = createServer().listen({ host: port.host, port: port.port, reusePort: true });
  await once(shared, "listening");
  await t.rejects(reservePort("127.0.0.1", port.port, log, testConnections()), ListenError);
  shared.close();
  await once(shared, "close");
  port.close();
  const next = await reservePort("127.0.0.1", port.port, log, testConnections());
  next.close();
});
