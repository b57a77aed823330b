/** The small tables together: identifiers that stand once, and references that lead somewhere. */
import type { Uuid } from "../model/ids.ts";
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
  checkUnique(tables["market-continuations"], "market_uuid", ({ marketUuid }) => marketUuid, problems);
  checkUnique(tables["market-continuations"], "continues_uuid", ({ continuesUuid }) => continuesUuid, problems);
  const subCountyIds = new Set<number>();
  checkEach(tables.counties, problems, (county) => countyFaults(county, subCountyIds));
  const categories = new Map<string, string>();
  checkEach(tables.units, problems, (unitCategory) => unitFaults(unitCategory, categories));
  const unitNames = unitNamesOf(tables);
  if (tables.units.isWhole) checkEach(tables.products, problems, (product) => productFaults(product, unitNames));
  const products = new Map(tables.products.records.map((product) => [product.uuid, product]));
  if (tables.products.isWhole) {
    checkEach(tables.continuations, problems, ({ productUuid, continuesUuid }) =>
      continuationFaults("product", productUuid, continuesUuid, products),
    );
  }
  if (tables.markets.isWhole) checkMarketContinuations(tables, problems);
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
    const found = `${foundText(key)}, as in line ${table.locationOf(first).line}`;
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

/** @param records All products or markets, by uuid. */
function* continuationFaults(
  kind: "product" | "market",
  later: Uuid,
  earlier: Uuid,
  records: ReadonlyMap<Uuid, unknown>,
): Generator<Fault, void> {
  for (const [field, uuid] of Object.entries({ [`${kind}_uuid`]: later, continues_uuid: earlier })) {
    if (records.has(uuid)) continue;
    const found = `${foundText(uuid)}, which is no ${kind} here`;
    yield fieldFault("reference", field, found, `the uuid of a ${kind} in ${kind}s.ndjson`);
  }
  if (later !== earlier) return;
  yield fieldFault("value", "continues_uuid", `${foundText(earlier)}, the ${kind} itself`, `another ${kind}`);
}

function checkMarketContinuations(tables: Tables, problems: ProblemList): void {
  const table = tables["market-continuations"];
  const markets = new Map(tables.markets.records.map((market) => [market.uuid, market]));
  const earlierOf = new Map(table.records.map(({ marketUuid, continuesUuid }) => [marketUuid, continuesUuid]));
  // By market, the record whose walk back met it first: no market is walked over twice.
  const walks = new Map<Uuid, Uuid>();
  const comesBack = (start: Uuid): boolean => {
    if (walks.has(start)) return false;
    let at: Uuid | undefined = start;
    for (; at !== undefined && !walks.has(at); at = earlierOf.get(at)) walks.set(at, start);
    return at !== undefined && walks.get(at) === start;
  };
  checkEach(table, problems, function* ({ marketUuid, continuesUuid }) {
    yield* continuationFaults("market", marketUuid, continuesUuid, markets);
    const [later, earlier] = [markets.get(marketUuid), markets.get(continuesUuid)];
    const differs = later?.type !== earlier?.type || later?.countyId !== earlier?.countyId;
    if (later !== undefined && earlier !== undefined && differs) {
      yield fieldFault(
        "value",
        "continues_uuid",
        `${foundText(earlier.name)}, ${earlier.type}, in county ${earlier.countyId}`,
        `a market of the type and county of ${foundText(later.name)}: ${later.type}, ${later.countyId}`,
      );
    }
    if (comesBack(marketUuid) && marketUuid !== continuesUuid) {
      const found = `${foundText(continuesUuid)}, which continues the market, itself or over others`;
      yield fieldFault("value", "continues_uuid", found, "markets that do not continue each other in a circle");
    }
  });
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
