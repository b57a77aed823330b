/**
 * The request of a page: its address and the values of its parameters. All that a page shows follows from its address
 * and the store.
 */

import { searchCharactersMax } from "../../contract/limits.ts";
import { apiPrefix, countyPath, marketPath, productPath } from "../../contract/paths.ts";
import type { Publications } from "../../contract/publications.ts";
import { parseValue } from "../../contract/read-query.ts";
import type { PublicUrl, ShownDraft } from "../../contract/site-values.ts";
import type { Language, WordKey, Words, WordValues } from "../../contract/words.ts";
import { monthOf } from "../../engine/model/calendar.ts";
import {
  createChecker,
  monthFormat,
  type ValueChecker,
  wantedBy,
  wantedInstead,
} from "../../engine/model/check-value.ts";
import { type CountyId, countyIdMax, countyIdMin, toUuid, type Uuid } from "../../engine/model/ids.ts";
import { enumOf, type Fields, type Schema, scalar, type ValueOf, wanted } from "../../engine/model/json-schema.ts";
import type { CountyRecord, MarketRecord, ProductRecord } from "../../engine/model/records.ts";
import { marketTypes, periodOfSource } from "../../engine/model/vocabulary.ts";
import { countyPlace, marketPlace, type Place, type Series, wholeCountry } from "../../engine/query/place.ts";
import { type MarketCode, type ProductCode, recordAt } from "../../engine/store/catalogue.ts";
import { dayOfRow } from "../../engine/store/periods.ts";
import type { Store } from "../../engine/store/store.ts";
import { pathIn } from "../pages/frame.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { placeIn } from "./monthly-series.ts";

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
  /** Undefined where the store is that of a published snapshot. */
  readonly draft?: ShownDraft | undefined;
  /** In absolute addresses of pages; undefined where there are none. */
  readonly publicUrl?: PublicUrl;
  /** A command line that sends a request. */
  readonly curlOf: (request: ApiRequest) => string;
}

/** A request for a page: it reads the parameters of its address, and makes the links of the page. */
export class PageRequest {
  readonly store: Store;
  readonly words: Words;
  /** Path of the page in English. */
  readonly path: string;
  /** The parameters of the address that the page reads, see `readParameters`. */
  readonly parameters: URLSearchParams;
  readonly site: Site;

  constructor(store: Store, words: Words, path: string, parameters: URLSearchParams, site: Site) {
    this.store = store;
    this.words = words;
    this.path = path;
    this.parameters = parameters;
    this.site = site;
  }

  /**
   * A parameter; undefined where it is absent or empty, as forms send it.
   *
   * @throws {PageProblem} when the address has it twice.
   */
  text(name: ParameterName): string | undefined {
    const found = this.parameters.getAll(name);
    if (found.length > 1) throw badParameter(name, found.join(", "), "1");
    const text = found[0]?.trim().slice(0, parameterCharactersMax);
    return text === "" ? undefined : text;
  }

