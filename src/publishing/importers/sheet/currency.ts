/** Texts → the currencies that they name: codes of ISO 4217, names, and signs, of which some mean several. */
import { foldText } from "../../../engine/model/folded-text.ts";
import { nameKey } from "./name-key.ts";

/** A sign, word or code, and the currencies that it can mean. */
export interface CurrencyMark {
  /** The sign as it is written. */
  readonly sign: string;
  /** At least one code of ISO 4217. */
  readonly codes: readonly string[];
}

/** Signs that a mapping declares, with the code that each stands for. */
export type DeclaredCurrencies = Readonly<Record<string, string>>;

/** Codes in use, of which the engine has the list. */
const isoCodes: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** Units of account that are no money of a country. */
const accountCodes: ReadonlySet<string> = new Set(["XDR", "XSU"]);

/** Last words of names of currencies that are other words as well: weights, goods, and `real` prices. */
const otherWords: ReadonlySet<string> = new Set(
  "colon dram gold kip lek leu lev mark pound real sol som won".split(" "),
);

/**
 * Codes that are words, units or abbreviations as well, such as `cup`: they need capitals, in a heading among small
 * letters.
 */
const wordCodes: ReadonlySet<string> = new Set(
  "ALL BAM BOB CAD COP CUP DOP GEL IRR LAK MAD MOP NAD PAB PEN RON SAR SEK SOS STN SVC TOP TRY WST".split(" "),
);

/** Kilograms. */
const noCode = "KGS";

/** Signs of letters that count inside a heading or title; other short ones, such as `km`, are units there. */
const shortWords: ReadonlySet<string> = new Set(["sh", "shs", "rf", "fr", "fc", "br", "rs"]);

/**
 * Customary signs and words, as `signKey` has them, that the engine does not know or knows as one currency alone, with
 * the currencies that they can mean. A shilling without another word is the Kenyan one.
 */
const customary: readonly (readonly [codes: string, signs: string])[] = [
  ["KES", "ksh kshs kenyashilling kenyashillings shilingiyakenya shilingizakenya"],
  ["KES TZS UGX SOS", "sh shs /= /- shilling shillings shilingi"],
  ["TZS", "tsh tshs tzsh tanzaniashilling tanzaniashillings shilingiyatanzania shilingizatanzania"],
  ["UGX", "ush ushs ugsh ugshs ugandashilling ugandashillings shilingiyauganda shilingizauganda"],
  ["SOS", "sosh shso somalishillings"],
  ["RWF", "rf frw rwandafranc rwandafrancs"],
  ["BIF", "fbu burundifranc burundifrancs"],
  ["CDF", "fc"],
  ["RWF BIF CDF DJF CHF XAF XOF KMF GNF", "fr franc francs"],
  ["ETB BYN", "br"],
  ["ETB", "birr"],
  ["EUR", "euro euros"],
  ["GBP", "sterling"],
  ["USD", "us$"],
  ["INR PKR NPR LKR MUR SCR", "rs rupee rupees"],
  ["MWK ZMW", "kwacha"],
  ["ZAR", "rand"],
  ["NGN", "naira"],
  ["GHS", "cedi cedis"],
  ["JPY", "yen"],
  ["CNY", "yuan rmb"],
];

/** The key by which a sign is looked up: no case, dots, colons and spaces. */
function signKey(text: string): string {
  return foldText(text).replace(/[\s.:]/g, "");
}

/** Signs and names of the engine, with all codes that have them, and the customary ones. */
const codesOfSign: ReadonlyMap<string, readonly string[]> = (() => {
  const found = new Map<string, Set<string>>();
  const add = (sign: string, code: string): void => {
    found.getOrInsertComputed(signKey(sign), () => new Set()).add(code);
  };
  const names = new Intl.DisplayNames("en", { type: "currency" });
  for (const code of isoCodes) {
    add(code, code);
    if (accountCodes.has(code)) continue;
    const name = names.of(code) ?? code;
    add(name, code);
    add(`${name}s`, code);
    const word = signKey(name.split(" ").at(-1) ?? "");
    if (name.includes(" ") && !otherWords.has(word)) for (const form of [word, `${word}s`]) add(form, code);
    const format = new Intl.NumberFormat("en", { style: "currency", currency: code, currencyDisplay: "narrowSymbol" });
    const sign = format.formatToParts(0).find(({ type }) => type === "currency")?.value ?? code;
    // Single letters are units and abbreviations of anything.
    if (!/^\p{L}$/u.test(sign)) add(sign, code);
  }
  found.delete(signKey(noCode));
  const ofEngine = [...found].map(([sign, codes]) => [sign, [...codes]] as const);
  const ofCustom = customary.flatMap(([codes, signs]) =>
    signs.split(" ").map((sign) => [sign, codes.split(" ")] as const),
  );
  return new Map<string, readonly string[]>([...ofEngine, ...ofCustom]);
})();

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
  // Another dollar, such as `Z$`, is one of the dollars.
  const known = codesOfSign.get(key) ?? codesOfSign.get(/^\p{L}{1,3}(\p{Sc})$/u.exec(key)?.[1] ?? "");
  const codes = code === undefined ? known : [code];
  return codes === undefined ? undefined : { sign, codes };
}

