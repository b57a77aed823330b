/**
 * Clients that take what they can. The system's buffers on loopback swallow one or two megabytes of an answer, so a
 * slow reader is one that asks for more than that, on connections and from addresses enough to hold whatever is
 * shared.
 */
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { nextLocalAddress } from "../fuzz/run-case.ts";

const connections = 100;
const pipelined = 3000;
const heldMilliseconds = 1000;

/** Documents and pages, which need no key, the largest first. */
const pages = ["/openapi.json", "/explore/data", "/sw/explore", "/docs"];

export type Misbehaviour = (port: number, publicKey: string) => Promise<void>;

/** Each name → one round of it. */
export const misbehaviours: Readonly<Record<string, Misbehaviour>> = {
  // A 401 or 429 keeps the connection, so all are answered as long as the system takes the answers.
  "pipelining without reading": (port) => sendAndHold(port, () => request("/api/v1/crops").repeat(pipelined)),
  "pages without reading": (port) =>
    sendAndHold(port, (at) => request(pages[at % 8 < 4 ? 0 : at % pages.length] as string).repeat(4)),
  "exports without reading": (port, key) =>
    sendAndHold(port, () => request("/api/v1/exports/prices.csv", `X-API-Key: ${key}\r\n`)),
};

function request(target: string, headers = ""): string {
  return `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
}

/** Sends something on many connections from many addresses at once, reads nothing for a while, then resets them. */
async function sendAndHold(port: number, bytesOf: (at: number) => string): Promise<void> {
  const sockets = Array.from({ length: connections }, (_, at) => {
    const localAddress = nextLocalAddress();
    const socket = connect({ port, host: "127.0.0.1", ...(localAddress && { localAddress }) }).pause();
    // The service may end them.
    socket.on("error", () => undefined);
    socket.write(bytesOf(at));
    return socket;
  });
  await delay(heldMilliseconds);
  for (const socket of sockets) socket.resetAndDestroy();
}
