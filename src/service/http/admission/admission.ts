/**
 * Who may go on, and when. A client is a secret key, a public key at an address, or an address without a key. Two
 * things are counted; processor time is not measured.
 *
 * Places bound what is in hand at one time: requests whose answers are being made or have not been read, and long
 * answers, which are made while they are sent and hold a store meanwhile. Half of the places are shared: a client gets
 * another only while it holds less than a quarter of these, its share, and more of them are free than it holds. The
 * other half is for clients that hold none, so that they are refused only where really none is left. Secret keys have a
 * reserve; requests without a key have places of their own. An answer whose client reads too slowly loses its place to
 * a client that may have one where none is free.
 *
 * Turns bound how long others wait for long work: in each turn of the event loop it has the time of one slice, and of
 * one more for each `requestsPerSlice` requests that came in the turn before, so that many short requests do not stop
 * it. Turns go round by client, slice by slice. Work of a client that has none waiting begins outside of turns, with a
 * third of a slice, and so does an answer. A client with a key is refused whatever it asks while it has
 * `tasksWaitingMax` tasks waiting.
 *
 * Everything is counted by thread. Places of long answers are a thread's part of those of the process; those of
 * requests are its own.
 */
import { ApiError } from "../../../contract/errors.ts";
import {
  answersPerThreadMin,
  keylessAnswersMax,
  keylessRequestsPerThreadMax,
  longAnswersForSecretKeys,
  longAnswersMax,
  requestsForSecretKeys,
  requestsPerSlice,
  requestsPerThreadMax,
  retryAfterSeconds,
  slowReaderMilliseconds,
  tasksWaitingMax,
} from "../../../contract/limits.ts";
import { SlicedWork } from "../../../engine/store/steps.ts";
import type { Store } from "../../../engine/store/store.ts";
import type { RingEntry } from "../../auth/key-ring.ts";
import type { Client as ClientAddress } from "../request/client-address.ts";
import type { AnswerReader } from "../request/context.ts";

export const placeKinds = ["requests", "answers", "keylessRequests", "keylessAnswers"] as const;
export type PlaceKind = (typeof placeKinds)[number];

/** The places of a kind. */
export interface PlaceLimit {
  /** Half of them are shared, see above. */
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

/** Clients that are known before those without requests are removed. */
const clientsMin = 1000;

const noPlaces = Object.fromEntries(placeKinds.map((kind) => [kind, 0])) as Readonly<Record<PlaceKind, number>>;

/** A request gets no place: its client has its share, or none is left for it. */
export class NoPlaceError extends ApiError {
  constructor(code: "RATE_LIMITED" | "SERVICE_UNAVAILABLE", message: string) {
    super(code, message, { headers: { "Retry-After": String(retryAfterSeconds) } });
  }
}

/** A client that has requests, or had some. */
export class ActiveClient {
  readonly isKeyed: boolean;
  readonly isSecret: boolean;
  /** Its requests whose places are not left, whether they are taken yet or not. */
  requests = 0;
  /** Its places by kind. */
  readonly held: Record<PlaceKind, number> = { ...noPlaces };
  /** Its work that waits for turns, the next first. */
  readonly waiting: Task[] = [];
  readonly #turns: Turns;

  constructor(principal: RingEntry | undefined, turns: Turns) {
    this.isKeyed = principal !== undefined;
    this.isSecret = principal?.kind === "secret";
    this.#turns = turns;
  }

  /** True if a client with a key has as many tasks waiting as it may have; more would only wait for longer. */
  get isQueueFull(): boolean {
    return this.isKeyed && this.waiting.length >= tasksWaitingMax;
  }

  /**
   * Runs work to its end, in turns; the first slice at once, unless other work of the client waits: what waits holds no
   * memory then, and a client with much work does not keep the thread with beginnings.
   *
   * @returns The result, or a promise of it when it did not fit into the first slice; that rejects with a
   *   `ClientGoneError` when the client has gone.
   */
  run<Result>(work: Generator<number, Result>, isGone: () => boolean): Result | Promise<Result> {
    const sliced = new SlicedWork(work);
    const isDone = this.waiting.length === 0 && sliced.run(firstSliceRows);
    return isDone ? sliced.result : this.#runRest(sliced, isGone);
  }

