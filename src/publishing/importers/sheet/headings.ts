/** A heading → the field of its column, English and Swahili, and what it states of all prices below it. */
import { foldText } from "../../../engine/model/folded-text.ts";
import { isCurrencyWord } from "./currency.ts";
import { nameKey } from "./name-key.ts";
import words from "./sheet-words.json" with { type: "json" };
import { readHeading, scaleWords, swahiliTypes, typeWords, wordsOf } from "./statements.ts";

/**
 * The fields of a row, in the order of the manual, with headings for them as `nameKey` has them. `market` and `product`
 * are a name or a UUID of the snapshot.
 */
const knownHeadings = words.headings;

export type Field = keyof typeof knownHeadings;
export const fields = Object.keys(knownHeadings) as readonly Field[];

/** The piece of a field that a column has, where others have the rest. */
export type Part = "day" | "month" | "year" | "variety";

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

/** Columns may have a piece of a field, and weak headings are taken where no other column has the field. */
const headingOfKey = new Map<string, Heading>([
  ...entriesOf(knownHeadings, (field) => ({ field, values: {} })),
  ...Object.entries(words.parts).flatMap(([part, { field, keys }]) =>
    entriesOf({ [field]: keys }, (field) => ({ field, values: {}, part: part as Part })),
  ),
  ...entriesOf(words.weakHeadings, (field) => ({ field, values: {}, isWeak: true })),
]);

function entriesOf(lists: Readonly<Record<string, string>>, headingOf: (field: Field) => Heading) {
  return Object.entries(lists).flatMap(([field, keys]) =>
    keys.split(" ").map((key) => [key, headingOf(field as Field)] as const),
  );
}

/** Words of a price heading that say which of several prices it is: the least or greatest, or one in between. */
const boundWords = wordsOf(words.bounds);
const middleWords = wordsOf(words.middles);

/** Words that make a column under a type of market one of amounts: `Wholesale / Volume`. */
const amountWords = wordsOf(words.amounts);

const fillerWords = new Set(["ya", "la", "wa", "cha", "the", "of", "for"]);

/** Between the parts of a heading: brackets, signs, a dash between spaces, "per" and "in". */
const separators = /[()[\]/,:;|\n]|\s[-–—]\s|\b(?:per|in|kwa)\b/;

/** A field in groups, as Kobo and ODK write it: `grp_items/price`, `grp_items:price`. */
const groupPath = /^(?<groups>[\p{L}\p{N}_-]+(?:[/:.][\p{L}\p{N}_-]+)*?)[/:.](?<name>[\p{L}\p{N}_-]+)$/u;
/** The same as ODK Central writes it; `Sub-county` is no group. */
const centralPath = /^(?<groups>(?!sub-)[\p{Ll}\p{N}_-]+)-(?<name>[\p{Ll}\p{N}_]+)$/u;

/** Undefined for a heading that is not known, as every text without letters. */
export function recogniseHeading(text: string): Heading | undefined {
  if (!/\p{L}/u.test(text)) return undefined;
  return headingOfKey.get(nameKey(text)) ?? recognisePath(text) ?? recogniseParts(text);
}

function recognisePath(text: string): Heading | undefined {
  const name = nameOfPath(text);
  return name === undefined ? undefined : (headingOfKey.get(nameKey(name)) ?? recogniseParts(name));
}

/** The last part of a path is the name. `Price/kg` and `Price/Unit` are no paths, but prices of units. */
export function nameOfPath(text: string): string | undefined {
  const { groups, name } = (groupPath.exec(text) ?? centralPath.exec(text))?.groups ?? {};
  if (groups === undefined || name === undefined) return undefined;
  return text !== text.toLowerCase() && recogniseParts(groups)?.field === "price" ? undefined : name;
}

/** Labels have parts: a name, in one language or two, and what follows in brackets, after a slash, a comma or "per". */
function recogniseParts(text: string): Heading | undefined {
  const parts = foldText(text).replaceAll("_", " ").split(separators).map(readPart);
  const heading = parts.find((part) => part.heading !== undefined)?.heading;
  if (heading?.field !== "price") return heading;
  if (heading.isType && parts.some(({ isAmount }) => isAmount)) return undefined;
  const values: Partial<Record<Field, string>> = {};
  for (const statement of readHeading(text).statements) {
    if (statement.kind === "market_type") values.market_type ??= statement.type;
    if (statement.kind === "unit") values.unit ??= statement.unit;
    if (statement.kind === "currency") values.currency ??= statement.mark.codes[0] as string;
  }
  return { ...heading, ...(parts.some(({ isBound }) => isBound) ? { isBound: true } : {}), values };
}

/** Reads one part of a label. @param part It is folded. */
function readPart(part: string) {
  const text = part.trim();
  const named = text
    .split(/[\s-]+/)
    .map((word) => nameKey(word))
    .filter((word) => word !== "");
  const isEnglishType = named.some((word) => typeWords.has(word));
  const isType = isEnglishType || named.some((word) => swahiliTypes.has(word));
  const rest = named.filter(
    (word) =>
      !typeWords.has(word) &&
      !isCurrencyWord(word) &&
      !scaleWords.has(word) &&
      !boundWords.has(word) &&
      !middleWords.has(word) &&
      !(isType && (swahiliTypes.has(word) || fillerWords.has(word))),
  );
  const own = headingOfKey.get(nameKey(text));
  const known = own ?? headingOfKey.get(rest.join(""));
  // "average" is left out of "Average price"; beside "date" it is a heading of its own.
  const isKnown = known === own || known?.field === "price" || isEnglishType || rest.length === named.length;
  const isTypeAlone = own === undefined && isEnglishType && rest.length === 0;
  const ofPrices: Heading = { field: "price", values: {}, isType: true };
  return {
    heading: isTypeAlone ? ofPrices : isKnown ? known : undefined,
    isBound: named.some((word) => boundWords.has(word)),
    isAmount: named.some((word) => amountWords.has(word)),
  };
}

/** Tells if a heading is one of amounts: `Volume`, `Qty`. */
export function isAmountHeading(text: string): boolean {
  return (foldText(text).match(/\p{L}+/gu) ?? []).some((word) => amountWords.has(word));
}
