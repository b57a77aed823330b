import { connect, type Socket } from "node:net";

const begin = "GET /api/v1/counties HTTP/1.1\r\nHost: dribble\r\nX-Dribble: ";

/** A byte comes on every connection in this time, evenly spread: a burst would take a processor of the clients that are measured. */
const byteMilliseconds = 200;
const tickMilliseconds = 5;

/**
 * Connections that send a request byte by byte and never end it. One that the service closes is opened anew.
 *
 * @returns Closes them.
 */
export async function startDribbling(port: number, count: number): Promise<() => void> {
  const sockets = new Set<Socket>();
  let isOver = false;
  const open = (): Socket => {
    const socket = connect(port, "127.0.0.1", () => socket.write(begin));
    sockets.add(socket);
    socket.resume().on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      if (!isOver) open();
    });
    return socket;
  };
  await Promise.all(Array.from({ length: count }, () => new Promise((resolve) => open().once("connect", resolve))));
  const perTick = Math.ceil((count * tickMilliseconds) / byteMilliseconds);
  let turn = sockets.values();
  const timer = setInterval(() => {
    for (let sent = 0; sent < perTick; sent++) {
      let next = turn.next();
      if (next.done === true) {
        turn = sockets.values();
        next = turn.next();
      }
      if (next.value?.connecting === false) next.value.write("x");
    }
  }, tickMilliseconds);
  return () => {
    isOver = true;
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
  };
}
