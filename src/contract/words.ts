/** The texts of pages and sentences in each language, and its formats of numbers and days. */

import { type Day, dayMilliseconds, firstDayOf, type MonthNumber, monthNumber } from "../engine/model/calendar.ts";
import { getOrInsert } from "../engine/model/get-or-insert.ts";
import type { ProductRecord } from "../engine/model/records.ts";
import { lengthsMax, shortened } from "../engine/model/text-lengths.ts";
import { roundFigure } from "../engine/store/figures.ts";
import texts from "./words.json" with { type: "json" };

export const languages = ["en", "sw"] as const;
export type Language = (typeof languages)[number];

/** Names of the texts in src/contract/words.json. */
export type WordKey = keyof typeof texts;

/** Values for the `{names}` of a text. `count` also chooses between the forms of singular and plural. */
export type WordValues = Readonly<Record<string, string | number>>;

/** The locales of the formats of numbers and days. */
const locales: Readonly<Record<Language, string>> = { en: "en-KE", sw: "sw-KE" };

/** Prices from here on are written without decimals. */
const wholePriceMin = 1000;

/** Prices below this would lose digits with two decimals. */
const smallPriceMax = 1;

/** Prices from here on are written in powers of ten. */
const hugePriceMin = 1e12;

/** A unit that is a container, such as `90 kg bag`. */
const packedUnit = /^(\d+(?:\.\d+)?) (\S+) (\S+)$/;

/** A unit that is read with a vowel first: an 80 kg bag. */
const vowelFirst = /^(?:[aeiou]|8|1[18]\b)/i;

type Formats = ReturnType<typeof formatsOf>;

function formatsOf(locale: string) {
  const date = (parts: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { ...parts, timeZone: "UTC" });
  return {
    plurals: new Intl.PluralRules(locale),
    integer: new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }),
    percent: new Intl.NumberFormat(locale, { maximumFractionDigits: 0, style: "percent" }),
    change: new Intl.NumberFormat(locale, { maximumFractionDigits: 0, style: "percent", signDisplay: "exceptZero" }),
    decimal: new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
    price: new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
    smallPrice: new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 }),
    hugePrice: new Intl.NumberFormat(locale, { notation: "scientific", maximumSignificantDigits: 3 }),
    day: date({ day: "numeric", month: "short", year: "numeric" }),
    month: date({ month: "long", year: "numeric" }),
    shortMonth: date({ month: "short" }),
    shortDay: date({ day: "numeric", month: "short" }),
    longMonth: date({ month: "long" }),
  };
}

/** Months whose names are kept: those of a hundred years. Addresses can name any month. */
const namedMonthsMax = 1200;

/** The texts and formats of one language. */
export class Words {
  readonly language: Language;
  readonly #formats: Formats;
  /** The parts of texts: text and name of a value in turn. A page writes hundreds of texts. */
  readonly #parts = new Map<string, readonly string[]>();
  /** The names of months; a page names the same ones hundreds of times. */
  readonly #months = new Map<number, string>();

  constructor(language: Language) {
    this.language = language;
    this.#formats = formatsOf(locales[language]);
  }

