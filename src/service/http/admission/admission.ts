/**
 * Limits on what clients can hold of the process at one time. All threads share one memory, so the limits are those of
 * the process. Each thread writes to a region of its own; a total is the sum over the regions. A thread that dies
 * leaves its counts behind, and the supervisor clears them.
 *
 * Two threads that acquire the last unit at the same instant both get it: a limit may be exceeded by one unit a thread.
 */
import { randomInt } from "node:crypto";
import {
  exportsForSecretKeys,
  exportsPerThreadMax,
  keylessAnswersForNewAddresses,
  keylessAnswersMax,
  keylessRequestsMax,
  longAnswersForNewAddresses,
  longAnswersForSecretKeys,
  longAnswersMax,
  requestsInFlightMax,
  slowExportBytesPerSecond,
  slowExportMilliseconds,
  slowReaderBytesPerSecond,
  slowReaderMilliseconds,
} from "../../../contract/limits.ts";
import type { ReaderLimits } from "../answer/reader-watch.ts";
import type { Client } from "../connection/client-address.ts";
import { AnswerStreams } from "./answer-streams.ts";
import { type ExportLimits, ExportSlots } from "./export-slots.ts";
import type { Overload } from "./overload.ts";

/**
 * `connections`: open sockets of the public port. `requests`: accepted requests whose answer has not left. `answers`:
 * answers longer than one chunk, each of which holds memory until its client has read it. Requests without a key have
 * pools of their own for both, so that they hold no unit that requests with keys need.
 */
export const resources = ["connections", "requests", "answers", "keylessRequests", "keylessAnswers"] as const;
export type Resource = (typeof resources)[number];

/** What a request takes units of. */
export interface Pool {
  readonly requests: Resource;
  readonly answers: Resource;
}

export const keyedPool: Pool = { requests: "requests", answers: "answers" };
export const keylessPool: Pool = { requests: "keylessRequests", answers: "keylessAnswers" };

export interface ResourceLimit {
  /** Units of the process. */
  readonly total: number;
  /** Units of one client address. */
  readonly perAddress: number;
  /** Units of the total that only requests with a secret key get; 0 when absent. */
  readonly forSecretKeys?: number;
  /** Units of the rest that a public key, or none, gets only from an address that holds no unit; 0 when absent. */
  readonly forNewAddresses?: number;
}

export interface AdmissionLimits extends Readonly<Record<Resource, ResourceLimit>>, ReaderLimits {
  readonly exports: ExportLimits;
}

/** The limits of a process that may have so many connections. An address has the same share of everything. */
export function admissionLimits(connections: ResourceLimit): AdmissionLimits {
  const share = Math.min(1, connections.perAddress / connections.total);
  const limit = (total: number): ResourceLimit => ({ total, perAddress: Math.ceil(total * share) });
  // An address that may hold everything has no others beside it.
  const forNewAddresses = (units: number): number => (share < 1 ? units : 0);
  return {
    connections,
    requests: limit(requestsInFlightMax),
    answers: {
      ...limit(longAnswersMax),
      forSecretKeys: longAnswersForSecretKeys,
      forNewAddresses: forNewAddresses(longAnswersForNewAddresses),
    },
    keylessRequests: limit(keylessRequestsMax),
    keylessAnswers: {
      ...limit(keylessAnswersMax),
      forNewAddresses: forNewAddresses(keylessAnswersForNewAddresses),
    },
    exports: { perThread: exportsPerThreadMax, forSecretKeys: exportsForSecretKeys },
    slowReader: { bytesPerSecond: slowReaderBytesPerSecond, milliseconds: slowReaderMilliseconds },
    slowExport: { bytesPerSecond: slowExportBytesPerSecond, milliseconds: slowExportMilliseconds },
  };
}

/** Where an address is counted: one slot in each row of the table. */
export type AddressSlots = readonly [number, number];

/**
 * Addresses are counted in a count-min sketch of two rows: an address counts as the lesser of its two slots. It is
 * counted too high only where other busy addresses share both its slots, one chance in 4096² for each; never too low.
 */
const slotsPerRow = 4096;
const rowsOfSlots = 2;

/** The table of addresses of one resource. */
const tableLength = slotsPerRow * rowsOfSlots;

/** Seeds of the two rows, in front of the regions; random, so that no client can choose addresses that collide. */
const headerLength = rowsOfSlots;

/** Why a unit is refused: a limit on what clients hold is reached, or the thread has more to do than it can. */
export const refusalReasons = ["limit", "load"] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** Region: held by resource, refused by reason and resource, then a table of addresses for each resource. */
const countsLength = (1 + refusalReasons.length) * resources.length;
const regionLength = countsLength + resources.length * tableLength;

export type AdmissionMemory = Int32Array<SharedArrayBuffer>;

/** Memory for threads 0 (the supervisor) to `threadCount`; nothing is held. 160 KiB a thread. */
export function createAdmissionMemory(threadCount: number): AdmissionMemory {
  const length = headerLength + (threadCount + 1) * regionLength;
  const memory = new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT));
  for (let row = 0; row < rowsOfSlots; row++) Atomics.store(memory, row, randomInt(2 ** 31));
  return memory;
}

