/** Matches the names of a table: with answers of a person, with records of the snapshot, or with nothing yet. */
import { compareTexts } from "../../../engine/model/folded-text.ts";
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import { toUuid } from "../../../engine/model/ids.ts";
import { ImportRefusedError } from "../import-refused.ts";
import { fitsArea, type NameIndexes, onlyOne } from "./known-names.ts";
import type { MatchAnswer, Resolution } from "./match-answers.ts";
import { type NameKind, nameKinds, type skipWord, type TableName, type UnmatchedName } from "./matches-file.ts";
import { listedText, type Target } from "./name-index.ts";
import { type Fold, looseFold, nameKey, strictFold, unitKey } from "./name-key.ts";

/** What narrows the choice of a market, and of a unit. */
export interface Area {
  readonly product?: Target | undefined;
  readonly county?: Target | undefined;
  readonly marketType?: Target | undefined;
}

/** Names of a kind without a match that a person can decide; with more of them the column is the wrong column. */
const unmatchedMax = 1000;

const candidatesMax = 3;
/** Candidates that have the very name. */
const exactCandidatesMax = 10;

export class NameResolver {
  readonly #indexes: NameIndexes;
  /** Names with the records that they identify, if they identify one; by `#keyOf` with the strict folding. */
  readonly #resolved = new Map<string, Target | typeof skipWord>();
  /** The answers for units of one product, by the loose folding and its id. */
  readonly #ofProducts = new Map<string, Target | typeof skipWord>();
  /** The answers of a person with the loose folding; undefined where there are two for a name. */
  readonly #answered = new Map<string, Resolution>();
  /** With the strict folding; names that are the same with the loose one share an entry. */
  readonly #unmatched = new Map<string, UnmatchedName>();
  /** With the loose folding. */
  readonly #unmatchedAlike = new Map<string, UnmatchedName>();
  readonly #unmatchedCounts = new Map<NameKind, number>();
  /** Keys by kind and name, because tables have few names and many rows. */
  readonly #keys = new Map([strictFold, looseFold].map((fold) => [fold, new Map<string, string>()]));

  constructor(indexes: NameIndexes, answers: readonly MatchAnswer[]) {
    this.#indexes = indexes;
    for (const { resolution, product, ...name } of answers) {
      if (product !== undefined) {
        this.#ofProducts.set(`${this.#keyOf(name, looseFold)}\n${product}`, resolution);
        continue;
      }
      this.#resolved.set(this.#keyOf(name, strictFold), resolution);
      const loose = this.#keyOf(name, looseFold);
      const isClear = idOf(getOrInsert(this.#answered, loose, () => resolution)) === idOf(resolution);
      if (!isClear) this.#answered.set(loose, undefined);
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
   * Matches a name of a row.
   *
   * @param line The line of the row.
   * @param area Narrows the choice of a market.
   * @returns Undefined for a name that stands for nothing; it is then among the unmatched.
   * @throws {ImportRefusedError} when too many names stand for nothing.
   */
  resolve(kind: NameKind, found: string, line: number, area: Area = {}): Resolution {
    const name = { kind, found, county: area.county?.shown ?? "", marketType: area.marketType?.id ?? "" };
    const key = this.#keyOf(name, strictFold);
    const ofProduct = this.#ofProducts.get(`${this.#keyOf(name, looseFold)}\n${area.product?.id}`);
    const known = ofProduct ?? this.#resolved.get(key);
    if (known !== undefined) return known;
    const unmatched = this.#unmatched.get(key);
    if (unmatched !== undefined) {
      unmatched.rowCount++;
      return undefined;
    }
    const resolution = this.#find(name);
    if (resolution === undefined) this.#addUnmatched(name, key, line);
    else this.#resolved.set(key, resolution);
    return resolution;
  }

  /** Looks up a name of no market. One that stands for nothing is not listed among the unmatched. */
  lookUp(kind: Exclude<NameKind, "market">, found: string): Resolution {
    const name = { kind, found, county: "", marketType: "" };
    return this.#resolved.get(this.#keyOf(name, strictFold)) ?? this.#find(name);
  }

  /**
   * The records for a person to choose from: those of the very name, those of the area first, else the nearest, of the
   * same area if any is.
   */
  candidatesOf({ kind, found, county, marketType }: TableName): readonly string[] {
    const index = this.#indexes[kind];
    const areas = [fitsArea(county, marketType), fitsArea(county, ""), fitsArea("", "")];
    const exact = new Set(areas.flatMap((fits) => index.find(found, fits)));
    if (exact.size > 0) return [...exact].slice(0, exactCandidatesMax).map(listedText);
    const near = areas.map((fits) => index.findNearest(found, candidatesMax, fits));
    return (near.find((targets) => targets.length > 0) ?? []).map(listedText);
  }

  /** The key that two names of a table have in common that are the same; of markets with county and type. */
  #keyOf({ kind, found, county, marketType }: TableName, fold: Fold): string {
    const keys = this.#keys.get(fold) as Map<string, string>;
    const key = getOrInsert(keys, `${kind}\n${found}`, () => {
      // A name of signs alone has no key.
      return `${kind}\n${(kind === "unit" ? unitKey(found, fold) : nameKey(found, fold)) || found}`;
    });
    return kind === "market" ? `${key}\n${county}\n${marketType}` : key;
  }

  /** By the strict folding first: what it finds does not depend on names that only the loose one joins. */
  #find(name: TableName): Resolution {
    const { kind, found, county, marketType } = name;
    const index = this.#indexes[kind];
    const uuid = toUuid(found);
    if (uuid !== undefined) return index.findNamed(uuid);
    const fits = fitsArea(county, marketType);
    const strict = index.findBy(strictFold, found, fits);
    if (strict.length > 0) return onlyOne(strict);
    const loose = this.#answered.get(this.#keyOf(name, looseFold)) ?? onlyOne(index.findBy(looseFold, found, fits));
    return loose ?? (kind === "unit" ? onlyOne(index.findByWords(found)) : undefined);
  }

  /** @param key By the strict folding. */
  #addUnmatched(name: TableName, key: string, line: number): void {
    const entry = getOrInsert(this.#unmatchedAlike, this.#keyOf(name, looseFold), () => {
      const records = this.#indexes[name.kind].find(name.found, fitsArea(name.county, name.marketType));
      return { ...name, rowCount: 0, lineFirst: line, recordCount: records.length };
    });
    entry.rowCount++;
    this.#unmatched.set(key, entry);
    if (entry.rowCount > 1) return;
    const { kind, found } = name;
    const count = (this.#unmatchedCounts.get(kind) ?? 0) + 1;
    this.#unmatchedCounts.set(kind, count);
    if (count <= unmatchedMax) return;
    const named = `${JSON.stringify(found)} in row ${line}`;
    const wanted = `expected "columns.${kind}" of the mapping to name the right column`;
    throw new ImportRefusedError(
      `more than ${unmatchedMax} names of the column "${kind}" have no match, the last ${named}; ${wanted}`,
    );
  }
}

/** Tells two answers of a person apart. */
function idOf(resolution: Resolution): string | undefined {
  return typeof resolution === "object" ? resolution.id : resolution;
}
