/** Clients that reset their connection at any point of a request, while the service starts and afterwards. */
import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pino } from "pino";
import t, { type Test } from "tap";
import { reservePort } from "../../src/service/serve/ports.ts";
import { serveFolder } from "../support/served-folder.ts";
import { folderWithData } from "../support/start-process.ts";
import { testConnections } from "../support/test-admission.ts";

const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
const requests: readonly string[] = [
  "CONNECT a:1 HTTP/1.1\r\n\r\n",
  "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\nbytes of another protocol",
  `GET /docs HTTP/1.1\r\nHost: a\r\n${upgrade}\r\n`,
  `GET /docs HTTP/1.1\r\nHost: a\r\n${upgrade}\r\nBROKEN\r\n\r\n`,
  `POST /api/v1/prices/latest HTTP/1.1\r\nHost: a\r\n${upgrade}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
  "POST /api/v1/prices/latest HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n{}",
  "GET /openapi.json HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\n\r\n",
  "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\nGET /docs HTTP/1.1\r\nHost: a\r\n\r\n",
  "BROKEN\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
];

/** Sends the beginning of a request and resets: at once, some turns later, or when the first byte of an answer came. */
async function resetAt(port: number, request: string, length: number, turns: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(request.slice(0, length));
  for (let turn = 0; turn < turns; turn++) await nextTurn();
  socket.resetAndDestroy();
}

/** Resets in the middle of the request line, before the last byte, behind the last byte, soon and somewhat later. */
async function attack(port: number): Promise<void> {
  for (const request of requests) {
    const resets: Promise<void>[] = [];
    for (const length of [3, request.length - 1, request.length]) {
      for (const turns of [0, 1, 2, 5, 20]) resets.push(resetAt(port, request, length, turns));
    }
    await Promise.all(resets);
  }
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

t.test("the port of a service that starts survives them", async (t) => {
  const port = await reservePort("127.0.0.1", 0, pino({ level: "silent" }), testConnections());
  t.teardown(() => port.close());
  for (let round = 0; round < 5; round++) await attack(port.port);
  t.equal((await fetch(port.baseUrl)).status, 503);
});

t.test("no thread dies of them, nor the admin port", async (t) => {
  const served = await serveFolder(t, await folderWithData(t), { threadCount: 2 });
  const { baseUrl, adminUrl } = served.service;
  for (let round = 0; round < 5; round++) {
    await attack(portOf(baseUrl));
    await attack(portOf(adminUrl));
  }
  await expectAlive(t, baseUrl);
  t.match(await served.reported("/snapshot"), { threads: { wanted: 2, listening: 2, deaths: 0 } });
});

async function expectAlive(t: Test, baseUrl: string): Promise<void> {
  const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await fetch(`${baseUrl}/docs`)).status));
  t.ok(statuses.every((status) => status === 200));
}
