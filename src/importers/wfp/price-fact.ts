import { type Day, dayFromText } from "../../domain/calendar-day.ts";
import type { ExportRow } from "./read-export.ts";
import { type UnitOfTrade, unitOfTrade } from "./unit-of-trade.ts";

/** Why a row is not in the output, with the words for it in the report. */
export const leftOutReasons = {
  tag_row: "the row of HXL tags below the header",
  id_unreadable: "market_id or commodity_id is not a whole number above 0",
  name_missing: "market or commodity has no name",
  date_unreadable: "date is not a day of the form YYYY-MM-DD",
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
  /** Line of the export it stands on. */
  readonly line: number;
  readonly day: Day;
  readonly marketId: number;
  readonly commodityId: number;
  readonly priceType: PriceType;
  readonly wfpUnit: string;
  readonly unit: UnitOfTrade;
  readonly price: number;
  readonly currency: string;
  /** The price flag in words, null for a plain observed price. */
  readonly notes: string | null;
}

const idExpression = /^[1-9]\d{0,8}$/;
const numberExpression = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const currencyExpression = /^[A-Z]{3}$/;

/** The fact in a row, or the first reason why there is none. Whether the market has a county is not looked at here. */
export function priceFactOf(row: ExportRow): PriceFact | LeftOutReason {
  if (row.date.startsWith("#")) return "tag_row";
  if (!idExpression.test(row.market_id) || !idExpression.test(row.commodity_id)) return "id_unreadable";
  if (row.market === "" || row.commodity === "") return "name_missing";
  const day = dayFromText(row.date);
  if (day === undefined) return "date_unreadable";
  const flags = row.priceflag.split(",").map((flag) => flag.trim());
  if (flags.includes("forecast")) return "forecast";
  const price = numberExpression.test(row.price) ? Number(row.price) : Number.NaN;
  if (!Number.isFinite(price)) return "price_not_a_number";
  if (price <= 0) return "price_not_positive";
  if (row.pricetype !== "Retail" && row.pricetype !== "Wholesale") return "price_type_unknown";
  const commodityId = Number(row.commodity_id);
  const unit = unitOfTrade(row.unit, commodityId);
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
    notes: notesOf(flags),
  };
}

/** `actual` alone is what every price is taken for and needs no words; `aggregate` is an average of observations. */
function notesOf(flags: readonly string[]): string | null {
  const told = flags.filter((flag) => flag !== "");
  if (told.length === 0 || (told.length === 1 && told[0] === "actual")) return null;
  return told.length === 1 ? `WFP price flag: ${told[0]}` : `WFP price flags: ${told.join(", ")}`;
}
