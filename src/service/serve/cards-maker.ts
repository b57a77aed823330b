/** The supervisor's side of making cards: one thread at a time, for the snapshot that is served. */
import type { Logger } from "pino";
import { layoutVersion } from "../../engine/compiled/layout-version.ts";
import type { Store } from "../../engine/store/store.ts";
import { WorkerClient } from "../../engine/threads/worker-client.ts";

/** Limits of the cards of a snapshot. */
export interface CardLimits {
  readonly countMax: number;
  readonly bytesMax: number;
  /** Where there would be more, only those of the country are made. */
  readonly wantedMax: number;
}

export const cardLimits: CardLimits = { countMax: 1500, bytesMax: 60_000_000, wantedMax: 5000 };

/** The one request to such a thread. */
export interface CardsRequest {
  readonly dataDirectory: string;
  readonly store: Store;
  /** Of the code that draws them. */
  readonly version: string;
  readonly limits: CardLimits;
  /** The layout of the stores that the service holds, see loader-thread.ts. */
  readonly layoutVersion: number;
  /** Shared; 1 once no more of these cards are wanted. */
  readonly givenUp: Int32Array<SharedArrayBuffer>;
}

export type CardsAnswer =
  | { readonly outcome: "made"; readonly drawn: number; readonly linked: number; readonly bytes: number }
  /** The directory cannot be written, or the disk is full; `message` says which. */
  | { readonly outcome: "failed"; readonly message: string };

export interface CardsMakerOptions {
  /** The entry file of the thread. */
  readonly script: URL;
  readonly dataDirectory: string;
  readonly version: string;
  readonly log: Pick<Logger, "info" | "warn" | "error">;
  /** `cardLimits` when absent. */
  readonly limits?: CardLimits;
}

/** A card takes some milliseconds; a thread that goes on for so long is ended whatever it does. */
const giveUpMillisecondsMax = 5000;

export class CardsMaker {
  readonly #options: CardsMakerOptions;
  #thread: WorkerClient<CardsRequest, CardsAnswer> | undefined;
  /** Of the cards that were wanted last. */
  #givenUp = new Int32Array(new SharedArrayBuffer(4));
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: CardsMakerOptions) {
    this.#options = options;
  }

  /**
   * Makes the cards of a store; those of the one before are given up. The renderer keeps memory, so its thread ends
   * with the last card.
   *
   * @returns Done when the thread has ended; never rejects. What fails is in the log: pages have the general card then.
   */
  async make(store: Store): Promise<void> {
    if (this.#isStopped) return;
    const before = this.#giveUp();
    const givenUp = new Int32Array(new SharedArrayBuffer(4));
    this.#givenUp = givenUp;
    this.#running = before.then(() => this.#makeWanted(store, givenUp));
    await this.#running;
  }

  /** Ends the thread; what it has made stays. Nothing is made any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#giveUp();
  }

  /**
   * Lets the thread end after the card that it draws. One that is terminated while it works can end the whole process
   * (`Check failed: !is_null()`, V8 of Node 26): one stop of 75 did.
   */
  async #giveUp(): Promise<void> {
    Atomics.store(this.#givenUp, 0, 1);
    const deadline = setTimeout(() => this.#thread?.end(), giveUpMillisecondsMax);
    await this.#running.finally(() => clearTimeout(deadline));
  }

  async #makeWanted(store: Store, givenUp: CardsRequest["givenUp"]): Promise<void> {
    if (givenUp[0] === 1) return;
    const { script, log, limits = cardLimits, dataDirectory, version } = this.#options;
    const fields = { snapshot: store.snapshot.id };
    const startedAt = performance.now();
    try {
      // Throws where the system gives no thread.
      this.#thread = new WorkerClient(script, "the cards thread");
      const answer = await this.#thread.request({ dataDirectory, version, store, limits, layoutVersion, givenUp });
      if (givenUp[0] === 1) return;
      const { outcome, ...figures } = answer;
      const duration_ms = Math.round(performance.now() - startedAt);
      if (outcome === "made") log.info({ ...fields, ...figures, duration_ms }, "cards made");
      else log.warn({ ...fields, ...figures }, "cards not made; pages have the general one");
    } catch (error) {
      if (givenUp[0] === 0) log.error({ ...fields, err: error }, "cards not made");
    } finally {
      await this.#thread?.end();
      this.#thread = undefined;
    }
  }
}
