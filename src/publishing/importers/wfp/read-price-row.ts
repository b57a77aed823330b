/** One row of an export as a price, or the reason why it is none. */
import { type Day, dayFromText, dayText } from "../../../engine/model/calendar.ts";
import { type PriceFlag, priceFlags } from "../../../engine/model/vocabulary.ts";
import { otherCountry, otherCountryReasons } from "./other-country.ts";
import type { ExportRow } from "./read-wfp-export.ts";
import type { ReferenceData, UnitRow } from "./reference-data.ts";

/** Why a row is not in the output, with the words for it in the report. */
export const leftOutReasons = {
  tag_row: "the row of HXL tags below the header",
  ...otherCountryReasons,
  id_unreadable: "market_id or commodity_id is not a whole number above 0",
  name_missing: "market or commodity has no name",
  date_unreadable: "date is not a day of the form YYYY-MM-DD",
  date_future: "date is after the day of the import in Kenya",
  forecast: "a forecast, not a price",
  price_not_a_number: "price is not a number",
  price_not_positive: "price is 0 or less",
  price_type_unknown: "price type is neither Retail nor Wholesale",
  unit_unknown: "unit is neither known nor a size in KG, G, L or ML",
  currency_unreadable: "currency is not three capital letters",
  market_without_county: "the district names no county and the market is not in the judged table",
  duplicate_identical: "says the same as another row",
  duplicate_replaced: "contradicts a later row about the same price; the later one is kept",
} as const;

export type LeftOutReason = keyof typeof leftOutReasons;

/** The price types of the export are market types here. */
export type PriceType = "Retail" | "Wholesale";

/** What a usable row says about a price. */
export interface PriceFact {
  /** Line of the export on which it stands. */
  readonly line: number;
  readonly day: Day;
  readonly marketId: number;
  readonly commodityId: number;
  readonly priceType: PriceType;
  readonly wfpUnit: string;
  readonly unit: UnitOfPrice;
  readonly price: number;
  readonly currency: string;
  /** Units of the currency for a US dollar, as the export converted the price; null where it does not say. */
  readonly rate: number | null;
  /** Null where the export states none that is known. */
  readonly flag: PriceFlag | null;
  /** Flags that are not known, in words. */
  readonly notes: string | null;
}

/** A unit of the export under its name here. */
export interface UnitOfPrice {
  readonly name: string;
  /** The row that the import adds, because units.csv does not have the unit; else null. */
  readonly added: UnitRow | null;
}

const idExpression = /^[1-9]\d{0,8}$/;
const numberExpression = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const currencyExpression = /^[A-Z]{3}$/;

/**
 * The price of a row, or the first reason why there is none. Does not ask whether the market has a county.
 *
 * @param today The last day on which a price can have been recorded.
 */
export function readPriceRow(row: ExportRow, reference: ReferenceData, today: Day): PriceFact | LeftOutReason {
  if (row.date.startsWith("#")) return "tag_row";
  const other = otherCountry(row, reference);
  if (other !== undefined) return other;
  if (!idExpression.test(row.market_id) || !idExpression.test(row.commodity_id)) return "id_unreadable";
  if (row.market === "" || row.commodity === "") return "name_missing";
  const day = dayFromText(row.date);
  if (day === undefined) return "date_unreadable";
  if (day > today) return "date_future";
  const flags = row.priceflag.split(",").map((flag) => flag.trim());
  if (flags.includes("forecast")) return "forecast";
  const price = numberExpression.test(row.price) ? Number(row.price) : Number.NaN;
  if (!Number.isFinite(price)) return "price_not_a_number";
  if (price <= 0) return "price_not_positive";
  if (row.pricetype !== "Retail" && row.pricetype !== "Wholesale") return "price_type_unknown";
  const commodityId = Number(row.commodity_id);
  const unit = unitOfPrice(row.unit, commodityId, reference);
  if (unit === undefined) return "unit_unknown";
  if (!currencyExpression.test(row.currency)) return "currency_unreadable";
  return {
    line: row.line,
    day,
    marketId: Number(row.market_id),
    commodityId,
    priceType: row.pricetype,
    wfpUnit: row.unit,
    unit,
    price,
    currency: row.currency,
    rate: impliedRate(price, row.usdprice),
    ...flagAndNotes(flags),
  };
}

/** The export has prices in dollars to the cent, so the rate of a lower one is off by more than a percent. */
const usdPriceMin = 0.5;

function impliedRate(price: number, usdPrice: string = ""): number | null {
  const dollars = numberExpression.test(usdPrice) ? Number(usdPrice) : 0;
  return dollars > usdPriceMin ? price / dollars : null;
}

/**
 * What makes a price of the export the same price again, also in a newer export. It holds the unit as the export writes
 * it, not its name here, so that a better name changes no identifier.
 */
export function priceKey(fact: Pick<PriceFact, "day" | "marketId" | "commodityId" | "priceType" | "wfpUnit">): string {
  return `${dayText(fact.day)} ${fact.marketId} ${fact.commodityId} ${fact.priceType} ${fact.wfpUnit}`;
}

const sizeExpression = /^(\d{1,6}(?:\.\d{1,3})?) ?(KG|G|L|ML)$/;

/**
 * The unit of a price: a known unit by name, or a pack of the size that the export states (`25 KG` → "25 kg pack").
 *
 * @param wfpUnit As the export writes it, case included.
 * @returns Undefined when the text is neither.
 */
export function unitOfPrice(
  wfpUnit: string,
  commodityId: number,
  { units, wfpUnits }: Pick<ReferenceData, "units" | "wfpUnits">,
): UnitOfPrice | undefined {
  const nameOf = (text: string): string | undefined =>
    wfpUnits.find((row) => row.unit === text && (row.commodity_ids?.includes(commodityId) ?? true))?.name;
  const known = nameOf(wfpUnit);
  if (known !== undefined) return { name: known, added: null };

  const [, sizeText, unitText = ""] = sizeExpression.exec(wfpUnit) ?? [];
  const size = Number(sizeText);
  const unitName = nameOf(unitText);
  const unit = units.find(({ name }) => name === unitName);
  if (unit === undefined || !(size > 0)) return undefined;
  // 1 KG is the kilogram, 1 L the litre.
  if (size === 1 && unit.conversion_factor === 1) return { name: unit.name, added: null };
  const pack = {
    ...unit,
    name: `${size} ${unit.name} pack`,
    abbreviation: `${size} ${unit.abbreviation}`,
    // 700 × 0.001 has a rounding error, 700 / 1000 has none.
    conversion_factor: size / (1 / unit.conversion_factor),
  };
  return { name: pack.name, added: pack };
}

/** The flags of the export as one, or as notes where one of them is not known. */
function flagAndNotes(flags: readonly string[]): Pick<PriceFact, "flag" | "notes"> {
  const stated = flags.filter((flag) => flag !== "");
  const flag = priceFlags.find((known) => known === [...new Set(stated)].sort().join("_")) ?? null;
  const notes = flag !== null || stated.length === 0 ? null : `WFP price flags: ${stated.join(", ")}`;
  return { flag, notes };
}
