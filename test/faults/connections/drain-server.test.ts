import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { mock } from "node:test";
import t, { type Test } from "tap";
import { Connections } from "../../../src/service/http/connection/connections.ts";
import { drainServer, stopMillisecondsMax } from "../../../src/service/serve/drain-server.ts";
import { testConnections } from "../../support/test-admission.ts";

interface Draining {
  readonly server: Server;
  readonly drain: (pauseMilliseconds?: number) => Promise<void>;
  /** A new connection on which a text has been sent. */
  readonly send: (text: string) => Promise<Socket>;
}

async function serve(t: Test, listener: RequestListener): Promise<Draining> {
  const server = createServer();
  const connections = new Connections(server, testConnections(), () => undefined);
  server.on("request", (request, response) => connections.follow(request, response)).on("request", listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => server.closeAllConnections());
  return {
    server,
    drain: (pauseMilliseconds = 0) => drainServer(server, connections, pauseMilliseconds, stopMillisecondsMax),
    async send(text) {
      const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").setEncoding("utf8");
      await once(socket, "connect");
      socket.write(text);
      return socket;
    },
  };
}

const question = "GET / HTTP/1.1\r\nHost: test\r\n\r\n";

/** All that comes until the other side closes. */
async function readToEnd(socket: Socket): Promise<string> {
  let text = "";
  for await (const chunk of socket) text += chunk;
  return text;
}

t.test("an answer whose headers have left ends, and its connection with it", async (t) => {
  const { promise: started, resolve: start } = Promise.withResolvers<() => void>();
  const { drain, send } = await serve(t, (_request, response) => {
    response.writeHead(200, { "Content-Length": 6 });
    response.write("ans");
    start(() => response.end("wer"));
  });
  const socket = await send(question);
  const finish = await started;
  const drained = drain();
  finish();
  t.match(await readToEnd(socket), /answer$/);
  await drained;
});

t.test("a request that comes behind another on its connection is answered as the last one", async (t) => {
  const { promise: started, resolve: start } = Promise.withResolvers<() => void>();
  const { drain, send } = await serve(t, (request, response) => {
    if (request.url === "/first") {
      response.writeHead(200, { "Content-Length": 5 });
      response.flushHeaders();
      start(() => response.end("first"));
    } else {
      response.end("second");
    }
  });
  const socket = await send(question.replace("/", "/first"));
  const finish = await started;
  const drained = drain();
  socket.write(question);
  await new Promise((resolve) => setTimeout(resolve, 50));
  finish();
  const answer = await readToEnd(socket);
  t.match(answer, /first.*Connection: close.*second/s);
  await drained;
});

t.test("a request that never ends is cut off after a bounded time", async (t) => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const { drain, send } = await serve(t, () => start());
  const socket = await send(question);
  await started;
  mock.timers.enable({ apis: ["setTimeout"] });
  t.teardown(() => mock.timers.reset());
  const drained = drain();
  mock.timers.tick(stopMillisecondsMax - 1);
  t.notOk(socket.closed);
  mock.timers.tick(1);
  await drained;
  const end = await readToEnd(socket).catch((error: NodeJS.ErrnoException) => error.code);
  t.ok(end === "" || end === "ECONNRESET", "without an answer");
});

t.test("an answer of HTTP/1.0 that never ends is cut off by a reset, so that it does not look whole", async (t) => {
  const { drain, send } = await serve(t, ({ url }, response) => url === "/" && response.writeHead(200).write("ans"));
  // The second request waits for the answer to the first.
  const kept = "HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
  const socket = await send(`GET / ${kept}GET /second ${kept}`);
  await once(socket, "data");
  mock.timers.enable({ apis: ["setTimeout"] });
  t.teardown(() => mock.timers.reset());
  const drained = drain();
  mock.timers.tick(stopMillisecondsMax);
  await t.rejects(readToEnd(socket), { code: "ECONNRESET" });
  await drained;
});

t.test("several requests that came together are all answered", async (t) => {
  const answers: (() => void)[] = [];
  const { promise: came, resolve: come } = Promise.withResolvers<void>();
  const { drain, send } = await serve(t, (request, response) => {
    answers.push(() => response.end(`answer to ${request.url}`));
    if (answers.length === 3) come();
  });
  const socket = await send(["/1", "/2", "/3"].map((path) => question.replace("/", path)).join(""));
  await came;
  const drained = drain();
  for (const answer of answers) answer();
  const text = await readToEnd(socket);
  t.match(text, /answer to \/1.*answer to \/2.*Connection: close.*answer to \/3/s);
  t.equal(text.match(/Connection: close/g)?.length, 1, "only the last closes the connection");
  await drained;
});

t.test("a request that comes shortly after the port was closed is answered", async (t) => {
  const { server, drain, send } = await serve(t, (_request, response) => response.end("answer"));
  const socket = await send(question);
  await once(socket, "data");
  const drained = drain();
  while (server.listening) await new Promise((resolve) => setImmediate(resolve));
  socket.write(question);
  t.match(await readToEnd(socket), /Connection: close.*answer/s);
  await drained;
});

t.test("a request that crosses with the end of its connection does not see a reset", async (t) => {
  const { drain, send } = await serve(t, (_request, response) => response.end("answer"));
  const port = (await send(question)).on("data", () => undefined).remotePort as number;
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  await once(socket, "connect");
  const drained = drain();
  await once(socket.resume(), "end");
  socket.write(question);
  await new Promise((resolve) => setTimeout(resolve, 100));
  t.notOk(socket.destroyed, "what comes is read");
  socket.end();
  await drained;
});

t.test("a client that does not close its side holds nothing up", async (t) => {
  const { drain, send } = await serve(t, (_request, response) => response.end("answer"));
  const port = (await send(question)).on("data", () => undefined).remotePort as number;
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
    .resume()
    .on("error", () => undefined);
  t.teardown(() => socket.destroy());
  await once(socket, "connect");
  await drain();
  t.pass("the drain ended");
});
