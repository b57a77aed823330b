/** Matches the names of a table: with answers of a person, with records of the snapshot, or with nothing yet. */
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import { toUuid } from "../../../engine/model/ids.ts";
import { ImportRefusedError } from "../import-refused.ts";
import { fitsArea, type NameIndexes, onlyOne } from "./known-names.ts";
import { type MatchAnswer, type Resolution, tableNameKey, textKey } from "./match-answers.ts";
import { type NameKind, nameKinds, type skipWord, type TableName, type UnmatchedName } from "./matches-file.ts";
import { listedText, type Target } from "./name-index.ts";

/** What narrows the choice of a market, and of a unit. */
export interface Area {
  readonly product?: Target | undefined;
  readonly county?: Target | undefined;
  readonly marketType?: Target | undefined;
}

/** Names without a match that a person can decide; with more of them a column is the wrong column. */
const unmatchedMax = 1000;

const candidatesMax = 5;

export class NameResolver {
  readonly #indexes: NameIndexes;
  /** Names with the records that they identify, if they identify one; by `#keyOf`, of some units with a product. */
  readonly #resolved = new Map<string, Target | typeof skipWord>();
  readonly #unmatched = new Map<string, UnmatchedName>();
  /** Keys by kind and name, because tables have few names and many rows. */
  readonly #keys = new Map<string, string>();
  /** Called with each name of a row that stands for nothing. */
  onUnmatched: (name: UnmatchedName, line: number) => void = () => {};

  constructor(indexes: NameIndexes, answers: readonly MatchAnswer[]) {
    this.#indexes = indexes;
    for (const answer of answers) this.#resolved.set(this.#keyOf(answer), answer.resolution);
  }

  /** All names that stand for nothing: kind by kind, those of most rows first, then as in the table. */
  get unmatched(): readonly UnmatchedName[] {
    return [...this.#unmatched.values()].sort(
      (a, b) => nameKinds.indexOf(a.kind) - nameKinds.indexOf(b.kind) || b.rowCount - a.rowCount,
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
    const key = this.#keyOf(name);
    const ofProduct = this.#resolved.get(this.#keyOf({ ...name, product: area.product?.id }));
    const known = ofProduct ?? this.#resolved.get(key);
    if (known !== undefined) return known;
    const resolution = this.#unmatched.has(key) ? undefined : this.#find(name);
    if (resolution === undefined) this.#addUnmatched(name, key, line);
    else this.#resolved.set(key, resolution);
    return resolution;
  }

  /** The unit that a text names, which is not listed among the unmatched. */
  unitOf(found: string): string | undefined {
    const name = { kind: "unit", found, county: "", marketType: "" } as const;
    const resolution = this.#resolved.get(this.#keyOf(name)) ?? this.#find(name);
    return typeof resolution === "object" ? resolution.id : undefined;
  }

  /**
   * The records for a person to choose from: those of the very name, those of the area first, else the nearest, of the
   * same area if any is.
   */
  candidatesOf({ kind, found, county, marketType }: TableName): readonly string[] {
    const index = this.#indexes[kind];
    const areas = [fitsArea(county, marketType), fitsArea(county, ""), fitsArea("", "")];
    const exact = areas.flatMap((fits) => index.find(found, fits));
    const near = areas.map((fits) => index.findNearest(found, candidatesMax, fits)).find(({ length }) => length > 0);
    return [...new Set(exact.length > 0 ? exact : near)].slice(0, candidatesMax).map(listedText);
  }

  #keyOf(name: TableName): string {
    const { kind, found } = name;
    return tableNameKey(
      name,
      getOrInsert(this.#keys, `${kind}\n${found}`, () => textKey(kind, found)),
    );
  }

  #find({ kind, found, county, marketType }: TableName): Resolution {
    const index = this.#indexes[kind];
    // Alone, or behind a name, as candidates have it.
    if (toUuid(found.slice(-36)) !== undefined) return index.findNamed(found);
    return onlyOne(index.find(found, fitsArea(county, marketType)));
  }

  #addUnmatched(name: TableName, key: string, line: number): void {
    const entry = getOrInsert(this.#unmatched, key, () => ({ ...name, rowCount: 0, lineFirst: line }));
    entry.rowCount++;
    this.onUnmatched(entry, line);
    if (this.#unmatched.size <= unmatchedMax) return;
    const found = `over ${unmatchedMax} names without a match, the last ${JSON.stringify(name.found)} in row ${line}`;
    throw new ImportRefusedError(`found ${found}, expected the right column in "columns.${name.kind}" of the mapping`);
  }
}
