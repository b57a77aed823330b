/** Long answers are paid for as they leave: one token of the key's limit for each further `tokenBytes`. */
import type { ServerResponse } from "node:http";
import { exportRetryMilliseconds, tokenBytes } from "../../../contract/limits.ts";
import type { ExportSlot } from "./export-slots.ts";
import type { Allowance } from "./rate-limits.ts";

/** The payment for one answer; the request has paid for its first `tokenBytes`. */
export class Payment {
  readonly #allowance: Allowance;
  readonly #response: ServerResponse;
  readonly #slot: ExportSlot | undefined;
  #bytes = 0;
  #paidBytes = tokenBytes;

  /** @param slot That of an export, which holds none while it waits for tokens. */
  constructor(allowance: Allowance, response: ServerResponse, slot: ExportSlot | undefined) {
    this.#allowance = allowance;
    this.#response = response;
    this.#slot = slot;
  }

  /**
   * Pays for bytes that are about to leave.
   *
   * @param bytes Their number before compression.
   * @returns Undefined when they are paid for; otherwise done when they are, or the client has gone.
   */
  payFor(bytes: number): Promise<void> | undefined {
    this.#bytes += bytes;
    const milliseconds = this.#pay();
    return milliseconds === 0 ? undefined : this.#payLater(milliseconds);
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

  async #payLater(firstMilliseconds: number): Promise<void> {
    const response = this.#response;
    const { socket } = response;
    // It is not the client that keeps the connection idle.
    const timeout = socket?.timeout ?? 0;
    socket?.setTimeout(0);
    this.#slot?.leave();
    for (let milliseconds = firstMilliseconds; milliseconds > 0 && !response.closed; milliseconds = this.#pay()) {
      await pause(response, milliseconds);
    }
    while (!response.closed && this.#slot?.enter() === false) await pause(response, exportRetryMilliseconds);
    socket?.setTimeout(timeout);
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
