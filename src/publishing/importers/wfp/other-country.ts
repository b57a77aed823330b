/** Rows of an export that are not of Kenya: a district's name alone does not tell Busia from Busia in Uganda. */
import { searchKey } from "../../../engine/model/folded-text.ts";
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import { type Coordinates, referenceCurrency } from "../../../engine/model/records.ts";
import { kilometresFromKenya } from "./distance-from-kenya.ts";
import type { ExportRow } from "./read-wfp-export.ts";
import type { ReferenceData } from "./reference-data.ts";

/**
 * A point may lie so far outside of the counties: points of markets are those of towns nearby, or rounded. With the
 * error of the outlines, no market of Kenya in any export known is farther away than a kilometre.
 */
export const kilometresOutsideMax = 25;

const kenyaNames = ["ken", "ke", "kenya", "republic of kenya"];
const kenyaCurrencies = ["KES", referenceCurrency];

/** Distances by point: an export has many rows of each market. */
const distances = new Map<string, number>();

/** Reasons to take a row for one of another country, with the words and the sign of the report: `country UGA`. */
export const otherCountryRefusals = [
  {
    reason: "other_country",
    words: "of another country, as its column says",
    holds: ({ countries }: ExportRow) => countries.some(isOtherCountry),
    signOf: ({ countries }: ExportRow) => `country ${countries.find(isOtherCountry)}`,
  },
  {
    reason: "other_currency",
    words: `in the currency of another country; prices in Kenya are in KES or ${referenceCurrency}`,
    holds: ({ currency }: ExportRow) => /^[A-Z]{3}$/.test(currency) && !kenyaCurrencies.includes(currency),
    signOf: ({ currency }: ExportRow) => `currency ${currency}`,
  },
  {
    reason: "other_point",
    words:
      `at a point more than ${kilometresOutsideMax} km outside of Kenya; ` +
      "of a market of Kenya, say is_misplaced in data/reference/wfp-markets.csv",
    holds: isFarAway,
    signOf: (row: ExportRow) => `market ${row.market_id} "${row.market}" at ${pointText(row)}`,
  },
] as const;

/** The sign of another country in a row that is left out for a reason; undefined for reasons of other kinds. */
export function otherCountrySign(reason: string, row: ExportRow): string | undefined {
  return otherCountryRefusals.find((refusal) => refusal.reason === reason)?.signOf(row);
}

function isOtherCountry(name: string): boolean {
  return !kenyaNames.includes(searchKey(name));
}

/** A missing point says nothing, nor does one that the reference data calls misplaced. */
function isFarAway(row: ExportRow, { markets }: Pick<ReferenceData, "markets">): boolean {
  const point = markets.get(Number(row.market_id))?.is_misplaced ? undefined : coordinatesOf(row);
  if (point === undefined) return false;
  return getOrInsert(distances, pointText(row), () => kilometresFromKenya(point)) > kilometresOutsideMax;
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
