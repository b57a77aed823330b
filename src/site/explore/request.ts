/**
 * The request of a page: its address, and what stands in it. All that a page shows follows from its address and the
 * store.
 */

import { countyPath, marketPath, productPath } from "../../contract/paths.ts";
import type { Publications } from "../../contract/publications.ts";
import { dayOfInstant, type Instant, type MonthNumber, monthNumber, monthOf } from "../../engine/model/calendar.ts";
import { periodOfSource } from "../../engine/model/dataset.ts";
import { type CountyId, toUuid, type Uuid } from "../../engine/model/ids.ts";
import type { CountyRecord, MarketRecord, ProductRecord } from "../../engine/model/records.ts";
import { marketTypes } from "../../engine/model/vocabulary.ts";
import { type MarketCode, type ProductCode, recordAt } from "../../engine/store/catalogue.ts";
import type { Store } from "../../engine/store/store.ts";
import { type Markup, markup } from "../pages/markup.ts";
import type { WordKey, Words, WordValues } from "../pages/words.ts";
import { countyPlace, marketPlace, type Place, type Series, wholeCountry } from "./monthly-series.ts";

/**
 * A request to the interface, as its manual describes it: a POST where it has a body, of which undefined fields are
 * left out, otherwise a GET.
 */
export interface ApiRequest {
  /** With query string. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Values of the parameters of an address; those that are undefined are left out. */
export type QueryParameters = Readonly<Record<string, string | number | undefined>>;

/** Describes the service around a page, which the page cannot know. */
export interface Site {
  readonly publications: Publications;
  /** A command line that sends a request. */
  readonly curlOf: (request: ApiRequest) => string;
}

/** A request for a page: it reads the parameters of its address, and makes the links of the page. */
export class PageRequest {
  readonly store: Store;
  readonly words: Words;
  /** Path of the page. */
  readonly path: string;
  /** Those of the address that the page reads, see `readParameters`. */
  readonly parameters: URLSearchParams;
  readonly site: Site;

  constructor(store: Store, words: Words, path: string, parameters: URLSearchParams, site: Site) {
    this.store = store;
    this.words = words;
    this.path = path;
    this.parameters = parameters;
    this.site = site;
  }

  /** Returns whether the address asks for the language; then links keep it. */
  get keepsLanguage(): boolean {
    return this.parameters.get("lang") === this.words.language;
  }

  /**
   * A parameter; undefined where it is absent or empty, as forms send it.
   *
   * @throws {PageProblem} when it stands there twice.
   */
  text(name: ParameterName): string | undefined {
    const found = this.parameters.getAll(name);
    if (found.length > 1) throw badParameter(name, found.join(", "), "1");
    const text = found[0]?.trim().slice(0, textCharactersMax);
    return text === "" ? undefined : text;
  }

  /** A parameter with a value of a list; undefined where it is absent. @throws {PageProblem} */
  choice<Choice extends string>(name: ParameterName, choices: readonly Choice[]): Choice | undefined {
    const text = this.text(name);
    const found = choices.find((choice) => choice === text);
    if (text !== undefined && found === undefined) throw badParameter(name, text, choices.join(", "));
    return found;
  }

  /** A parameter with a month; undefined where it is absent. @throws {PageProblem} */
  month(name: "from" | "to" | "index"): MonthNumber | undefined {
    const text = this.text(name);
    if (text !== undefined && !/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)) throw badParameter(name, text, "YYYY-MM");
    return text === undefined ? undefined : monthNumber(text);
  }

  /** The page of a list, counted from 1. @throws {PageProblem} for one that is not there. */
  pageNumber(pages: number): number {
    const text = this.text("page") ?? "1";
    if (!/^[1-9]\d{0,5}$/.test(text)) throw badParameter("page", text, "1, 2, 3 …");
    if (Number(text) > pages) throw badParameter("page", text, `1–${pages}`);
    return Number(text);
  }

  /** The product that the address names. @throws {PageProblem} */
  productCode(text: string, part: AddressPart): ProductCode {
    return requireCode(this.store.catalogue.productCodes, "product", text, part);
  }

  /** The market that the address names. @throws {PageProblem} */
  marketCode(text: string, part: AddressPart): MarketCode {
    return requireCode(this.store.catalogue.marketCodes, "market", text, part);
  }

  /** @param text The id of a county. @throws {PageProblem} */
  county(text: string): CountyRecord {
    const { counties } = this.store.catalogue;
    const county = /^\d{1,2}$/.test(text) ? counties.get(Number(text) as CountyId) : undefined;
    if (county === undefined) throw badParameter("county", text, "1–47");
    return county;
  }

  /** The place that the address asks for. @throws {PageProblem} */
  place(): Place {
    return this.#placeOf(this.text("county"), this.text("market"));
  }

