import { connect, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";

/** One answer as it came. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface RawExchange {
  readonly answers: readonly RawAnswer[];
  /** What the server did in the end: closed the connection in good order, reset it, or left it open. */
  readonly end: "closed" | "reset" | "open";
}

export interface RawExchangeOptions {
  /** How many answers to wait for, if the server does not close before; 1 when absent. */
  readonly answerCount?: number;
  /** Ends the sending side behind the bytes. */
  readonly halfClose?: boolean;
}

/** How long to wait for answers and for the end of a connection that the server said it would close. */
const patienceMilliseconds = 8000;

/**
 * Sends bytes as they are and collects what comes back, until the server has closed, or as many answers have come as
 * were wanted and the last one did not announce the end of the connection.
 *
 * @param pieces Sent one after another; text is sent in Latin-1, one byte per character.
 */
export async function rawExchange(
  port: number,
  pieces: string | readonly (string | Uint8Array)[],
  { answerCount = 1, halfClose = false }: RawExchangeOptions = {},
): Promise<RawExchange> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const answers: RawAnswer[] = [];
  let received = "";
  const { promise, resolve } = Promise.withResolvers<RawExchange["end"]>();
  const patience = setTimeout(() => resolve("open"), patienceMilliseconds);
  socket.setEncoding("latin1");
  socket.on("data", (text: string) => {
    received = takeAnswers(received + text, answers);
    if (answers.length >= answerCount && answers.at(-1)?.headers["connection"] !== "close") resolve("open");
  });
  socket.on("end", () => resolve("closed"));
  let isReset = false;
  socket.on("error", () => {
    isReset = true;
    resolve("reset");
  });
  await sendAll(socket, typeof pieces === "string" ? [pieces] : pieces);
  if (halfClose) socket.end();
  const end = await promise;
  clearTimeout(patience);
  socket.destroy();
  // A connection that was closed first and reset then, because the client was still sending, was reset.
  return { answers, end: isReset ? "reset" : end };
}

/** Lets the server, which is in the same process, see each piece before the next. */
async function sendAll(socket: Socket, pieces: readonly (string | Uint8Array)[]): Promise<void> {
  for (const piece of pieces) {
    const bytes = typeof piece === "string" ? Buffer.from(piece, "latin1") : piece;
    if (!socket.destroyed) await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
    await setImmediate();
  }
}

/** Moves the complete answers of a text, cut by their Content-Length, to a list. @returns The rest. */
function takeAnswers(received: string, answers: RawAnswer[]): string {
  let from = 0;
  while (from < received.length) {
    const headEnd = received.indexOf("\r\n\r\n", from);
    if (headEnd === -1) break;
    const [statusLine = "", ...lines] = received.slice(from, headEnd).split("\r\n");
    const headers = Object.fromEntries(lines.map(parseHeader));
    const bodyStart = headEnd + 4;
    const bodyEnd = bodyStart + Number(headers["content-length"] ?? 0);
    if (bodyEnd > received.length) break;
    const text = Buffer.from(received.slice(bodyStart, bodyEnd), "latin1").toString();
    answers.push({ status: Number(statusLine.split(" ")[1]), headers, text });
    from = bodyEnd;
  }
  return received.slice(from);
}

function parseHeader(line: string): [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
