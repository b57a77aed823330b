/** The limit of connections over two threads of a service: here two servers over one memory. */
import { once } from "node:events";
import { createServer, get, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import t, { type Test } from "tap";
import {
  ConnectionCounts,
  type ConnectionLimit,
  createConnectionMemory,
  readConnections,
} from "../../../src/service/http/connection/connection-counts.ts";
import { Connections } from "../../../src/service/http/connection/connections.ts";
import { RequestFeed } from "../../../src/service/http/connection/feed-requests.ts";

interface Thread {
  readonly port: number;
  /** Connections of both threads. */
  readonly figures: () => ReturnType<typeof readConnections>;
}

async function startThreads(t: Test, limit: ConnectionLimit, handle?: RequestListener): Promise<[Thread, Thread]> {
  const memory = createConnectionMemory(2);
  const start = async (thread: number): Promise<Thread> => {
    const counts = new ConnectionCounts(memory, limit, thread);
    const server = createServer(handle ?? ((_, response) => void response.end()));
    server.on("connection", (socket) => void new RequestFeed(socket, () => new PassThrough()));
    const refuse = (socket: Socket): void => void socket.write("HTTP/1.1 503 Full\r\nContent-Length: 0\r\n\r\n");
    new Connections(server, counts, refuse, { hasOtherThreads: true });
    await once(server.listen(0, "127.0.0.1"), "listening");
    t.teardown(() => server.close().closeAllConnections());
    return { port: (server.address() as AddressInfo).port, figures: () => readConnections(memory) };
  };
  return [await start(1), await start(2)];
}

/** Opens connections one after another and sends a text on each; done when the thread has admitted them. */
async function fill(t: Test, { port, figures }: Thread, count: number, text = ""): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  for (let held = 1; held <= count; held++) {
    const socket = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.2" })
      .on("error", () => undefined)
      .resume();
    t.teardown(() => socket.destroy());
    socket.write(text);
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

t.test("a thread without a connection of its own gets room from one that has idle ones", async (t) => {
  const [first, second] = await startThreads(t, { total: 3, perAddress: 3 });
  const [oldest, ...others] = await fill(t, first, 3);
  t.equal(await statusOf(second, "127.0.0.1"), 200);
  if (oldest?.closed === false) await once(oldest, "close");
  t.notOk(others.some(({ closed }) => closed));
  t.equal(second.figures().refused, 0);
});

t.test("an address at its share gets room from its own idle connections at another thread", async (t) => {
  const [first, second] = await startThreads(t, { total: 9, perAddress: 2 });
  const [oldest, newest] = await fill(t, first, 2);
  t.equal(await statusOf(second, "127.0.0.1"), 200);
  t.notOk(oldest?.closed, "another address has a share of its own");
  t.equal(await statusOf(second, "127.0.0.2"), 200);
  if (oldest?.closed === false) await once(oldest, "close");
  t.notOk(newest?.closed);
});

t.test("where no thread has an idle connection, a new one is refused", async (t) => {
  const [first, second] = await startThreads(t, { total: 3, perAddress: 3 }, () => undefined);
  const busy = await fill(t, first, 3, "GET / HTTP/1.1\r\nHost: test\r\n\r\n");
  t.equal(await statusOf(second, "127.0.0.1"), 503);
  t.notOk(busy.some(({ closed }) => closed));
  t.strictSame(second.figures(), { held: 3, refused: 1 });
});

t.test("a connection that becomes idle at the same thread makes room for one that waits", async (t) => {
  const answers: ServerResponse[] = [];
  const [first] = await startThreads(t, { total: 1, perAddress: 1 }, (_, response) => {
    // The one that waits is answered at once.
    if (answers.push(response) > 1) response.end();
  });
  await fill(t, first, 1, "GET / HTTP/1.1\r\nHost: test\r\n\r\n");
  while (answers.length === 0) await new Promise(setImmediate);
  const status = statusOf(first, "127.0.0.1");
  // When it has had time to ask.
  setTimeout(() => answers[0]?.end(), 30);
  t.equal(await status, 200);
  t.equal(first.figures().refused, 0);
});
