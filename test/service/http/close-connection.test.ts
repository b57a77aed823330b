import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import t from "tap";
import { endInOrder } from "../../../src/service/http/connection/close-connection.ts";
import { publicKey } from "../../support/signed-request.ts";
import { startApp } from "../../support/start-app.ts";

const headers = `Host: prices.example\r\nX-API-Key: ${publicKey}\r\n`;
const good = `GET /api/v1/crops HTTP/1.1\r\n${headers}\r\n`;
/** More than is read at a time, with bodies among it. */
const more = `${good.repeat(500)}${`GET / HTTP/1.1\r\n${headers}Content-Length: 200000\r\n\r\n${" ".repeat(200_000)}`}`;

const lasts: Readonly<Record<string, readonly [bytes: string, status: number]>> = {
  "too large a body": [
    `POST /api/v1/products/search HTTP/1.1\r\n${headers}Content-Length: 70000\r\n\r\n${" ".repeat(70_000)}`,
    413,
  ],
  "broken HTTP": ["nonsense\r\n\r\n", 400],
  "too many headers": [`GET / HTTP/1.1\r\n${"X: y\r\n".repeat(4000)}`, 431],
  "a request with a blank line before its headers": [`GET / HTTP/1.1\r\n\r\n${headers}\r\n`, 400],
  "a request that is its connection's last": [good.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"), 200],
};

for (const [name, [bytes, status]] of Object.entries(lasts)) {
  t.test(`the answer to ${name} reaches a client that has sent more and reads late`, async (t) => {
    const app = await startApp(t);
    const accepted = once(app.server, "connection") as Promise<[Socket]>;
    const client = connect({ port: app.port, host: "127.0.0.1" });
    let received = "";
    client.on("error", (error) => t.fail(`the connection was reset: ${error.message}`));
    client.pause();
    client.write(bytes);
    const [socket] = await accepted;
    await once(socket, "finish");
    for (let piece = 0; piece < 3; piece++) {
      await new Promise((resolve) => client.write(more, resolve));
    }
    client.on("data", (chunk) => {
      received += chunk;
    });
    client.end();
    await once(socket, "end");
    client.resume();
    await once(client, "close");
    t.match(received, new RegExp(`^HTTP/1\\.1 ${status} `));
    t.equal(received.match(/HTTP\/1\.1 /g)?.length, 1, "what follows it is not answered");
    const lines = app.logLines.filter((line) => line.includes("request"));
    t.equal(lines.length, 1, "nor logged");
  });
}

t.test("a client that does not end its side is not waited for", async (t) => {
  const server = createServer({ allowHalfOpen: true }, (socket) => endInOrder(socket, 30)).listen(0, "127.0.0.1");
  t.teardown(() => server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  t.teardown(() => client.destroy());
  client.on("error", () => undefined).resume();
  const [socket] = (await once(server, "connection")) as [Socket];
  await once(socket, "close");
  t.notOk(socket.readableEnded);
});
