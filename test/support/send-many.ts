import { once } from "node:events";
import { connect } from "node:net";

/** As many as the service reads ahead on one connection. */
const pipelined = 10;
const connections = 8;
const statusExpression = /HTTP\/1\.1 (\d{3}) /g;

/**
 * Sends one request so many times, on eight connections at once, several ahead of their answers.
 *
 * @param request In full, as it is sent.
 * @returns How many answers of each status came; fewer than were requested when none has come for ten seconds.
 */
export async function sendMany(
  baseUrl: string,
  request: string,
  times: number,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  await Promise.all(Array.from({ length: connections }, () => sendOn(Math.ceil(times / connections))));
  return counts;

  async function sendOn(count: number): Promise<void> {
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname)
      .setEncoding("latin1")
      .setTimeout(10_000, () => socket.destroy());
    const closed = once(socket, "close");
    let sent = 0;
    let answered = 0;
    let rest = "";
    const send = (): void => {
      const next = Math.min(pipelined, count - sent);
      sent += next;
      socket.write(request.repeat(next));
    };
    socket.on("data", (chunk: string) => {
      const text = rest + chunk;
      let end = 0;
      for (const { index, 0: found, 1: status = "" } of text.matchAll(statusExpression)) {
        counts[status] = (counts[status] ?? 0) + 1;
        answered++;
        end = index + found.length;
      }
      // A status line may be split.
      rest = text.slice(Math.max(end, text.length - 16));
      if (answered === count) socket.destroy();
      else if (answered === sent) send();
    });
    send();
    await closed;
  }
}