  /** Runs work that is probably long, the first slice in a turn as well. */
  runInTurns<Result>(work: Generator<number, Result>, isGone: () => boolean): Promise<Result> {
    return this.#runRest(new SlicedWork(work), isGone);
  }

  async #runRest<Result>(sliced: SlicedWork<Result>, isGone: () => boolean): Promise<Result> {
    await this.runSlices(() => sliced.run(sliceRows), isGone);
    if (sliced.isDone) return sliced.result;
    sliced.stop();
    throw new ClientGoneError();
  }

  /**
   * Runs slices, each in a turn, until one says that no other follows, or the client has gone.
   *
   * @param run Runs a slice; it returns true if no other follows.
   */
  runSlices(run: () => boolean, isGone: () => boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#turns.wait(this, { run, isGone, resolve, reject });
    return promise;
  }
}

/** The place of a request. */
export class Place {
  readonly client: ActiveClient;
  /** Undefined until it is taken, and once it is left. */
  kind: PlaceKind | undefined;
  isLeft = false;
  /** Undefined while the answer waits for no client. */
  reader: AnswerReader | undefined;
  /** The store that a long answer is made from while it is sent; undefined for all others. */
  source: Store | undefined;
  readonly #admission: Admission;

  constructor(client: ActiveClient, admission: Admission) {
    this.client = client;
    this.#admission = admission;
    client.requests++;
  }

  /**
   * Takes the place, first among the requests whose answers are being made.
   *
   * @throws {ApiError} RATE_LIMITED where the client has its share, SERVICE_UNAVAILABLE where none is left for it.
   */
  enter(): void {
    this.#admission.move(this, kindOfRequest(this.client));
  }

  /**
   * Moves the request to the places of long answers, unless it has one.
   *
   * @throws {ApiError} As `enter`; it stays where it was then.
   */
  moveToAnswers(): void {
    const kind = this.client.isKeyed ? "answers" : "keylessAnswers";
    if (this.kind !== kind) this.#admission.move(this, kind);
  }

  /**
   * From now on the place may go to another client where this one reads too slowly.
   *
   * @param source The store that the answer is made from while it is sent; absent for all others.
   */
  waitFor(reader: AnswerReader, source?: Store): void {
    this.reader = reader;
    this.source = source;
    this.#admission.watch(this);
  }

  /** Leaves the place, taken or not; nothing happens where it is left already. */
  leave(): void {
    this.#admission.leave(this);
  }
}

/** Places and turns of one thread. */
export class Admission {
  readonly turns: Turns;
  readonly #limits: AdmissionLimits;
  readonly #figures: PlaceFigures;
  readonly #start: number;
  /** By name, some without requests: to remove one with each answer would make V8 rebuild the table each time. */
  readonly #clients = new Map<string, ActiveClient>();
  #clientsMax = clientsMin;
  /** Places that are held. */
  readonly #held: Record<PlaceKind, number> = { ...noPlaces };
  /** Places whose answers wait for their clients, the oldest first. */
  readonly #watched = new Set<Place>();

  /**
   * @param thread Counted from 1; its figures are there.
   * @param now Milliseconds of a clock that never goes back; that of the process when absent.
   */
  constructor(limits: AdmissionLimits, figures: PlaceFigures, thread: number, now?: () => number) {
    this.turns = new Turns(now);
    this.#limits = limits;
    this.#figures = figures;
    this.#start = (thread - 1) * regionLength;
  }

  /**
   * The place of a request. It is not taken yet, because a body may be long on its way; but a request that would get
   * none now, or whose client has too many tasks waiting, is refused before its body is read and its signature checked:
   * what is refused must cost little.
   *
   * @throws {ApiError} As `enter`.
   */
  placeFor(principal: RingEntry | undefined, address: ClientAddress): Place {
    const client = this.#clientOf(principal, address);
    const kind = kindOfRequest(client);
    // A client without other requests has what it needs in all but rare cases, which `enter` refuses.
    const hasRoom = client.requests === 0 || this.#fits(kind, client) || this.#slowPlaceFor(kind, client) !== undefined;
    if (!hasRoom || client.isQueueFull) throw this.#refusal(kind, client);
    return new Place(client, this);
  }

