/**
 * Who may go on, and when. A client is a secret key, a public key at an address, or an address without a key. Two
 * things are counted; nothing is measured.
 *
 * Places bound what is in hand at one time: requests whose answers are being made, and long answers, each of which
 * holds memory until its client has read it. A client gets another place only while `freeFactor` times as many as it
 * holds are free, so one client alone has a quarter at most, more clients have less each, and one that holds none is
 * refused only where none is free. Secret keys have a reserve; requests without a key have places of their own. A long
 * answer whose client is too slow loses its place to one that wants it.
 *
 * Turns bound how long others wait for long work: each turn of the event loop runs one slice of it, and one more for
 * each `requestsPerSlice` requests that came in the turn before, so that many short requests do not stop it. Turns go
 * round by client.
 *
 * Everything is counted by thread, which has its part of the limits of the process.
 */
import { serviceUnavailable } from "../../../contract/errors.ts";
import {
  answersPerThreadMin,
  keylessAnswersMax,
  keylessRequestsPerThreadMax,
  longAnswersForSecretKeys,
  longAnswersMax,
  requestsForSecretKeys,
  requestsPerSlice,
  requestsPerThreadMax,
  slowReaderMilliseconds,
} from "../../../contract/limits.ts";
import { SlicedWork } from "../../../engine/store/steps.ts";
import type { Store } from "../../../engine/store/store.ts";
import type { RingEntry } from "../../auth/key-ring.ts";
import type { Client } from "../request/client-address.ts";

export const placeKinds = ["requests", "answers", "keylessRequests", "keylessAnswers"] as const;
export type PlaceKind = (typeof placeKinds)[number];

/** The places of a kind. */
export interface PlaceLimit {
  readonly total: number;
  /** How many of them only secret keys get. */
  readonly forSecretKeys: number;
}

export interface AdmissionLimits extends Readonly<Record<PlaceKind, PlaceLimit>> {
  /** A client that keeps its answer waiting for so long is slow. */
  readonly slowReaderMilliseconds: number;
}

/** The limits of each of so many threads. */
export function admissionLimits(threadCount: number): AdmissionLimits {
  const partOf = (answers: number): number => Math.max(answersPerThreadMin, Math.ceil(answers / threadCount));
  return {
    requests: { total: requestsPerThreadMax, forSecretKeys: requestsForSecretKeys },
    answers: { total: partOf(longAnswersMax), forSecretKeys: Math.ceil(longAnswersForSecretKeys / threadCount) },
    keylessRequests: { total: keylessRequestsPerThreadMax, forSecretKeys: 0 },
    keylessAnswers: { total: partOf(keylessAnswersMax), forSecretKeys: 0 },
    slowReaderMilliseconds,
  };
}

/** How many times the places that a client holds must be free for it to get another. */
const freeFactor = 3;

/** Held by kind, then refused by kind; a region for each thread, which alone writes to it. */
export type PlaceFigures = Int32Array<SharedArrayBuffer>;

const regionLength = 2 * placeKinds.length;

/** Figures of threads 1 to `threadCount`; nothing is held. */
export function createPlaceFigures(threadCount: number): PlaceFigures {
  return new Int32Array(new SharedArrayBuffer(threadCount * regionLength * Int32Array.BYTES_PER_ELEMENT));
}

/** Places of a kind over all threads: those that are held, and how often one more was refused. */
export function readPlaces(
  figures: PlaceFigures,
  kind: PlaceKind,
): { readonly held: number; readonly refused: number } {
  const at = placeKinds.indexOf(kind);
  let held = 0;
  let refused = 0;
  for (let start = 0; start < figures.length; start += regionLength) {
    held += Atomics.load(figures, start + at);
    refused += Atomics.load(figures, start + placeKinds.length + at);
  }
  return { held, refused };
}

/** Releases the places that a thread held when it ended. */
export function clearPlaces(figures: PlaceFigures, thread: number): void {
  const start = (thread - 1) * regionLength;
  figures.fill(0, start, start + placeKinds.length);
}

/** Rows in a slice: three milliseconds at thirty nanoseconds a row, which a search takes where rows are far apart. */
const sliceRows = 98_304;

/** Rows in the first slice of work, which waits for no turn, because most work ends in it. */
const firstSliceRows = 32_768;

/** Clients that are remembered although they may hold nothing. */
const idleHoldersMax = 1000;

/** A client that holds places. */
export class Holder {
  readonly name: string;
  readonly isKeyed: boolean;
  readonly isSecret: boolean;
  /** Its places. */
  requests = 0;
  answers = 0;
  /** Its work that waits for turns, the next first. */
  readonly waiting: Work[] = [];
  readonly #admission: Admission;