/** Releases everything a thread holds that has ended. */
export function clearThread(memory: AdmissionMemory, thread: number): void {
  const start = regionStart(thread);
  memory.fill(0, start, start + resources.length);
  memory.fill(0, start + countsLength, start + regionLength);
}

/** One thread's view of the limits. */
export class Admission {
  readonly limits: AdmissionLimits;
  readonly overload: Overload | undefined;
  readonly streams: AnswerStreams = new AnswerStreams();
  readonly exports: ExportSlots;
  readonly #memory: AdmissionMemory;
  readonly #start: number;
  readonly #slots = new WeakMap<Client, AddressSlots>();
  readonly #hashClient = ({ network }: Client): AddressSlots => [
    hashText(network, Atomics.load(this.#memory, 0)),
    hashText(network, Atomics.load(this.#memory, 1)),
  ];

  /**
   * @param thread Its region; 0 is the supervisor.
   * @param overload Whether the thread has too much work; nothing is refused for that when absent.
   */
  constructor(memory: AdmissionMemory, limits: AdmissionLimits, thread: number, overload?: Overload) {
    this.overload = overload;
    this.#memory = memory;
    this.limits = limits;
    this.exports = new ExportSlots(limits.exports);
    this.#start = regionStart(thread);
  }

  /** The slots of a client's network, computed once. */
  slotsOf(client: Client): AddressSlots {
    return this.#slots.getOrInsertComputed(client, this.#hashClient);
  }

  /** Which limit keeps one more unit from being acquired; undefined when none does. */
  limitReached(resource: Resource, slots?: AddressSlots, isSecret = false): "total" | "perAddress" | undefined {
    const { total, perAddress, forSecretKeys = 0, forNewAddresses = 0 } = this.limits[resource];
    const at = resources.indexOf(resource);
    let reserved = isSecret ? 0 : forSecretKeys;
    if (slots !== undefined) {
      const [first, second] = addressIndexes(at, slots);
      const held = Math.min(sum(this.#memory, first), sum(this.#memory, second));
      if (held >= perAddress) return "perAddress";
      if (held > 0 && !isSecret) reserved += forNewAddresses;
    }
    return sum(this.#memory, at) >= total - reserved ? "total" : undefined;
  }

  /**
   * Acquires one unit, or counts a refusal.
   *
   * @param slots Those of the client's address; absent where only the total counts.
   * @param isSecret Whether the request has a secret key.
   * @returns Whether it was acquired; then `release` follows exactly once, with the same resource and slots.
   */
  acquire(resource: Resource, slots?: AddressSlots, isSecret = false): boolean {
    if (this.limitReached(resource, slots, isSecret) !== undefined) {
      this.countRefusal(resource, "limit");
      return false;
    }
    this.#add(resource, slots, 1);
    return true;
  }

  /** Counts a unit that is refused. */
  countRefusal(resource: Resource, reason: RefusalReason): void {
    Atomics.add(this.#memory, this.#start + refusedIndex(resource, reason), 1);
  }

  release(resource: Resource, slots?: AddressSlots): void {
    this.#add(resource, slots, -1);
  }

  /** What clients hold of a resource, and how often one more was refused, over all threads. */
  figures(resource: Resource): { readonly held: number; readonly refused: Readonly<Record<RefusalReason, number>> } {
    const refused = (reason: RefusalReason): number => sum(this.#memory, refusedIndex(resource, reason));
    const held = sum(this.#memory, resources.indexOf(resource));
    return { held, refused: { limit: refused("limit"), load: refused("load") } };
  }

  #add(resource: Resource, slots: AddressSlots | undefined, amount: number): void {
    const at = resources.indexOf(resource);
    Atomics.add(this.#memory, this.#start + at, amount);
    if (slots === undefined) return;
    for (const index of addressIndexes(at, slots)) Atomics.add(this.#memory, this.#start + index, amount);
  }
}

/** Index in a region of the refusals of a resource. */
function refusedIndex(resource: Resource, reason: RefusalReason): number {
  return (1 + refusalReasons.indexOf(reason)) * resources.length + resources.indexOf(resource);
}

/** Indexes in a region of the two slots of an address. */
function addressIndexes(resource: number, [first, second]: AddressSlots): readonly [number, number] {
  const table = countsLength + resource * tableLength;
  return [table + first, table + slotsPerRow + second];
}

function regionStart(thread: number): number {
  return headerLength + thread * regionLength;
}

/** The sum over all regions of one of their elements. */
function sum(memory: AdmissionMemory, at: number): number {
  let total = 0;
  for (let start = headerLength; start < memory.length; start += regionLength) {
    total += Atomics.load(memory, start + at);
  }
  return total;
}

/** FNV-1a from a seed (http://www.isthe.com/chongo/tech/comp/fnv/), with the last mixing step of MurmurHash3. */
function hashText(text: string, seed: number): number {
  let hash = seed ^ 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) & (slotsPerRow - 1);
}
