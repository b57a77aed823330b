/** The records of a snapshot → indexes of their names, one for each kind of name. */
import type { Dataset } from "../../../engine/model/dataset.ts";
import { compareTexts, searchKey } from "../../../engine/model/folded-text.ts";
import type { CountyRecord, MarketRecord } from "../../../engine/model/records.ts";
import { marketTypes } from "../../../engine/model/vocabulary.ts";
import { namesOf } from "../../../engine/store/catalogue.ts";
import type { NameKind } from "./matches-file.ts";
import { NameIndex, type Target, type TargetTest } from "./name-index.ts";
import { nameKey } from "./name-key.ts";
import words from "./sheet-words.json" with { type: "json" };
import { unitWordOf } from "./statements.ts";

/** The tables of a snapshot that names are looked up in. */
export type KnownRecords = Pick<Dataset, "counties" | "unitCategories" | "products" | "markets">;

export type NameIndexes = Readonly<Record<NameKind, NameIndex>>;

export function indexNames({ counties, unitCategories, products, markets }: KnownRecords): NameIndexes {
  const types = marketTypes.map((type) => ({ id: type, shown: type, names: [type, ...words.types[type].split(" ")] }));
  const units = unitCategories.flatMap((category) => category.units);
  const unitTargets = units.map(({ name, abbreviation }) => ({ id: name, shown: name, names: [name, abbreviation] }));
  return {
    county: new NameIndex(counties.map(countyTarget)),
    market_type: new NameIndex(types),
    market: new NameIndex(markets.map((market) => marketTarget(market, counties))),
    product: new NameIndex(products.map((each) => ({ id: each.uuid, shown: each.name, names: namesOf(each) }))),
    unit: new NameIndex(unitTargets, unitKey, unitWords),
  };
}

/** Also by its code, which a spreadsheet program may have made a number: `002`, `2`, `KE002`. */
function countyTarget({ id, code, name }: CountyRecord): Target {
  return { id: String(id), shown: name, names: [name, `${name} County`, code, String(id), `KE${code}`] };
}

/**
 * A market is also known without what a name of it says in brackets of its type or county: `Kibuye (Retail)`, `Wakulima
 * (Nakuru)`.
 */
function marketTarget(market: MarketRecord, counties: readonly CountyRecord[]): Target {
  const { uuid, type, countyId } = market;
  const county = counties.find(({ id }) => id === countyId)?.name ?? "";
  const names = namesOf(market).flatMap((own) => {
    const [, before, bracketed = ""] = /^(.*\S)\s*\(([^()]+)\)$/.exec(own) ?? [];
    const isArea = [type, county].some((text) => nameKey(text) === nameKey(bracketed));
    return before !== undefined && isArea ? [own, before] : [own];
  });
  return { id: uuid, shown: `${market.name}, ${county}, ${type}`, names, county, marketType: type };
}

/** A test for markets of a county and type; an empty text stands for any. */
export function fitsArea(county: string, marketType: string): TargetTest {
  return (target) =>
    (county === "" || target.county === undefined || target.county === county) &&
    (marketType === "" || target.marketType === undefined || target.marketType === marketType);
}

/** The target that a name stands for, unless it stands for several. */
export function onlyOne(targets: readonly Target[]): Target | undefined {
  return targets.length === 1 ? targets[0] : undefined;
}

/** Words that say nothing of a unit: "per kg", "1 kg", "metric tonne". */
const unitFillers = new Set(["per", "a", "of", "1", "metric", "la", "ya", "za", "cha"]);

/** The key of a unit is its words in any order: `gunia la kilo 90` is `90 kg bag`. */
export function unitKey(unit: string): string {
  return unitWords(unit).join(" ");
}

/**
 * The words of a unit in alphabetical order: numbers apart from letters, and one word for all that mean the same. The
 * separator inside a number counts, 1.5 kg is not 15 kg; a comma there is a point.
 */
export function unitWords(unit: string): readonly string[] {
  const text = searchKey(unit).replace(/(?<=\d),(?=\d)/g, ".");
  const parts = text.match(/\d+(?:[./\u2044]\d+)*|\p{L}+|\p{N}/gu) ?? [];
  const meaningful = parts.length === 1 ? parts : parts.filter((word) => !unitFillers.has(word));
  return meaningful.map((word) => unitWordOf.get(word) ?? word).sort(compareTexts);
}
