/** The answers of a person in matches.csv → the records that names stand for, and new records. */
import { basename } from "node:path";
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import { type MarketType, marketTypes } from "../../../engine/model/vocabulary.ts";
import type { ProblemList } from "../../../engine/snapshots/problem.ts";
import type { WireRecords } from "../wire-records.ts";
import { fitsArea, type NameIndexes, onlyOne, unitKey } from "./known-names.ts";
import { type MatchRow, type NameKind, newWord, skipWord, type TableName } from "./matches-file.ts";
import { listedText, type Target } from "./name-index.ts";
import { identityKey, nameKey } from "./name-key.ts";
import { newRecordUuid } from "./price-identity.ts";

/** A record, or the rows of the name are left out. Undefined for a name without a match. */
export type Resolution = Target | typeof skipWord | undefined;

export interface MatchAnswer extends TableName {
  readonly resolution: Target | typeof skipWord;
  /** The row of the file, with the record in `use` as it is called now. */
  readonly row: MatchRow;
}

/** The records that the import makes, by the uuid that they get. */
export interface NewRecords {
  readonly newProducts: Map<string, Pick<WireRecords["products"], "name" | "category">>;
  readonly newMarkets: Map<string, Pick<WireRecords["markets"], "name" | "type" | "county_id">>;
}

/** The key of a text of a table. A name of signs alone has no other. */
export function textKey(kind: NameKind, found: string): string {
  return (kind === "unit" ? unitKey(found) : nameKey(found)) || found;
}

/** The key that two names of a table have in common that are the same; of markets with county and type. */
export function tableNameKey({ kind, county, marketType, product }: TableName, text: string): string {
  return [kind, text, ...(kind === "market" ? [county, marketType] : []), product ?? ""].join("\n");
}

/** Reports what is wrong with a field of a row of matches.csv. */
type Report = (field: string, found: string, wanted: string) => void;

/**
 * Reads the answers of a person.
 *
 * @param matches The rows of the file; one whose `use` is empty answers nothing.
 * @param path The file, for messages.
 * @param problems Receives answers that cannot be followed. Their names count as skipped, since a problem stops the
 *   import anyway, so that they are not listed among those without a match once more.
 * @returns The answers, in the order of the file, and the records that they make.
 */
export function readAnswers(matches: readonly MatchRow[], indexes: NameIndexes, path: string, problems: ProblemList) {
  const made: NewRecords = { newProducts: new Map(), newMarkets: new Map() };
  const firsts = new Map<string, { readonly line: number; readonly record: string | undefined }>();
  const answers = matches
    .filter(({ use }) => use !== "")
    .map((row): MatchAnswer => {
      const report: Report = (field, found, wanted) => {
        const file = basename(path);
        problems.add({ file, line: row.line, field, kind: "reference", found: JSON.stringify(found), wanted });
      };
      const resolution = resolutionOf(row, indexes, made, report);
      const { product: named = "" } = row;
      const product = row.kind === "unit" && named !== "" ? indexes.product.findNamed(named) : undefined;
      if (named !== "" && product === undefined) {
        report("product", named, "a product of the snapshot, beside a unit, or nothing");
      }
      const name: TableName = {
        kind: row.kind,
        found: row.found,
        // A person may have written the county in other letters.
        county: indexes.county.findNamed(row.county)?.shown ?? row.county,
        marketType: indexes.market_type.findNamed(row.market_type)?.id ?? row.market_type,
        product: product?.id,
      };
      const record = typeof resolution === "object" ? resolution.id : resolution;
      const first = getOrInsert(firsts, tableNameKey(name, textKey(name.kind, name.found)), () => ({
        line: row.line,
        record,
      }));
      if (first.record !== record) report("use", row.use, `one answer for a name; line ${first.line} has another`);
      return {
        ...name,
        resolution: resolution ?? skipWord,
        row: typeof resolution === "object" && !isNew(row) ? { ...row, use: listedText(resolution) } : row,
      };
    });
  return { answers, ...made };
}

function isNew({ use }: MatchRow): boolean {
  return use.toLowerCase() === newWord;
}

function resolutionOf(row: MatchRow, indexes: NameIndexes, made: NewRecords, report: Report): Resolution {
  const { kind } = row;
  if (row.use.toLowerCase() === skipWord) return skipWord;
  if (isNew(row) && kind === "product") return productOf(row, indexes, made, report);
  if (isNew(row) && kind === "market") return marketOf(row, indexes, made, report);
  const target = isNew(row) ? undefined : indexes[kind].findNamed(row.use);
  if (target === undefined) {
    const orNew = kind === "product" || kind === "market" ? `"${newWord}", ` : "";
    const orDeclared = kind === "unit" ? ' or of "units" in the mapping' : "";
    report("use", row.use, `a ${kind.replace("_", " ")} of the snapshot${orDeclared}, ${orNew}or "${skipWord}"`);
  }
  return target;
}

/** A new product, unless the snapshot has it by now. */
function productOf(
  row: MatchRow,
  { product }: NameIndexes,
  { newProducts }: NewRecords,
  report: Report,
): Target | undefined {
  const name = row.new_name || row.found;
  const uuid = newRecordUuid(["product", identityKey(name)]);
  const known = product.findNamed(uuid) ?? onlyOne(product.find(name));
  if (known !== undefined) return known;
  if (row.new_category === "") {
    report("new_category", "", "the category of the new product, such as one that GET /products/categories lists");
    return undefined;
  }
  getOrInsert(newProducts, uuid, () => ({ name, category: row.new_category }));
  return { id: uuid, shown: name, names: [name] };
}

/** A new market, unless the snapshot has it by now. */
function marketOf(row: MatchRow, indexes: NameIndexes, { newMarkets }: NewRecords, report: Report): Target | undefined {
  const name = row.new_name || row.found;
  const countyText = row.new_county || row.county;
  const typeText = row.new_market_type || row.market_type;
  const county = indexes.county.findNamed(countyText);
  const type = indexes.market_type.findNamed(typeText)?.id as MarketType | undefined;
  if (county === undefined) report("new_county", countyText, "the name of the county of the new market");
  if (type === undefined) report("new_market_type", typeText, `one of ${marketTypes.join(", ")}`);
  if (county === undefined || type === undefined) return undefined;
  const uuid = newRecordUuid(["market", identityKey(name), county.id, type]);
  const { market } = indexes;
  const known = market.findNamed(uuid) ?? onlyOne(market.find(name, fitsArea(county.shown, type)));
  if (known !== undefined) return known;
  newMarkets.set(uuid, { name, type, county_id: Number(county.id) });
  return { id: uuid, shown: name, names: [name], county: county.shown, marketType: type };
}
