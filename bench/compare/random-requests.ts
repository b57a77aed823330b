/**
 * Random requests to all endpoints, pages and documents, made from what a service serves: mostly good ones, some with
 * bad or unknown values.
 */
import { apiPrefix, explorerPath } from "../../src/contract/paths.ts";
import { isBelowPrefix } from "../../src/service/http/request/read-request.ts";
import { SeededRandom } from "../sample/seeded-random.ts";
import type { BenchService } from "../swap/service-process.ts";
import type { ComparedAnswer } from "./compare-answers.ts";
import { type Draws, queryText, RandomDraws } from "./random-draws.ts";
import { RandomPages } from "./random-pages.ts";
import { type Call, send } from "./send-call.ts";

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
  /** Paths of the documents. */
  readonly documents: readonly string[];
}

export interface RandomRequest {
  /** For a person. */
  readonly text: string;
  readonly isOfEndpoint: boolean;
  ask(service: BenchService): Promise<ComparedAnswer>;
}

/** Shares of all requests. */
const pageShare = 0.1;
const documentShare = 0.05;

const groupings = ["day", "week", "month", "market", "county"];

/** Reads what there is from the lists and from pages of prices. */
export async function readFacts(service: BenchService): Promise<Facts> {
  const listOf = async (call: Call): Promise<Record<string, unknown>[]> => {
    const { text } = await send(service, belowPrefix(call));
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
  const documents = await send(service, { method: "GET", path: "/docs" });
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
    documents: documentsOf(documents.text),
  };
}

/** The documents that the start page names, each once. */
function documentsOf(startPage: string): string[] {
  const linked = [...startPage.matchAll(/href="(\/[\w./-]*)/g)].map(([, path = ""]) => path);
  const named = linked.filter((path) => !path.startsWith(explorerPath));
  return [...new Set([...named, "/", "/docs", "/openapi.json", "/llms.txt", "/robots.txt", "/favicon.ico"])];
}

/** @param seed Equal seeds and facts give equal requests. @param isOfEndpoints True without pages and documents. */
export function makeQuestions(facts: Facts, count: number, seed: number, isOfEndpoints = false): RandomRequest[] {
  const draws = new RandomDraws(facts, new SeededRandom(seed, "prices"));
  const calls = new RandomCalls(facts, draws);
  const pages = new RandomPages(facts, draws);
  return Array.from({ length: count }, () => {
    const drawn = draws.fraction();
    if (isOfEndpoints) return askedBy(belowPrefix(calls.next()));
    if (drawn < pageShare) return askedBy(pages.page());
    return askedBy(drawn < pageShare + documentShare ? pages.document() : belowPrefix(calls.next()));
  });
}

function askedBy(call: Call): RandomRequest {
  const { method, path, body, language = "" } = call;
  const text = `${method} ${path} ${body === undefined ? language : JSON.stringify(body)}`.trimEnd();
  return { text, isOfEndpoint: isBelowPrefix(path), ask: (service) => send(service, call) };
}

function belowPrefix(call: Call): Call {
  return { ...call, path: apiPrefix + call.path };
}

/** Draws requests about the records of a service; their paths are those after the prefix. */
class RandomCalls {
  readonly #facts: Facts;
  readonly #draw: RandomDraws;

  constructor(facts: Facts, draw: RandomDraws) {
    this.#facts = facts;
    this.#draw = draw;
  }

  next(): Call {
    const facts = this.#facts;
    const latest = {
      product_uuids: () => Array.from({ length: 1 + this.#draw.below(5) }, () => this.#draw.uuidOf(facts.products)),
      ...this.#draw.location(),
      limit: () => this.#draw.any([1, 3, 10, 100]),
      one_per_market: () => this.#draw.chance(0.5),
    };
    const kinds: readonly [number, () => Call][] = [
      [0.3, () => this.#search()],
      [0.35, () => this.#statistics()],
      [0.1, () => ({ method: "GET", path: `/prices/latest${queryText(this.#draw.some(latest, 0.4))}` })],
      [0.05, () => ({ method: "POST", path: "/prices/latest", body: this.#draw.some(latest, 0.4) })],
      [0.05, () => ({ method: "GET", path: `/prices/${this.#draw.uuidOf(facts.prices)}` })],
    ];
    let rest = this.#draw.fraction();
    for (const [share, make] of kinds) {
      if (rest < share) return make();
      rest -= share;
    }
    return this.#list();
  }

  #search(): Call {
    const facts = this.#facts;
    const [start_date, end_date] = this.#draw.days();
    const draws = [this.#draw.fraction() * 200, this.#draw.fraction() * 5000];
    const [min_price, max_price] = draws.sort((a, b) => a - b).map(Math.round) as [number, number];
    const body = {
      ...this.#draw.some({ product_uuid: () => this.#draw.uuidOf(facts.products), ...this.#draw.location() }, 0.35),
      ...this.#draw.some({ start_date: () => start_date, end_date: () => end_date }, 0.5),
      ...this.#draw.some({ min_price: () => min_price, max_price: () => max_price }, 0.25),
      ...this.#draw.pages(0.5),
    };
    return { method: "POST", path: "/prices/search", body, isSigned: true };
  }

  #statistics(): Call {
    const facts = this.#facts;
    const [start_date, end_date] = this.#draw.days();
    const body = {
      product_uuid: this.#draw.uuidOf(facts.products),
      start_date,
      end_date,
      ...this.#draw.some(this.#draw.location(), 0.3),
      ...this.#draw.some({ group_by: () => this.#draw.any(groupings) }, 0.8),
      ...this.#draw.some({ unit: () => this.#draw.any(facts.units) }, 0.1),
    };
    return { method: "POST", path: "/prices/statistics", body, isSigned: true };
  }

  #list(): Call {
    const facts = this.#facts;
    const category = (): unknown => this.#draw.any(facts.categories);
    const word = (): unknown => this.#draw.any(facts.words);
    const plain = ["/crops/categories", "/reference/units", "/reference/market-types", "/counties"];
    const lists: readonly (() => Call)[] = [
      () => this.#get("/crops", { category: () => this.#draw.any(["Food Crops", "x"]), season: () => "March" }, 0.4),
      () => ({ method: "GET", path: this.#draw.any([...plain, "/products/categories"]) }),
      () => {
        const county = this.#draw.chance(0.1) ? this.#draw.any([0, 48, "x", "01"]) : this.#draw.any(facts.counties);
        return { method: "GET", path: `/counties/${county}${this.#draw.any(["", "/sub-counties"])}` };
      },
      () => this.#get("/products", { category, search: word }, 0.4, this.#draw.pages(0.4)),
      () => {
        const { county_id, market_type } = this.#draw.location();
        return this.#get("/markets", { county_id, market_type, search: word }, 0.3, this.#draw.pages(0.4));
      },
      () => {
        const fields = { query: word, categories: () => [category()], is_active: () => this.#draw.chance(0.5) };
        return { method: "POST", path: "/products/search", body: this.#draw.some(fields, 0.5) };
      },
      () => ({
        method: this.#draw.any(["GET", "HEAD"] as const),
        path: `/products/${this.#draw.uuidOf(facts.products)}`,
      }),
      () => ({
        method: "GET",
        path: `/markets/${this.#draw.chance(0.05) ? "no-uuid" : this.#draw.uuidOf(facts.markets)}`,
      }),
    ];
    return this.#draw.any(lists)();
  }

  #get(path: string, fields: Draws, share: number, others: Record<string, unknown> = {}): Call {
    return { method: "GET", path: `${path}${queryText({ ...this.#draw.some(fields, share), ...others })}` };
  }
}
