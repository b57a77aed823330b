/** What a row of a table can say, and the headings by which it is recognised, English and Swahili. */
import { foldText } from "../../domain/folded-text.ts";
import { marketTypes } from "../../domain/vocabulary.ts";
import { nameKey } from "./name-key.ts";

/**
 * What a row of a table can say, in the order of the manual, with headings for it as `nameKey` has them. `market` and
 * `product` are a name or a UUID of the snapshot.
 */
const knownHeadings = {
  date: [
    "date",
    "day",
    "pricedate",
    "surveydate",
    "marketdate",
    "daterecorded",
    "recordeddate",
    "recordedat",
    "dateofsurvey",
    "tarehe",
  ],
  market: ["market", "marketname", "nameofmarket", "marketplace", "marketid", "marketuuid", "soko"],
  county: ["county", "countyname", "kaunti"],
  market_type: ["type", "markettype", "pricetype", "typeofmarket", "ainayasoko"],
  product: [
    "product",
    "productname",
    "commodity",
    "commodityname",
    "crop",
    "item",
    "produce",
    "productid",
    "productuuid",
    "bidhaa",
    "zao",
  ],
  price: ["price", "unitprice", "averageprice", "avgprice", "marketprice", "bei"],
  unit: ["unit", "units", "unitofmeasure", "unitofsale", "uom", "package", "packaging", "kipimo"],
  currency: ["currency", "currencycode", "sarafu"],
  grade: ["grade", "quality", "qualitygrade", "daraja"],
  notes: ["notes", "note", "remarks", "remark", "comments", "comment", "maelezo"],
  price_flag: ["priceflag"],
} as const;

export type Field = keyof typeof knownHeadings;
export const fields = Object.keys(knownHeadings) as readonly Field[];

const fieldOfKey = new Map<string, Field>(
  fields.flatMap((field) => knownHeadings[field].map((key) => [key, field] as const)),
);

const currencyKeys = new Map([
  ["kes", "KES"],
  ["ksh", "KES"],
  ["kshs", "KES"],
  ["sh", "KES"],
  ["usd", "USD"],
  ["ugx", "UGX"],
  ["tzs", "TZS"],
]);

/** What a heading says: the field of its column, and what it says of all its prices (`Retail price (KES per kg)`). */
export interface Heading {
  readonly field: Field;
  readonly values: Readonly<Partial<Record<Field, string>>>;
}

/** Undefined for a heading that is not known. */
export function recogniseHeading(text: string): Heading | undefined {
  const exact = fieldOfKey.get(nameKey(text));
  if (exact !== undefined) return { field: exact, values: {} };
  // The name of the column, then what follows in brackets, after a slash, a comma or "per".
  const [name = "", ...details] = foldText(text).split(/[()[\]/,:]|\bper\b|\bin\b/);
  const words = name.trim().split(/[\s_-]+/);
  const type = marketTypes.find((marketType) => words.includes(marketType.toLowerCase()));
  const withoutType = words.filter((word) => word !== type?.toLowerCase());
  const currency = [...withoutType, ...details]
    .map((part) => currencyKeys.get(nameKey(part)))
    .find((code) => code !== undefined);
  const key = withoutType.filter((word) => !currencyKeys.has(word)).join("");
  const field = key === "" && type !== undefined ? "price" : fieldOfKey.get(nameKey(key));
  if (field === undefined) return undefined;
  if (field !== "price") return { field, values: {} };
  // "per unit" names no unit.
  const unit = details
    .map((part) => part.trim())
    .find((part) => part !== "" && !currencyKeys.has(nameKey(part)) && !fieldOfKey.has(nameKey(part)));
  return {
    field,
    values: {
      ...(type === undefined ? {} : { market_type: type }),
      ...(unit === undefined ? {} : { unit }),
      ...(currency === undefined ? {} : { currency }),
    },
  };
}
