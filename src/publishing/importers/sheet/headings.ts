/** A heading → the field of its column, English and Swahili, and what it states of all prices below it. */
import { foldText } from "../../../engine/model/folded-text.ts";
import { nameKey } from "./name-key.ts";
import words from "./sheet-words.json" with { type: "json" };
import { readHeading, type Statement, typeNames, whichWords, wordsOf } from "./statements.ts";

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
  readonly statements: readonly Statement[];
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
  ...entriesOf(knownHeadings, (field) => ({ field, statements: [] })),
  ...Object.entries(words.parts).flatMap(([part, { field, keys }]) =>
    entriesOf({ [field]: keys }, (field) => ({ field, statements: [], part: part as Part })),
  ),
  ...entriesOf(words.weakHeadings, (field) => ({ field, statements: [], isWeak: true })),
]);

function entriesOf(lists: Readonly<Record<string, string>>, headingOf: (field: Field) => Heading) {
  return Object.entries(lists).flatMap(([field, keys]) =>
    keys.split(" ").map((key) => [key, headingOf(field as Field)] as const),
  );
}

/** Words of a price heading that say that it is the least or greatest of several prices. */
const boundWords = wordsOf(words.bounds);

/** Words that make a column under a type of market one of amounts: `Wholesale / Volume`. */
const amountWords = wordsOf(words.amounts);

/** Between the parts of a heading: brackets, signs, a dash between spaces, "per" and "in". */
const separators = /[()[\]/,:;|\n]|\s[-–—]\s|\b(?:per|in|kwa)\b/i;

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
  const { statements, rest } = readHeading(text);
  const words = wordsIn(text);
  const isTypeAlone = rest !== text && text.split(separators).some((part) => typeNames.has(nameKey(part)));
  const ofType: Heading | undefined =
    isTypeAlone && !isAmountHeading(text) ? { field: "price", statements: [], isType: true } : undefined;
  const heading = rest.split(separators).map(headingOfPart).find(Boolean) ?? ofType;
  if (heading?.field !== "price") return heading;
  return { ...heading, ...(words.some((word) => boundWords.has(word)) ? { isBound: true } : {}), statements };
}

/**
 * The heading of a part by its words; of a price without those that say which of several it is. Other words say which
 * price it is, `Farm gate price`; those of titles are in the plural.
 */
function headingOfPart(part: string): Heading | undefined {
  const words = wordsIn(part);
  const rest = words.filter((word) => !whichWords.has(word) && !/^\d{1,2}(?:st|nd|rd|th)?$/.test(word));
  const known = headingOfKey.get(rest.join(""));
  const own = headingOfKey.get(words.join("")) ?? (known?.field === "price" ? known : undefined);
  const isNamedPrice = words.at(-1) === "price" || (words[0] === "bei" && words[1] !== "za");
  return own ?? (isNamedPrice ? { field: "price", statements: [], isWeak: true } : undefined);
}

function wordsIn(text: string): readonly string[] {
  return text
    .split(/[\s_-]+/)
    .map((word) => nameKey(word))
    .filter((word) => word !== "");
}

/** Tells if a heading is one of amounts: `Volume`, `Qty`. */
export function isAmountHeading(text: string): boolean {
  return (foldText(text).match(/\p{L}+/gu) ?? []).some((word) => amountWords.has(word));
}
