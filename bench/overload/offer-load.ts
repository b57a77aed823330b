/** Sends requests at a fixed rate, whatever comes back (open loop), and takes the time of each answer by its status. */
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { createHistogram, type RecordableHistogram } from "node:perf_hooks";
import { callChild } from "../calls/call-child.ts";
import { Connection } from "../http/load/connection.ts";

export interface OfferedLoad {
  readonly port: number;
  readonly connections: number;
  readonly milliseconds: number;
  /** Whole requests; asked in this order, over and over. */
  readonly requests: readonly Uint8Array[];
  /** Requests due a second; null: each connection asks again when it has its answer (closed loop). */
  readonly perSecond: number | null;
}

/** What came back with one status. */
export interface StatusFigures {
  readonly status: number;
  readonly answers: number;
  /** In milliseconds from when a request was due, so that waiting for a free connection counts. */
  readonly p50: number;
  readonly p99: number;
}

export interface LoadResult {
  readonly seconds: number;
  readonly figures: readonly StatusFigures[];
}

/**
 * Offers a load; done when all that was asked has been answered. What is due and waits for a connection at the end is
 * not asked.
 *
 * @throws {Error} when a connection breaks.
 */
export async function offerLoad(load: OfferedLoad): Promise<LoadResult> {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const connections = await Promise.all(
    Array.from({ length: load.connections }, () => Connection.open(load.port, reject)),
  );
  try {
    return await Promise.race([greetAll(load.port, connections).then(() => askAll(load, connections)), failed]);
  } finally {
    for (const connection of connections) connection.close();
  }
}

/**
 * Sends a cheap request on every connection. The service closes a connection that has sent nothing for some seconds,
 * and at a low rate some would not be used for so long.
 */
async function greetAll(port: number, connections: readonly Connection[]): Promise<void> {
  const greeting = Buffer.from(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  await Promise.all(connections.map((connection) => new Promise((resolve) => connection.ask(greeting, resolve))));
}

async function askAll({ milliseconds, requests, perSecond }: OfferedLoad, free: Connection[]): Promise<LoadResult> {
  const times = new Map<number, RecordableHistogram>();
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const started = performance.now();
  const end = started + milliseconds;
  /** When the requests that wait for a connection were due, from `head` on. */
  const waiting: number[] = [];
  let head = 0;
  let asked = 0;
  let answered = 0;
  let isOver = false;
  const ask = (connection: Connection, due: number): void => {
    connection.ask(requests[asked++ % requests.length] as Uint8Array, (status) => {
      const now = performance.now();
      const histogram = times.get(status) ?? createHistogram({ figures: 3 });
      times.set(status, histogram);
      histogram.record(Math.max(1, Math.round((now - due) * 1e6)));
      answered++;
      if (head < waiting.length && now < end) ask(connection, waiting[head++] as number);
      else if (perSecond === null && now < end) ask(connection, now);
      else free.push(connection);
      if (perSecond === null) isOver = now >= end;
      if (isOver && answered === asked) resolve();
    });
  };
  if (perSecond === null) for (const connection of free.splice(0)) ask(connection, started);
  else askPending(0, 1000 / perSecond);
  await done;
  const figures = [...times].map(([status, histogram]) => ({
    status,
    answers: histogram.count,
    p50: histogram.percentile(50) / 1e6,
    p99: histogram.percentile(99) / 1e6,
  }));
  return { seconds: (performance.now() - started) / 1000, figures };

  /**
   * A timer is a millisecond late or more, and then there is a small burst. Reading the clock in every turn of the loop
   * would take a processor that the service needs.
   */
  function askPending(first: number, gap: number): void {
    const now = performance.now();
    let next = first;
    for (let due = started + next * gap; due <= now && due < end; due = started + ++next * gap) {
      const connection = free.pop();
      if (connection === undefined) waiting.push(due);
      else ask(connection, due);
    }
    isOver = started + next * gap >= end;
    if (!isOver) setTimeout(askPending, 1, next, gap);
    else if (answered === asked) resolve();
  }
}

/** The clients in a process of their own. */
export class LoadClients {
  readonly #child: ChildProcess = fork(join(import.meta.dirname, "load-main.ts"), { serialization: "advanced" });

  async offer(load: OfferedLoad): Promise<LoadResult> {
    return (await callChild(this.#child, "the clients", "offer", load)) as LoadResult;
  }

  stop(): void {
    this.#child.kill("SIGKILL");
  }
}
