/** A row of an export → a price, or the reason why it gives none. */
import { type Day, dayFromText, dayText } from "../../../engine/model/calendar.ts";
import { type PriceFlag, priceFlags } from "../../../engine/model/vocabulary.ts";
import { otherCountryRefusals } from "./other-country.ts";
import type { ExportRow } from "./read-wfp-export.ts";
import type { ReferenceData, UnitRow } from "./reference-data.ts";

const idExpression = /^[1-9]\d{0,8}$/;
const numberExpression = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const currencyExpression = /^[A-Z]{3}$/;

/** A reason for which a row gives no price. */
interface RowRefusal {
  readonly reason: string;
  /** The text of the reason in the report. */
  readonly words: string;
  /** @param today The last day on which a price can have been recorded. */
  readonly holds: (row: ExportRow, reference: ReferenceData, today: Day) => boolean;
}

/** The first that holds counts, so that each may rely on those before it. */
const rowRefusals = [
  {
    reason: "tag_row",
    words: "the row of HXL tags below the header",
    holds: ({ date }) => date.startsWith("#"),
  },
  ...otherCountryRefusals,
  {
    reason: "id_unreadable",
    words: "market_id or commodity_id is not a whole number above 0",
    holds: ({ market_id, commodity_id }) => !idExpression.test(market_id) || !idExpression.test(commodity_id),
  },
  {
    reason: "name_missing",
    words: "market or commodity has no name",
    holds: ({ market, commodity }) => market === "" || commodity === "",
  },
  {
    reason: "date_unreadable",
    words: "date is not a day of the form YYYY-MM-DD",
    holds: ({ date }) => dayFromText(date) === undefined,
  },
  {
    reason: "date_future",
    words: "date is after the day of the import in Kenya",
    holds: ({ date }, _reference, today) => (dayFromText(date) as Day) > today,
  },
  {
    reason: "forecast",
    words: "a forecast, not a price",
    holds: (row) => flagsOf(row).includes("forecast"),
  },
  {
    reason: "price_not_a_number",
    words: "price is not a number",
    holds: ({ price }) => !numberExpression.test(price) || !Number.isFinite(Number(price)),
  },
  {
    reason: "price_not_positive",
    words: "price is 0 or less",
    holds: ({ price }) => Number(price) <= 0,
  },
  {
    reason: "price_type_unknown",
    words: "price type is neither Retail nor Wholesale",
    holds: ({ pricetype }) => !priceTypes.some((type) => type === pricetype),
  },
  {
    reason: "unit_unknown",
    words: "unit is neither known nor a size in KG, G, L or ML",
    holds: ({ unit, commodity_id }, reference) => unitOfPrice(unit, Number(commodity_id), reference) === undefined,
  },
  {
    reason: "currency_unreadable",
    words: "currency is not three capital letters",
    holds: ({ currency }) => !currencyExpression.test(currency),
  },
] as const satisfies readonly RowRefusal[];

/** The reasons that only rows together show. */
const reasonsTogether = {
  market_without_county: "the district names no county and the market is not in the judged table",
  duplicate_identical: "says the same as another row",
  duplicate_replaced: "contradicts a later row about the same price; the later one is kept",
} as const;

export type LeftOutReason = (typeof rowRefusals)[number]["reason"] | keyof typeof reasonsTogether;

/** The reasons to leave a row out, with the words of the report. */
export const leftOutReasons: Readonly<Record<LeftOutReason, string>> = {
  ...(Object.fromEntries(rowRefusals.map(({ reason, words }) => [reason, words])) as Record<LeftOutReason, string>),
  ...reasonsTogether,
};

const priceTypes = ["Retail", "Wholesale"] as const;

/** The price types of the export are market types here. */
export type PriceType = (typeof priceTypes)[number];

/** A price as a usable row states it. */
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
  /** The price in US dollars, as the export converted it, to the cent; null where it does not say. */
  readonly usdPrice: number | null;
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

/**
 * Reads a row. It does not ask if the market has a county.
 *
 * @param today The last day on which a price can have been recorded.
 * @returns The price, or the first reason why there is none.
 */
export function readPriceRow(row: ExportRow, reference: ReferenceData, today: Day): PriceFact | LeftOutReason {
  const refusal = rowRefusals.find(({ holds }) => holds(row, reference, today));
  if (refusal !== undefined) return refusal.reason;
  const commodityId = Number(row.commodity_id);
  return {
    line: row.line,
    day: dayFromText(row.date) as Day,
    marketId: Number(row.market_id),
    commodityId,
    priceType: row.pricetype as PriceType,
    wfpUnit: row.unit,
    unit: unitOfPrice(row.unit, commodityId, reference) as UnitOfPrice,
    price: Number(row.price),
    currency: row.currency,
    usdPrice: dollarsOf(row.usdprice),
    ...flagAndNotes(flagsOf(row)),
  };
}

function flagsOf({ priceflag }: ExportRow): readonly string[] {
  return priceflag.split(",").map((flag) => flag.trim());
}

function dollarsOf(usdPrice: string = ""): number | null {
  const dollars = numberExpression.test(usdPrice) ? Number(usdPrice) : 0;
  return dollars > 0 && Number.isFinite(dollars) ? dollars : null;
}

/**
 * The key that a price has in this export and in newer ones. It holds the unit as the export writes it, not its name
 * here, so that a better name changes no identifier.
 */
export function priceKey(fact: Pick<PriceFact, "day" | "marketId" | "commodityId" | "priceType" | "wfpUnit">): string {
  return `${dayText(fact.day)} ${fact.marketId} ${fact.commodityId} ${fact.priceType} ${fact.wfpUnit}`;
}

const sizeExpression = /^(\d{1,6}(?:\.\d{1,3})?) ?(KG|G|L|ML)$/;

/**
 * The unit of a price: a known unit by name, or a pack of the size that the export states (`25 KG` → "25 kg pack").
 *
 * @param wfpUnit The unit as the export writes it, case included.
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
