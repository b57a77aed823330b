/**
 * Snapshots that can be distinguished by every answer, and clients that ask while one follows the other. Every text and
 * price that a planted snapshot answers carries its number, so an answer that mixes two of them shows.
 */
import { rename, writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { signedHeaders } from "./signed-request.ts";
import {
  countyRow,
  cropRow,
  marketRow,
  marketTypeRow,
  priceRow,
  productRow,
  type TestTables,
  testUuid,
  unitCategoryRow,
  writeCurrentSnapshot,
} from "./snapshot-files.ts";

/** The records of snapshot `number`. */
export function plantedTables(number: number): TestTables {
  const mark = `#${number}#`;
  const subCounties = [{ id: 274, name: `Westlands ${mark}`, wards: [`Kitisuru ${mark}`] }];
  return {
    counties: [countyRow({ capital: `Nairobi ${mark}`, sub_counties: subCounties })],
    crops: [cropRow({ name: `Maize ${mark}`, sub_category: `Grains ${mark}` })],
    units: [unitCategoryRow({ category: `Weight ${mark}` })],
    "market-types": [marketTypeRow({ description: `Sold to households. ${mark}` })],
    products: [productRow({ name: `Maize ${mark}`, category: `Cereals ${mark}` })],
    markets: [marketRow({ name: `Wakulima ${mark}` })],
    prices: [priceRow({ price: number, source: mark })],
  };
}

/** Writes snapshot `number` and makes it the current one. @returns Its id. */
export function plantSnapshot(dataDirectory: string, number: number): Promise<string> {
  return writeCurrentSnapshot(dataDirectory, {
    createdAt: new Date(Date.UTC(2026, 1, 1, 8, 30, number)).toISOString().replace(".000Z", "Z"),
    tables: plantedTables(number),
  });
}

/** Makes a snapshot the current one in one instant, as publishing does. */
export async function pointTo(dataDirectory: string, id: string): Promise<void> {
  const path = join(dataDirectory, "CURRENT");
  await writeFile(`${path}.tmp`, `${id}\n`);
  await rename(`${path}.tmp`, path);
}

interface Question {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
  readonly isSigned?: boolean;
}

const days = { start_date: "2026-01-01", end_date: "2026-12-31" };

/** One question to every endpoint. */
const everyEndpoint: readonly Question[] = [
  { method: "GET", path: "/crops" },
  { method: "GET", path: "/crops/categories" },
  { method: "GET", path: "/reference/units" },
  { method: "GET", path: "/reference/market-types" },
  { method: "GET", path: "/counties" },
  { method: "GET", path: "/counties/47" },
  { method: "GET", path: "/counties/47/sub-counties" },
  { method: "POST", path: "/prices/search", body: "{}", isSigned: true },
  { method: "GET", path: "/prices/latest" },
  { method: "POST", path: "/prices/latest", body: '{"limit":1}' },
  {
    method: "POST",
    path: "/prices/statistics",
    body: JSON.stringify({ product_uuid: testUuid(1), ...days }),
    isSigned: true,
  },
  { method: "GET", path: `/prices/${testUuid(100)}` },
  { method: "GET", path: "/products" },
  { method: "POST", path: "/products/search", body: "{}" },
  { method: "GET", path: "/products/categories" },
  { method: "GET", path: `/products/${testUuid(1)}` },
  { method: "GET", path: "/markets" },
  { method: "GET", path: `/markets/${testUuid(2)}` },
];

const roundsPerConnection = 4;

export interface Keys {
  readonly publicKey: string;
  readonly secretKey: string;
}

/** What clients have seen. */
export interface Sightings {
  answers: number;
  /** Requests without an answer, or with another status than 200; the first few reported. */
  failed: number;
  /** Answers with marks of more than one snapshot, or of another than their header says. */
  mixed: number;
  /** Answers from a snapshot before one that somebody had seen when the request was sent. */
  goneBack: number;
  readonly examples: string[];
}

/** Follows which activations have been seen, by anybody, and asks on and on from several connections. */
export class SwapWatch {
  readonly sightings: Sightings = { answers: 0, failed: 0, mixed: 0, goneBack: 0, examples: [] };
  readonly #baseUrl: string;
  readonly #keys: Keys;
  readonly #numbers: ReadonlyMap<string, number>;
  /** Ids in the order of their activations; the last one may be under way. */
  readonly #activations: string[];
  /** The latest activation that somebody has seen. */
  #seen = 0;
  #isEnding = false;

  /**
   * @param numbers The number of each planted snapshot.
   * @param firstId What is served now.
   */
  constructor(baseUrl: string, keys: Keys, numbers: ReadonlyMap<string, number>, firstId: string) {
    this.#baseUrl = baseUrl;
    this.#keys = keys;
    this.#numbers = numbers;
    this.#activations = [firstId];
  }

  /** Says that a snapshot may be seen from now on. */
  activationBegins(id: string): void {
    this.#activations.push(id);
  }

  /** Says that anyone who asks from now on must see the newest activation. */
  activationIsDone(): void {
    this.#seen = this.#activations.length - 1;
  }

  /**
   * Asks all questions again and again, until `end`: on one connection at a time, which sees a few swaps before the
   * next one is made. New connections are dealt out among the threads.
   *
   * @param pauseMilliseconds How long it waits after each answer.
   */
  async askOnAndOn(pauseMilliseconds: number): Promise<void> {
    let agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let round = 1; !this.#isEnding; round++) {
      if (round % roundsPerConnection === 0) {
        agent.destroy();
        agent = new Agent({ keepAlive: true, maxSockets: 1 });
      }
      for (const question of everyEndpoint) {
        const seenBefore = this.#seen;
        try {
          this.#check(question, await this.#ask(question, agent), seenBefore);
        } catch (error) {
          this.#count("failed", `${question.path}: ${error}`);
        }
        if (this.#isEnding) break;
        if (pauseMilliseconds > 0) await delay(pauseMilliseconds);
      }
    }
    agent.destroy();
  }

  /** Lets every client end after its request. */
  end(): void {
    this.#isEnding = true;
  }

  #check({ path }: Question, { status, id, text }: Received, seenBefore: number): void {
    this.sightings.answers++;
    if (status !== 200) {
      this.#count("failed", `${path}: ${status} ${text}`);
      return;
    }
    const marks = new Set([...text.matchAll(/#(\d+)#/g)].map(([, number]) => Number(number)));
    const prices = [...text.matchAll(/"(?:price|average_price)":(\d+)/g)].map(([, number]) => Number(number));
    const number = this.#numbers.get(id);
    if (number === undefined || marks.size !== 1 || !marks.has(number) || prices.some((price) => price !== number)) {
      this.#count("mixed", `${path}: ${id} is ${number}, found ${[...marks, ...prices]}`);
    }
    const activation = this.#activations.indexOf(id, seenBefore);
    if (activation === -1) this.#count("goneBack", `${path}: ${id} after ${this.#activations[seenBefore]}`);
    else this.#seen = Math.max(this.#seen, activation);
  }

  #count(kind: "failed" | "mixed" | "goneBack", example: string): void {
    this.sightings[kind]++;
    if (this.sightings.examples.length < 5) this.sightings.examples.push(`${kind}: ${example}`);
  }

  #ask({ method, path, body = "", isSigned = false }: Question, agent: Agent): Promise<Received> {
    const target = `/api/v1${path}`;
    const headers = {
      ...(isSigned
        ? signedHeaders({ method, path: target, body, key: this.#keys.secretKey })
        : { "X-API-Key": this.#keys.publicKey }),
      ...(body === "" ? {} : { "Content-Type": "application/json", "Content-Length": String(body.length) }),
    };
    return new Promise((resolve, reject) => {
      const outgoing = request(this.#baseUrl + target, { method, agent, headers }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const id = String(incoming.headers["x-snapshot-id"]);
          resolve({ status: incoming.statusCode ?? 0, id, text: Buffer.concat(chunks).toString() });
        });
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  }
}

interface Received {
  readonly status: number;
  readonly id: string;
  readonly text: string;
}