  constructor(name: string, principal: RingEntry | undefined, admission: Admission) {
    this.name = name;
    this.isKeyed = principal !== undefined;
    this.isSecret = principal?.kind === "secret";
    this.#admission = admission;
  }

  /** Leaves the place of one of its requests. */
  leave(): void {
    this.#admission.leave(this);
  }

  /**
   * Gives a long answer its place, if need be that of another client which reads too slowly; its answer is broken off.
   *
   * @returns Leaves the place.
   * @throws {ApiError} SERVICE_UNAVAILABLE.
   */
  enterAnswer(answer: LongAnswer): () => void {
    return this.#admission.enterAnswer(this, answer);
  }

  /**
   * Runs work to its end, the first slice at once, others in turns.
   *
   * @returns The result, or a promise of it when it did not fit into the first slice; that rejects with a
   *   `ClientGoneError` when the client has gone.
   */
  run<Result>(work: Generator<number, Result>, isGone: () => boolean): Result | Promise<Result> {
    const sliced = new SlicedWork(work);
    return sliced.run(firstSliceRows) ? sliced.result : this.#runRest(sliced, isGone);
  }

  async #runRest<Result>(sliced: SlicedWork<Result>, isGone: () => boolean): Promise<Result> {
    await this.runSlices(() => sliced.run(sliceRows), isGone);
    if (!sliced.isDone) throw new ClientGoneError();
    return sliced.result;
  }

  /**
   * Runs slices, each in a turn, until one says that no other follows, or the client has gone.
   *
   * @param run Runs a slice; it returns true if no other follows.
   */
  runSlices(run: () => boolean, isGone: () => boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#admission.turns.wait(this, { run, isGone, resolve, reject });
    return promise;
  }
}

/** A client that reads an answer. */
export interface Reader {
  /** How long its answer has waited for it, less the time that the bytes it took allow. */
  readonly waitedMilliseconds: number;
  /** Breaks its answer off. */
  disconnect(): void;
}

/** A long answer on its way. */
export interface LongAnswer {
  readonly reader: Reader;
  /** The store that it is made from while it leaves; undefined where it is made already. */
  readonly source: Store | undefined;
}

/** The place of a long answer. */
interface AnswerPlace extends LongAnswer {
  readonly holder: Holder;
}

/** Places and turns of one thread. */
export class Admission {
  readonly turns: Turns = new Turns();
  readonly #limits: AdmissionLimits;
  readonly #figures: PlaceFigures;
  readonly #start: number;
  readonly #holders = new Map<string, Holder>();
  /** Places that are held. */
  readonly #held: Record<PlaceKind, number> = { requests: 0, answers: 0, keylessRequests: 0, keylessAnswers: 0 };
  /** Long answers on their way, the oldest first. */
  readonly #answers = new Set<AnswerPlace>();

  /** @param thread Counted from 1; its figures are kept there. */
  constructor(limits: AdmissionLimits, figures: PlaceFigures, thread: number) {
    this.#limits = limits;
    this.#figures = figures;
    this.#start = (thread - 1) * regionLength;
  }

  /**
   * Gives a request its place among those whose answers are being made.
   *
   * @returns Its client; `leave` must follow once.
   * @throws {ApiError} SERVICE_UNAVAILABLE.
   */
  enter(principal: RingEntry | undefined, client: Client): Holder {
    const name = nameOf(principal, client);
    const holder = this.#holders.get(name) ?? new Holder(name, principal, this);
    const kind = holder.isKeyed ? "requests" : "keylessRequests";
    if (!this.#fits(kind, holder, holder.requests)) {
      throw this.#refusal(kind, "Too many requests are being answered; try again after Retry-After seconds.");
    }
    this.#holders.set(name, holder);
    holder.requests++;
    this.#count(kind, 1);
    return holder;
  }

  /** For `leave` of a client. */
  leave(holder: Holder): void {
    holder.requests--;
    this.#count(holder.isKeyed ? "requests" : "keylessRequests", -1);
    this.#forget(holder);
  }

  /** For `enterAnswer` of a client. */
  enterAnswer(holder: Holder, answer: LongAnswer): () => void {
    const kind = holder.isKeyed ? "answers" : "keylessAnswers";
    if (!this.#fits(kind, holder, holder.answers) && !this.#takeBackSlow(kind, holder)) {
      throw this.#refusal(kind, "Too many long answers are on their way; try again after Retry-After seconds.");
    }
    const place = { holder, ...answer };
    this.#answers.add(place);
    holder.answers++;
    this.#count(kind, 1);
    return () => this.#leaveAnswer(place);
  }

