/** The small tables together: identifiers that stand once, and references that lead somewhere. */
import type {
  ContinuationRecord,
  CountyRecord,
  MarketRecord,
  ProductRecord,
  UnitCategoryRecord,
  UnitRecord,
} from "../domain/records.ts";
import { type Fault, foundText, type ProblemList } from "./problem.ts";
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
    table.report(problems, position, { kind: "duplicate", field, found, wanted: "another one in every record" });
  });
}

/** @param subCountyIds Those of the counties before; receives those of this one. */
function* countyFaults({ id, code, subCounties }: CountyRecord, subCountyIds: Set<number>): Generator<Fault, void> {
  const digits = String(id).padStart(3, "0");
  if (code !== digits) {
    yield {
      kind: "value",
      field: "code",
      found: foundText(code),
      wanted: `"${digits}", the county's id as three digits`,
    };
  }
  for (const { id, name } of subCounties) {
    if (subCountyIds.has(id)) {
      const found = `${id} a second time (${foundText(name)})`;
      const wanted = "another id for every sub-county of every county";
      yield { kind: "duplicate", field: "sub_counties.id", found, wanted };
    }
    subCountyIds.add(id);
  }
}

/** @param categories Of the units before, by name; receives those of this category. */
function* unitFaults({ category, units }: UnitCategoryRecord, categories: Map<string, string>): Generator<Fault, void> {
  const byName = new Map(units.map((unit) => [unit.name, unit]));
  for (const unit of units) {
    const taken = categories.get(unit.name);
    if (taken !== undefined) {
      const found = `${foundText(unit.name)}, as in category ${foundText(taken)}`;
      yield { kind: "duplicate", field: "units.name", found, wanted: "another name for every unit of every category" };
    }
    categories.set(unit.name, category);
    if (!isBaseUnit(byName.get(unit.baseUnit))) {
      const found = `${foundText(unit.baseUnit)} for ${foundText(unit.name)}`;
      const wanted = "a unit of the same category that is its own base unit with factor 1";
      yield { kind: "unit", field: "units.base_unit", found, wanted };
    }
  }
}

function isBaseUnit(unit: UnitRecord | undefined): boolean {
  return unit !== undefined && unit.baseUnit === unit.name && unit.conversionFactor === 1;
}

function* productFaults({ commonUnits }: ProductRecord, unitNames: ReadonlySet<string>): Generator<Fault, void> {
  for (const unit of commonUnits) {
    if (unitNames.has(unit)) continue;
    const found = `${foundText(unit)}, which names no unit`;
    yield { kind: "reference", field: "common_units", found, wanted: "names of units in units.json" };
  }
}

/** What identifies a continuation: the two products and the type of market. */
export function continuationKey({ productUuid, continuesUuid, marketType }: ContinuationRecord): string {
  return `${productUuid} ${continuesUuid} ${marketType}`;
}

/** @param products The uuids of all products. */
function* continuationFaults(
  { productUuid, continuesUuid }: ContinuationRecord,
  products: ReadonlySet<string>,
): Generator<Fault, void> {
  for (const [field, uuid] of [
    ["product_uuid", productUuid],
    ["continues_uuid", continuesUuid],
  ] as const) {
    if (products.has(uuid)) continue;
    const found = `${foundText(uuid)}, which is no product here`;
    yield { kind: "reference", field, found, wanted: "the uuid of a product in products.ndjson" };
  }
  if (productUuid !== continuesUuid) return;
  const found = `${foundText(continuesUuid)}, the product itself`;
  yield { kind: "value", field: "continues_uuid", found, wanted: "another product" };
}

/** @param counties By id. */
function* marketFaults(
  { countyId, subCounty }: MarketRecord,
  counties: ReadonlyMap<number, CountyRecord>,
): Generator<Fault, void> {
  const county = counties.get(countyId);
  if (county === undefined) {
    const found = `${countyId}, which is no county here`;
    yield { kind: "reference", field: "county_id", found, wanted: "the id of a county in counties.json" };
  } else if (subCounty !== null && !county.subCounties.some(({ name }) => name === subCounty)) {
    const found = `${foundText(subCounty)}, which is no sub-county of ${county.name}`;
    const wanted = "the name of a sub-county of the market's county, or null";
    yield { kind: "reference", field: "sub_county", found, wanted };
  }
}
