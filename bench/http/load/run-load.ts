/**
 * Puts load on a server, as fast as it answers or at a fixed rate, and takes the time of every request. Never sleeps.
 */
import { createHistogram, type RecordableHistogram } from "node:perf_hooks";
import { Connection } from "./connection.ts";

export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly milliseconds: number;
  /** Whole requests with head and body; asked in this order, over and over. */
  readonly requests: readonly Uint8Array[];
  /**
   * Requests due a second, evenly spaced (open loop); null: each connection asks again when it has its answer (closed
   * loop).
   */
  readonly perSecond: number | null;
}

export interface LoadFigures {
  readonly answers: number;
  /** From the first request to the last answer. */
  readonly seconds: number;
  /**
   * Median and 99th percentile, in microseconds; in an open loop from when a request was due, so that waiting for a
   * free connection counts.
   */
  readonly p50: number;
  readonly p99: number;
}

/**
 * Runs a load to its end: what is due is asked, what was asked is answered.
 *
 * @throws {Error} when an answer has a status other than 200, or a connection breaks.
 */
export async function runLoad(load: Load): Promise<LoadFigures> {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const connections = await Promise.all(
    Array.from({ length: load.connections }, () => Connection.open(load.port, reject)),
  );
  const sleepAgain = stayAwake();
  try {
    const run = load.perSecond === null ? new ClosedLoop(load, reject) : new OpenLoop(load, load.perSecond, reject);
    return await Promise.race([run.run(connections), failed]);
  } finally {
    sleepAgain();
    for (const connection of connections) connection.close();
  }
}

/**
 * Lets the event loop poll its sockets without blocking. The interrupt that wakes a blocked process on another core is
 * billed to the process that sent the answer, the server, and the slower the server, the more often it pays.
 *
 * @returns Lets it block again.
 */
function stayAwake(): () => void {
  // As long as an immediate is due, libuv asks the kernel with a timeout of 0.
  let next = setImmediate(function again() {
    next = setImmediate(again);
  });
  return () => clearImmediate(next);
}

const expectedStatus = 200;

/** What both loops share: the next request, the times, the end. */
class Loop {
  readonly load: Load;
  readonly #reject: (error: Error) => void;
  readonly #times: RecordableHistogram = createHistogram({ figures: 3 });
  readonly #done = Promise.withResolvers<void>();
  #asked = 0;
  #answered = 0;
  /** Whether nothing more is asked. */
  isOver = false;

  constructor(load: Load, reject: (error: Error) => void) {
    this.load = load;
    this.#reject = reject;
  }

  /** Asks the next request. @param from When its time begins. @param onAnswer Called when it has been answered. */
  ask(connection: Connection, from: number, onAnswer: () => void): void {
    const { requests } = this.load;
    const request = requests[this.#asked++ % requests.length] as Uint8Array;
    connection.ask(request, (status) => {
      if (status !== expectedStatus) {
        this.#reject(new Error(`an answer has status ${status}, expected 200: ${firstLine(request)}`));
        return;
      }
      this.#times.record(Math.max(1, Math.round((performance.now() - from) * 1e6)));
      this.#answered++;
      onAnswer();
      if (this.isOver && this.#answered === this.#asked) this.#done.resolve();
    });
  }

  async figures(started: number): Promise<LoadFigures> {
    await this.#done.promise;
    return {
      answers: this.#answered,
      seconds: (performance.now() - started) / 1000,
      p50: this.#times.percentile(50) / 1000,
      p99: this.#times.percentile(99) / 1000,
    };
  }
}

class ClosedLoop extends Loop {
  async run(connections: readonly Connection[]): Promise<LoadFigures> {
    const started = performance.now();
    const end = started + this.load.milliseconds;
    const askAgain = (connection: Connection): void => {
      const now = performance.now();
      if (now < end) this.ask(connection, now, () => askAgain(connection));
      else this.isOver = true;
    };
    for (const connection of connections) askAgain(connection);
    return await this.figures(started);
  }
}

class OpenLoop extends Loop {
  readonly #gap: number;

  constructor(load: Load, perSecond: number, reject: (error: Error) => void) {
    super(load, reject);
    this.#gap = 1000 / perSecond;
  }

  async run(connections: readonly Connection[]): Promise<LoadFigures> {
    const free = [...connections];
    /** When the requests that wait for a connection were due; the first of them at `head`. */
    const waiting: number[] = [];
    let head = 0;
    const ask = (connection: Connection, due: number): void => {
      this.ask(connection, due, () => {
        if (head < waiting.length) ask(connection, waiting[head++] as number);
        else free.push(connection);
      });
    };
    const started = performance.now();
    const count = Math.max(1, Math.floor(this.load.milliseconds / this.#gap));
    let due = 0;
    // A timer is a millisecond late or more, which would come as a burst; so the clock is read in every turn of the
    // loop.
    const askPending = (): void => {
      const now = performance.now();
      for (let at = started + due * this.#gap; due < count && at <= now; at = started + ++due * this.#gap) {
        const connection = free.pop();
        if (due === count - 1) this.isOver = true;
        if (connection === undefined) waiting.push(at);
        else ask(connection, at);
      }
      if (due < count) setImmediate(askPending);
    };
    askPending();
    return await this.figures(started);
  }
}

function firstLine(request: Uint8Array): string {
  return Buffer.from(request).toString("latin1").split("\r\n", 1)[0] as string;
}
