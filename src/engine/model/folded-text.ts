/**
 * A text without case and accents, for sorting and substring search: "Murang'a" and "MURANG'A" fold alike, "Café" as
 * "cafe". Canonical decomposition, combining marks removed, then lower case, as the Unicode Standard defines them; no
 * locale.
 */
export function foldText(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
}

/** The folded words of a text, in its order; at least one unless the text is blank. */
export function foldedWords(text: string): string[] {
  return foldText(text)
    .split(/\s+/)
    .filter((word) => word !== "");
}

/** The folded runs of letters and digits of a text, in its order: "Maize (white)" has "maize" and "white". */
export function foldedRuns(text: string): string[] {
  return foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Orders two texts by code unit, as `<` does. Returns -1, 0 or 1. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Orders two names by folded text; names that fold alike by code unit. */
export function compareNames(a: string, b: string): number {
  return compareTexts(foldText(a), foldText(b)) || compareTexts(a, b);
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
