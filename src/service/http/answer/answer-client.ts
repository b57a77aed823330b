/** The client of a long answer: how quickly it reads, and what it pays. */

import type { ServerResponse } from "node:http";
import { slowReaderBytesPerSecond, tokenBytes } from "../../../contract/limits.ts";
import type { Allowance, AnswerReader } from "../request/context.ts";

/** The client of an answer. Waiting for it counts as time, which the bytes that it takes reduce. */
export class ResponseReader implements AnswerReader {
  readonly #response: ServerResponse;
  #waited = 0;
  #waitingSince: number | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get waitedMilliseconds(): number {
    return this.#waited + (this.#waitingSince === undefined ? 0 : performance.now() - this.#waitingSince);
  }

  /** Counts bytes that the system has taken for the client. */
  count(bytes: number): void {
    this.#waited = Math.max(0, this.#waited - (bytes / slowReaderBytesPerSecond) * 1000);
  }

  /** Waits until the response can be written again, or is closed. */
  async wait(event: "drain" | "close"): Promise<void> {
    const response = this.#response;
    if (response.closed) return;
    this.#waitingSince = performance.now();
    const { promise, resolve } = Promise.withResolvers<void>();
    response.on(event, resolve).on("close", resolve);
    await promise;
    response.off(event, resolve).off("close", resolve);
    this.#waited = this.waitedMilliseconds;
    this.#waitingSince = undefined;
  }

  disconnect(): void {
    breakConnection(this.#response);
  }
}

/** The payment for a long answer: one token of the key's limit for each `tokenBytes`, the first paid by the request. */
export class Payment {
  readonly #allowance: Allowance;
  readonly #response: ServerResponse;
  #bytes = 0;
  #paidBytes = tokenBytes;

  constructor(allowance: Allowance, response: ServerResponse) {
    this.#allowance = allowance;
    this.#response = response;
  }

  /**
   * Pays for bytes that are about to leave.
   *
   * @param bytes Their number before compression.
   * @returns Done when they are paid for, or the client has gone.
   */
  async payFor(bytes: number): Promise<void> {
    this.#bytes += bytes;
    let milliseconds = this.#pay();
    if (milliseconds === 0) return;
    const { socket } = this.#response;
    // It is not the client that keeps the connection idle.
    const timeout = socket?.timeout ?? 0;
    socket?.setTimeout(0);
    for (; milliseconds > 0 && !this.#response.closed; milliseconds = this.#pay()) {
      await pause(this.#response, milliseconds);
    }
    socket?.setTimeout(timeout);
  }

  /** @returns 0 when all is paid, otherwise after how many milliseconds to go on. */
  #pay(): number {
    while (this.#bytes > this.#paidBytes) {
      const milliseconds = this.#allowance.pay();
      if (milliseconds > 0) return milliseconds;
      this.#paidBytes += tokenBytes;
    }
    return 0;
  }
}

/** Waits for so long, or until the response is closed. */
async function pause(response: ServerResponse, milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  response.on("close", resolve);
  await promise;
  clearTimeout(timer);
  response.off("close", resolve);
}

/**
 * Breaks off an answer whose headers have left, by a reset: the end of an answer of HTTP/1.0 is that of its connection,
 * so a client would take a connection that closes in good order for a whole answer.
 */
export function breakConnection({ socket }: ServerResponse): void {
  socket?.resetAndDestroy();
}
