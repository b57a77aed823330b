/** The limits of connections of two threads of a service: here two servers over one memory. */
import { once } from "node:events";
import { createServer, get, type IncomingMessage, type RequestListener } from "node:http";
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
  /** Requests that it has got. */
  readonly requests: () => number;
}

/** @param limit That of each. */
async function startThreads(
  t: Test,
  limit: ConnectionLimit,
  handle: RequestListener = (_, response) => void response.end(),
): Promise<[Thread, Thread]> {
  const memory = createConnectionMemory(2);
  const start = async (thread: number): Promise<Thread> => {
    const counts = new ConnectionCounts(memory, limit, thread);
    const server = createServer(handle);
    let requests = 0;
    const refuse = (socket: Socket): void => void socket.write("HTTP/1.1 503 Full\r\nContent-Length: 0\r\n\r\n");
    const connections = new Connections(server, counts, refuse);
    server.on("request", (request, response) => {
      connections.follow(request, response);
      requests++;
    });
    return { port: await listenOn(t, server), figures: () => readConnections(memory), requests: () => requests };
  };
  return [await start(1), await start(2)];
}

/** Opens connections one after another; done when the thread has admitted them. */
async function fill(
  t: Test,
  { port, figures }: Thread,
  count: number,
  localAddress = "127.0.0.2",
): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  const { held: before } = figures();
  for (let held = before + 1; held <= before + count; held++) {
    const socket = connect({ port, host: "127.0.0.1", localAddress })
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

t.test("an idle connection makes room, and those of another thread neither do nor have to", async (t) => {
  const [first, second] = await startThreads(t, { total: 2, perAddress: 2 });
  const [oldest, newest] = await fill(t, first, 2);
  const others = await fill(t, second, 1);
  t.equal(await statusOf(second, "127.0.0.1"), 200);
  t.equal(await statusOf(first, "127.0.0.1"), 200);
  if (oldest?.closed === false) await once(oldest, "close");
  t.notOk([...others, newest as Socket].some(({ closed }) => closed));
  t.equal(first.figures().refused, 0);
});

t.test("an address at its share gets room from its own idle connection", async (t) => {
  const [first] = await startThreads(t, { total: 9, perAddress: 2 });
  const [other] = await fill(t, first, 1, "127.0.0.3");
  const [oldest, newest] = await fill(t, first, 2);
  t.equal(await statusOf(first, "127.0.0.1"), 200);
  t.notOk(oldest?.closed, "another address has a share of its own");
  t.equal(await statusOf(first, "127.0.0.2"), 200);
  if (oldest?.closed === false) await once(oldest, "close");
  t.notOk(newest?.closed || other?.closed);
});

t.test("where no connection is idle, a new one is refused", async (t) => {
  const [first, second] = await startThreads(t, { total: 2, perAddress: 2 }, () => undefined);
  const busy = await fill(t, first, 2);
  for (const socket of busy) socket.write("GET / HTTP/1.1\r\nHost: test\r\n\r\n");
  while (first.requests() < 2) await new Promise(setImmediate);
  t.equal(await statusOf(first, "127.0.0.1"), 503);
  t.notOk(busy.some(({ closed }) => closed));
  t.strictSame(second.figures(), { held: 2, refused: 1 });
});
