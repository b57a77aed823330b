/** The limit of connections over two threads of a service: here two servers over one memory. */
import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import t, { type Test } from "tap";
import {
  ConnectionCounts,
  type ConnectionLimit,
  createConnectionMemory,
  readConnections,
} from "../../../src/service/http/connection/connection-counts.ts";
import { Connections } from "../../../src/service/http/connection/connections.ts";
import { listenOn } from "../../support/listen-on.ts";

interface Thread {
  readonly port: number;
  /** Connections of both threads. */
  readonly figures: () => ReturnType<typeof readConnections>;
}

async function startThreads(t: Test, limit: ConnectionLimit): Promise<[Thread, Thread]> {
  const memory = createConnectionMemory(2);
  const start = async (thread: number): Promise<Thread> => {
    const counts = new ConnectionCounts(memory, limit, thread);
    const server = createServer((_, response) => void response.end());
    const refuse = (socket: Socket): void => void socket.write("HTTP/1.1 503 Full\r\nContent-Length: 0\r\n\r\n");
    const connections = new Connections(server, counts, refuse);
    server.on("request", (request, response) => connections.follow(request, response));
    return { port: await listenOn(t, server), figures: () => readConnections(memory) };
  };
  return [await start(1), await start(2)];
}

/** Opens connections one after another; done when the thread has admitted them. */
async function fill(t: Test, { port, figures }: Thread, count: number): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  const { held: before } = figures();
  for (let held = before + 1; held <= before + count; held++) {
    const socket = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.2" })
      .on("error", () => undefined)
      .resume();
    t.teardown(() => socket.destroy());
    while (figures().held < held) await new Promise(setImmediate);
    sockets.push(socket);
  }
  return sockets;
}

async function statusOf({ port }: Thread, localAddress: string): Promise<number | undefined> {
  const request = get({ port, host: "127.0.0.1", localAddress, agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

t.test("connections of all threads count, and an idle one of the same thread makes room", async (t) => {
  const [first, second] = await startThreads(t, { total: 3, perAddress: 3 });
  const others = await fill(t, first, 2);
  const [own] = await fill(t, second, 1);
  t.equal(await statusOf(second, "127.0.0.1"), 200);
  if (own?.closed === false) await once(own, "close");
  t.notOk(others.some(({ closed }) => closed));
  t.equal(second.figures().refused, 0);
});

t.test("an address at its share gets room from its own idle connection", async (t) => {
  const [first, second] = await startThreads(t, { total: 9, perAddress: 2 });
  const [other] = await fill(t, first, 1);
  const [own] = await fill(t, second, 1);
  t.equal(await statusOf(second, "127.0.0.1"), 200);
  t.notOk(own?.closed, "another address has a share of its own");
  t.equal(await statusOf(second, "127.0.0.2"), 200);
  if (own?.closed === false) await once(own, "close");
  t.notOk(other?.closed);
});

t.test("a thread without an idle connection refuses a new one", async (t) => {
  const [first, second] = await startThreads(t, { total: 3, perAddress: 3 });
  const idle = await fill(t, first, 3);
  t.equal(await statusOf(second, "127.0.0.1"), 503);
  t.notOk(idle.some(({ closed }) => closed));
  t.strictSame(second.figures(), { held: 3, refused: 1 });
});