/** Signs with the letters before them, words with their dots, and the signs behind shillings. */
const tokenExpression = /\p{L}*\p{Sc}|\/[=-]|\p{L}+(?:\.\p{L}+)*\.?/gu;

/** Most words of a name: `South Sudanese pounds`, `shilingi za Uganda`. */
const nameWordsMax = 3;

/**
 * The currencies that a heading names: `Price (TSh/kg)`, `EUR per kg`, `Bei (Sh.)`, `Price in Uganda shillings`. Words
 * that are codes as well (`Price (all markets)`, `TOP GRADE`) are none.
 *
 * @returns One mark for each sign.
 */
export function currenciesInHeading(text: string, declared: DeclaredCurrencies): readonly CurrencyMark[] {
  const spaced = text.replace(/\s+/g, " ");
  const tokens = [...spaced.matchAll(tokenExpression)];
  const marks = new Map<string, CurrencyMark>();
  const hasSmallLetters = /\p{Ll}/u.test(text);
  const isDeclared = (token: string): boolean => Object.keys(declared).some((sign) => signKey(sign) === signKey(token));
  for (let at = 0; at < tokens.length; at++) {
    const name = nameAt(tokens, at, declared);
    if (name !== undefined) {
      marks.set(signKey(name.mark.sign), name.mark);
      at += name.wordCount - 1;
      continue;
    }
    const { 0: token, index } = tokens[at] as RegExpExecArray;
    // At most a space, `per` and the character before it decide.
    const isOfUnit = /(?:\/|\bper) ?$/i.test(spaced.slice(Math.max(0, index - 5), index));
    if (!isDeclared(token) && !isCurrencyInText(token, hasSmallLetters && !isOfUnit)) continue;
    const mark = readCurrency(token, declared);
    if (mark !== undefined) marks.set(signKey(mark.sign), mark);
  }
  return [...marks.values()];
}

/** The name of several words that begins with a token. */
function nameAt(tokens: readonly RegExpExecArray[], at: number, declared: DeclaredCurrencies) {
  for (let wordCount = nameWordsMax; wordCount > 1; wordCount--) {
    const words = tokens.slice(at, at + wordCount).map(([token]) => token);
    const isName = words.length === wordCount && words.every((word) => /^\p{L}+$/u.test(word));
    const mark = isName ? readCurrency(words.join(" "), declared) : undefined;
    if (mark !== undefined) return { mark, wordCount };
  }
  return undefined;
}

/**
 * Returns whether a token counts inside a text, where other words stand beside it.
 * @param isClear True if capitals mean much.
 */
function isCurrencyInText(token: string, isClear: boolean): boolean {
  if (/\p{Sc}|^\//u.test(token)) return true;
  const key = signKey(token);
  const code = key.toUpperCase();
  if (wordCodes.has(code)) return isClear && token.startsWith(code);
  return key.length > 2 || shortWords.has(key);
}

/**
 * The currencies that a title names, such as `All prices in UGX`. There amounts (`USD 5 million`) say nothing of the
 * prices, and short signs are words.
 */
export function currenciesInTitle(text: string, declared: DeclaredCurrencies): readonly CurrencyMark[] {
  // No word and no number of an amount is longer; without a bound, time grows with the square of a long one.
  const withoutAmounts = text
    .replace(/[\p{L}\p{Sc}.]{1,40}\s?(?!(?:19|2\d)\d\d\b)\d[\d.,]*/gu, " ")
    .replace(/\b(?!(?:19|2\d)\d\d\b)\d[\d.,]{0,40}\s?(?:\p{Sc}|\p{Lu}{3}\b)/gu, " ");
  return currenciesInHeading(withoutAmounts, declared).filter(({ sign, codes }) => {
    if (isoCodes.has(signKey(sign).toUpperCase())) return !wordCodes.has(codes[0] as string) && /^\p{Lu}+/u.test(sign);
    return /\p{Sc}/u.test(sign) || signKey(sign).length > 2;
  });
}

/** Words of headings that name a currency, by `nameKey`, with the first code that they can mean. */
export const currencyWords: ReadonlyMap<string, string> = new Map([
  ...[...codesOfSign]
    .filter(([sign]) => sign !== "" && nameKey(sign) === sign && isCurrencyInText(sign, false))
    .map(([sign, codes]) => [sign, codes[0] as string] as const),
  // `US$` without its sign.
  ["us", "USD"],
]);
