/**
 * A text outside the cells of prices → what it states of all of them: scale, currency, unit, type of market, dates.
 * Its words are in sheet-words.json.
 */
import { type MarketType, marketTypes } from "../../../engine/model/vocabulary.ts";
import { type CurrencyMark, currenciesInText, type DeclaredCurrencies } from "./currency.ts";
import words from "./sheet-words.json" with { type: "json" };
import { isDateOfReport, type StatedTime, timesInText } from "./stated-times.ts";

/** What a text states; `said` is the piece of the text that states it. */
export type Statement = { readonly said: string } & (
  | { readonly kind: "scale"; readonly value: number }
  | { readonly kind: "currency"; readonly value: CurrencyMark["codes"] }
  | { readonly kind: "unit"; readonly value: string }
  | { readonly kind: "market_type"; readonly value: MarketType }
  | { readonly kind: "date"; readonly value: readonly StatedTime[]; readonly isOfReport: boolean }
);

/** What the text of a heading states. */
export interface HeadingReading {
  readonly statements: readonly Statement[];
  /** Words beside each other that state nothing and are not known, `farm gate`. */
  readonly unexplained: readonly string[];
  /** The text with signs in the place of what states something. */
  readonly rest: string;
}

export function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

/** Words as alternatives of an expression, longest first. */
function anyOf(list: Iterable<string>): string {
  return [...list].sort((a, b) => b.length - a.length).join("|");
}

function keyed(table: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(table).flatMap(([key, list]) => list.split(" ").map((word) => [word, key] as const)));
}

/** The word that the reference units have, with others for it in any language and number: `MT` is a tonne. */
export const unitWordOf: ReadonlyMap<string, string> = keyed(words.units);
const scaleOf = keyed(words.scales);
const typeOf = keyed(words.types) as ReadonlyMap<string, MarketType>;
const shortScales = wordsOf(words.shortScales);

const [wordStart, wordEnd] = [String.raw`(?<![\p{L}\p{N}'])`, String.raw`(?![\p{L}\p{N}])`];
/** `prices of each market` names no unit. */
const unitWord = `(?!each\\s+\\p{L})(?:${anyOf([...unitWordOf.keys(), ...Object.keys(words.units)])})${wordEnd}`;
const number = String.raw`\d[\d.,\u2044]*`;
/** `90 kg bag`, `kg`, `gunia la kilo 90`. */
const counted = `(?:${number}[\\s-]*)?${unitWord}`;
const unitPhrase = (joints: string): string =>
  `${counted}(?:[${joints}-]+(?:(?:la|ya|za|cha|wa|of)\\s+)?${counted}|\\s+${number}${wordEnd})*`;
/** `50 kg bag`, `kilo 2`. */
const counting = `${number}[\\s-]*${unitWord}(?:[\\s-]+${unitWord})?|${unitWord}\\s+${number}${wordEnd}`;
const money = anyOf(Object.entries(words.currencies).flat().join(" ").split(" "));
/** `a kilo` is a price per kilogram behind a currency alone: of `Irish a bag` there are potatoes. */
const afterMoney = String.raw`(?<=${wordStart}(?:${money}|bob)\.?(?:/=)?\)? )(?:for )?(?:a|each|one)`;
const per = String.raw`(?:(?<!\p{L})(?:per|kwa|kila|by the|${afterMoney})\s+|/\s*)`;
const scaleName = `(?:${anyOf(scaleOf.keys())})(?![\\p{L}\\p{N}]|\\.\\p{L})`;
const currencySign = String.raw`(?:\p{Sc}|\p{L}{3})`;

