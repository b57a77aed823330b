import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { AnswerReader } from "../fuzz/answer-reader.ts";

/** More than the least that the service asks of a reader. */
const pauseMilliseconds = 40;

/** Asks for a long answer and takes a chunk of it now and then. @returns What is wrong with it, if anything. */
export async function readSlowly(port: number, publicKey: string): Promise<string | undefined> {
  const target = "/api/v1/prices/latest?limit=100";
  const socket = connect({ port, host: "127.0.0.1" });
  const reader = new AnswerReader(["GET"]);
  let failure: string | undefined;
  socket.on("error", (error) => {
    failure ??= error.message;
  });
  socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${publicKey}\r\nConnection: close\r\n\r\n`);
  const closed = once(socket, "close");
  socket.on("data", (chunk) => {
    reader.read(chunk as Buffer);
    socket.pause();
    void delay(pauseMilliseconds).then(() => socket.resume());
  });
  await closed;
  const [answer] = reader.answers;
  if (answer === undefined) return `no answer: ${failure ?? "the connection was closed"}`;
  if (answer.status === 429 || answer.status === 503) return undefined;
  if (answer.status !== 200) return `${answer.status} ${answer.body}`;
  return Array.isArray((JSON.parse(answer.body) as { data: unknown }).data) ? undefined : "the answer has no data";
}
