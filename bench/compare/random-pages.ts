/** Random requests for pages and documents. */
import { explorerPath } from "../../src/contract/paths.ts";
import { type Draws, queryText, type RandomDraws } from "./random-draws.ts";
import type { Facts } from "./random-requests.ts";
import type { Call } from "./send-call.ts";

const sections = ["series", "months", "season", "related", "unusual", "suspicious", "counties", "products", "markets"];
const charts = ["months", "usual-year", "years", "counties", "compare"];
const browserLanguages = ["en", "sw", "fr, sw;q=0.5", "de", "*"];

/** Draws requests for pages about the records of a service, and for its documents. */
export class RandomPages {
  readonly #facts: Facts;
  readonly #draw: RandomDraws;

  constructor(facts: Facts, draw: RandomDraws) {
    this.#facts = facts;
    this.#draw = draw;
  }

  page(): Call {
    const facts = this.#facts;
    const draw = this.#draw;
    const page = (): unknown => 1 + draw.below(draw.chance(0.8) ? 3 : 60);
    const { county_id: county, market_uuid: market, market_type: type } = draw.location();
    const product = (): unknown => draw.uuidOf(facts.products);
    const map = { map: () => draw.any(["median", "class", "age"]), window: () => draw.any(["3m", "1y", "5y", "all"]) };
    const search = { q: () => draw.any(facts.words), part: () => "results" };
    const category = (): unknown => draw.any(facts.categories);
    const productFields = {
      type,
      ...draw.any([{}, { county }, { market }]),
      ...this.#months(),
      unit: () => draw.any(facts.units),
      currency: () => draw.any(["KES", "USD"]),
      page,
      ...map,
    };
    const pages: readonly (readonly [number, () => Call])[] = [
      [0.45, () => this.#page(`/products/${draw.uuidOf(facts.products)}`, productFields, 0.25)],
      [0.15, () => this.#page("", { ...search, product, type, ...map, category }, 0.25)],
      [0.15, () => this.#page("/compare", { product, ...this.#months() }, 0.3, this.#series())],
      [0.1, () => this.#page(`/markets/${draw.uuidOf(facts.markets)}`, { page }, 0.5)],
      [0.1, () => this.#page(`/counties/${draw.chance(0.1) ? draw.any([0, 48, "x"]) : county()}`, {}, 0)],
      [0.03, () => this.#page("/data", {}, 0)],
    ];
    let rest = draw.fraction();
    for (const [share, make] of pages) {
      if (rest < share) return make();
      rest -= share;
    }
    return this.#page(draw.any(["/", "/products", "/nothing", "/products/x", "/style.css", "/explorer.js"]), {}, 0);
  }

  document(): Call {
    const draw = this.#draw;
    const path = draw.any([...this.#facts.documents, "/docs/search", "/docs/search", "/docs/nothing", "/nothing"]);
    const fields = {
      q: () => draw.any(this.#facts.words),
      code: () => draw.any(["curl", "python", "r", "javascript"]),
    };
    return this.#call(path + queryText(draw.some(fields, path === "/docs/search" ? 0.8 : 0.3)));
  }

  /** @param share Of the fields of the page; those that all pages have are rarer. */
  #page(path: string, fields: Draws, share: number, series: readonly string[] = []): Call {
    const draw = this.#draw;
    const all = {
      ...draw.some({ lang: () => draw.any(["en", "sw"]) }, 0.2),
      ...draw.some({ table: () => draw.any(sections), chart: () => draw.any(charts), snapshot: () => "x" }, 0.06),
    };
    const query = new URLSearchParams(queryText({ ...draw.some(fields, share), ...all }));
    for (const one of series) query.append("series", one);
    const prefix = draw.chance(0.3) ? "/sw" : "";
    return this.#call(`${prefix}${explorerPath}${path}${query.size === 0 ? "" : `?${query}`}`);
  }

  #call(path: string): Call {
    const language = this.#draw.chance(0.4) ? this.#draw.any(browserLanguages) : undefined;
    return { method: this.#draw.chance(0.05) ? "HEAD" : "GET", path, ...(language === undefined ? {} : { language }) };
  }

  #months(): Draws {
    const month = (): unknown => this.#draw.day().slice(0, 7);
    return { period: () => this.#draw.any(["1y", "5y", "10y", "all"]), from: month, to: month, index: month };
  }

  #series(): string[] {
    const draw = this.#draw;
    const { county_id, market_uuid, market_type } = draw.location();
    return Array.from({ length: draw.below(5) }, () => {
      const place = draw.any(["", "", `:${county_id()}`, `:${market_uuid()}`]);
      return `${draw.uuidOf(this.#facts.products)}:${market_type()}${place}`;
    });
  }
}
