/**
 * How many connections a thread has, in all and by client address. Each thread has an equal part of the limits of the
 * process, so that connections which are idle at one keep no client out at another. What the threads have is in memory
 * that they share, for metrics.
 */
import type { Client } from "../request/client-address.ts";

export interface ConnectionLimit {
  /** Connections of the process. */
  readonly total: number;
  /** Connections of one client address. */
  readonly perAddress: number;
}

/** The part of a thread, at least one connection: of all rounded down, of an address rounded up. */
export function partOfLimit({ total, perAddress }: ConnectionLimit, threadCount: number): ConnectionLimit {
  return { total: Math.max(1, Math.floor(total / threadCount)), perAddress: Math.ceil(perAddress / threadCount) };
}

/** Of each thread: connections that are open, connections that were refused. */
const numbersOfThread = 2;

export type ConnectionMemory = Int32Array<SharedArrayBuffer>;

/** Memory for threads 0 (the supervisor) to `threadCount`, without connections. */
export function createConnectionMemory(threadCount: number): ConnectionMemory {
  return new Int32Array(new SharedArrayBuffer((threadCount + 1) * numbersOfThread * Int32Array.BYTES_PER_ELEMENT));
}

/** Releases the connections of a thread that has ended. */
export function clearConnections(memory: ConnectionMemory, thread: number): void {
  memory[thread * numbersOfThread] = 0;
}

/** Connections of the process that are open, and how many were refused. */
export function readConnections(memory: ConnectionMemory): { readonly held: number; readonly refused: number } {
  const sumFrom = (first: number): number =>
    memory.reduce((sum, value, at) => (at % numbersOfThread === first ? sum + value : sum), 0);
  return { held: sumFrom(0), refused: sumFrom(1) };
}

/** The connections of one thread. */
export class ConnectionCounts {
  readonly #limit: ConnectionLimit;
  /** Connections that are open and that were refused, which no other thread writes. */
  readonly #numbers: Int32Array<SharedArrayBuffer>;
  readonly #byNetwork = new Map<string, number>();

  /**
   * @param limit Those of this thread.
   * @param thread 0 is the supervisor.
   */
  constructor(memory: ConnectionMemory, limit: ConnectionLimit, thread: number) {
    this.#limit = limit;
    this.#numbers = memory.subarray(thread * numbersOfThread, (thread + 1) * numbersOfThread);
  }

  /**
   * The limit that keeps one more connection from being accepted; undefined when none does.
   *
   * @param client Undefined where only the total counts.
   */
  limitReached(client: Client | undefined): "total" | "perAddress" | undefined {
    const { total, perAddress } = this.#limit;
    if (client !== undefined && (this.#byNetwork.get(client.network) ?? 0) >= perAddress) return "perAddress";
    return (this.#numbers[0] as number) >= total ? "total" : undefined;
  }

  /** Counts a connection. `release` follows exactly once, with the same client. */
  acquire(client: Client | undefined): void {
    this.#add(client, 1);
  }

  release(client: Client | undefined): void {
    this.#add(client, -1);
  }

  /** Counts a connection that is refused. */
  refuse(): void {
    (this.#numbers[1] as number)++;
  }

  #add(client: Client | undefined, amount: number): void {
    (this.#numbers[0] as number) += amount;
    if (client === undefined) return;
    const { network } = client;
    const count = (this.#byNetwork.get(network) ?? 0) + amount;
    if (count === 0) this.#byNetwork.delete(network);
    else this.#byNetwork.set(network, count);
  }
}
