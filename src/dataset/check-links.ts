/** The small tables together: identifiers that stand once, and references that lead somewhere. */
import type {
  ContinuationRecord,
  CountyRecord,
  MarketRecord,
  ProductRecord,
  UnitCategoryRecord,
  UnitRecord,
} from "../domain/records.ts";
import { foundText, type ProblemList } from "./problem.ts";
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
  checkCounties(tables.counties, problems);
  checkUnits(tables.units, problems);
  if (tables.units.isWhole) checkProducts(tables.products, unitNamesOf(tables), problems);
  if (tables.products.isWhole) checkContinuations(tables.continuations, tables.products, problems);
  if (tables.counties.isWhole) checkMarkets(tables.markets, tables.counties, problems);
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

function checkCounties(counties: RecordTable<CountyRecord>, problems: ProblemList): void {
  const subCountyIds = new Set<number>();
  counties.records.forEach((county, position) => {
    const code = String(county.id).padStart(3, "0");
    if (county.code !== code) {
      const wanted = `"${code}", the county's id as three digits`;
      counties.report(problems, position, { kind: "value", field: "code", found: foundText(county.code), wanted });
    }
    for (const { id, name } of county.subCounties) {
      if (subCountyIds.has(id)) {
        const found = `${id} a second time (${foundText(name)})`;
        const wanted = "another id for every sub-county of every county";
        counties.report(problems, position, { kind: "duplicate", field: "sub_counties.id", found, wanted });
      }
      subCountyIds.add(id);
    }
  });
}

function checkUnits(units: RecordTable<UnitCategoryRecord>, problems: ProblemList): void {
  const categories = new Map<string, string>();
  units.records.forEach(({ category, units: members }, position) => {
    const byName = new Map(members.map((unit) => [unit.name, unit]));
    for (const unit of members) {
      const taken = categories.get(unit.name);
      if (taken !== undefined) {
        const found = `${foundText(unit.name)}, as in category ${foundText(taken)}`;
        const wanted = "another name for every unit of every category";
        units.report(problems, position, { kind: "duplicate", field: "units.name", found, wanted });
      }
      categories.set(unit.name, category);
      if (!isBaseUnit(byName.get(unit.baseUnit))) {
        const found = `${foundText(unit.baseUnit)} for ${foundText(unit.name)}`;
        const wanted = "a unit of the same category that is its own base unit with factor 1";
        units.report(problems, position, { kind: "unit", field: "units.base_unit", found, wanted });
      }
    }
  });
}

function isBaseUnit(unit: UnitRecord | undefined): boolean {
  return unit !== undefined && unit.baseUnit === unit.name && unit.conversionFactor === 1;
}

function checkProducts(
  products: RecordTable<ProductRecord>,
  unitNames: ReadonlySet<string>,
  problems: ProblemList,
): void {
  products.records.forEach((product, position) => {
    for (const unit of product.commonUnits) {
      if (unitNames.has(unit)) continue;
      const found = `${foundText(unit)}, which names no unit`;
      const wanted = "names of units in units.json";
      products.report(problems, position, { kind: "reference", field: "common_units", found, wanted });
    }
  });
}

/** What identifies a continuation: the two products and the type of market. */
export function continuationKey({ productUuid, continuesUuid, marketType }: ContinuationRecord): string {
  return `${productUuid} ${continuesUuid} ${marketType}`;
}

function checkContinuations(
  continuations: RecordTable<ContinuationRecord>,
  products: RecordTable<ProductRecord>,
  problems: ProblemList,
): void {
  const known = new Set(products.records.map(({ uuid }) => uuid));
  continuations.records.forEach(({ productUuid, continuesUuid }, position) => {
    for (const [field, uuid] of [
      ["product_uuid", productUuid],
      ["continues_uuid", continuesUuid],
    ] as const) {
      if (known.has(uuid)) continue;
      const found = `${foundText(uuid)}, which is no product here`;
      const wanted = "the uuid of a product in products.ndjson";
      continuations.report(problems, position, { kind: "reference", field, found, wanted });
    }
    if (productUuid !== continuesUuid) return;
    const found = `${foundText(continuesUuid)}, the product itself`;
    const wanted = "another product";
    continuations.report(problems, position, { kind: "value", field: "continues_uuid", found, wanted });
  });
}

function checkMarkets(
  markets: RecordTable<MarketRecord>,
  counties: RecordTable<CountyRecord>,
  problems: ProblemList,
): void {
  const byId = new Map(counties.records.map((county) => [county.id, county]));
  markets.records.forEach((market, position) => {
    const county = byId.get(market.countyId);
    if (county === undefined) {
      const found = `${market.countyId}, which is no county here`;
      const wanted = "the id of a county in counties.json";
      markets.report(problems, position, { kind: "reference", field: "county_id", found, wanted });
    } else if (
      market.subCounty !== null &&
      !county.subCounties.some((subCounty) => subCounty.name === market.subCounty)
    ) {
      const found = `${foundText(market.subCounty)}, which is no sub-county of ${county.name}`;
      const wanted = "the name of a sub-county of the market's county, or null";
      markets.report(problems, position, { kind: "reference", field: "sub_county", found, wanted });
    }
  });
}
