/**
 * Connections that send a request byte by byte and never end it; one that the service closes is opened again:
 * `dribble-main.ts PORT COUNT`. They stand for those of other machines, so the lower priority leaves the processors to
 * the service and to the clients that are measured.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { constants, setPriority } from "node:os";

const begin = "GET /api/v1/counties HTTP/1.1\r\nHost: dribble\r\nX-Dribble: ";

/**
 * A byte comes on every connection in this time, evenly spread: a burst would take a processor of the clients that are
 * measured.
 */
const byteMilliseconds = 200;
const tickMilliseconds = 5;

const [port = 0, count = 0] = process.argv.slice(2).map(Number);
const sockets = new Set<Socket>();

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
process.on("disconnect", () => process.exit());
await Promise.all(Array.from({ length: count }, () => once(open(), "connect")));
const perTick = Math.ceil((count * tickMilliseconds) / byteMilliseconds);
let turn = sockets.values();
setInterval(sendBytes, tickMilliseconds);
process.send?.("dribbling");

function open(): Socket {
  const socket = connect(port, "127.0.0.1", () => socket.write(begin));
  sockets.add(socket);
  socket.resume().on("error", () => undefined);
  socket.on("close", () => {
    sockets.delete(socket);
    open();
  });
  return socket;
}

function sendBytes(): void {
  for (let sent = 0; sent < perTick; sent++) {
    let next = turn.next();
    if (next.done === true) {
      turn = sockets.values();
      next = turn.next();
    }
    if (next.value?.connecting === false) next.value.write("x");
  }
}