  #clientOf(principal: RingEntry | undefined, address: ClientAddress): ActiveClient {
    const name = nameOf(principal, address);
    let client = this.#clients.get(name);
    if (client === undefined) {
      if (this.#clients.size >= this.#clientsMax) this.#removeIdleClients();
      client = new ActiveClient(principal, this.turns);
      this.#clients.set(name, client);
    }
    return client;
  }

  /** Removes clients without requests, and lets as many come as are left, so that each costs little. */
  #removeIdleClients(): void {
    for (const [name, { requests }] of this.#clients) if (requests === 0) this.#clients.delete(name);
    this.#clientsMax = Math.max(clientsMin, 2 * this.#clients.size);
  }

  /** For `enter` and `moveToAnswers` of a place. */
  move(place: Place, kind: PlaceKind): void {
    const { client } = place;
    this.#require(kind, client);
    if (place.kind !== undefined) this.#count(place.kind, client, -1);
    place.kind = kind;
    this.#count(kind, client, 1);
  }

  /** For `waitFor` of a place; one that is left already would be watched for ever. */
  watch(place: Place): void {
    if (place.kind !== undefined) this.#watched.add(place);
  }

  /** For `leave` of a place. */
  leave(place: Place): void {
    const { client, kind } = place;
    if (!place.isLeft) {
      place.isLeft = true;
      client.requests--;
    }
    if (kind === undefined) return;
    place.kind = undefined;
    place.source = undefined;
    this.#watched.delete(place);
    this.#count(kind, client, -1);
  }

  /** Breaks off the answers that are being made from a store. @returns How many there were. */
  cutAnswersFrom(store: Store): number {
    const cut = [...this.#watched].filter(({ source }) => source === store);
    for (const { reader } of cut) reader?.disconnect();
    return cut.length;
  }

  /** @param freed Places that are taken back for it, of all clients and of its own. */
  #fits(kind: PlaceKind, client: ActiveClient, freed = { all: 0, own: 0 }): boolean {
    const { total, forSecretKeys } = this.#limits[kind];
    const reserve = client.isSecret ? 0 : forSecretKeys;
    const all = this.#held[kind] - freed.all;
    const own = client.held[kind] - freed.own;
    if (own === 0) return all < total - reserve;
    return own < shareOf(total) && Math.floor(total / 2) - reserve - all > own;
  }

  /** Makes sure that a client may have one more place, if need be that of a slow client, whose answer is broken off. */
  #require(kind: PlaceKind, client: ActiveClient): void {
    if (this.#fits(kind, client)) return;
    const slow = this.#slowPlaceFor(kind, client);
    if (slow === undefined) throw this.#refusal(kind, client);
    this.leave(slow);
    slow.reader?.disconnect();
  }

  /**
   * The place of a slow client, of the one that holds most, that another may have: beyond its share that is one of its
   * own. Undefined where there is none.
   */
  #slowPlaceFor(kind: PlaceKind, client: ActiveClient): Place | undefined {
    let found: Place | undefined;
    for (const place of this.#watched) {
      if (place.kind !== kind || !this.#isSlow(place)) continue;
      if (found !== undefined && found.client.held[kind] >= place.client.held[kind]) continue;
      if (this.#fits(kind, client, { all: 1, own: place.client === client ? 1 : 0 })) found = place;
    }
    return found;
  }

  #isSlow({ reader }: Place): boolean {
    return reader !== undefined && reader.waitedMilliseconds >= this.#limits.slowReaderMilliseconds;
  }

  #count(kind: PlaceKind, client: ActiveClient, change: number): void {
    client.held[kind] += change;
    this.#held[kind] += change;
    Atomics.store(this.#figures, this.#start + placeKinds.indexOf(kind), this.#held[kind]);
  }