const expressions = {
  /** `per bag`, and `per bag = 90 kg`, of which the weight comes second. */
  perUnit: new RegExp(`${per}(${unitPhrase("\\s(")})(?:\\s*=\\s*(${counted}))?`, "giu"),
  unit: new RegExp(`${wordStart}(${unitPhrase("\\s(=")})`, "giu"),
  countedUnit: new RegExp(`${wordStart}(${counting})`, "giu"),
  /** Of `urban retail prices` the second word counts. */
  type: new RegExp(`${wordStart}(?:(?:rural|urban)\\s+)?(${anyOf(typeOf.keys())})${wordEnd}`, "giu"),
  /** `'000`, `00s`, `x 1,000`, `1000x`, `1,000s`. */
  scaleSign: new RegExp(
    [
      String.raw`(?<![\d.,])[,']?(?<zeros>0{2,6}(?:,000)*)'?s?${wordEnd}`,
      String.raw`${wordStart}(?:[x×*✕✖÷]|times|mara|(?:multipl|divid)\p{L}+(?: \p{L}+){0,3} by) ?(?<factor>\d[\d,. ]*)`,
      String.raw`(?<![\d.,])(?<multiple>\d[\d,]*)\s*[x×]${wordEnd}`,
      String.raw`(?<![\d.,])(?<round>10|1[, ]?0[0, ]{0,10}0)'?s?(?![\d.,]|\s*[x×]|\p{L})`,
    ].join("|"),
    "giu",
  ),
  scaleWord: new RegExp(`${wordStart}(${scaleName}(?:\\s+(?:(?:of|ya)\\s+)?${scaleName})*)`, "giu"),
  /** `USD 5 million`, `1 USD = 129 KES`: amounts say nothing of prices. No number or word of one is longer. */
  amount: new RegExp(
    String.raw`[\p{L}\p{Sc}.]{1,40}\s?(?!(?:19|2\d)\d\d\b)[1-9][\d.,]*(?:\s+${scaleName})?` +
      String.raw`|\b(?!(?:19|2\d)\d\d\b)[1-9][\d.,]{0,40}\s?(?:${scaleName}\s)?${currencySign}${wordEnd}`,
    "gu",
  ),
  aboutPrices: new RegExp(`${wordStart}(?:${anyOf(words.aboutPrices.split(" "))})${wordEnd}`, "iu"),
};

/** Characters of a text that are read: titles and headings are short. */
const textCharactersMax = 1000;

