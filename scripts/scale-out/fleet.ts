/** Replicas as processes, watched: which snapshot each serves, and how long after its announcement. */
import type { ChildProcess } from "node:child_process";
import { mkdir, readdir, readFile, stat, watch } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { announcementPath, readAnnouncement } from "../../src/publishing/transfer/announcement.ts";
import { endProcess, report, type Trial, waitUntil } from "../deploy/trial.ts";

/** How often each replica is checked; measured times are longer than true ones by up to so much. */
const watchMilliseconds = 200;

/** Times are by the clock of `Date.now()`. */
export interface Replica {
  readonly dataDirectory: string;
  readonly port: number;
  readonly adminPort: number;
  child: ChildProcess;
  /** When it was first seen to serve an announcement with a higher sequence number than before. */
  readonly seen: { readonly sequence: number; readonly at: number }[];
  /** When something ended that kept it from what is announced. */
  readonly faultEnds: number[];
}

interface Ready {
  readonly status: string;
  readonly snapshot: string;
  readonly follows: { readonly taken_over: { readonly sequence: number; readonly snapshot: string } | null };
}

export class Fleet {
  readonly replicas: Replica[] = [];
  readonly announced: { readonly sequence: number; readonly at: number }[] = [];
  readonly #trial: Trial;
  readonly #variables: NodeJS.ProcessEnv;
  readonly #originDirectory: string;
  readonly #stopped = new AbortController();
  hasCutTransfer = false;
  #isKilling = false;
  #watching: Promise<void>[] = [];

  /**
   * @param originDirectory The folder that nginx serves to the replicas.
   * @param variables The configuration of every replica.
   */
  constructor(trial: Trial, originDirectory: string, variables: NodeJS.ProcessEnv) {
    this.#trial = trial;
    this.#originDirectory = originDirectory;
    this.#variables = variables;
  }

  /** Starts a replica with an empty folder, and watches it from when it is ready. */
  async add(dataDirectory: string, port: number, adminPort: number): Promise<void> {
    await mkdir(dataDirectory, { recursive: true });
    const child = await this.#start(dataDirectory, port, adminPort);
    const replica = { dataDirectory, port, adminPort, child, seen: [], faultEnds: [] };
    this.replicas.push(replica);
    this.#watching.push(this.#watch(replica));
  }

  /** Records what the origin announces, with the time of its file. */
  async recordAnnouncement(): Promise<void> {
    const announcement = await readAnnouncement(this.#originDirectory);
    if (announcement === undefined) throw new Error(`${this.#originDirectory}: found no announcement, expected one`);
    const { mtimeMs } = await stat(announcementPath(this.#originDirectory));
    this.announced.push({ sequence: announcement.sequence, at: mtimeMs });
  }

  /**
   * Kills the first replica when it makes the folder for its next transfer, and starts it again. Does nothing while
   * that is under way, or once a transfer was cut: what it had fetched was still there.
   */
  killInNextTransfer(): void {
    if (this.#isKilling || this.hasCutTransfer) return;
    this.#isKilling = true;
    this.#killInTransfer()
      // What waits for the replica reports that it is not there.
      .catch((error: Error) => this.#stopped.signal.aborted || report(`killing a replica failed: ${error.message}`))
      .finally(() => {
        this.#isKilling = false;
      });
  }

  async #killInTransfer(): Promise<void> {
    const [replica] = this.replicas as [Replica];
    const snapshots = join(replica.dataDirectory, "snapshots");
    for await (const { filename } of watch(snapshots, { signal: this.#stopped.signal })) {
      if (!filename?.startsWith(".fetching-")) continue;
      replica.child.kill("SIGKILL");
      break;
    }
    await endProcess(replica.child, "SIGKILL");
    this.hasCutTransfer = (await readdir(snapshots)).some((name) => name.startsWith(".fetching-"));
    replica.child = await this.#start(replica.dataDirectory, replica.port, replica.adminPort);
    replica.faultEnds.push(Date.now());
  }

  /** A counter of the replicas, added up. */
  async sum(metric: string): Promise<number> {
    let sum = 0;
    for (const { adminPort } of this.replicas) {
      const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
      const value = text.split("\n").find((line) => line.startsWith(`${metric} `));
      sum += Number(value?.slice(metric.length) ?? 0);
    }
    return sum;
  }

  /** Waits until every replica serves the last announcement, then ends watching. */
  async finish(): Promise<void> {
    const last = this.announced.at(-1)?.sequence ?? 0;
    const isThere = ({ seen }: Replica): boolean => (seen.at(-1)?.sequence ?? 0) >= last;
    await waitUntil("every replica serves what is announced", () => this.replicas.every(isThere));
    this.#stopped.abort();
    await Promise.all(this.#watching);
  }

  /**
   * How long each replica took to each announcement, in milliseconds, ascending. Where a fault came in between, the
   * time counts from its end. An announcement that was replaced before a replica saw it counts to the next one.
   */
  lags(): number[] {
    const lags = this.replicas.flatMap(({ seen, faultEnds }) =>
      this.announced.map(({ sequence, at }) => {
        const taken = seen.find((one) => one.sequence >= sequence)?.at ?? Number.POSITIVE_INFINITY;
        return taken - Math.max(at, ...faultEnds.filter((end) => end > at && end < taken));
      }),
    );
    return lags.sort((a, b) => a - b);
  }

  async #start(dataDirectory: string, port: number, adminPort: number): Promise<ChildProcess> {
    const variables = { ...this.#variables, DATA_DIR: dataDirectory };
    return (await this.#trial.startInstance(variables, port, adminPort)).child;
  }

  async #watch({ adminPort, seen }: Replica): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      // A replica that was killed does not answer.
      const answer = await fetch(`http://127.0.0.1:${adminPort}/ready`).catch(() => undefined);
      const { status, snapshot, follows } = ((await answer?.json().catch(() => undefined)) ?? {}) as Partial<Ready>;
      const taken = follows?.taken_over;
      const isServed = status === "ready" && taken?.snapshot === snapshot;
      if (isServed && taken && taken.sequence > (seen.at(-1)?.sequence ?? 0)) {
        seen.push({ sequence: taken.sequence, at: Date.now() });
      }
      await delay(watchMilliseconds, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Bytes of bodies that nginx sent of each snapshot, and of announcements under the name of their file. */
export async function bytesSent(accessLog: string): Promise<Map<string, number>> {
  const sent = new Map<string, number>();
  for (const line of (await readFile(accessLog, "utf8")).split("\n")) {
    const [, path = "", bytes = "0"] = /"GET \/(?:snapshots\/)?([^/ ]+)\S* HTTP\/[\d.]+" \d+ (\d+)/.exec(line) ?? [];
    if (path !== "") sent.set(path, (sent.get(path) ?? 0) + Number(bytes));
  }
  return sent;
}