  /** Breaks off the answers that are being made from a store. @returns How many there were. */
  cutAnswersFrom(store: Store): number {
    const cut = [...this.#answers].filter(({ source }) => source === store);
    for (const { reader } of cut) reader.disconnect();
    return cut.length;
  }

  #leaveAnswer(place: AnswerPlace): void {
    // One that was taken back has left already.
    if (!this.#answers.delete(place)) return;
    place.holder.answers--;
    this.#count(place.holder.isKeyed ? "answers" : "keylessAnswers", -1);
    this.#forget(place.holder);
  }

  /** Forgets a client that holds nothing; a few are remembered, because most come again soon. */
  #forget({ name, requests, answers }: Holder): void {
    if (requests === 0 && answers === 0 && this.#holders.size > idleHoldersMax) this.#holders.delete(name);
  }

  #fits(kind: PlaceKind, { isSecret }: Holder, held: number): boolean {
    const { total, forSecretKeys } = this.#limits[kind];
    const free = total - this.#held[kind] - (isSecret ? 0 : forSecretKeys);
    return held === 0 ? free > 0 : free > freeFactor * held;
  }

  /** Takes places back from slow clients, the oldest first, until one more fits. @returns True if it does. */
  #takeBackSlow(kind: PlaceKind, holder: Holder): boolean {
    for (const place of this.#answers) {
      const isSlow = place.reader.waitedMilliseconds >= this.#limits.slowReaderMilliseconds;
      if (!isSlow || place.holder.isKeyed !== holder.isKeyed) continue;
      this.#leaveAnswer(place);
      place.reader.disconnect();
      if (this.#fits(kind, holder, holder.answers)) return true;
    }
    return false;
  }

  #count(kind: PlaceKind, change: number): void {
    this.#held[kind] += change;
    Atomics.store(this.#figures, this.#start + placeKinds.indexOf(kind), this.#held[kind]);
  }

  #refusal(kind: PlaceKind, message: string) {
    Atomics.add(this.#figures, this.#start + placeKinds.length + placeKinds.indexOf(kind), 1);
    return serviceUnavailable(message);
  }
}

/** The name of a client; a key has the same one after its rotation. */
function nameOf(principal: RingEntry | undefined, { network }: Client): string {
  if (principal === undefined) return network;
  return principal.kind === "secret" ? principal.chain : `${principal.chain} ${network}`;
}

/** Of so many turns that both could have, one is for work without a key. */
const turnsPerKeyless = 4;

/** The client of a request has gone before its answer was made. */
export class ClientGoneError extends Error {}

/** Long work of a client. */
interface Work {
  /** Runs a slice. @returns True if no other follows. */
  readonly run: () => boolean;
  /** True if nobody waits for it any more. */
  readonly isGone: () => boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The turns of long work on one thread. */
export class Turns {
  /** Clients whose work waits, in the order of their turns. */
  readonly #keyed: Holder[] = [];
  readonly #keyless: Holder[] = [];
  #isScheduled = false;
  /** Requests that have come since the turn before. */
  #requests = 0;
  #turns = 0;

  /** Counts a request that has come. */
  countRequest(): void {
    this.#requests++;
  }

  /** Lets work wait for its first turn, or its next. */
  wait(holder: Holder, work: Work): void {
    if (holder.waiting.push(work) === 1) this.#ringOf(holder).push(holder);
    if (!this.#isScheduled) {
      this.#requests = 0;
      this.#schedule();
    }
  }

  #schedule(): void {
    this.#isScheduled = true;
    setImmediate(() => this.#runTurn());
  }

  #runTurn(): void {
    let slices = 1 + Math.floor(this.#requests / requestsPerSlice);
    this.#requests = 0;
    for (let holder = this.#nextHolder(); holder !== undefined; holder = this.#nextHolder()) {
      this.#runSlice(holder);
      if (--slices === 0) break;
    }
    this.#isScheduled = false;
    if (this.#keyed.length + this.#keyless.length > 0) this.#schedule();
  }

  /** Runs a slice of the work of a client that waits first; then the client waits behind the others. */
  #runSlice(holder: Holder): void {
    const work = holder.waiting.shift() as Work;
    if (holder.waiting.length > 0) this.#ringOf(holder).push(holder);
    try {
      if (work.isGone() || work.run()) work.resolve();
      else this.wait(holder, work);
    } catch (error) {
      work.reject(error);
    }
  }

  #nextHolder(): Holder | undefined {
    const isKeyless = this.#keyless.length > 0 && (this.#keyed.length === 0 || ++this.#turns % turnsPerKeyless === 0);
    return (isKeyless ? this.#keyless : this.#keyed).shift();
  }

  #ringOf({ isKeyed }: Holder): Holder[] {
    return isKeyed ? this.#keyed : this.#keyless;
  }
}