  /** A parameter, as its schema has it; undefined where it is absent. @throws {PageProblem} */
  value<Name extends ParameterName>(name: Name): ParameterValue<Name> | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : readValue(name, text);
  }

  /** A parameter with a value that the data decides; undefined where it is absent. @throws {PageProblem} */
  choice<Choice extends string>(name: ParameterName, choices: readonly Choice[]): Choice | undefined {
    const text = this.text(name);
    const found = choices.find((choice) => choice === text);
    if (text !== undefined && found === undefined) throw badParameter(name, text, choices.join(", "));
    return found;
  }

  /** The product that the path or the parameter names. @throws {PageProblem} */
  productCode(text: string, part: AddressPart): ProductCode {
    return requireCode(this.store.catalogue.productCodes, "product", text, part);
  }

  /** The market that the path or the parameter names. @throws {PageProblem} */
  marketCode(text: string, part: AddressPart): MarketCode {
    return requireCode(this.store.catalogue.marketCodes, "market", text, part);
  }

  /** @param text The number of a county. @throws {PageProblem} */
  county(text: string): CountyRecord {
    const county = this.store.catalogue.counties.get(readValue("county", text) as CountyId);
    if (county === undefined) throw badParameter("county", text, wantedBy(schemas.county));
    return county;
  }

  /** The place that the address requests. @throws {PageProblem} */
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
    const [uuid = "", type, place, camps, ...more] = text.split(":");
    const code = productCodes.get(toUuid(uuid) as Uuid);
    const market = toUuid(place ?? "");
    if (code === undefined || more.length > 0 || (camps ?? "camps") !== "camps" || (camps && market)) {
      throw badParameter("series", text, "PRODUCT:TYPE, PRODUCT:TYPE:COUNTY, PRODUCT:TYPE:MARKET, …:camps");
    }
    const marketType = marketTypes.find((known) => known === type);
    if (marketType === undefined) throw badParameter("series", text, wantedBy(schemas.type));
    const found = this.#placeOf(market === undefined && place !== "" ? place : undefined, market);
    const shown = camps === undefined ? found : placeIn(found, "only");
    return { code, product: recordAt(products, code), marketType, place: shown };
  }

  /** The day of a price, or its month where the prices of its source stand for a month each. */
  recorded(row: number): string {
    const { periods, prices, snapshot } = this.store;
    const day = dayOfRow(periods, row);
    const source = prices.sourceNames[prices.sources[row] as number] as string;
    return periodOfSource(snapshot.periods, source) === "month" ? this.words.month(monthOf(day)) : this.words.day(day);
  }

  /** The day or month of the newest price of all. The store must hold one. */
  newestRecorded(): string {
    return this.recorded(this.store.rowsByTime[0] as number);
  }

  /** The address of a page in the language of this one. @param kept Parameters before the others. */
  linkTo(path: string, parameters: QueryParameters = {}, kept: URLSearchParams = new URLSearchParams()): string {
    return addressOf(pathIn(this.words.language, path), kept, parameters);
  }

  /** The address of this page with some parameters changed; undefined removes a parameter. */
  linkWith(changes: QueryParameters, language: Language = this.words.language): string {
    return addressOf(pathIn(language, this.path), this.parameters, changes);
  }

  /** The address of a table of this page as CSV, which is the same in every language. */
  tableLink(table: string): string {
    return this.linkWith({ table }, "en");
  }

  /** The address of the feed of this page. */
  feedLink(): string {
    return this.linkWith({ ...asPage, feed: 1 });
  }

  /** The address of `linkWith`; absolute where the public address is known. */
  address(changes: QueryParameters = {}, language?: Language): string {
    return `${this.site.publicUrl ?? ""}${this.linkWith(changes, language)}`;
  }

  /**
   * The absolute address of what this page shows, in its language; undefined where the public one is not known.
   *
   * @param form Parameters for another form of it, as a feed.
   */
  publicAddress(form: QueryParameters = {}, language?: Language): string | undefined {
    return this.site.publicUrl && this.address({ ...asPage, ...form }, language);
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

/** An address with some parameters changed; undefined removes a parameter. */
export function addressOf(path: string, parameters: URLSearchParams, changes: QueryParameters = {}): string {
  const changed = new URLSearchParams(parameters);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) changed.delete(name);
    else changed.set(name, String(value));
  }
  return changed.size === 0 ? path : `${path}?${changed}`;
}

function namesOf<Name extends string>(values: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(values) as Name[];
}

/** Months up to the newest, by the name of a period. */
export const periods = { "1y": 12, "5y": 60, "10y": 120, all: Infinity } as const;
export const periodNames = namesOf(periods);

/** The length to which a page cuts the value of a parameter, to read or to repeat it. */
export const parameterCharactersMax = searchCharactersMax;

const anyText = scalar("string");
const uuidText = scalar("string", { format: "uuid", [wanted]: "UUID" });
const month = scalar("string", { format: monthFormat, [wanted]: "YYYY-MM" });

