/**
 * How many connections the process has, in all and by client address. All threads share one memory, so the limits are
 * those of the process. Each thread writes to a region of its own; a count is the sum over the regions. A thread that
 * dies leaves its counts behind, and the supervisor clears them.
 *
 * Two threads that acquire the last connection at the same instant both get it: a limit may be exceeded by one a
 * thread.
 */
import { hash, randomInt } from "node:crypto";
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import type { Client } from "../request/client-address.ts";

export interface ConnectionLimit {
  /** Connections of the process. */
  readonly total: number;
  /** Connections of one client address. */
  readonly perAddress: number;
}

/** The slots in which an address is counted: one in each row of the table. */
export type AddressSlots = readonly [number, number];

/**
 * Addresses are counted in a count-min sketch of two rows: an address counts as the lesser of its two slots. It is
 * counted too high only where other busy addresses share both its slots, one chance in 4096² for each; never too low.
 */
const slotsPerRow = 4096;

/** A seed in front of the regions; random, so that no client can choose addresses that collide. */
const headerLength = 1;

/** Region: connections that are open, connections that were refused, then the table of addresses. */
const openIndex = 0;
const refusedIndex = 1;
const tableStart = 2;
const regionLength = tableStart + 2 * slotsPerRow;

export type ConnectionMemory = Int32Array<SharedArrayBuffer>;

/** Memory for threads 0 (the supervisor) to `threadCount`, without connections. 32 KiB a thread. */
export function createConnectionMemory(threadCount: number): ConnectionMemory {
  const length = headerLength + (threadCount + 1) * regionLength;
  const memory = new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT));
  Atomics.store(memory, 0, randomInt(2 ** 31));
  return memory;
}

/** Releases the connections of a thread that has ended. */
export function clearConnections(memory: ConnectionMemory, thread: number): void {
  const start = regionStart(thread);
  Atomics.store(memory, start + openIndex, 0);
  memory.fill(0, start + tableStart, start + regionLength);
}

/** Connections of the process that are open, and how many were refused. */
export function readConnections(memory: ConnectionMemory): { readonly held: number; readonly refused: number } {
  return { held: sum(memory, openIndex), refused: sum(memory, refusedIndex) };
}

/** One thread's view of the connections. */
export class ConnectionCounts {
  readonly limit: ConnectionLimit;
  readonly #memory: ConnectionMemory;
  readonly #start: number;
  readonly #slots = new WeakMap<Client, AddressSlots>();
  readonly #hashClient = ({ network }: Client): AddressSlots => {
    const digest = hash("sha256", `${Atomics.load(this.#memory, 0)} ${network}`, "buffer");
    return [digest.readUInt16LE(0) % slotsPerRow, digest.readUInt16LE(2) % slotsPerRow];
  };

  /** @param thread Its region; 0 is the supervisor. */
  constructor(memory: ConnectionMemory, limit: ConnectionLimit, thread: number) {
    this.#memory = memory;
    this.limit = limit;
    this.#start = regionStart(thread);
  }

  /** The slots of a client's network, computed once. */
  slotsOf(client: Client): AddressSlots {
    return getOrInsert(this.#slots, client, this.#hashClient);
  }

  /**
   * The limit that keeps one more connection from being accepted; undefined when none does.
   *
   * @param slots The slots of the client's address; absent where only the total counts.
   */
  limitReached(slots?: AddressSlots): "total" | "perAddress" | undefined {
    const { total, perAddress } = this.limit;
    if (slots !== undefined) {
      const [first, second] = tableIndexes(slots);
      if (Math.min(sum(this.#memory, first), sum(this.#memory, second)) >= perAddress) return "perAddress";
    }
    return sum(this.#memory, openIndex) >= total ? "total" : undefined;
  }

  /**
   * Counts a connection, or its refusal.
   *
   * @returns True if it is accepted; then `release` follows exactly once, with the same slots.
   */
  acquire(slots?: AddressSlots): boolean {
    if (this.limitReached(slots) !== undefined) {
      Atomics.add(this.#memory, this.#start + refusedIndex, 1);
      return false;
    }
    this.#add(slots, 1);
    return true;
  }

  release(slots?: AddressSlots): void {
    this.#add(slots, -1);
  }

  #add(slots: AddressSlots | undefined, amount: number): void {
    Atomics.add(this.#memory, this.#start + openIndex, amount);
    if (slots === undefined) return;
    for (const index of tableIndexes(slots)) Atomics.add(this.#memory, this.#start + index, amount);
  }
}

/** Indexes in a region of the two slots of an address. */
function tableIndexes([first, second]: AddressSlots): readonly [number, number] {
  return [tableStart + first, tableStart + slotsPerRow + second];
}

function regionStart(thread: number): number {
  return headerLength + thread * regionLength;
}

/** The sum over all regions of one of their elements. */
function sum(memory: ConnectionMemory, at: number): number {
  let total = 0;
  for (let start = headerLength; start < memory.length; start += regionLength) {
    total += Atomics.load(memory, start + at);
  }
  return total;
}
