/** Rows of an export that are not of Kenya: a district's name alone does not tell Busia from Busia in Uganda. */
import { searchKey } from "../../../engine/model/folded-text.ts";
import { type Coordinates, referenceCurrency } from "../../../engine/model/records.ts";
import { kilometresFromKenya } from "./distance-from-kenya.ts";
import type { ExportRow } from "./read-wfp-export.ts";
import type { ReferenceData } from "./reference-data.ts";

/**
 * How far a point may lie outside of the counties: points of markets are those of towns nearby, or rounded. With the
 * error of the outlines, no market of Kenya in any export known is farther away than a kilometre.
 */
export const kilometresOutsideMax = 25;

/** What says that a row is of another country, with the words for it in the report. */
export const otherCountryReasons = {
  other_country: "of another country, as its column says",
  other_currency: `in the currency of another country; prices in Kenya are in KES or ${referenceCurrency}`,
  other_point:
    `at a point more than ${kilometresOutsideMax} km outside of Kenya; ` +
    "of a market of Kenya, say is_misplaced in data/reference/wfp-markets.csv",
} as const;

export type OtherCountryReason = keyof typeof otherCountryReasons;

const kenyaNames = ["ken", "ke", "kenya", "republic of kenya"];
const kenyaCurrencies = ["KES", referenceCurrency];

/** Distances by point: an export has many rows of each market. */
const distances = new Map<string, number>();

/**
 * Why a row is not of Kenya; undefined when it is, or does not say. A missing point says nothing, nor does one that the
 * reference data calls misplaced.
 */
export function otherCountry(
  row: ExportRow,
  { markets }: Pick<ReferenceData, "markets">,
): OtherCountryReason | undefined {
  if (row.countries.some((name) => !kenyaNames.includes(searchKey(name)))) return "other_country";
  if (/^[A-Z]{3}$/.test(row.currency) && !kenyaCurrencies.includes(row.currency)) return "other_currency";
  const point = markets.get(Number(row.market_id))?.is_misplaced ? undefined : coordinatesOf(row);
  if (point === undefined) return undefined;
  const distance = distances.getOrInsertComputed(pointText(row), () => kilometresFromKenya(point));
  return distance > kilometresOutsideMax ? "other_point" : undefined;
}

/** What says so in a row, for a report: `country UGA`. Undefined for another reason to leave a row out. */
export function otherCountryText(reason: string, row: ExportRow): string | undefined {
  if (reason === "other_country") {
    return `country ${row.countries.find((name) => !kenyaNames.includes(searchKey(name)))}`;
  }
  if (reason === "other_currency") return `currency ${row.currency}`;
  return reason === "other_point" ? `market ${row.market_id} "${row.market}" at ${pointText(row)}` : undefined;
}

function pointText({ latitude, longitude }: ExportRow): string {
  return `${latitude}, ${longitude}`;
}

const degreesExpression = /^-?\d{1,3}(?:\.\d+)?$/;

/** The point of a row; undefined where there is none. */
export function coordinatesOf(row: ExportRow): Coordinates | undefined {
  if (!degreesExpression.test(row.latitude) || !degreesExpression.test(row.longitude)) return undefined;
  const [latitude, longitude] = [Number(row.latitude), Number(row.longitude)];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}