function oneOf<const Text extends string>(texts: readonly Text[]): Schema<Text> {
  return enumOf(texts, { [wanted]: texts.join(", ") });
}

/** All parameters of pages. The expected values read the same in every language of the pages. */
const schemas = {
  q: anyText,
  part: oneOf(["results", "requests"]),
  series: anyText,
  product: uuidText,
  market: uuidText,
  county: scalar("integer", {
    minimum: countyIdMin,
    maximum: countyIdMax,
    [wanted]: `${countyIdMin}–${countyIdMax}`,
  }),
  type: oneOf(marketTypes),
  unit: anyText,
  currency: anyText,
  category: anyText,
  period: oneOf(periodNames),
  from: month,
  to: month,
  view: oneOf(["prices", "change"]),
  table: anyText,
  chart: anyText,
  embed: oneOf(["1"]),
  theme: oneOf(["light", "dark"]),
  feed: oneOf(["1"]),
  snapshot: anyText,
} satisfies Fields;

export type ParameterName = keyof typeof schemas;

export type ParameterValue<Name extends ParameterName> = ValueOf<(typeof schemas)[Name]>;

const checkers: Readonly<Record<string, ValueChecker>> = Object.fromEntries(
  Object.entries<Schema>(schemas).map(([name, schema]) => [name, createChecker(schema)]),
);

/** A text as the value of a parameter. @throws {PageProblem} where the schema of the parameter refuses it. */
function readValue<Name extends ParameterName>(name: Name, text: string): ParameterValue<Name> {
  const value = parseValue(text, schemas[name]);
  const [problem] = checkers[name]?.(value) ?? [];
  if (problem !== undefined) throw badParameter(name, text, wantedInstead(problem));
  return value as ParameterValue<Name>;
}

/** The parameters that choose months. */
export const periodParameters = ["period", "from", "to"] as const satisfies readonly ParameterName[];

/** The parameters that each kind of page reads, and those that all read. */
export const pageParameters = {
  start: ["county", "q", "category"],
  compare: ["series", "product", ...periodParameters],
  product: ["county", "market", "type", "unit", "currency", ...periodParameters, "view"],
  market: ["product", "view"],
  county: ["product"],
  all: ["part", "table", "chart", "embed", "theme", "feed", "snapshot"],
} as const satisfies Readonly<Record<string, readonly ParameterName[]>>;

/** The changes of an address that lead from its other forms to its page, of the newest prices. */
export const asPage: QueryParameters = Object.fromEntries(pageParameters.all.map((name) => [name, undefined]));

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

/** A reason why there is no such page; the page that explains it has this status. */
export class PageProblem extends Error {
  override readonly name = "PageProblem";
  readonly status: 400 | 404;
  readonly key: WordKey;
  readonly values: WordValues;

  /** @param key The text of the page. */
  constructor(status: 400 | 404, key: WordKey, values: WordValues) {
    super(`${status}: ${key} ${JSON.stringify(values)}`);
    this.status = status;
    this.key = key;
    this.values = values;
  }
}

/** An unknown uuid in the path means that there is no such page; in a parameter, that this is a bad one. */
type AddressPart = "path" | "parameter";

function requireCode<Code>(
  codes: ReadonlyMap<Uuid, Code>,
  kind: "product" | "market",
  text: string,
  part: AddressPart,
): Code {
  const uuid = toUuid(readValue(kind, text)) as Uuid;
  const code = codes.get(uuid);
  if (code !== undefined) return code;
  if (part === "parameter") throw badParameter(kind, uuid, `${apiPrefix}/${kind}s`);
  throw new PageProblem(404, kind === "product" ? "notFoundProduct" : "notFoundMarket", { found: uuid });
}

/** @param expected A list of values, or their form, as every language of the pages writes it. */
export function badParameter(name: string, found: string, expected: string): PageProblem {
  const values = { name, found: found.slice(0, parameterCharactersMax), expected: expected === "" ? "–" : expected };
  return new PageProblem(400, "badParameter", values);
}
