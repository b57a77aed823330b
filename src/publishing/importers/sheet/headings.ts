/** A heading → the field of its column, English and Swahili, and what it states of all prices below it. */
import { foldText } from "../../../engine/model/folded-text.ts";
import { type MarketType, marketTypes, weekDays } from "../../../engine/model/vocabulary.ts";
import { currencyWords as currencyKeys } from "./currency.ts";
import { nameKey } from "./name-key.ts";

/**
 * The fields of a row, in the order of the manual, with headings for them as `nameKey` has them. `market` and `product`
 * are a name or a UUID of the snapshot.
 */
const knownHeadings = {
  date:
    "date dates pricedate surveydate marketdate visitdate collectiondate interviewdate daterecorded " +
    "datecollected recordeddate recordedat dateofsurvey dateofvisit dateofcollection dateofinterview " +
    "datacollectiondate tarehe tareheyaziara",
  market:
    "market markets marketname nameofmarket nameofthemarket marketplace marketcentre marketcenter " +
    "marketlocation marketid marketuuid soko jinalasoko",
  county: "county countyname nameofcounty kaunti",
  market_type: "type markettype pricetype typeofmarket ainayasoko",
  product:
    "product products productname commodity commodities commodityname nameofcommodity crop crops item " +
    "itemname produce productid productuuid bidhaa jinalabidhaa zao",
  price: "price prices unitprice marketprice itemprice sellingprice bei",
  unit:
    "unit units unitname unitofmeasure unitofmeasurement unitofsale sellingunit itemunit uom package " +
    "packaging kipimo",
  currency: "currency currencycode sarafu",
  grade: "grade quality qualitygrade daraja",
  notes: "notes note remarks remark comments comment maelezo",
  price_flag: "priceflag",
} as const;

export type Field = keyof typeof knownHeadings;
export const fields = Object.keys(knownHeadings) as readonly Field[];

/** The piece of a field that a column has, where others have the rest. */
export type Part = "day" | "month" | "year" | "variety";

/** Columns that have a piece of a field: of a date, or of what a product is. */
const knownParts: Readonly<Record<Part, { readonly field: Field; readonly keys: readonly string[] }>> = {
  day: { field: "date", keys: ["day", "dayofmonth", "siku"] },
  month: { field: "date", keys: ["month", "mwezi"] },
  year: { field: "date", keys: ["year", "mwaka"] },
  variety: { field: "product", keys: ["classification", "variety", "producttype", "commoditytype", "subtype", "aina"] },
};

/** Headings that are taken where no other column has the field. */
const weakHeadings: Partial<Record<Field, readonly string[]>> = {
  date: ["today"],
  market: ["location", "place", "site", "mahali"],
  product: ["cropname"],
};

/** The field of a column, and what its heading states of all prices (`Retail price (KES per kg)`). */
export interface Heading {
  readonly field: Field;
  readonly values: Readonly<Partial<Record<Field, string>>>;
  readonly part?: Part;
  /** Given for the least or greatest of several prices. */
  readonly isBound?: true;
  /** Given where another heading for the field counts before it. */
  readonly isWeak?: true;
  /** Given for a type of market alone, which a row of prices has in a cell as well. */
  readonly isType?: true;
}

const headingOfKey = new Map<string, Heading>([
  ...fields.flatMap((field) => knownHeadings[field].split(" ").map((key) => [key, { field, values: {} }] as const)),
  ...Object.entries(knownParts).flatMap(([part, { field, keys }]) =>
    keys.map((key) => [key, { field, values: {}, part: part as Part }] as const),
  ),
  ...Object.entries(weakHeadings).flatMap(([field, keys]) =>
    keys.map((key) => [key, { field: field as Field, values: {}, isWeak: true }] as const),
  ),
]);

/** Swahili words for types of market, which are no headings by themselves: `jumla` is a total as well. */
const swahiliTypes = new Map<string, MarketType>([
  ["jumla", "Wholesale"],
  ["rejareja", "Retail"],
]);

const typeWords = new Map(marketTypes.map((type) => [type.toLowerCase(), type]));

/** Words of a price heading that say which of several prices it is: the least or greatest, or one in between. */
const boundWords = new Set(["min", "minimum", "max", "maximum", "lowest", "highest", "low", "high", "least"]);
const middleWords = new Set(["modal", "mode", "average", "avg", "mean", "median", "current", "prevailing"]);

/** Words that make a column under a type of market one of amounts: `Wholesale / Volume`. */
const amountWords = new Set(["volume", "volumes", "quantity", "qty", "supply", "stock", "stocks", "kiasi", "idadi"]);

const fillerWords = new Set(["ya", "la", "wa", "cha", "the", "of", "for"]);

/** Between the parts of a heading: brackets, signs, a dash between spaces, "per" and "in". */
const separators = /[()[\]/,:;|\n]|\s[-–—]\s|\b(?:per|in|kwa)\b/;

