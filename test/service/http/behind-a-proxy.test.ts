/** Behind a proxy that is trusted, the client of a request is the one that it forwards for. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import t, { type Test } from "tap";
import {
  ConnectionCounts,
  createConnectionMemory,
  readConnections,
} from "../../../src/service/http/connection/connection-counts.ts";
import { Client, Clients } from "../../../src/service/http/request/client-address.ts";
import { publicKey, testKeys } from "../../support/signed-request.ts";
import { startApp } from "../../support/start-app.ts";
import { testAdmission } from "../../support/test-admission.ts";

const path = "/api/v1/counties";
const clients = (): Clients => new Clients({ addresses: ["127.0.0.1"] });

t.test("the log names the client, and the proxy where that is unknown", async (t) => {
  const app = await startApp(t, undefined, { deps: { clients: clients() } });
  const clientOf = async (forwarded: string | undefined, id: string): Promise<unknown> => {
    await app.get(path, { "X-Forwarded-For": forwarded, "X-Request-Id": id });
    return (await app.logLineOf(id))["client"];
  };
  t.equal(await clientOf("198.51.100.1, 203.0.113.9", "a"), "203.0.113.9");
  t.equal(await clientOf("2001:db8::1", "b"), "2001:db8::1");
  t.equal(await clientOf('"},{"x":"', "c"), "127.0.0.1");
  t.equal(await clientOf(undefined, "d"), "127.0.0.1");
  const open = await startApp(t);
  await open.get(path, { "X-Forwarded-For": "203.0.113.9", "X-Request-Id": "e" });
  t.equal((await open.logLineOf("e"))["client"], "127.0.0.1", "no proxy is trusted");
});

/** The first line of the answer on a connection of its own, which stays open; empty when the server closes it. */
async function ask(t: Test, port: number, localAddress: string): Promise<{ socket: Socket; line: string }> {
  const socket = connect({ port, host: "127.0.0.1", localAddress }).setEncoding("latin1");
  t.teardown(() => socket.destroy());
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${publicKey}\r\n\r\n`);
  const [text] = (await Promise.race([once(socket, "data"), once(socket, "close")])) as [unknown];
  return { socket, line: typeof text === "string" ? (text.split("\r\n", 1)[0] as string) : "" };
}

t.test("the connections of a proxy have no share; those of others have", async (t) => {
  const memory = createConnectionMemory(0);
  const connectionCounts = new ConnectionCounts(memory, { total: 10, perAddress: 1 }, 0);
  const app = await startApp(t, undefined, { deps: { clients: clients() }, connectionCounts });
  const [first, second] = [await ask(t, app.port, "127.0.0.1"), await ask(t, app.port, "127.0.0.1")];
  t.strictSame([first.line, second.line], ["HTTP/1.1 200 OK", "HTTP/1.1 200 OK"]);
  t.equal(readConnections(memory).held, 2);
  const [third, fourth] = [await ask(t, app.port, "127.0.0.2"), await ask(t, app.port, "127.0.0.2")];
  t.strictSame([third.line, fourth.line], ["HTTP/1.1 200 OK", "HTTP/1.1 200 OK"]);
  t.equal(readConnections(memory).held, 3, "the idle one made room for the other of its address");
  t.notOk(first.socket.destroyed || second.socket.destroyed);
});

t.test("requests in flight are those of the client, not of the proxy", async (t) => {
  const admission = testAdmission({ requests: { total: 8, forSecretKeys: 0 } });
  const app = await startApp(t, undefined, { deps: { admission, clients: clients() } });
  const key = testKeys().current().find(publicKey);
  // With one of four shared places it has its share.
  const busy = admission.placeFor(key, new Client("203.0.113.1"));
  busy.enter();
  const from = async (address: string): Promise<number> => (await app.get(path, { "X-Forwarded-For": address })).status;
  t.strictSame([await from("203.0.113.1"), await from("203.0.113.2"), await from("203.0.113.2")], [429, 200, 200]);
  busy.leave();
  t.equal(await from("203.0.113.1"), 200);
});