  /** A text with its values. */
  say(key: WordKey, values: WordValues = {}): string {
    const found: string | readonly string[] = texts[key][this.language];
    const text = typeof found === "string" ? found : (found[this.#form(values["count"])] as string);
    const parts = getOrInsert(this.#parts, text, () => text.split(/\{(\w+)\}/));
    let said = "";
    for (const [at, part] of parts.entries()) {
      const value = at % 2 === 0 ? part : (values[part] ?? `{${part}}`);
      said += typeof value === "number" ? this.integer(value) : value;
    }
    return said;
  }

  integer(value: number): string {
    return this.#formats.integer.format(value);
  }

  /** `1.2` */
  decimal(value: number): string {
    return this.#formats.decimal.format(value);
  }

  /** `+12%` or `-12%` of a change in percent, or `0%`. */
  change(percent: number): string {
    return this.#formats.change.format(percent / 100);
  }

  /** `12%` of a part of one. */
  percent(value: number): string {
    return this.#formats.percent.format(value);
  }

  /** Rounded to millionths first, as the interface writes it, so that halves go the same way. */
  price(exact: number): string {
    const value = roundFigure(exact);
    if (value >= hugePriceMin) return this.#formats.hugePrice.format(value);
    if (value >= wholePriceMin) return this.#formats.integer.format(value);
    return value > 0 && value < smallPriceMax
      ? this.#formats.smallPrice.format(value)
      : this.#formats.price.format(value);
  }

  /** `15 Oct 2025` */
  day(day: Day): string {
    return this.#formats.day.format(day * dayMilliseconds);
  }

  /** `October 2025`. @param month As a number, or `2025-10`. */
  month(month: MonthNumber | string): string {
    const first = firstDayOf(typeof month === "string" ? monthNumber(month) : month);
    if (this.#months.size > namedMonthsMax) this.#months.clear();
    return getOrInsert(this.#months, first, () => this.#formats.month.format(first * dayMilliseconds));
  }

  /** `May 2021 to April 2026`, or the one of both where they are the same. */
  span(first: string, last: string): string {
    return first === last ? first : this.say("span", { first, last });
  }

  /** `Oct`. @param month Counted from 1. */
  shortMonth(month: number): string {
    return this.#formats.shortMonth.format(Date.UTC(2000, month - 1, 1));
  }

  /** `15 Oct` */
  shortDay(day: Day): string {
    return this.#formats.shortDay.format(day * dayMilliseconds);
  }

  /** `October`. @param month Counted from 1. */
  longMonth(month: number): string {
    return this.#formats.longMonth.format(Date.UTC(2000, month - 1, 1));
  }

  /** The name of a type of market. */
  type(type: string): string {
    return this.#known(`type ${type}`) ?? type;
  }

  /** A text that begins a sentence. */
  titled(text: string): string {
    return text.charAt(0).toLocaleUpperCase(locales[this.language]) + text.slice(1);
  }

  /** The name of a category, as it is in the data where no other is known. */
  category(name: string): string {
    return this.#known(`category ${name}`) ?? name;
  }

  /**
   * The name of a unit, such as `gunia la kilo 90` for a `90 kg bag`; as it is in the data where no other is known, cut
   * as all names are.
   */
  unit(name: string): string {
    return this.#known(`unit ${name}`) ?? this.#packed(name) ?? shortened(name, lengthsMax.name);
  }

  /** `KES per kg` */
  currencyPerUnit(currency: string | null, unit: string): string {
    return this.say("perUnit", { currency: currency ?? "–", unit: this.unit(unit) });
  }

  /** `46.39 KES a kg` */
  priceOf(value: number, currency: string | null, unitName: string): string {
    const unit = this.unit(unitName);
    const price = this.price(value);
    return this.say(vowelFirst.test(unit) ? "priceOfAn" : "priceOf", { price, currency: currency ?? "–", unit });
  }

  /**
   * The name of a product. In Swahili its first alternative name, followed by its own name, because several products
   * may share the other.
   */
  product({ name, alternativeNames }: Pick<ProductRecord, "name" | "alternativeNames">): string {
    const [other] = this.language === "sw" ? (alternativeNames ?? []) : [];
    return other === undefined || other === name ? name : `${other} – ${name}`;
  }

  /** The title of a document: its parts and the name of the site, each once. */
  documentTitle(...parts: readonly string[]): string {
    return [...new Set([...parts, this.say("siteName")])].join(" · ");
  }

  /** The name of a container with its amount; undefined where one of the words is not known. */
  #packed(name: string): string | undefined {
    const [, number = "", measure = "", container = ""] = packedUnit.exec(name) ?? [];
    const unit = this.#known(`unit ${measure}`);
    return unit && this.#known(`container ${container}`, { amount: this.say("amount", { number, unit }) });
  }

  #known(key: string, values?: WordValues): string | undefined {
    return Object.hasOwn(texts, key) ? this.say(key as WordKey, values) : undefined;
  }

  /** 0 for the singular, otherwise 1. */
  #form(count: string | number | undefined): 0 | 1 {
    return this.#formats.plurals.select(Number(count)) === "one" ? 0 : 1;
  }
}

const known = new Map<Language, Words>();

/** The words of a language. Formats take a millisecond to make, so they are made once. */
export function wordsOf(language: Language): Words {
  return getOrInsert(known, language, () => new Words(language));
}