/** One form of signs that are written in several. Signs of footnotes are no part of a word, but m² and m³ are units. */
function plainText(text: string): string {
  return text
    .slice(0, textCharactersMax)
    .replace(/1(?:(?:0\^|0\*\*|E\+?0?)([2-6])|0([²³⁴⁵⁶]))/g, (_, plain, raised) => {
      return ` 1${"0".repeat(plain === undefined ? "²³⁴⁵⁶".indexOf(raised) + 2 : Number(plain))} `;
    })
    .replaceAll("¢", " cents ")
    .replace(/\bw\s?[/.]\s?(?=sale)/gi, "whole")
    .replace(/(whole|reja)[\s-]+(?=sale|reja)/gi, "$1")
    .replace(/(?<!\bm)[¹²³⁰-₉①-⓿]+/g, " ")
    .normalize("NFKC")
    .replace(/[`´ʹʻ-ʽ‘’‛′＇]/g, "'")
    .replace(/\s+/g, " ");
}

/** A text from which statements are taken, one kind after the other; what is taken is no longer there. */
class Remainder {
  text: string;
  readonly statements: Statement[] = [];

  constructor(text: string) {
    this.text = text;
  }

  /** @param read Undefined where a match states nothing; it stays. */
  take(expression: RegExp, read: (match: RegExpExecArray) => Statement | undefined): void {
    const whole = this.text;
    for (const match of whole.matchAll(expression)) {
      const statement = read(match);
      if (statement === undefined) continue;
      this.statements.push(statement);
      this.remove(match.index, match.index + match[0].length);
    }
  }

  /** Signs in its place keep words on both sides apart, and positions as they are. */
  remove(start: number, end: number): void {
    this.text = `${this.text.slice(0, start)}${"|".repeat(end - start)}${this.text.slice(end)}`;
  }

  takeCurrencies(declared: DeclaredCurrencies, isTitle: boolean): void {
    for (const { start, end, sign, codes } of currenciesInText(this.text, declared, isTitle)) {
      this.statements.push({ kind: "currency", said: sign, value: codes });
      this.remove(start, end);
    }
  }

  takeTimes(): void {
    const { times, spans } = timesInText(this.text);
    // A year alone may be that of a plan or a census.
    const isYear = times.every(({ month, week }) => month === undefined && week === undefined);
    const isStated = isAboutPrices(this.text) || /^\s*(?:year|mwaka)\b/iu.test(this.text);
    if (times.length === 0 || (isYear && !isStated)) return;
    const said = spans.map(([start, end]) => this.text.slice(start, end).trim()).join(" … ");
    this.statements.push({ kind: "date", said, value: times, isOfReport: isDateOfReport(this.text) });
    for (const [start, end] of spans) this.remove(start, end);
  }
}

function unitStatement([, unit = "", weight = ""]: RegExpExecArray): Statement {
  const value = `${weight} ${unit}`.trim();
  return { kind: "unit", said: value, value };
}

function scaleOfSign({ 0: said, groups = {} }: RegExpExecArray): Statement {
  const { zeros, factor, multiple, round } = groups;
  const digits = (factor ?? multiple ?? round ?? `1${zeros}`).replace(/[, ]|\.$/g, "");
  return { kind: "scale", said: said.trim(), value: Number(digits) };
}

function scaleOfWords([said]: RegExpExecArray): Statement {
  const named = said.toLowerCase().split(/\s+/);
  return { kind: "scale", said, value: named.reduce((product, word) => product * Number(scaleOf.get(word) ?? 1), 1) };
}

function typeStatement([said, type = ""]: RegExpExecArray): Statement {
  return { kind: "market_type", said, value: typeOf.get(type.toLowerCase()) as MarketType };
}

/** Words that say which of several prices it is, and words between them. */
const whichOfPrices = [words.whichPrice, words.bounds, words.middles, words.weekDays, words.dayTimes, words.weeks];

export const whichWords: ReadonlySet<string> = wordsOf(whichOfPrices.join(" "));

/** Words of headings of prices that state nothing. */
const knownWords = new Set(
  [words.fillers, words.prices, ...whichOfPrices, words.headings.price].flatMap((list) => list.split(" ")),
);

/** Reads the heading of a column of prices, units or currencies. */
export function readHeading(text: string, declared: DeclaredCurrencies = {}): HeadingReading {
  const rest = new Remainder(plainText(text).replace(/_|(?<=\p{Ll}{2})(?=\p{Lu}\p{Ll})/gu, " "));
  rest.takeTimes();
  rest.take(expressions.perUnit, unitStatement);
  rest.take(expressions.scaleSign, scaleOfSign);
  rest.take(expressions.scaleWord, scaleOfWords);
  rest.takeCurrencies(declared, false);
  rest.take(expressions.type, typeStatement);
  rest.take(expressions.unit, unitStatement);
  return {
    statements: withoutDoubt(rest.statements, ["market_type", "unit"]),
    unexplained: unknownRuns(rest.text),
    rest: rest.text,
  };
}

/** Returns whether a word states nothing. A number of at most two digits counts columns, and a year is none. */
function isKnownWord(word: string): boolean {
  return knownWords.has(word.toLowerCase()) || /^(?:\d{1,2}(?:st|nd|rd|th)?|(?:19|20)\d\d)$/i.test(word);
}

/** Runs of words that are not known. */
function unknownRuns(text: string): readonly string[] {
  return text.split(/[^\p{L}\p{N}'\s.&-]+/u).flatMap((part) => {
    const runs: string[][] = [[]];
    for (const word of part.match(/[\p{L}\p{N}][\p{L}\p{N}']*/gu) ?? []) {
      if (isKnownWord(word)) runs.push([]);
      else runs.at(-1)?.push(word);
    }
    return runs.filter((run) => run.length > 0).map((run) => run.join(" "));
  });
}

/**
 * Reads a title, the name of a sheet or a note. Most of their words are about anything, so that few count.
 *
 * @param hasUnits True if a column has the units of prices; otherwise more phrases are units.
 */
export function readTitle(text: string, declared: DeclaredCurrencies = {}, hasUnits = true): readonly Statement[] {
  const rest = new Remainder(plainText(text));
  rest.takeTimes();
  const isPriced = isAboutPrices(rest.text);
  rest.take(expressions.perUnit, unitStatement);
  if (!hasUnits) {
    rest.take(expressions.unit, (match) => (isUnitOfTitle(match, rest.text) ? unitStatement(match) : undefined));
  }
  if (isPriced) rest.take(expressions.countedUnit, unitStatement);
  // What stands before a scale must still stand there.
  const whole = rest.text;
  const hasCurrency = currenciesInText(whole, declared, true).length > 0;
  const scales = { isPriced: isPriced || hasCurrency, whole };
  rest.take(expressions.scaleSign, (match) => (isScaleOfTitle(match, scales) ? scaleOfSign(match) : undefined));
  rest.take(expressions.scaleWord, (match) => (isScaleOfTitle(match, scales) ? scaleOfWords(match) : undefined));
  rest.text = rest.text.replace(expressions.amount, (amount) => "|".repeat(amount.length));
  rest.takeCurrencies(declared, true);
  rest.take(expressions.type, (match) => (isTypeOfTitle(match, whole) ? typeStatement(match) : undefined));
  return withoutDoubt(rest.statements, ["market_type", "unit", "currency"]);
}

/** Words before a unit of prices: `Unit of sale:`, `Units are in`, `Bei ya`, `Prices for one`. */
const beforeUnit = new RegExp(
  String.raw`(?<!\p{L})(?:(?:units?|[vk]ipimo|measured|converted)` +
    String.raw`(?: (?:(?:of|ya|cha) \p{L}+|used|is|are|ni|in|to|kwa))*\s*[:=-]?|` +
    String.raw`(?:prices?|bei)(?: (?:of|for|in|ya|za|one|a))+)\s*$`,
  "iu",
);

/** `50 kg bags`, `gunia la kilo 50`, `Unit: kg`, and a sheet called by a unit. */
function isUnitOfTitle({ 0: said, index }: RegExpExecArray, whole: string): boolean {
  return /\d/.test(said) || beforeUnit.test(whole.slice(0, index)) || said.trim() === whole.trim();
}

const followedByThing = new RegExp(`^\\s*(?:of\\s+)?(?:${anyOf(words.otherThings.split(" "))})${wordEnd}`, "iu");

/**
 * `in thousands`, `KES million`, `(000s)`, `kwa maelfu`; but not `5 million`, `hundreds of traders`, `'000 tonnes`.
 */
function isScaleOfTitle(match: RegExpExecArray, { isPriced, whole }: { isPriced: boolean; whole: string }): boolean {
  const said = match[0].toLowerCase();
  const [before, after] = [whole.slice(0, match.index), whole.slice(match.index + said.length)];
  const isOfCurrency = currenciesInText(before, {}, true).some(({ end }) => end === before.trimEnd().length);
  const isIn = /(?:(?<!\p{L})(?:in|kwa|katika|of)|\()\s*$/iu.test(before);
  const isOfOther = /^\s*of\s/i.test(after) && currenciesInText(after, {}, true).length === 0;
  if (shortScales.has(said) && !isOfCurrency && !(isIn && isPriced)) return false;
  if (/\d\s*$/.test(before) || followedByThing.test(after) || isOfOther) return false;
  const isCount = match.groups?.["round"] !== undefined && !said.endsWith("s");
  if (isCount && !((isIn || (isOfCurrency && isPriced)) && /^\s*(?:$|[^\p{L}\p{N}\s])/u.test(after))) return false;
  return isPriced || isIn || (before + after).trim() === "";
}

const isOrganisation = new RegExp(`^\\s+(?:${anyOf(words.organisations.split(" "))})${wordEnd}(?!\\s+price)`, "iu");

/** `Jumla ya …` is a total, and traders have associations. */
function isTypeOfTitle({ 0: said, index }: RegExpExecArray, whole: string): boolean {
  const after = whole.slice(index + said.length);
  return (
    !isOrganisation.test(after) && !(said.toLowerCase() === "jumla" && /^\s*(?:ya\s|kuu|:|=|\|*\s*\d)/i.test(after))
  );
}

/** A text that states other values of one of these kinds, such as two units, states none for all prices. */
function withoutDoubt(statements: readonly Statement[], kinds: readonly Statement["kind"][]): readonly Statement[] {
  const byKind = Map.groupBy(statements, ({ kind }) => kind);
  return [...byKind].flatMap(([kind, own]) => {
    // A sign of several currencies agrees with each.
    const values = own.map(({ value }) => new Set([value].flat().map((one) => String(one).toLowerCase())));
    const common = values.reduce((all, next) => all.intersection(next));
    return kinds.includes(kind) && common.size === 0 ? [] : own;
  });
}

/** Returns whether a text is about prices, or about their units, currency or type of market. */
export function isAboutPrices(text: string): boolean {
  return expressions.aboutPrices.test(text);
}

/** Types of market by the keys of their names. */
export const typeNames: ReadonlySet<string> = new Set(marketTypes.map((type) => type.toLowerCase()));
