/** What the names of a table stand for: records of the snapshot, new ones, or nothing yet. */
import { basename } from "node:path";
import { v5 } from "uuid";
import type { Dataset } from "../../../engine/model/dataset.ts";
import { compareTexts } from "../../../engine/model/folded-text.ts";
import { toUuid } from "../../../engine/model/ids.ts";
import type { CountyRecord, MarketRecord, ProductRecord, UnitCategoryRecord } from "../../../engine/model/records.ts";
import { type MarketType, marketTypes } from "../../../engine/model/vocabulary.ts";
import type { ProblemList } from "../../../engine/snapshots/problem.ts";
import type { WireRecords } from "../../../engine/snapshots/wire-records.ts";
import { ImportRefusedError } from "../import-refused.ts";
import { type MatchRow, type NameKind, nameKinds, newWord, skipWord, type UnmatchedName } from "./matches-file.ts";
import { NameIndex, type Target } from "./name-index.ts";
import { type Fold, identityKey, looseFold, nameKey, strictFold, unitKey } from "./name-key.ts";
import { unitWords } from "./unit-words.ts";

/** The tables of a snapshot that names are looked up in. */
export type KnownRecords = Pick<Dataset, "counties" | "unitCategories" | "products" | "markets">;

/** The namespace of all identifiers that are made from spreadsheets. Changing it changes every identifier. */
export const sheetNamespace = "7c0b1f0e-52a3-4a0e-9d0c-3f6f2f9a4b61";

/** A product that the import makes, because matches.csv says so. */
export interface NewProduct {
  readonly name: string;
  readonly category: string;
  /** What the table calls it instead. */
  readonly otherNames: Set<string>;
}

/** A market that the import makes, because matches.csv says so. */
export type NewMarket = Pick<WireRecords["markets"], "name" | "type" | "county_id">;

/** What narrows the choice of a market. */
export interface Area {
  readonly county?: Target | undefined;
  readonly marketType?: Target | undefined;
}

/** What a name stands for; undefined for a name that is unmatched. */
export type Resolution = Target | typeof skipWord | undefined;

/** Reports what is wrong with a field of a row of matches.csv. */
type Report = (field: string, found: string, wanted: string) => void;

/** Names of a kind without a match that a person can decide; with more of them the column is the wrong column. */
const unmatchedMax = 1000;

const candidatesMax = 3;
/** Candidates that have the very name. */
const exactCandidatesMax = 10;

export class NameResolver {
  readonly #indexes: Readonly<Record<NameKind, NameIndex>>;
  /** Names with the records that they identify, if they identify one; by `#nameOf` with the strict folding. */
  readonly #resolved = new Map<string, Target | typeof skipWord>();
  /** What a person has decided, with the loose folding; undefined where it was decided in two ways. */
  readonly #decided = new Map<string, Resolution>();
  /** With the strict folding; names that are the same with the loose one share an entry. */
  readonly #unmatched = new Map<string, UnmatchedName>();
  /** With the loose folding. */
  readonly #unmatchedAlike = new Map<string, UnmatchedName>();
  readonly #unmatchedCounts = new Map<NameKind, number>();
  /** Keys by kind and name, because tables have few names and many rows. */
  readonly #strictKeys = new Map<string, string>();
  readonly #looseKeys = new Map<string, string>();
  /** By the uuid they get. */
  readonly newProducts: Map<string, NewProduct> = new Map();
  readonly newMarkets: Map<string, NewMarket> = new Map();

