/** Requests, and clients in closed loops, which see what changes under load: failures, and which snapshot answered. */
import { once } from "node:events";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";

const clientCount = 16;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends a request to loopback; over TLS where the options have an agent. */
export async function exchange(
  options: RequestOptions,
  method: string,
  path: string,
  headers: object,
  body = "",
): Promise<Answer> {
  const send = options.agent === undefined ? httpRequest : httpsRequest;
  const outgoing = send({ host: "127.0.0.1", ...options, method, path, headers: { ...headers } });
  outgoing.end(body === "" ? undefined : body);
  const [incoming] = await once(outgoing, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return { status: incoming.statusCode, headers: incoming.headers, body: Buffer.concat(chunks) };
}

export class Load {
  readonly failures: string[] = [];
  readonly snapshots = new Map<string, number>();
  readonly #startedAt = performance.now();
  readonly #ask: (round: number) => Promise<Answer>;
  readonly #clients: Promise<void>[];
  #isStopped = false;
  #answers = 0;
  #slowestMilliseconds = 0;
  #newest = "";
  /** When an answer first had the newest snapshot, and when one last had another after that. */
  #newestAt = 0;
  #mixedAt = 0;
  /** Changes of the snapshot from one answer to the next of the same client, while answers were mixed. */
  #steppedBack = 0;

  constructor(ask: (round: number) => Promise<Answer>) {
    this.#ask = ask;
    this.#clients = Array.from({ length: clientCount }, async () => await this.#runClient());
  }

  seconds(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }

  /** When the snapshots were last seen mixed; never before two were seen. */
  newestMixSeconds(): number {
    return this.snapshots.size < 2 ? Number.POSITIVE_INFINITY : Math.max(this.#newestAt, this.#mixedAt);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
  }

  countsText(): string {
    const slowest = Math.round(this.#slowestMilliseconds);
    return `${this.#answers} answers, ${this.failures.length} failed, slowest ${slowest} ms`;
  }

  text(): string {
    const mixed = Math.max(0, this.#mixedAt - this.#newestAt);
    return (
      `${this.countsText()}; ` +
      `old and new snapshot mixed for ${Math.round(mixed * 1000)} ms, a client went back to the old one ` +
      `${this.#steppedBack} times`
    );
  }

  async #runClient(): Promise<void> {
    let before = "";
    for (let round = 0; !this.#isStopped; round++) {
      const sentAt = performance.now();
      try {
        const { status, headers, body } = await this.#ask(round);
        this.#answers++;
        this.#slowestMilliseconds = Math.max(this.#slowestMilliseconds, performance.now() - sentAt);
        const snapshot = String(headers["x-snapshot-id"]);
        if (status === 200) this.#see(snapshot, before);
        else this.failures.push(`${status} after ${this.seconds().toFixed(2)} s: ${body.toString().slice(0, 200)}`);
        before = snapshot;
      } catch (error) {
        this.failures.push(`after ${this.seconds().toFixed(2)} s: ${(error as Error).message}`);
      }
    }
  }

  #see(snapshot: string, before: string): void {
    const seen = this.snapshots.get(snapshot) ?? 0;
    this.snapshots.set(snapshot, seen + 1);
    if (seen === 0) {
      this.#newest = snapshot;
      this.#newestAt = this.seconds();
    } else if (snapshot !== this.#newest) {
      this.#mixedAt = this.seconds();
      if (before === this.#newest) this.#steppedBack++;
    }
  }
}