/** A field in groups, as Kobo and ODK write it: `grp_items/price`, `grp_items:price`. */
const groupPath = /^(?<groups>[\p{L}\p{N}_-]+(?:[/:.][\p{L}\p{N}_-]+)*?)[/:.](?<name>[\p{L}\p{N}_-]+)$/u;
/** The same as ODK Central writes it; `Sub-county` is no group. */
const centralPath = /^(?<groups>(?:gr|group|[\p{L}\p{N}]+_)[\p{L}\p{N}_-]*)-(?<name>[\p{L}\p{N}_]+)$/iu;

/** Undefined for a heading that is not known, as every text without letters. */
export function recogniseHeading(text: string): Heading | undefined {
  if (!/\p{L}/u.test(text)) return undefined;
  return headingOfKey.get(nameKey(text)) ?? recognisePath(text) ?? recogniseParts(text);
}

/** The last part of a path is the name. `Price/kg` and `Price/Unit` are no paths, but prices of units. */
function recognisePath(text: string): Heading | undefined {
  const { groups, name } = (groupPath.exec(text) ?? centralPath.exec(text))?.groups ?? {};
  if (groups === undefined || name === undefined) return undefined;
  const isLabel = text !== text.toLowerCase() && recogniseParts(groups)?.field === "price";
  return isLabel ? undefined : (headingOfKey.get(nameKey(name)) ?? recogniseParts(name));
}

/** Labels have parts: a name, in one language or two, and what follows in brackets, after a slash, a comma or "per". */
function recogniseParts(text: string): Heading | undefined {
  const parts = foldText(text).replaceAll("_", " ").split(separators).map(readPart);
  const named = parts.find(({ heading }) => heading !== undefined);
  if (named?.heading === undefined) return undefined;
  const { heading } = named;
  if (heading.field !== "price") return heading;
  if (heading.isType && parts.some(({ isAmount }) => isAmount)) return undefined;
  const type = parts.find((part) => part.type !== undefined)?.type;
  const currency = parts.find((part) => part.currency !== undefined)?.currency;
  // "per unit" names no unit, and neither does "(Monday)".
  const unit = parts.slice(parts.indexOf(named) + 1).find(({ isDetail }) => isDetail)?.text;
  return {
    ...heading,
    ...(parts.some(({ isBound }) => isBound) ? { isBound: true } : {}),
    values: {
      ...(type === undefined ? {} : { market_type: type }),
      ...(unit === undefined ? {} : { unit }),
      ...(currency === undefined ? {} : { currency }),
    },
  };
}

/** Reads one part of a label. @param part It is folded. */
function readPart(part: string) {
  const text = part.trim();
  const words = text
    .split(/[\s-]+/)
    .map((word) => nameKey(word))
    .filter((word) => word !== "");
  const currency = [nameKey(text), ...words].map((word) => currencyKeys.get(word)).find((code) => code !== undefined);
  const english = words.map((word) => typeWords.get(word)).find((type) => type !== undefined);
  const type = english ?? words.map((word) => swahiliTypes.get(word)).find((found) => found !== undefined);
  const rest = words.filter(
    (word) =>
      !typeWords.has(word) &&
      !currencyKeys.has(word) &&
      !boundWords.has(word) &&
      !middleWords.has(word) &&
      !(type !== undefined && (swahiliTypes.has(word) || fillerWords.has(word))),
  );
  const own = headingOfKey.get(nameKey(text));
  const known = own ?? headingOfKey.get(rest.join(""));
  // "average" is left out of "Average price"; beside "date" it is a heading of its own.
  const isKnown = known === own || known?.field === "price" || english !== undefined || rest.length === words.length;
  const isType = own === undefined && english !== undefined && rest.length === 0;
  const heading: Heading | undefined = isType ? { field: "price", values: {}, isType } : isKnown ? known : undefined;
  const isDay =
    weekDays.some((day) => nameKey(day).startsWith(nameKey(text).slice(0, 3))) && /^\p{L}{3,9}$/u.test(text);
  return {
    text,
    heading,
    type,
    currency,
    isBound: words.some((word) => boundWords.has(word)),
    isAmount: words.some((word) => amountWords.has(word)),
    isDetail: rest.length > 0 && heading === undefined && currency === undefined && !isDay,
  };
}

/** Tells if a heading is one of amounts: `Volume`, `Qty`. */
export function isAmountHeading(text: string): boolean {
  return (foldText(text).match(/\p{L}+/gu) ?? []).some((word) => amountWords.has(word));
}

/** The type of market that a title names, such as `RETAIL PRICES`; undefined where it names none, or several. */
export function typeInTitle(text: string): MarketType | undefined {
  const words = foldText(text).match(/\p{L}+/gu) ?? [];
  const types = new Set(words.flatMap((word) => typeWords.get(word) ?? swahiliTypes.get(word) ?? []));
  return types.size === 1 ? [...types][0] : undefined;
}
