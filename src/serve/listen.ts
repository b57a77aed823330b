import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { baseUrlOf } from "../domain/base-url.ts";

/** A port could not be bound; the message names the variables. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

/** Which variables say where to listen, for the error message. */
export interface ListenVariables {
  readonly host: string;
  readonly port: string;
}

/**
 * Binds a server to a port.
 *
 * @param port 0 lets the system choose.
 * @param sharesPort Whether others of this user that also share it may listen on the same port.
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
export function describeListenError(
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
