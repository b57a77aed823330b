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
  const random = new SeededRandom(seed, "prices");
  return Array.from({ length: count }, () => {
    const call = randomCall(facts, random);
    const text = `${call.method} ${call.path} ${call.body === undefined ? "" : JSON.stringify(call.body)}`.trimEnd();
    return { text, ask: (service) => send(service, call) };
  });
}

function randomCall(facts: Facts, random: SeededRandom): Call {
  const one = <T>(values: readonly T[]): T => values[random.below(values.length)] as T;
  const chance = (share: number): boolean => random.fraction() < share;
  const uuidOf = (uuids: readonly string[]): string =>
    chance(0.05) ? unknownUuid : chance(0.1) ? one(uuids).toUpperCase() : one(uuids);
  const day = (): string => (chance(0.1) ? one(farDays) : one(facts.days));
  const days = (): [string, string] => {
    const [a, b] = [day(), day()].sort() as [string, string];
    return [a, b];
  };
  const some = (fields: Record<string, () => unknown>, share: number): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(fields)
        .filter(() => chance(share))
        .map(([name, value]) => [name, chance(0.01) ? one(badValues) : value()]),
    );
  const place = {
    market_uuid: () => uuidOf(facts.markets),
    county_id: () => one(facts.counties),
    market_type: () => one(marketTypes),
  };
  const pages = { page: () => 1 + random.below(chance(0.5) ? 3 : 300), page_size: () => one([1, 5, 20, 50, 100]) };
  const latest = {
    product_uuids: () => Array.from({ length: 1 + random.below(5) }, () => uuidOf(facts.products)),
    ...place,
    limit: () => one([1, 3, 10, 100]),
    one_per_market: () => chance(0.5),
  };
  const query = (fields: Record<string, unknown>): string => {
    const text = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])).toString();
    return text === "" ? "" : `?${text}`;
  };
  const search = (): Call => {
    const [start_date, end_date] = days();
    const prices = [random.fraction() * 200, random.fraction() * 5000].sort((a, b) => a - b) as [number, number];
    const [min_price, max_price] = prices.map(Math.round) as [number, number];
    const body = {
      ...some({ product_uuid: () => uuidOf(facts.products), ...place }, 0.35),
      ...some({ start_date: () => start_date, end_date: () => end_date }, 0.5),
      ...some({ min_price: () => min_price, max_price: () => max_price }, 0.25),
      ...some(pages, 0.5),
    };
    return { method: "POST", path: "/prices/search", body, isSigned: true };
  };
  const statistics = (): Call => {
    const [start_date, end_date] = days();
    const body = {
      product_uuid: uuidOf(facts.products),
      start_date,
      end_date,
      ...some(place, 0.3),
      ...some({ group_by: () => one(groupings) }, 0.8),
      ...some({ unit: () => one(facts.units) }, 0.1),
    };
    return { method: "POST", path: "/prices/statistics", body, isSigned: true };
  };
  const lists: readonly (() => Call)[] = [
    () => ({
      method: "GET",
      path: `/crops${query(some({ category: () => one(["Food Crops", "x"]), season: () => "March" }, 0.4))}`,
    }),
    () => ({
      method: "GET",
      path: one([
        "/crops/categories",
        "/reference/units",
        "/reference/market-types",
        "/counties",
        "/products/categories",
      ]),
    }),
    () => ({
      method: "GET",
      path: `/counties/${chance(0.1) ? one([0, 48, "x", "01"]) : one(facts.counties)}${one(["", "/sub-counties"])}`,
    }),
    () => ({
      method: "GET",
      path: `/products${query({ ...some({ category: () => one(facts.categories), search: () => one(facts.words) }, 0.4), ...some(pages, 0.4) })}`,
    }),
    () => ({
      method: "GET",
      path: `/markets${query({ ...some({ county_id: () => one(facts.counties), market_type: () => one(marketTypes), search: () => one(facts.words) }, 0.3), ...some(pages, 0.4) })}`,
    }),
    () => ({
      method: "POST",
      path: "/products/search",
      body: some(
        { query: () => one(facts.words), categories: () => [one(facts.categories)], is_active: () => chance(0.5) },
        0.5,
      ),
    }),
    () => ({ method: one(["GET", "HEAD"] as const), path: `/products/${uuidOf(facts.products)}` }),
    () => ({ method: "GET", path: `/markets/${chance(0.05) ? "no-uuid" : uuidOf(facts.markets)}` }),
  ];
  const kinds: readonly [number, () => Call][] = [
    [0.3, search],
    [0.35, statistics],
    [0.1, () => ({ method: "GET", path: `/prices/latest${query(some(latest, 0.4))}` })],
    [0.05, () => ({ method: "POST", path: "/prices/latest", body: some(latest, 0.4) })],
    [0.05, () => ({ method: "GET", path: `/prices/${uuidOf(facts.prices)}` })],
    [1, () => one(lists)()],
  ];
  let rest = random.fraction();
  for (const [share, make] of kinds) {
    if (rest < share) return make();
    rest -= share;
  }
  return one(lists)();
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
