/** The tables of products, markets, counties, units, exchange rates and continuations. */
import type { Uuid } from "../model/ids.ts";
import { noUnit } from "../model/json-schema.ts";
import type {
  ContinuationRecord,
  CountyRecord,
  ExchangeRateRecord,
  MarketContinuationRecord,
  MarketRecord,
  ProductRecord,
  UnitRecord,
} from "../model/records.ts";
import { continuities, marketSettings, marketTypes } from "../model/vocabulary.ts";
import { type Catalogue, countyRecord, marketOf, productOf } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";
import { settingDescription } from "./reference-columns.ts";
import { type Columns, ofRow } from "./table-columns.ts";

export const productTable: Columns<ProductRecord> = [
  ofRow("uuid", "uuid", "Identifier of the product.", ({ uuid }) => uuid),
  ofRow("name", "text", "Name of the product.", ({ name }) => name),
  ofRow("category", "text", "Category of the product.", ({ category }) => category),
  ofRow("sub_category", "text?", "Sub-category of the product.", ({ subCategory }) => subCategory),
  ofRow("description", "text", "What the product is.", ({ description }) => description),
  ofRow("common_units", "texts", "Units in which the product is usually sold.", ({ commonUnits }) => commonUnits),
  ofRow("alternative_names", "texts?", "Other names, also in Swahili.", ({ alternativeNames }) => alternativeNames),
  ofRow("season", "text?", "When the product is harvested.", ({ season }) => season),
  ofRow("storage_requirements", "text?", "How the product is stored.", (row) => row.storageRequirements),
  ofRow("is_active", "boolean", "Whether the product is currently tracked.", ({ isActive }) => isActive),
  ofRow("created_at", "timestamp", "When the record was made, in UTC.", ({ createdAt }) => createdAt),
  ofRow("updated_at", "timestamp", "When the record was last changed, in UTC.", ({ updatedAt }) => updatedAt),
  ofRow("source_ids", "texts?", "What sources call the product, such as WFP:51.", (row) => row.sourceIds),
  ofRow("scientific_name", "text?", "Scientific name of its crop.", ({ scientificName }) => scientificName),
];

export const marketTable: Columns<MarketRecord> = [
  ofRow("uuid", "uuid", "Identifier of the market.", ({ uuid }) => uuid),
  ofRow("name", "text", "Name of the market.", ({ name }) => name),
  ofRow("type", "text", "Type of the market: Wholesale, Retail, Rural or Urban.", ({ type }) => type, {
    values: marketTypes,
  }),
  ofRow("county_id", "integer", "Number of the county, 1 to 47.", ({ countyId }) => countyId, { unit: noUnit }),
  ofRow("county", "text", "Name of the county.", (row, { catalogue }) => countyRecord(catalogue, row.countyId).name),
  ofRow("sub_county", "text?", "Name of the sub-county.", ({ subCounty }) => subCounty),
  ofRow("latitude", "number?", "Degrees north, WGS 84.", ({ location }) => location?.latitude ?? null, {
    unit: "degrees",
  }),
  ofRow("longitude", "number?", "Degrees east, WGS 84.", ({ location }) => location?.longitude ?? null, {
    unit: "degrees",
  }),
  ofRow("address", "text?", "Address of the market.", ({ location }) => location?.address ?? null),
  ofRow("operating_days", "texts", "Week days on which the market is open.", ({ operatingDays }) => operatingDays),
  ofRow("operating_hours", "text?", "Hours at which the market is open.", (row) => row.operatingHours),
  ofRow("description", "text?", "What the market is.", ({ description }) => description),
  ofRow("facilities", "texts?", "What the market has.", ({ facilities }) => facilities),
  ofRow("phone", "text?", "Telephone number.", ({ contact }) => contact?.phone ?? null),
  ofRow("email", "text?", "Address for mail.", ({ contact }) => contact?.email ?? null),
  ofRow("is_active", "boolean", "Whether the market is currently tracked.", ({ isActive }) => isActive),
  ofRow("created_at", "timestamp", "When the record was made, in UTC.", ({ createdAt }) => createdAt),
  ofRow("updated_at", "timestamp", "When the record was last changed, in UTC.", ({ updatedAt }) => updatedAt),
  ofRow("source_ids", "texts?", "What sources call the market, such as WFP:187.", (row) => row.sourceIds),
  ofRow("county_pcode", "text?", "P-code of the county, as humanitarian data has it.", (row, { catalogue }) => {
    return countyRecord(catalogue, row.countyId).pcode;
  }),
  ofRow("setting", "text?", settingDescription, ({ setting }) => setting, { values: marketSettings }),
  ofRow("alternative_names", "texts?", "Other and former names.", ({ alternativeNames }) => alternativeNames),
];

export const countyTable: Columns<CountyRecord> = [
  ofRow("id", "integer", "Number of the county, 1 to 47: not that of its ISO code.", ({ id }) => id, { unit: noUnit }),
  ofRow("code", "text", "The number as three digits.", ({ code }) => code),
  ofRow("pcode", "text?", "P-code, as humanitarian data has it.", ({ pcode }) => pcode),
  ofRow("iso_3166_2", "text?", "Code of ISO 3166-2.", (county) => county.iso_3166_2),
  ofRow("name", "text", "Name of the county.", ({ name }) => name),
  ofRow("capital", "text", "Capital or headquarters.", ({ capital }) => capital),
  ofRow("population", "integer?", "Inhabitants at the latest census.", ({ population }) => population, {
    unit: "persons",
  }),
  ofRow("area_sq_km", "number?", "Land area.", ({ areaSqKm }) => areaSqKm, { unit: "km²" }),
  ofRow("latitude", "number?", "Degrees north of its middle, WGS 84.", (row) => row.coordinates?.latitude ?? null, {
    unit: "degrees",
  }),
  ofRow("longitude", "number?", "Degrees east of its middle, WGS 84.", (row) => row.coordinates?.longitude ?? null, {
    unit: "degrees",
  }),
];

