import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import t, { type Test } from "tap";
import { ListenError, listen } from "../../../src/service/serve/ports.ts";

const variables = { host: "HOST", port: "PORT" };

function newServer(t: Test): Server {
  const server = createServer();
  t.teardown(() => server.close());
  return server;
}

t.test("a bound server returns the address that reaches it", async (t) => {
  for (const [host, reachedAs] of [
    ["127.0.0.1", "127.0.0.1"],
    ["0.0.0.0", "127.0.0.1"],
    ["localhost", "127.0.0.1|\\[::1\\]"],
  ] as const) {
    const server = newServer(t);
    const url = await listen(server, host, 0, variables);
    t.match(url, new RegExp(`^http://(${reachedAs}):${(server.address() as AddressInfo).port}$`));
    t.equal(server.listenerCount("error"), 0, "nothing is left behind");
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname.replaceAll(/[[\]]/g, ""));
    await once(socket, "connect");
    socket.destroy();
  }
});

const loopbackV6 = createServer();
const hasV6 = await new Promise<boolean>((resolve) => {
  loopbackV6.once("error", () => resolve(false)).listen(0, "::1", () => loopbackV6.close(() => resolve(true)));
});

t.test("an IPv6 address stands in brackets", { skip: !hasV6 && "this machine has no IPv6" }, async (t) => {
  for (const [host, reachedAs] of [
    ["::1", "[::1]"],
    ["::", "127.0.0.1"],
  ] as const) {
    const server = newServer(t);
    const url = await listen(server, host, 0, variables);
    t.equal(url, `http://${reachedAs}:${(server.address() as AddressInfo).port}`);
  }
});

t.test("a port that is in use is reported with its variable", async (t) => {
  const first = newServer(t);
  await listen(first, "127.0.0.1", 0, variables);
  const { port } = first.address() as AddressInfo;
  const adminVariables = { host: "ADMIN_HOST", port: "ADMIN_PORT" };
  const message = `ADMIN_PORT: port ${port} on 127.0.0.1 is in use, expected a free one (0 lets the system choose)`;
  const second = newServer(t);
  await t.rejects(listen(second, "127.0.0.1", port, adminVariables), new ListenError(message));
  t.notOk(second.listening);
});

t.test("an address of another machine is reported with its variable", async (t) => {
  // 192.0.2.0/24 is for documentation (RFC 5737): no machine has an address in it.
  const message = "HOST: 192.0.2.1 is not an address of this machine";
  await t.rejects(listen(newServer(t), "192.0.2.1", 0, variables), new ListenError(message));
});

t.test("every reason not to bind has its words and keeps its cause", async (t) => {
  for (const [code, message] of [
    ["EACCES", "PORT: port 80 may not be opened by this user, expected one above 1023"],
    ["ENOTFOUND", "HOST: example.invalid is not an address of this machine"],
    ["EAI_AGAIN", "HOST: example.invalid is not an address of this machine"],
    ["EMFILE", "HOST, PORT: cannot listen on example.invalid:80: no more files"],
  ] as const) {
    // The system's refusals cannot all be had on one machine, so they are played.
    const server = newServer(t);
    const cause = Object.assign(new Error("no more files"), { code });
    server.listen = () => {
      setImmediate(() => server.emit("error", cause));
      return server;
    };
    await t.rejects(
      listen(server, "example.invalid", 80, variables),
      Object.assign(new ListenError(message), { cause }),
    );
  }
});
