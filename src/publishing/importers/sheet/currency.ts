/** Texts → the currencies that they name: codes of ISO 4217, and signs and names, of which some mean several. */
import { foldText } from "../../../engine/model/folded-text.ts";
import words from "./sheet-words.json" with { type: "json" };

/** A sign, word or code, and the currencies that it can mean. */
export interface CurrencyMark {
  /** The sign as it is written. */
  readonly sign: string;
  /** At least one code of ISO 4217. */
  readonly codes: readonly string[];
}

/** Signs that a mapping declares, with the code that each stands for. */
export type DeclaredCurrencies = Readonly<Record<string, string>>;

/**
 * Codes that are words, units or abbreviations as well, such as `cup`: they need capitals, in a heading among small
 * letters.
 */
const wordCodes: ReadonlySet<string> = new Set(words.wordCodes.split(" "));

/** Codes whose small letters count in titles as well: `prices in ugx`. */
const usualCodes: ReadonlySet<string> = new Set(Object.keys(words.currencies).flatMap((codes) => codes.split(" ")));

/** Signs of letters that count inside a heading; other short ones, such as `km`, are units there. */
const shortWords: ReadonlySet<string> = new Set(words.shortCurrencies.split(" "));

/** Kilograms. */
const noCode = "KGS";

/** Codes in use, of which the engine has the list. */
const isoCodes: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency").filter((code) => code !== noCode));

/** The key by which a sign is looked up: no case, dots, colons, hyphens and spaces. */
function signKey(text: string): string {
  return foldText(text).replace(/[\s.:]|(?<!\/)-/g, "");
}

/** The codes of each sign and name. A shilling without another word is the Kenyan one, so that code is first. */
const codesOfSign = new Map<string, readonly string[]>([
  ...[...isoCodes].map((code) => [signKey(code), [code]] as const),
  ...Object.entries(words.currencies).flatMap(([codes, signs]) =>
    signs.split(" ").map((sign) => [signKey(sign), codes.split(" ")] as const),
  ),
]);

/**
 * Reads a text that is a currency and nothing else: `UGX`, `Ksh.`, `US$`, `€`, `/=`, `Kenyan shillings`.
 *
 * @returns Undefined for any other text.
 */
export function readCurrency(text: string, declared: DeclaredCurrencies): CurrencyMark | undefined {
  const sign = text.trim();
  const key = signKey(sign);
  const [, code] = Object.entries(declared).find(([other]) => signKey(other) === key) ?? [];
  if (code === undefined && wordCodes.has(key.toUpperCase()) && !sign.startsWith(key.toUpperCase())) {
    // In Kenya a bob is a shilling.
    return key === "bob" ? { sign, codes: ["KES"] } : undefined;
  }
  // Of `UGX ($)` the code counts; another dollar, such as `Z$`, is one of the dollars.
  const [, letters = "", other = ""] = /^(\p{L}{1,3})(\p{Sc})$/u.exec(key) ?? [];
  const ofLetters = wordCodes.has(letters.toUpperCase()) ? undefined : codesOfSign.get(letters);
  const known = codesOfSign.get(key) ?? ofLetters ?? codesOfSign.get(other);
  const codes = code === undefined ? known : [code];
  return codes === undefined ? undefined : { sign, codes };
}

/** Signs with the letters before them, words with their dots, and the signs behind shillings. */
const tokenExpression = /\p{L}*\p{Sc}|\/[=-]|\p{L}+(?:\.\p{L}+)*\.?/gu;

/** Most words of a name: `South Sudanese pounds`, `shilingi za Uganda`. */
const nameWordsMax = 3;

/** A mark inside a longer text, and where it stands there. */
export interface PlacedMark extends CurrencyMark {
  readonly start: number;
  readonly end: number;
}

/**
 * The currencies that a longer text names: `Price (TSh/kg)`, `EUR per kg`, `Bei (Sh.)`, `All prices in UGX`. Words that
 * are codes as well (`Price (all markets)`, `TOP GRADE`) are none.
 *
 * @param isTitle In titles short signs are words, and codes have capitals.
 */
export function currenciesInText(text: string, declared: DeclaredCurrencies, isTitle: boolean): readonly PlacedMark[] {
  const tokens = [...text.matchAll(tokenExpression)];
  const marks: PlacedMark[] = [];
  const hasSmallLetters = /\p{Ll}/u.test(text);
  for (let at = 0; at < tokens.length; at++) {
    const { 0: token, index: start } = tokens[at] as RegExpExecArray;
    const name = nameAt(tokens, at, declared);
    // At most a space, `per` and the character before it decide.
    const isOfUnit = /(?:\/|\bper) ?$/i.test(text.slice(Math.max(0, start - 5), start));
    const counts = isTitle ? isCurrencyInTitle(token) : isCurrencyInHeading(token, hasSmallLetters && !isOfUnit);
    const isDeclared = Object.keys(declared).some((sign) => signKey(sign) === signKey(token));
    const mark = name?.mark ?? (counts || isDeclared ? readCurrency(token, declared) : undefined);
    if (mark === undefined) continue;
    at += (name?.wordCount ?? 1) - 1;
    const last = tokens[at] as RegExpExecArray;
    marks.push({ ...mark, start, end: last.index + last[0].length });
  }
  return marks;
}

/** The name of several words that begins with a token. */
function nameAt(tokens: readonly RegExpExecArray[], at: number, declared: DeclaredCurrencies) {
  for (let wordCount = nameWordsMax; wordCount > 1; wordCount--) {
    const named = tokens.slice(at, at + wordCount).map(([token]) => token);
    const isName = named.length === wordCount && named.every((word) => /^(?:\p{L}+\.?|\p{Sc})$/u.test(word));
    const mark = isName ? readCurrency(named.join(" "), declared) : undefined;
    if (mark !== undefined) return { mark, wordCount };
  }
  return undefined;
}

/** @param isClear True if capitals mean much. */
function isCurrencyInHeading(token: string, isClear: boolean): boolean {
  if (/\p{Sc}|^\//u.test(token)) return true;
  const key = signKey(token);
  const code = key.toUpperCase();
  if (wordCodes.has(code)) return isClear && token.startsWith(code);
  return key.length > 2 || shortWords.has(key);
}

function isCurrencyInTitle(token: string): boolean {
  const code = signKey(token).toUpperCase();
  if (isoCodes.has(code)) return !wordCodes.has(code) && (/^\p{Lu}/u.test(token) || usualCodes.has(code));
  return /\p{Sc}/u.test(token) || code.length > 2 || /^(?:Shs?|Ks)\.?$/.test(token) || token === "US";
}
