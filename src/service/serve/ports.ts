/** The ports: binding them, and owning the public one. */
import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, createServer, type Server as SocketServer } from "node:net";
import type { Logger } from "pino";
import { baseUrlOf } from "../../engine/model/base-url.ts";
import { ForeseenError } from "../../engine/model/foreseen-error.ts";
import { answerStarting } from "../http/connection/answer-without-app.ts";
import type { ConnectionCounts } from "../http/connection/connection-counts.ts";
import { createHttpServer } from "../http/connection/create-server.ts";
import { Clients } from "../http/request/client-address.ts";

/** A port could not be bound; the message names the variables. */
export class ListenError extends ForeseenError {}

/** The variables that say where to listen, for the error message. */
export interface ListenVariables {
  readonly host: string;
  readonly port: string;
}

/**
 * Binds a server to a port.
 *
 * @param port 0 lets the system choose.
 * @param sharesPort True if others of this user that also share it may listen on the same port.
 * @returns The base URL under which this machine reaches the server.
 * @throws {ListenError} when the port is in use or the address is not one of this machine.
 */
export async function listen(
  server: Server,
  host: string,
  port: number,
  variables: ListenVariables,
  sharesPort = false,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ host, port, exclusive: true, reusePort: sharesPort }, resolve);
  try {
    await promise;
  } catch (error) {
    throw new ListenError(describeListenError(error as NodeJS.ErrnoException, host, port, variables), { cause: error });
  } finally {
    server.off("error", reject);
  }
  const { address, port: bound } = server.address() as AddressInfo;
  return baseUrlOf(address, bound);
}

/** Why a port could not be bound, in one line that names the variables. */
function describeListenError(
  error: Pick<NodeJS.ErrnoException, "code" | "message">,
  host: string,
  port: number,
  variables: ListenVariables,
): string {
  switch (error.code) {
    case "EADDRINUSE":
      return `${variables.port}: port ${port} on ${host} is in use, expected a free one (0 lets the system choose)`;
    case "EACCES":
      return `${variables.port}: port ${port} may not be opened by this user, expected one above 1023`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `${variables.host}: ${host} is not an address of this machine`;
    default:
      return `${variables.host}, ${variables.port}: cannot listen on ${host}:${port}: ${error.message}`;
  }
}

/** The variables of the public port. */
export const publicVariables: ListenVariables = { host: "HOST", port: "PORT" };

/** Number of ports that are tried when the system chose one that another service had a moment ago. */
const attemptsMax = 10;

/** The public port, owned by this service until it is closed. */
export type PublicPort = Awaited<ReturnType<typeof reservePort>>;

/**
 * Binds the public port and answers there that the service is starting.
 *
 * Threads share the port (`reusePort`), and a port that can be shared can also be shared by mistake, with another
 * service of the same user. So it is first bound exclusively, which fails while any other process listens on it; and a
 * socket without a file, named after the address, is kept for as long as the service runs. So of two services that
 * start at the same time, or while the last thread is being replaced, the second is refused.
 *
 * @param port 0 lets the system choose.
 * @throws {ListenError} when it is in use.
 */
export async function reservePort(
  host: string,
  port: number,
  log: Logger,
  connectionCounts: ConnectionCounts,
  clients: Clients = new Clients(),
) {
  for (let attempt = 1; ; attempt++) {
    const handle = answerStarting(log, clients);
    const { server } = createHttpServer(handle, { connectionCounts, clients, currentStore: () => undefined, log });
    const baseUrl = await listen(server, host, port, publicVariables);
    const bound = server.address() as AddressInfo;
    const guard = await guardAddress(bound);
    if (guard === "taken") {
      server.close();
      if (port === 0 && attempt < attemptsMax) continue;
      throw new ListenError(describeListenError({ code: "EADDRINUSE", message: "" }, host, port, publicVariables));
    }
    return {
      baseUrl,
      /** The address that was bound, for others to bind the same. */
      host: bound.address,
      port: bound.port,
      /** True if several threads may listen on it. */
      isShareable: await canShare(bound.address),
      /** Closes the server that answers during the start, so that threads can listen. */
      async release() {
        if (!server.listening) return;
        server.close();
        server.closeAllConnections();
        await once(server, "close");
      },
      /** Releases the port. */
      close() {
        server.close();
        server.closeAllConnections();
        guard?.close();
      },
    };
  }
}

/** @returns Undefined where there are no sockets without files; there ports cannot be shared either. */
async function guardAddress({ address, port }: AddressInfo): Promise<SocketServer | "taken" | undefined> {
  if (process.platform !== "linux") return undefined;
  const guard = createServer((socket) => socket.destroy());
  guard.listen({ path: `\0kenya-farm-prices ${address} ${port}` });
  try {
    await once(guard, "listening");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EADDRINUSE" ? "taken" : undefined;
  }
  return guard.unref();
}

/** Tries it, because the systems that can differ by version. */
async function canShare(host: string): Promise<boolean> {
  const server = createServer().listen({ host, port: 0, reusePort: true });
  try {
    await once(server, "listening");
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