  /**
   * @param matches What a person has decided; rows whose `use` is empty decide nothing.
   * @param matchesPath Where they stand, for messages.
   * @param problems Receives what is wrong with them.
   */
  constructor(known: KnownRecords, matches: readonly MatchRow[], matchesPath: string, problems: ProblemList) {
    this.#indexes = {
      county: new NameIndex(known.counties.map(countyTarget), nameKey),
      market_type: new NameIndex(marketTypes.map(textTarget), nameKey),
      market: new NameIndex(distinct(known.markets.map((market) => marketTarget(market, known.counties))), nameKey),
      product: new NameIndex(distinct(known.products.map(productTarget)), nameKey),
      unit: new NameIndex(
        known.unitCategories.flatMap(({ units }) => units.map(unitTarget)),
        unitKey,
        unitWords,
      ),
    };
    for (const row of matches) {
      if (row.use === "") continue;
      const decided = this.#decide(row, (field, found, wanted) =>
        problems.add({
          file: basename(matchesPath),
          line: row.line,
          field,
          kind: "reference",
          found: JSON.stringify(found),
          wanted,
        }),
      );
      // A person may have written the county in other letters.
      const county = this.#indexes.county.findNamed(row.county)?.shown ?? row.county;
      const marketType = this.#indexes.market_type.findNamed(row.market_type)?.id ?? row.market_type;
      const kind = row.kind as NameKind;
      // A row with a problem stops the import, so its name is not listed once more.
      const resolution = decided ?? skipWord;
      this.#resolved.set(this.#nameOf(kind, row.found, county, marketType, strictFold), resolution);
      const loose = this.#nameOf(kind, row.found, county, marketType, looseFold);
      const isClear = idOf(this.#decided.getOrInsert(loose, resolution)) === idOf(resolution);
      if (!isClear) this.#decided.set(loose, undefined);
    }
  }

  /** All names that stand for nothing: kind by kind, those of most rows first, then by code unit. */
  get unmatched(): readonly UnmatchedName[] {
    return [...this.#unmatchedAlike.values()].sort(
      (a, b) =>
        nameKinds.indexOf(a.kind) - nameKinds.indexOf(b.kind) ||
        b.rowCount - a.rowCount ||
        compareTexts(a.found, b.found),
    );
  }

  /**
   * What a name of a row stands for.
   *
   * @param line Of the row.
   * @param area Narrows the choice of a market.
   * @throws {ImportRefusedError} when too many names stand for nothing.
   */
  resolve(kind: NameKind, found: string, line: number, area: Area = {}): Resolution {
    const [county, marketType] = [area.county?.shown ?? "", area.marketType?.id ?? ""];
    const name = this.#nameOf(kind, found, county, marketType, strictFold);
    const known = this.#resolved.get(name);
    if (known !== undefined) return known;
    const unmatched = this.#unmatched.get(name);
    if (unmatched !== undefined) {
      unmatched.rowCount++;
      return undefined;
    }
    const resolution = this.#find(kind, found, county, marketType);
    if (resolution !== undefined) {
      this.#resolved.set(name, resolution);
      return resolution;
    }
    const loose = this.#nameOf(kind, found, county, marketType, looseFold);
    const entry = this.#unmatchedAlike.get(loose) ?? { kind, found, county, marketType, rowCount: 0, lineFirst: line };
    entry.rowCount++;
    this.#unmatched.set(name, entry);
    if (entry.rowCount > 1) return undefined;
    this.#unmatchedAlike.set(loose, entry);
    const count = (this.#unmatchedCounts.get(kind) ?? 0) + 1;
    this.#unmatchedCounts.set(kind, count);
    if (count <= unmatchedMax) return undefined;
    const named = `${JSON.stringify(found)} in row ${line}`;
    const wanted = `expected "columns.${kind}" of the mapping to name the right column`;
    throw new ImportRefusedError(
      `more than ${unmatchedMax} names of the column "${kind}" have no match, the last ${named}; ${wanted}`,
    );
  }

  /** Looks up a name of no market. One that stands for nothing is not listed among the unmatched. */
  lookUp(kind: Exclude<NameKind, "market">, found: string): Resolution {
    return this.#resolved.get(this.#nameOf(kind, found, "", "", strictFold)) ?? this.#find(kind, found, "", "");
  }

  /** What the snapshot has for a person to choose from: the very name, else the nearest, of the same area if any is. */
  candidatesOf({ kind, found, county, marketType }: UnmatchedName): readonly string[] {
    const index = this.#indexes[kind];
    const exact = index.find(found).slice(0, exactCandidatesMax);
    const near = exact.length > 0 ? exact : index.findNearest(found, candidatesMax, fitsArea(county, marketType));
    const candidates = near.length > 0 ? near : index.findNearest(found, candidatesMax);
    return candidates.map(({ shown }) => shown);
  }

  /** What two names of a table have in common that are the same; for markets with county and type. */
  #nameOf(kind: NameKind, found: string, county: string, marketType: string, fold: Fold): string {
    const keys = fold === strictFold ? this.#strictKeys : this.#looseKeys;
    const key = keys.getOrInsertComputed(`${kind}\n${found}`, () => {
      // A name of signs alone has no key.
      return `${kind}\n${(kind === "unit" ? unitKey(found, fold) : nameKey(found, fold)) || found}`;
    });
    return kind === "market" ? `${key}\n${county}\n${marketType}` : key;
  }

  /** By the strict folding first: what it finds does not depend on names that only the loose one joins. */
  #find(kind: NameKind, found: string, county: string, marketType: string): Resolution {
    const index = this.#indexes[kind];
    const uuid = toUuid(found);
    if (uuid !== undefined) return index.findNamed(uuid);
    const fits = fitsArea(county, marketType);
    const strict = index.findBy(strictFold, found, fits);
    if (strict.length > 0) return onlyOne(strict);
    const decided = this.#decided.get(this.#nameOf(kind, found, county, marketType, looseFold));
    return decided ?? onlyOne(index.findBy(looseFold, found, fits));
  }

  #decide(row: MatchRow, report: Report): Resolution {
    const kind = row.kind as NameKind;
    if (!nameKinds.includes(kind)) return undefined;
    const use = row.use.toLowerCase();
    if (use === skipWord) return skipWord;
    if (use === newWord && kind === "product") return this.#makeProduct(row, report);
    if (use === newWord && kind === "market") return this.#makeMarket(row, report);
    const target = use === newWord ? undefined : this.#indexes[kind].findNamed(row.use);
    if (target === undefined) {
      const orNew = kind === "product" || kind === "market" ? `"${newWord}", ` : "";
      report("use", row.use, `a ${kind.replace("_", " ")} of the snapshot, ${orNew}or "${skipWord}"`);
    }
    return target;
  }

  #makeProduct(row: MatchRow, report: Report): Target | undefined {
    const name = row.new_name || row.found;
    const uuid = v5(JSON.stringify(["product", identityKey(name)]), sheetNamespace);
    const known = this.#indexes.product.findNamed(uuid) ?? onlyOne(this.#indexes.product.find(name));
    if (known !== undefined) return known;
    if (row.new_category === "") {
      report("new_category", "", "the category of the new product, such as one that GET /products/categories lists");
      return undefined;
    }
    const made = this.newProducts.getOrInsert(uuid, { name, category: row.new_category, otherNames: new Set() });
    if (identityKey(row.found) !== identityKey(name)) made.otherNames.add(row.found);
    return { id: uuid, shown: name, names: [name] };
  }

  #makeMarket(row: MatchRow, report: Report): Target | undefined {
    const name = row.new_name || row.found;
    const countyText = row.new_county || row.county;
    const typeText = row.new_market_type || row.market_type;
    const county = this.#indexes.county.findNamed(countyText);
    const type = this.#indexes.market_type.findNamed(typeText)?.id as MarketType | undefined;
    if (county === undefined) report("new_county", countyText, "the name of the county of the new market");
    if (type === undefined) report("new_market_type", typeText, `one of ${marketTypes.join(", ")}`);
    if (county === undefined || type === undefined) return undefined;
    const uuid = v5(JSON.stringify(["market", identityKey(name), county.id, type]), sheetNamespace);
    const { market } = this.#indexes;
    const known = market.findNamed(uuid) ?? onlyOne(market.find(name, fitsArea(county.shown, type)));
    if (known !== undefined) return known;
    this.newMarkets.set(uuid, { name, type, county_id: Number(county.id) });
    return { id: uuid, shown: name, names: [name], county: county.shown, marketType: type };
  }
}