/** A unit with the kind of quantity that it measures. */
interface UnitRow extends UnitRecord {
  readonly category: string;
}

/** All units, in the order of their file. */
export function unitRows({ catalogue }: Store): UnitRow[] {
  return catalogue.unitCategories.flatMap(({ category, units }) => units.map((unit) => ({ ...unit, category })));
}

export const unitTable: Columns<UnitRow> = [
  ofRow("category", "text", "Kind of quantity: weight, volume, count.", ({ category }) => category),
  ofRow("name", "text", "Name, as prices and products give it.", ({ name }) => name),
  ofRow("abbreviation", "text", "Short form, or a customary name.", ({ abbreviation }) => abbreviation),
  ofRow("base_unit", "text", "Name of the unit it converts to; its own where it is the base.", (row) => row.baseUnit),
  ofRow(
    "conversion_factor",
    "number",
    "How many base units are one of it.",
    ({ conversionFactor }) => conversionFactor,
    { unit: "`base_unit` per `name`" },
  ),
];

/** Rates in the order of their file. */
export const exchangeRateTable: Columns<ExchangeRateRecord> = [
  ofRow("month", "text", "Month of the prices that the rate converts, YYYY-MM.", ({ month }) => month),
  ofRow("currency", "text", "Currency, ISO 4217.", ({ currency }) => currency),
  ofRow("rate", "number", "What a US dollar cost in the month; a price is divided by it.", ({ rate }) => rate, {
    unit: "`currency` per USD",
  }),
  ofRow("source", "text", "Where the rate comes from.", ({ source }) => source),
];

/** The columns that name the later and the earlier product or market. */
function pairColumns<Row extends { readonly continuesUuid: Uuid }>(
  one: "product" | "market",
  laterOf: (row: Row) => Uuid,
  recordOf: (catalogue: Catalogue, uuid: Uuid) => { readonly name: string },
): Columns<Row> {
  const nameOf = (uuid: Uuid, { catalogue }: Store): string => recordOf(catalogue, uuid).name;
  return [
    ofRow(`${one}_uuid`, "uuid", `Identifier of the later ${one}.`, laterOf),
    ofRow(one, "text", `Name of the later ${one}.`, (row, store) => nameOf(laterOf(row), store)),
    ofRow("continues_uuid", "uuid", `Identifier of the earlier ${one}.`, ({ continuesUuid }) => continuesUuid),
    ofRow("continues", "text", `Name of the earlier ${one}.`, (row, store) => nameOf(row.continuesUuid, store)),
  ];
}

/** The columns of their months. @param there Where they have them. */
function monthColumns(
  one: "product" | "market",
  there: string,
): Columns<Pick<ContinuationRecord, "lastMonth" | "firstMonth" | "overlapMonths">> {
  return [
    ofRow("last_month", "text", `Last month of the earlier ${one}${there}, YYYY-MM.`, ({ lastMonth }) => lastMonth),
    ofRow("first_month", "text", `First month of the later ${one}${there}, YYYY-MM.`, ({ firstMonth }) => firstMonth),
    ofRow("overlap_months", "integer", `Months in which both have a price${there}.`, (row) => row.overlapMonths, {
      unit: "months",
    }),
  ];
}

/** Products that go on under another name, in the order of their file. */
export const continuationTable: Columns<ContinuationRecord> = [
  ...pairColumns<ContinuationRecord>("product", ({ productUuid }) => productUuid, productOf),
  ofRow("market_type", "text", "Type of the markets that it is about.", ({ marketType }) => marketType, {
    values: marketTypes,
  }),
  ...monthColumns("product", " there"),
  ofRow(
    "ratio",
    "number?",
    "Later price by earlier price, per base unit: the median over the same markets and months; null without any.",
    ({ ratio }) => ratio,
    { unit: noUnit },
  ),
  ofRow("judgement", "text", "Whether both are the same goods or similar ones.", ({ judgement }) => judgement, {
    values: continuities,
  }),
  ofRow("evidence", "text", "What the judgement rests on.", ({ evidence }) => evidence),
];

/** Markets that are one place under another name, in the order of their file. */
export const marketContinuationTable: Columns<MarketContinuationRecord> = [
  ...pairColumns<MarketContinuationRecord>("market", ({ marketUuid }) => marketUuid, marketOf),
  ofRow("market_type", "text", "Type of both markets.", (row, store) => laterMarket(row, store).type, {
    values: marketTypes,
  }),
  ofRow(
    "county_id",
    "integer",
    "Number of the county of both, 1 to 47.",
    (row, store) => laterMarket(row, store).countyId,
    { unit: noUnit },
  ),
  ...monthColumns("market", ""),
  ofRow("evidence", "text", "What says that both are one place.", ({ evidence }) => evidence),
];

function laterMarket({ marketUuid }: MarketContinuationRecord, { catalogue }: Store): MarketRecord {
  return marketOf(catalogue, marketUuid);
}
