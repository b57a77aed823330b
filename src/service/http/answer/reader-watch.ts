/** Whether the client of a long answer reads it quickly enough. */
import type { ServerResponse } from "node:http";
import { breakConnection } from "./write-head.ts";

/** The least that a client must take of an answer, over so much time spent waiting for it. */
interface LeastSpeed {
  readonly bytesPerSecond: number;
  readonly milliseconds: number;
}

export interface ReaderLimits {
  /** A slower client is disconnected. */
  readonly slowReader: LeastSpeed;
  /** A slower client of an export loses its slot to another. */
  readonly slowExport: LeastSpeed;
}

/** How long a client may keep an answer waiting: what it takes earns time, up to a bound, and waiting spends that. */
class WaitingTime {
  readonly #bytesPerMillisecond: number;
  readonly #millisecondsMax: number;
  /** What is left, in milliseconds. */
  left: number;

  constructor({ bytesPerSecond, milliseconds }: LeastSpeed) {
    this.#bytesPerMillisecond = bytesPerSecond / 1000;
    this.#millisecondsMax = milliseconds;
    this.left = milliseconds;
  }

  earn(bytes: number): void {
    this.left = Math.min(this.#millisecondsMax, this.left + bytes / this.#bytesPerMillisecond);
  }

  spend(milliseconds: number): void {
    this.left = Math.max(0, this.left - milliseconds);
  }
}

/**
 * Waits for the client of an answer, and disconnects it when it is too slow. Only time spent waiting counts, so a busy
 * service does not disconnect quick clients.
 */
export class ReaderWatch {
  readonly #response: ServerResponse;
  readonly #asReader: WaitingTime;
  readonly #asExport: WaitingTime;
  #waitingSince: number | undefined;

  constructor(response: ServerResponse, { slowReader, slowExport }: ReaderLimits) {
    this.#response = response;
    this.#asReader = new WaitingTime(slowReader);
    this.#asExport = new WaitingTime(slowExport);
  }

  /** Whether it is too slow for an export whose slot others want. */
  get isSlowExport(): boolean {
    const waited = this.#waitingSince === undefined ? 0 : performance.now() - this.#waitingSince;
    return this.#asExport.left <= waited;
  }

  /** Counts bytes that the system has taken for the client. */
  count(bytes: number): void {
    this.#asReader.earn(bytes);
    this.#asExport.earn(bytes);
  }

  /** Waits until the response can be written again, or is closed. */
  async wait(event: "drain" | "close"): Promise<void> {
    const response = this.#response;
    if (response.closed) return;
    const startedAt = performance.now();
    this.#waitingSince = startedAt;
    const { promise, resolve } = Promise.withResolvers<void>();
    response.on(event, resolve).on("close", resolve);
    const timer = setTimeout(() => this.disconnect(), this.#asReader.left);
    await promise;
    clearTimeout(timer);
    response.off(event, resolve).off("close", resolve);
    this.#waitingSince = undefined;
    // A busy thread ends a wait late.
    const waited = performance.now() - startedAt;
    this.#asReader.spend(waited);
    this.#asExport.spend(waited);
  }

  disconnect(): void {
    breakConnection(this.#response);
  }
}