  /** Whoever watches the service is told of its own limits alone. */
  #refusal(kind: PlaceKind, client: ActiveClient): NoPlaceError {
    Atomics.add(this.#figures, this.#start + placeKinds.length + placeKinds.indexOf(kind), 1);
    const isOwn = client.isQueueFull || client.held[kind] >= shareOf(this.#limits[kind].total);
    return refusals[kind === "requests" || kind === "keylessRequests" ? "request" : "answer"][isOwn ? "own" : "all"];
  }
}

/** The places that one client may hold: a quarter of the shared half, and always one. */
function shareOf(total: number): number {
  return Math.max(1, Math.ceil(Math.floor(total / 2) / 4));
}

const remedy = "try again after Retry-After seconds.";

/** What is refused is told from nothing else, so that each is made once. */
function refusalsOf(things: string): { readonly own: NoPlaceError; readonly all: NoPlaceError } {
  return {
    own: new NoPlaceError("RATE_LIMITED", `Too many ${things} for this client; ${remedy}`),
    all: new NoPlaceError("SERVICE_UNAVAILABLE", `Too many ${things}; ${remedy}`),
  };
}

const refusals = {
  request: refusalsOf("requests are being answered"),
  answer: refusalsOf("long answers are on their way"),
};

function kindOfRequest({ isKeyed }: ActiveClient): PlaceKind {
  return isKeyed ? "requests" : "keylessRequests";
}

/** The name of a client; a key has the same one after its rotation. */
function nameOf(principal: RingEntry | undefined, { network }: ClientAddress): string {
  if (principal === undefined) return network;
  return principal.kind === "secret" ? principal.chain : `${principal.chain} ${network}`;
}

/** Time of a slice. */
const sliceMilliseconds = 3;

/** Most slices of a turn, however many requests have come: other sockets are read after them. */
const slicesPerTurnMax = 4;

/** Most tasks that begin or go on in the time of one slice: what they lead to, as writing a chunk, comes after it. */
const tasksPerSliceMax = 16;

/**
 * Of so many turns that both could have, one is for work without a key; for so long after as long without any, one of
 * two, because a person who opens a page now and then takes less than a quarter of the turns all the same.
 */
const turnsPerKeyless = 4;
const turnsPerRareKeyless = 2;
const rareMilliseconds = 200;

/** The client of a request has gone before its answer was made. */
export class ClientGoneError extends Error {}

/** Long work of a client. */
interface Task {
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
  readonly #keyed: ActiveClient[] = [];
  readonly #keyless: ActiveClient[] = [];
  #isScheduled = false;
  /** Requests that have come since the turn before. */
  #requests = 0;
  #turns = 0;
  /** When work without a key had its first turn after none for a while, and its newest. */
  #keylessSince = Number.NEGATIVE_INFINITY;
  #keylessAt = Number.NEGATIVE_INFINITY;
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts a request that has come. */
  countRequest(): void {
    this.#requests++;
  }

  /** Lets work wait for its first turn, behind other work of its client. */
  wait(client: ActiveClient, task: Task): void {
    if (client.waiting.push(task) === 1) this.#ringOf(client).push(client);
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
    const slices = Math.min(slicesPerTurnMax, 1 + Math.floor(this.#requests / requestsPerSlice));
    this.#requests = 0;
    // Many slices are shorter than their time: one that makes a chunk of an answer ends with the chunk.
    const end = this.#now() + slices * sliceMilliseconds;
    for (let tasks = slices * tasksPerSliceMax; tasks > 0; tasks--) {
      const client = this.#nextClient();
      if (client === undefined) break;
      this.#runSlice(client);
      if (this.#now() >= end) break;
    }
    this.#isScheduled = false;
    if (this.#keyed.length + this.#keyless.length > 0) this.#schedule();
  }

  /**
   * Runs a slice of the work of a client that waits first, until that is done: of work that has begun, the results so
   * far are in memory. Then the client waits behind the others.
   */
  #runSlice(client: ActiveClient): void {
    const task = client.waiting[0] as Task;
    try {
      if (task.isGone() || task.run()) {
        client.waiting.shift();
        task.resolve();
      }
    } catch (error) {
      client.waiting.shift();
      task.reject(error);
    }
    if (client.waiting.length > 0) this.#ringOf(client).push(client);
  }

  #nextClient(): ActiveClient | undefined {
    if (this.#keyless.length === 0) return this.#keyed.shift();
    const now = this.#now();
    if (now - this.#keylessAt > rareMilliseconds) this.#keylessSince = now;
    const turns = now - this.#keylessSince < rareMilliseconds ? turnsPerRareKeyless : turnsPerKeyless;
    if (this.#keyed.length > 0 && ++this.#turns % turns !== 0) return this.#keyed.shift();
    this.#keylessAt = now;
    return this.#keyless.shift();
  }

  #ringOf({ isKeyed }: ActiveClient): ActiveClient[] {
    return isKeyed ? this.#keyed : this.#keyless;
  }
}