  #placeOf(county: string | undefined, market: string | undefined): Place {
    if (county !== undefined && market !== undefined) throw badParameter("market", market, "county / market");
    if (county !== undefined) return countyPlace(this.county(county));
    if (market === undefined) return wholeCountry;
    return marketPlace(recordAt(this.store.catalogue.markets, this.marketCode(market, "parameter")));
  }

  /** A series of the address. @throws {PageProblem} where it names something that is not in the data. */
  series(text: string): Series {
    const { products, productCodes } = this.store.catalogue;
    const [uuid = "", type, place, ...more] = text.split(":");
    const code = productCodes.get(toUuid(uuid) as Uuid);
    if (code === undefined || more.length > 0) {
      throw badParameter("series", text, "PRODUCT:TYPE, PRODUCT:TYPE:COUNTY, PRODUCT:TYPE:MARKET");
    }
    const marketType = marketTypes.find((known) => known === type);
    if (marketType === undefined) throw badParameter("series", text, marketTypes.join(", "));
    const market = toUuid(place ?? "");
    const found = this.#placeOf(market === undefined ? place : undefined, market);
    return { code, product: recordAt(products, code), marketType, place: found };
  }

  /** When a price was recorded: its day, or its month where the prices of its source stand for a month each. */
  recorded(row: number): string {
    const { prices, snapshot } = this.store;
    const day = dayOfInstant(prices.recordedAt[row] as Instant, snapshot.utcOffset);
    const source = prices.sourceNames[prices.sources[row] as number] as string;
    return periodOfSource(snapshot.periods, source) === "month" ? this.words.month(monthOf(day)) : this.words.day(day);
  }

  /** When the newest price of all was recorded. The store must hold one. */
  newestRecorded(): string {
    return this.recorded(this.store.rowsByTime[0] as number);
  }

  /** The address of a page. */
  linkTo(path: string, parameters: QueryParameters = {}): string {
    const kept = this.keepsLanguage ? { lang: this.words.language } : {};
    return addressOf(path, new URLSearchParams(), { ...parameters, ...kept });
  }

  /** The address of this page with some parameters changed; undefined removes a parameter. */
  linkWith(changes: QueryParameters): string {
    return addressOf(this.path, this.parameters, changes);
  }

  /** A link to a page. */
  pageLink(text: string, path: string, parameters?: QueryParameters): Markup {
    return markup`<a href="${this.linkTo(path, parameters)}">${text}</a>`;
  }

  /** A product by its name, with a link to its page. */
  productLink(
    product: Pick<ProductRecord, "uuid" | "name" | "alternativeNames">,
    parameters?: QueryParameters,
  ): Markup {
    return this.pageLink(this.words.product(product), productPath(product.uuid), parameters);
  }

  /** A market by its name, with a link to its page. */
  marketLink({ uuid, name }: Pick<MarketRecord, "uuid" | "name">): Markup {
    return this.pageLink(name, marketPath(uuid));
  }

  /** A county by its name, with a link to its page. */
  countyLink({ id, name }: Pick<CountyRecord, "id" | "name">): Markup {
    return this.pageLink(name, countyPath(id));
  }
}

function addressOf(path: string, parameters: URLSearchParams, changes: QueryParameters): string {
  const changed = new URLSearchParams(parameters);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) changed.delete(name);
    else changed.set(name, String(value));
  }
  return changed.size === 0 ? path : `${path}?${changed}`;
}

/** The parameters that ask for months. */
export const periodParameters = ["period", "from", "to", "index"] as const;

/** The parameters that each kind of page reads, and those that all read. */
export const pageParameters = {
  start: ["q", "part", "product", "type", "map", "window", "category"],
  compare: ["series", "product", ...periodParameters],
  product: ["county", "market", "type", "unit", "currency", ...periodParameters, "page", "map", "window"],
  market: ["page"],
  all: ["table", "chart", "snapshot", "lang"],
} as const;

export type ParameterName = (typeof pageParameters)[keyof typeof pageParameters][number];

/**
 * The parameters that a page reads, in the order of `names`; empty ones, as forms send them, are left out. Others are
 * ignored, because services through which an address is shared add theirs: links of the page do not repeat them, and
 * its tag does not depend on them.
 */
export function readParameters(queryText: string, names: readonly ParameterName[]): URLSearchParams {
  const all = new URLSearchParams(queryText);
  return new URLSearchParams(
    names.flatMap((name) => all.getAll(name).flatMap((value) => (value === "" ? [] : [[name, value]]))),
  );
}

/** Why there is no such page; the page that says so has this status. */
export class PageProblem extends Error {
  override readonly name = "PageProblem";
  readonly status: 400 | 404;
  readonly key: WordKey;
  readonly values: WordValues;

  /** @param key What the page says. */
  constructor(status: 400 | 404, key: WordKey, values: WordValues) {
    super(`${status}: ${key} ${JSON.stringify(values)}`);
    this.status = status;
    this.key = key;
    this.values = values;
  }
}

/** Longest text of a search; also what a page repeats of a bad value. */
export const textCharactersMax = 100;

/** An unknown uuid in the path means that there is no such page; in a parameter, that this is a bad one. */
type AddressPart = "path" | "parameter";

function requireCode<Code>(
  codes: ReadonlyMap<Uuid, Code>,
  kind: "product" | "market",
  text: string,
  part: AddressPart,
): Code {
  const uuid = requireUuid(kind, text);
  const code = codes.get(uuid);
  if (code !== undefined) return code;
  if (part === "parameter") throw badParameter(kind, uuid, `/api/v1/${kind}s`);
  throw new PageProblem(404, kind === "product" ? "notFoundProduct" : "notFoundMarket", { found: uuid });
}

/** A UUID in a path or parameter. @throws {PageProblem} */
export function requireUuid(name: string, text: string): Uuid {
  const uuid = toUuid(text);
  if (uuid === undefined) throw badParameter(name, text, "UUID");
  return uuid;
}

/** @param expected Where it is no list of values, a form. */
export function badParameter(name: string, found: string, expected: string): PageProblem {
  return new PageProblem(400, "badParameter", { name, found: found.slice(0, textCharactersMax), expected });
}
