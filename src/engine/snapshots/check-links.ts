/** The small tables together: identifiers that stand once, and references that lead somewhere. */
import type { Records } from "../model/records.ts";
import { type Fault, fieldFault, foundName, foundText, type ProblemList } from "./problem.ts";
import { type RecordTable, type Tables, unitNamesOf } from "./read-tables.ts";

/** Reports every broken link between the small tables. References into a table with refused records are not judged. */
export function checkLinks(tables: Tables, problems: ProblemList): void {
  checkUnique(tables.counties, "id", (county) => county.id, problems);
  checkUnique(tables.crops, "id", (crop) => crop.id, problems);
  checkUnique(tables.units, "category", (unitCategory) => unitCategory.category, problems);
  checkUnique(tables["market-types"], "type", (marketType) => marketType.type, problems);
  checkUnique(tables.products, "uuid", (product) => product.uuid, problems);
  checkUnique(tables.markets, "uuid", (market) => market.uuid, problems);
  checkUnique(tables["exchange-rates"], "month", ({ month, currency }) => `${month} ${currency}`, problems);
  checkUnique(tables.continuations, "product_uuid", continuationKey, problems);
  const subCountyIds = new Set<number>();
  checkEach(tables.counties, problems, (county) => countyFaults(county, subCountyIds));
  const categories = new Map<string, string>();
  checkEach(tables.units, problems, (unitCategory) => unitFaults(unitCategory, categories));
  const unitNames = unitNamesOf(tables);
  if (tables.units.isWhole) checkEach(tables.products, problems, (product) => productFaults(product, unitNames));
  const uuids = new Set(tables.products.records.map(({ uuid }) => uuid));
  if (tables.products.isWhole) checkEach(tables.continuations, problems, (record) => continuationFaults(record, uuids));
  const counties = new Map(tables.counties.records.map((county) => [county.id, county]));
  if (tables.counties.isWhole) checkEach(tables.markets, problems, (market) => marketFaults(market, counties));
}

function checkEach<T>(table: RecordTable<T>, problems: ProblemList, faultsOf: (record: T) => Iterable<Fault>): void {
  table.records.forEach((record, position) => {
    for (const fault of faultsOf(record)) table.report(problems, position, fault);
  });
}

function checkUnique<T>(
  table: RecordTable<T>,
  field: string,
  keyOf: (record: T) => string | number,
  problems: ProblemList,
): void {
  const firsts = new Map<string | number, number>();
  table.records.forEach((record, position) => {
    const key = keyOf(record);
    const first = firsts.get(key);
    if (first === undefined) {
      firsts.set(key, position);
      return;
    }
    const found = `${foundText(key)}, as in line ${table.lineOf(first)}`;
    table.report(problems, position, fieldFault("duplicate", field, found, "another one in every record"));
  });
}

/** @param subCountyIds Ids of the counties before; receives the ids of this one. */
function* countyFaults(
  { id, code, subCounties }: Records["counties"],
  subCountyIds: Set<number>,
): Generator<Fault, void> {
  const digits = String(id).padStart(3, "0");
  if (code !== digits) {
    yield fieldFault("value", "code", foundText(code), `"${digits}", the county's id as three digits`);
  }
  for (const { id, name } of subCounties) {
    if (subCountyIds.has(id)) {
      const found = `${id} a second time (${foundText(name)})`;
      yield fieldFault("duplicate", "sub_counties.id", found, "another id for every sub-county of every county");
    }
    subCountyIds.add(id);
  }
}

/** @param categories Categories of the units before, by name of the unit; receives the units of this category. */
function* unitFaults({ category, units }: Records["units"], categories: Map<string, string>): Generator<Fault, void> {
  const byName = new Map(units.map((unit) => [unit.name, unit]));
  for (const { name, baseUnit } of units) {
    const taken = categories.get(name);
    if (taken !== undefined) {
      const found = `${foundText(name)}, as in category ${foundText(taken)}`;
      yield fieldFault("duplicate", "units.name", found, "another name for every unit of every category");
    }
    categories.set(name, category);
    const base = byName.get(baseUnit);
    if (base === undefined || base.baseUnit !== base.name || base.conversionFactor !== 1) {
      const found = `${foundText(baseUnit)} for ${foundText(name)}`;
      yield fieldFault(
        "unit",
        "units.base_unit",
        found,
        "a unit of the same category that is its own base unit with factor 1",
      );
    }
  }
}

function* productFaults({ commonUnits }: Records["products"], unitNames: ReadonlySet<string>): Generator<Fault, void> {
  for (const unit of commonUnits) {
    if (unitNames.has(unit)) continue;
    const found = `${foundText(unit)}, which names no unit`;
    yield fieldFault("reference", "common_units", found, "names of units in units.json");
  }
}

/** Returns the key of a continuation: the two products and the type of market. */
export function continuationKey({ productUuid, continuesUuid, marketType }: Records["continuations"]): string {
  return `${productUuid} ${continuesUuid} ${marketType}`;
}

/** @param products The uuids of all products. */
function* continuationFaults(
  { productUuid, continuesUuid }: Records["continuations"],
  products: ReadonlySet<string>,
): Generator<Fault, void> {
  for (const [field, uuid] of Object.entries({ product_uuid: productUuid, continues_uuid: continuesUuid })) {
    if (products.has(uuid)) continue;
    const found = `${foundText(uuid)}, which is no product here`;
    yield fieldFault("reference", field, found, "the uuid of a product in products.ndjson");
  }
  if (productUuid !== continuesUuid) return;
  yield fieldFault("value", "continues_uuid", `${foundText(continuesUuid)}, the product itself`, "another product");
}

/** @param counties By id. */
function* marketFaults(
  { countyId, subCounty }: Records["markets"],
  counties: ReadonlyMap<number, Records["counties"]>,
): Generator<Fault, void> {
  const county = counties.get(countyId);
  if (county === undefined) {
    const found = `${countyId}, which is no county here`;
    yield fieldFault("reference", "county_id", found, "the id of a county in counties.json");
  } else if (subCounty !== null && !county.subCounties.some(({ name }) => name === subCounty)) {
    const found = `${foundText(subCounty)}, which is no sub-county of ${foundName(county.name)}`;
    yield fieldFault("reference", "sub_county", found, "the name of a sub-county of the market's county, or null");
  }
}
