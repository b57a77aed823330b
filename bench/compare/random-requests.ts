/**
 * Random requests to all endpoints, made from what a service serves: mostly good ones, some with bad or unknown values.
 */
import { createHmac } from "node:crypto";
import { SeededRandom } from "../sample/seeded-random.ts";
import type { BenchService } from "../swap/service-process.ts";
import type { ComparedAnswer } from "./compare-answers.ts";

/** Identifiers and values that requests are made of. */
export interface Facts {
  readonly products: readonly string[];
  readonly markets: readonly string[];
  readonly counties: readonly number[];
  readonly prices: readonly string[];
  readonly units: readonly string[];
  readonly categories: readonly string[];
  readonly words: readonly string[];
  readonly days: readonly string[];
}

export interface RandomRequest {
  /** For a person. */
  readonly text: string;
  ask(service: BenchService): Promise<ComparedAnswer>;
}

interface Call {
  readonly method: "GET" | "POST" | "HEAD";
  readonly path: string;
  readonly body?: object;
  readonly isSigned?: boolean;
}

const marketTypes = ["Wholesale", "Retail", "Rural", "Urban"];
const groupings = ["day", "week", "month", "market", "county"];
const unknownUuid = "00000000-0000-4000-8000-00000000abcd";
const badValues: readonly unknown[] = ["", "x", 0, -1, 101, 1.5, null, [], {}, true, "2026-02-30", "no such thing"];
const farDays = ["1999-12-31", "2000-02-29", "2031-01-01"];

/** Reads what there is from the lists and from pages of prices. */
export async function readFacts(service: BenchService): Promise<Facts> {
  const listOf = async (call: Call): Promise<Record<string, unknown>[]> => {
    const { text } = await send(service, call);
    return (JSON.parse(text) as { data: Record<string, unknown>[] }).data;
  };
  const allPages = async (path: string): Promise<Record<string, unknown>[]> => {
    const records: Record<string, unknown>[] = [];
    for (let page = 1; page <= 10; page++) {
      const found = await listOf({ method: "GET", path: `${path}?page_size=100&page=${page}` });
      records.push(...found);
      if (found.length < 100) break;
    }
    return records;
  };
  const products = await allPages("/products");
  const markets = await allPages("/markets");
  const counties = await listOf({ method: "GET", path: "/counties" });
  const units = await listOf({ method: "GET", path: "/reference/units" });
  const categories = await listOf({ method: "GET", path: "/products/categories" });
  const prices: Record<string, unknown>[] = [];
  for (const page of [1, 2, 7, 23]) {
    prices.push(
      ...(await listOf({ method: "POST", path: "/prices/search", body: { page, page_size: 100 }, isSigned: true })),
    );
  }
  const daysOf = prices.map((price) => String(price["recorded_at"]).slice(0, 10));
  return {
    products: products.map(({ uuid }) => String(uuid)),
    markets: markets.map(({ uuid }) => String(uuid)),
    counties: counties.map(({ id }) => Number(id)),
    prices: prices.map(({ uuid }) => String(uuid)),
    units: units.flatMap(({ units: members }) => (members as { name: string }[]).map(({ name }) => name)),
    categories: categories.map((category) => String(category["category"] ?? category["name"])),
    words: [...products, ...markets].flatMap(({ name }) => String(name).split(/\W+/)).filter((word) => word !== ""),
    days: [...new Set([...daysOf, "2015-01-01", "2019-06-15", "2020-12-31", "2022-03-01", "2024-02-29", "2025-07-07"])],
  };
}

/** @param seed Equal seeds and facts give equal requests. */
export function makeQuestions(facts: Facts, count: number, seed: number): RandomRequest[] {
  const calls = new RandomCalls(facts, new SeededRandom(seed, "prices"));
  return Array.from({ length: count }, () => {
    const call = calls.next();
    const text = `${call.method} ${call.path} ${call.body === undefined ? "" : JSON.stringify(call.body)}`.trimEnd();
    return { text, ask: (service) => send(service, call) };
  });
}

/** Draws requests about the records of a service. */
class RandomCalls {
  readonly #facts: Facts;
  readonly #random: SeededRandom;

  constructor(facts: Facts, random: SeededRandom) {
    this.#facts = facts;
    this.#random = random;
  }

