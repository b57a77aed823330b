/**
 * The public port. Threads share it (`reusePort`), and a port that can be shared can also be shared by mistake, with
 * another service of the same user. So it is first bound exclusively, which fails while anybody listens on it; and a
 * socket without a file, named after the address, is kept for as long as the service runs, so that of two services that
 * start at the same time, or when the last thread is just being replaced, the second one is refused.
 */
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import type { Logger } from "pino";
import type { Admission } from "../http/admission.ts";
import { answerStarting, createHttpServer } from "../http/create-server.ts";
import { describeListenError, ListenError, listen } from "./listen.ts";

/** A port that is this service's. */
export interface PublicPort {
  readonly baseUrl: string;
  /** The address that was bound, for others to bind the same. */
  readonly host: string;
  readonly port: number;
  /** Whether several threads may listen on it. */
  readonly isShareable: boolean;
  /** Stops answering that the service is starting, so that threads can listen. */
  release(): Promise<void>;
  /** Gives the port up. */
  close(): void;
}

const variables = { host: "HOST", port: "PORT" };

/** How often another port is asked for when the system's choice was another service's a moment ago. */
const attemptsMax = 10;

/**
 * Binds the public port and answers there that the service is starting.
 *
 * @param port 0 lets the system choose.
 * @throws {ListenError} when it is in use.
 */
export async function reservePort(host: string, port: number, log: Logger, admission: Admission): Promise<PublicPort> {
  for (let attempt = 1; ; attempt++) {
    const server = createHttpServer(answerStarting(log), { admission, currentStore: () => undefined, log });
    const baseUrl = await listen(server, host, port, variables);
    const bound = server.address() as AddressInfo;
    const guard = await guardAddress(bound);
    if (guard === "taken") {
      server.close();
      if (port === 0 && attempt < attemptsMax) continue;
      throw new ListenError(describeListenError({ code: "EADDRINUSE", message: "" }, host, port, variables));
    }
    return {
      baseUrl,
      host: bound.address,
      port: bound.port,
      isShareable: await canShare(bound.address),
      async release() {
        if (!server.listening) return;
        server.close();
        server.closeAllConnections();
        await once(server, "close");
      },
      close() {
        server.close();
        server.closeAllConnections();
        guard?.close();
      },
    };
  }
}

/** @returns Undefined where there are no sockets without files; there ports cannot be shared either. */
async function guardAddress({ address, port }: AddressInfo): Promise<Server | "taken" | undefined> {
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

/** Asks the system, because which ones can grows with their versions. */
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
