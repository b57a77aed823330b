/** What the service uses of Node that Node's manual does not describe: fails when a version of Node changes it. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import t, { type Test } from "tap";
import { listenOn } from "../../support/listen-on.ts";

const head = "GET /first HTTP/1.1\r\nHost: test\r\n";
const request = `${head}\r\n`;

async function startServer(t: Test, handle: RequestListener): Promise<Server> {
  const server = createServer(handle);
  await listenOn(t, server);
  return server;
}

/** A client, and its socket at the server. */
async function connectTo(t: Test, server: Server): Promise<{ readonly client: Socket; readonly accepted: Socket }> {
  const client = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", allowHalfOpen: true });
  t.teardown(() => client.destroy());
  const [accepted] = (await once(server, "connection")) as [Socket];
  return { client, accepted };
}

t.test("the one listener of connections of a server starts a parser on any stream", async (t) => {
  const server = await startServer(t, () => undefined);
  const listeners = server.listeners("connection");
  t.equal(listeners.length, 1);
  const stream = new Duplex({ read: () => undefined });
  listeners[0]?.call(server, stream as Socket);
  const requested = once(server, "request");
  stream.push(request);
  const [{ url }] = (await requested) as [IncomingMessage];
  t.equal(url, "/first");
});

t.test("the one listener of data of a socket is its parser", async (t) => {
  const server = await startServer(t, () => undefined);
  const { accepted } = await connectTo(t, server);
  const listeners = accepted.listeners("data");
  t.equal(listeners.length, 1);
  const requested = once(server, "request");
  listeners[0]?.call(accepted, Buffer.from(request));
  const [{ url }] = (await requested) as [IncomingMessage];
  t.equal(url, "/first");
});

t.test("with its listener added again a socket passes what it reads to push, until that returns false", async (t) => {
  const server = await startServer(t, () => undefined);
  const { client, accepted } = await connectTo(t, server);
  const [parse] = accepted.listeners("data") as [(bytes: Buffer) => void];
  accepted.off("data", parse).on("data", parse);
  const read: string[] = [];
  accepted.push = (bytes: Buffer | null) => {
    read.push(String(bytes));
    accepted.emit("taken");
    return false;
  };
  const first = once(accepted, "taken");
  client.write("first");
  await first;
  client.write("second");
  // Its bytes are there when a connection that is opened after them is.
  await connectTo(t, server);
  t.strictSame(read, ["first"]);
  const second = once(accepted, "taken");
  accepted._read(0);
  await second;
  t.strictSame(read, ["first", "second"]);
});

t.test("destroySoon is called behind the last answer of a connection", async (t) => {
  const server = await startServer(t, (_, response) => void response.end("last"));
  const { client, accepted } = await connectTo(t, server);
  const called = new Promise<void>((resolve) => {
    accepted.destroySoon = () => {
      accepted.end();
      resolve();
    };
  });
  client.write(`${head}Connection: close\r\n\r\n`);
  await called;
  t.match(await text(client), /^HTTP\/1\.1 200 OK\r\n.*last$/s);
});

t.test("with httpAllowHalfOpen a client that has ended its side gets its answer", async (t) => {
  const server = await startServer(t, ({ socket }, response) => {
    socket.once("end", () => setImmediate(() => response.end("whole")));
  });
  Object.assign(server, { httpAllowHalfOpen: true });
  const { client } = await connectTo(t, server);
  client.end(request);
  t.match(await text(client), /^HTTP\/1\.1 200 OK\r\n.*whole/s);
});
