import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Test } from "tap";

/** Has a server listen on loopback until the test ends. @returns Its port. */
export async function listenOn(t: Test, server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.teardown(() => server.close().closeAllConnections());
  return (server.address() as AddressInfo).port;
}
