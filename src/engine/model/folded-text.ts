/**
 * Texts without case and accents: `foldText` for identity, `searchKey` for whatever is searched for, and the order of
 * names by both.
 */

/**
 * A text without case and accents, for identifiers: "Murang'a" and "MURANG'A" fold alike, "Café" as
 * "cafe". Canonical decomposition, combining marks removed, then lower case, as the Unicode Standard defines them; no
 * locale. Identifiers of published records are made from it, so it does not change.
 */
export function foldText(text: string): string {
  return text.replace(marks, "").normalize("NFD").replace(marks, "").toLowerCase();
}

/**
 * Marks go before a decomposition as well as behind it: it sorts runs of them, at a cost that grows with the square of
 * their number. A mark decomposes to nothing but marks.
 */
const marks = /\p{M}+/gu;

/**
 * Apostrophes, and what keyboards, fonts and transliterations write in their place: quotation marks, primes, accents
 * that stand alone, letters for glottal stops. Accents decompose to a blank and a mark, so they go before.
 */
const apostrophes = new RegExp(
  `[${[
    "'`\u00b4\u02b9\u02bb-\u02bf\u02c8\u02ca\u02cb\u02ee\u0374\u0384\u055a",
    "\u05f3\u07f4\u07f5\u1fbd\u1fbf\u1fef\u1ffd\u1ffe",
    "\u2018\u2019\u201b\u2032-\u2037\u2057\u275b\u275c\ua78b\ua78c\uff07\uff40",
  ].join("")}]`,
  "g",
);

/**
 * Combining marks and what has no width: format and control characters (not white space), the code points that the
 * Unicode Standard has fonts ignore, and the blank of Braille.
 */
const unseen = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]|(?!\s)\p{Cc}/gu;

/**
 * A text as it is searched for and in: names and queries that a reader takes for the same have one key. "Murang'a",
 * "MURANG\u2019A" and "Muranga" do; so do full-width and plain letters. Apostrophes are left out, compatibility
 * decomposition (NFKD), invisible characters and combining marks left out, then lower case; no locale. Hyphens stay.
 * Empty or blank for a text that nobody can search for.
 */
export function searchKey(text: string): string {
  const bare = text.replace(apostrophes, "").replace(marks, "");
  return bare.normalize("NFKD").replace(unseen, "").replace(apostrophes, "").toLowerCase();
}

/** The words of a `searchKey`, in the order of the text; none where it is blank. */
export function searchWords(text: string): string[] {
  return searchKey(text)
    .split(/\s+/)
    .filter((word) => word !== "");
}

/**
 * The runs of letters and digits of a `searchKey`, in the order of the text: "Maize (white)" has "maize" and "white". A
 * fraction is one run, so that "½" is not "1" and "2".
 */
export function searchRuns(text: string): string[] {
  return searchKey(text).match(/[\p{L}\p{N}\u2044]+/gu) ?? [];
}

/** Orders two texts by code unit, as `<` does. Returns -1, 0 or 1. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What orders a name. */
export interface NameKeys {
  /** As `searchKey` has it. */
  readonly searchName: string;
  /** As `foldText` has it. */
  readonly foldedName: string;
}

export function nameKeys(name: string): NameKeys {
  return { searchName: searchKey(name), foldedName: foldText(name) };
}

/** Orders two names by the key that finds them, so that "Ｍaize" stands with "Maize"; then as `foldText` has them. */
export function compareNameKeys(a: NameKeys, b: NameKeys): number {
  return compareTexts(a.searchName, b.searchName) || compareTexts(a.foldedName, b.foldedName);
}

/** Orders two names as `compareNameKeys` does; names with the same keys by code unit. */
export function compareNames(a: string, b: string): number {
  return compareNameKeys(nameKeys(a), nameKeys(b)) || compareTexts(a, b);
}

/** Groups some members by name, in the order of `compareNames`. Those without a name are left out. */
export function groupByName<Name extends string, Member>(
  members: readonly Member[],
  nameOf: (member: Member) => Name | null,
): [Name, Member[]][] {
  return [...Map.groupBy(members, nameOf)]
    .filter((group): group is [Name, Member[]] => group[0] !== null)
    .sort(([a], [b]) => compareNames(a, b));
}
