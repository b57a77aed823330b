/** A store as pages show it: texts that are longer than records handed in may have them are cut. */

import { getOrInsert } from "../../engine/model/get-or-insert.ts";
import { type Records, recordFormats } from "../../engine/model/records.ts";
import { lengthsMax, shortened } from "../../engine/model/text-lengths.ts";
import { mapRecordTexts } from "../../engine/snapshots/check-record.ts";
import type { NamedEntry } from "../../engine/store/catalogue.ts";
import type { Store } from "../../engine/store/store.ts";

const shown = new WeakMap<Store, Store>();

/**
 * The store whose names have at most 200 characters and whose other texts at most 2,000; the store itself where none is
 * longer. Rows, codes and what is searched in are the same. Names of units are not cut, because they identify units:
 * `Words.unit` cuts them where they are shown.
 *
 * Cost: a look at every text of the small tables, once for each store.
 */
export function shownStore(store: Store): Store {
  return getOrInsert(shown, store, cutTexts);
}

function cutTexts(store: Store): Store {
  const { catalogue, prices, snapshot } = store;
  let isCut = false;
  const cut = (text: string, max: number): string => {
    const short = shortened(text, max);
    isCut ||= short !== text;
    return short;
  };
  const cutName = (name: string): string => cut(name, lengthsMax.name);
  const cutRecord = <Kind extends keyof Records>(kind: Kind, record: Records[Kind]): Records[Kind] =>
    mapRecordTexts<Records[Kind]>(recordFormats[kind], record, cut);
  const cutEntry = <Kind extends "products" | "markets", Entry extends NamedEntry<Records[Kind]>>(
    kind: Kind,
    entry: Entry,
  ): Entry => ({ ...entry, record: cutRecord(kind, entry.record) });
  const cutNames = <Value>(bySource: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
    Object.fromEntries(Object.entries(bySource).map(([source, value]) => [cutName(source), value]));

  const shownCatalogue = {
    ...catalogue,
    products: catalogue.products.map((entry) => ({
      ...cutEntry("products", entry),
      names: entry.names.map((name) => ({ ...name, text: cutName(name.text) })),
    })),
    markets: catalogue.markets.map((entry) => cutEntry("markets", entry)),
    counties: new Map([...catalogue.counties].map(([id, county]) => [id, cutRecord("counties", county)])),
    crops: catalogue.crops.map((crop) => cutRecord("crops", crop)),
    marketTypes: catalogue.marketTypes.map((type) => cutRecord("market-types", type)),
    exchangeRates: catalogue.exchangeRates.map((rate) => cutRecord("exchange-rates", rate)),
    continuations: catalogue.continuations.map((continuation) => cutRecord("continuations", continuation)),
    marketContinuations: catalogue.marketContinuations.map((found) => cutRecord("market-continuations", found)),
  };
  const shownSnapshot = {
    ...snapshot,
    note: snapshot.note && cut(snapshot.note, lengthsMax.text),
    attribution: snapshot.attribution.map((line) => cut(line, lengthsMax.text)),
    sources: mapSources(cutNames(snapshot.sources), cutName),
    periods: cutNames(snapshot.periods),
  };
  const shownPrices = {
    ...prices,
    sourceNames: prices.sourceNames.map(cutName),
    gradeNames: prices.gradeNames.map(cutName),
  };
  return isCut ? { ...store, catalogue: shownCatalogue, snapshot: shownSnapshot, prices: shownPrices } : store;
}

/** The statements of a snapshot as documents show them. */
export function shownStatements<Statements extends Pick<Store["snapshot"], "attribution" | "sources">>(
  statements: Statements,
): Statements {
  const { attribution, sources } = statements;
  return {
    ...statements,
    attribution: attribution.map((line) => shortened(line, lengthsMax.text)),
    sources: mapSources(sources, shownName),
  };
}

/** Plain data with its texts cut as names. */
export function shownNames<Value>(value: Value): Value {
  if (typeof value === "string") return shownName(value) as Value;
  if (Array.isArray(value)) return value.map(shownNames) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shownNames(member)])) as Value;
}

function shownName(name: string): string {
  return shortened(name, lengthsMax.name);
}

type Sources = Store["snapshot"]["sources"];

function mapSources(sources: Sources, cutName: (name: string) => string): Sources {
  const entries = Object.entries(sources).map(([source, { title, licence, ...details }]): [string, Sources[string]] => [
    source,
    { ...details, title: title && cutName(title), licence: licence && { ...licence, id: cutName(licence.id) } },
  ]);
  return Object.fromEntries(entries);
}