/** What tells two answers of a person apart. */
function idOf(resolution: Resolution): string | undefined {
  return typeof resolution === "object" ? resolution.id : resolution;
}

/** The target that a name stands for, unless it stands for several. */
function onlyOne(targets: readonly Target[]): Target | undefined {
  return targets.length === 1 ? targets[0] : undefined;
}

function fitsArea(county: string, marketType: string): (target: Target) => boolean {
  return (target) =>
    (county === "" || target.county === undefined || target.county === county) &&
    (marketType === "" || target.marketType === undefined || target.marketType === marketType);
}

function textTarget(text: string): Target {
  return { id: text, shown: text, names: [text] };
}

function countyTarget({ id, name }: CountyRecord): Target {
  return { id: String(id), shown: name, names: [name, `${name} County`] };
}

function unitTarget({ name, abbreviation }: UnitCategoryRecord["units"][number]): Target {
  return { id: name, shown: name, names: [name, abbreviation] };
}

function productTarget({ uuid, name, alternativeNames }: ProductRecord): Target {
  return { id: uuid, shown: name, names: [name, ...(alternativeNames ?? [])] };
}

/**
 * A market is also known without what its name says in brackets of its type or county: `Kibuye (Retail)`, `Wakulima
 * (Nakuru)`.
 */
function marketTarget({ uuid, name, type, countyId }: MarketRecord, counties: readonly CountyRecord[]): Target {
  const county = counties.find(({ id }) => id === countyId)?.name ?? "";
  const [, before, bracketed = ""] = /^(.*\S)\s*\(([^()]+)\)$/.exec(name) ?? [];
  const isArea = [type, county].some((text) => nameKey(text) === nameKey(bracketed));
  const names = before !== undefined && isArea ? [name, before] : [name];
  return { id: uuid, shown: `${name}, ${county}, ${type}`, names, county, marketType: type };
}

/** Adds the id to what is shown of targets that would be shown alike. */
function distinct(targets: readonly Target[]): readonly Target[] {
  const byShown = Map.groupBy(targets, ({ shown }) => identityKey(shown));
  return targets.map((target) =>
    byShown.get(identityKey(target.shown))?.length === 1
      ? target
      : { ...target, shown: `${target.shown}, ${target.id}` },
  );
}
