/**
 * The end of a connection behind its last answer (RFC 9112, section 9.6). Closing a socket with bytes that were not
 * read resets it, and a reset takes away what the client has not read: the answer. So the service ends its own side,
 * then reads what still comes until the client ends its side, within bounds.
 */
import type { Socket } from "node:net";
import { closingMilliseconds, drainBytesMax } from "../../../contract/limits.ts";

/** How often a connection that is being closed is checked. */
const checkMilliseconds = 20;

/**
 * Makes Node close a connection in this way behind an answer that is the last of its connection.
 *
 * @param onClose Called when nothing that comes is a request any more.
 */
export function closeInOrder(socket: Socket, onClose: () => void): void {
  // Node calls it behind the last answer. Its own destroys the socket as soon as the answer has left.
  socket.destroySoon = () => {
    onClose();
    endInOrder(socket);
  };
}

/**
 * Ends a connection once all that was written to it has left. Nothing may answer what still comes.
 *
 * @param milliseconds How long the client may take to end its side.
 */
export function endInOrder(socket: Socket, milliseconds = closingMilliseconds): void {
  socket.end(() => {
    if (socket.readableEnded) {
      socket.destroy();
      return;
    }
    const { bytesRead } = socket;
    const end = performance.now() + milliseconds;
    const look = setInterval(() => {
      if (socket.bytesRead - bytesRead > drainBytesMax || performance.now() > end) socket.destroy();
    }, checkMilliseconds);
    socket.once("close", () => clearInterval(look));
    socket.once("end", () => socket.destroy());
    socket.resume();
  });
}