  next(): Call {
    const facts = this.#facts;
    const latest = {
      product_uuids: () => Array.from({ length: 1 + this.#random.below(5) }, () => this.#uuidOf(facts.products)),
      ...this.#location(),
      limit: () => this.#any([1, 3, 10, 100]),
      one_per_market: () => this.#chance(0.5),
    };
    const kinds: readonly [number, () => Call][] = [
      [0.3, () => this.#search()],
      [0.35, () => this.#statistics()],
      [0.1, () => ({ method: "GET", path: `/prices/latest${queryText(this.#some(latest, 0.4))}` })],
      [0.05, () => ({ method: "POST", path: "/prices/latest", body: this.#some(latest, 0.4) })],
      [0.05, () => ({ method: "GET", path: `/prices/${this.#uuidOf(facts.prices)}` })],
    ];
    let rest = this.#random.fraction();
    for (const [share, make] of kinds) {
      if (rest < share) return make();
      rest -= share;
    }
    return this.#list();
  }

  #search(): Call {
    const facts = this.#facts;
    const [start_date, end_date] = this.#days();
    const draws = [this.#random.fraction() * 200, this.#random.fraction() * 5000];
    const [min_price, max_price] = draws.sort((a, b) => a - b).map(Math.round) as [number, number];
    const body = {
      ...this.#some({ product_uuid: () => this.#uuidOf(facts.products), ...this.#location() }, 0.35),
      ...this.#some({ start_date: () => start_date, end_date: () => end_date }, 0.5),
      ...this.#some({ min_price: () => min_price, max_price: () => max_price }, 0.25),
      ...this.#pages(0.5),
    };
    return { method: "POST", path: "/prices/search", body, isSigned: true };
  }

  #statistics(): Call {
    const facts = this.#facts;
    const [start_date, end_date] = this.#days();
    const body = {
      product_uuid: this.#uuidOf(facts.products),
      start_date,
      end_date,
      ...this.#some(this.#location(), 0.3),
      ...this.#some({ group_by: () => this.#any(groupings) }, 0.8),
      ...this.#some({ unit: () => this.#any(facts.units) }, 0.1),
    };
    return { method: "POST", path: "/prices/statistics", body, isSigned: true };
  }

  #list(): Call {
    const facts = this.#facts;
    const category = (): unknown => this.#any(facts.categories);
    const word = (): unknown => this.#any(facts.words);
    const plain = ["/crops/categories", "/reference/units", "/reference/market-types", "/counties"];
    const lists: readonly (() => Call)[] = [
      () => this.#get("/crops", { category: () => this.#any(["Food Crops", "x"]), season: () => "March" }, 0.4),
      () => ({ method: "GET", path: this.#any([...plain, "/products/categories"]) }),
      () => {
        const county = this.#chance(0.1) ? this.#any([0, 48, "x", "01"]) : this.#any(facts.counties);
        return { method: "GET", path: `/counties/${county}${this.#any(["", "/sub-counties"])}` };
      },
      () => this.#get("/products", { category, search: word }, 0.4, this.#pages(0.4)),
      () => {
        const { county_id, market_type } = this.#location();
        return this.#get("/markets", { county_id, market_type, search: word }, 0.3, this.#pages(0.4));
      },
      () => {
        const fields = { query: word, categories: () => [category()], is_active: () => this.#chance(0.5) };
        return { method: "POST", path: "/products/search", body: this.#some(fields, 0.5) };
      },
      () => ({ method: this.#any(["GET", "HEAD"] as const), path: `/products/${this.#uuidOf(facts.products)}` }),
      () => ({ method: "GET", path: `/markets/${this.#chance(0.05) ? "no-uuid" : this.#uuidOf(facts.markets)}` }),
    ];
    return this.#any(lists)();
  }

  #get(path: string, fields: Draws, share: number, others: Record<string, unknown> = {}): Call {
    return { method: "GET", path: `${path}${queryText({ ...this.#some(fields, share), ...others })}` };
  }

  #location() {
    return {
      market_uuid: () => this.#uuidOf(this.#facts.markets),
      county_id: () => this.#any(this.#facts.counties),
      market_type: () => this.#any(marketTypes),
    };
  }

  #pages(share: number): Record<string, unknown> {
    const page = (): number => 1 + this.#random.below(this.#chance(0.5) ? 3 : 300);
    return this.#some({ page, page_size: () => this.#any([1, 5, 20, 50, 100]) }, share);
  }

  #days(): [string, string] {
    return [this.#day(), this.#day()].sort() as [string, string];
  }

  #day(): string {
    return this.#chance(0.1) ? this.#any(farDays) : this.#any(this.#facts.days);
  }

  #uuidOf(uuids: readonly string[]): string {
    if (this.#chance(0.05)) return unknownUuid;
    return this.#chance(0.1) ? this.#any(uuids).toUpperCase() : this.#any(uuids);
  }

  /** About this share of the fields, one value in a hundred of them bad. */
  #some(fields: Draws, share: number): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(fields)
        .filter(() => this.#chance(share))
        .map(([name, value]) => [name, this.#chance(0.01) ? this.#any(badValues) : value()]),
    );
  }

  #chance(share: number): boolean {
    return this.#random.fraction() < share;
  }

  #any<T>(values: readonly T[]): T {
    return values[this.#random.below(values.length)] as T;
  }
}

/** How to draw the value of each field. */
type Draws = Record<string, () => unknown>;

function queryText(fields: Record<string, unknown>): string {
  const text = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
}

async function send(service: BenchService, { method, path, body, isSigned = false }: Call): Promise<ComparedAnswer> {
  const target = `/api/v1${path}`;
  const text = body === undefined ? "" : JSON.stringify(body);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signed = `${method}|${target}|${timestamp}|${text}`;
  const headers: Record<string, string> = isSigned
    ? {
        "X-API-Key": service.secretKey,
        "X-Signature-Timestamp": timestamp,
        "X-Signature": createHmac("sha256", service.secretKey).update(signed).digest("hex"),
      }
    : { "X-API-Key": service.publicKey };
  const response = await fetch(service.baseUrl + target, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    ...(body === undefined ? {} : { body: text }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
