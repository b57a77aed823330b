/** The tables of products, markets, counties and units. */
import { instantText } from "../domain/instant.ts";
import type { CountyRecord, MarketRecord, ProductRecord, UnitRecord } from "../domain/records.ts";
import { marketTypes } from "../domain/vocabulary.ts";
import { countyRecord } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";
import { type Cell, type Column, type Columns, column, inUnit, noUnit, nullable, oneOf } from "./table.ts";

export const productTable: Columns<ProductRecord> = [
  of("uuid", "uuid", "Identifier of the product.", ({ uuid }) => uuid),
  of("name", "text", "Name of the product.", ({ name }) => name),
  of("category", "text", "Category of the product.", ({ category }) => category),
  nullable(of("sub_category", "text", "Sub-category of the product.", ({ subCategory }) => subCategory)),
  of("description", "text", "What the product is.", ({ description }) => description),
  of("common_units", "texts", "Units in which the product is usually sold.", ({ commonUnits }) => commonUnits),
  nullable(
    of("alternative_names", "texts", "Other names, also in Swahili.", ({ alternativeNames }) => alternativeNames),
  ),
  nullable(of("season", "text", "When the product is harvested.", ({ season }) => season)),
  nullable(of("storage_requirements", "text", "How the product is stored.", (product) => product.storageRequirements)),
  of("is_active", "boolean", "Whether the product is currently tracked.", ({ isActive }) => isActive),
  of("created_at", "timestamp", "When the record was made, in UTC.", ({ createdAt }) => instantText(createdAt)),
  of("updated_at", "timestamp", "When the record was last changed, in UTC.", (product) =>
    instantText(product.updatedAt),
  ),
  nullable(of("source_ids", "texts", "What sources call the product, such as WFP:51.", ({ sourceIds }) => sourceIds)),
  nullable(of("scientific_name", "text", "Scientific name of its crop.", ({ scientificName }) => scientificName)),
];

export const marketTable: Columns<MarketRecord> = [
  of("uuid", "uuid", "Identifier of the market.", ({ uuid }) => uuid),
  of("name", "text", "Name of the market.", ({ name }) => name),
  oneOf(
    marketTypes,
    of("type", "text", "Type of the market: Wholesale, Retail, Rural or Urban.", ({ type }) => type),
  ),
  inUnit(
    noUnit,
    of("county_id", "integer", "Number of the county, 1 to 47.", ({ countyId }) => countyId),
  ),
  of("county", "text", "Name of the county.", ({ countyId }, { catalogue }) => countyRecord(catalogue, countyId).name),
  nullable(of("sub_county", "text", "Name of the sub-county.", ({ subCounty }) => subCounty)),
  nullable(
    inUnit(
      "degrees",
      of("latitude", "number", "Degrees north, WGS 84.", ({ location }) => location?.latitude ?? null),
    ),
  ),
  nullable(
    inUnit(
      "degrees",
      of("longitude", "number", "Degrees east, WGS 84.", ({ location }) => location?.longitude ?? null),
    ),
  ),
  nullable(of("address", "text", "Address of the market.", ({ location }) => location?.address ?? null)),
  of("operating_days", "texts", "Week days on which the market is open.", ({ operatingDays }) => operatingDays),
  nullable(of("operating_hours", "text", "Hours at which the market is open.", ({ operatingHours }) => operatingHours)),
  nullable(of("description", "text", "What the market is.", ({ description }) => description)),
  nullable(of("facilities", "texts", "What the market has.", ({ facilities }) => facilities)),
  nullable(of("phone", "text", "Telephone number.", ({ contact }) => contact?.phone ?? null)),
  nullable(of("email", "text", "Address for mail.", ({ contact }) => contact?.email ?? null)),
  of("is_active", "boolean", "Whether the market is currently tracked.", ({ isActive }) => isActive),
  of("created_at", "timestamp", "When the record was made, in UTC.", ({ createdAt }) => instantText(createdAt)),
  of("updated_at", "timestamp", "When the record was last changed, in UTC.", ({ updatedAt }) => instantText(updatedAt)),
  nullable(of("source_ids", "texts", "What sources call the market, such as WFP:187.", ({ sourceIds }) => sourceIds)),
  nullable(
    of("county_pcode", "text", "P-code of the county, as humanitarian data has it.", ({ countyId }, { catalogue }) => {
      return countyRecord(catalogue, countyId).pcode;
    }),
  ),
];

export const countyTable: Columns<CountyRecord> = [
  inUnit(
    noUnit,
    of("id", "integer", "Number of the county, 1 to 47: not that of its ISO code.", ({ id }) => id),
  ),
  of("code", "text", "The number as three digits.", ({ code }) => code),
  nullable(of("pcode", "text", "P-code, as humanitarian data has it.", ({ pcode }) => pcode)),
  nullable(of("iso_3166_2", "text", "Code of ISO 3166-2.", (county) => county.iso_3166_2)),
  of("name", "text", "Name of the county.", ({ name }) => name),
  of("capital", "text", "Capital or headquarters.", ({ capital }) => capital),
  nullable(
    inUnit(
      "persons",
      of("population", "integer", "Inhabitants at the latest census.", ({ population }) => population),
    ),
  ),
  nullable(
    inUnit(
      "km²",
      of("area_sq_km", "number", "Land area.", ({ areaSqKm }) => areaSqKm),
    ),
  ),
  nullable(
    inUnit(
      "degrees",
      of(
        "latitude",
        "number",
        "Degrees north of its middle, WGS 84.",
        (county) => county.coordinates?.latitude ?? null,
      ),
    ),
  ),
  nullable(
    inUnit(
      "degrees",
      of(
        "longitude",
        "number",
        "Degrees east of its middle, WGS 84.",
        (county) => county.coordinates?.longitude ?? null,
      ),
    ),
  ),
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
  of("category", "text", "Kind of quantity: weight, volume, count.", ({ category }) => category),
  of("name", "text", "Name, as prices and products give it.", ({ name }) => name),
  of("abbreviation", "text", "Short form, or a customary name.", ({ abbreviation }) => abbreviation),
  of("base_unit", "text", "Name of the unit it converts to; its own where it is the base.", ({ baseUnit }) => baseUnit),
  inUnit(
    "`base_unit` per `name`",
    of("conversion_factor", "number", "How many base units are one of it.", (unit) => unit.conversionFactor),
  ),
];

function of<Row>(
  name: string,
  type: Column<Row>["type"],
  description: string,
  cellOf: (row: Row, store: Store) => Cell,
): Column<Row> {
  return column(name, type, description, (store) => (row) => cellOf(row, store));
}
