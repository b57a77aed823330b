/** Wide tables: the heading of each column of prices has the date, the market or the product of the prices below it. */
import { DateReader } from "./date-cell.ts";
import { foldHeading } from "./name-key.ts";
import type { SerialEpoch } from "./sheet-table.ts";
import { readHeading } from "./statements.ts";

/** What the headings of a wide table have, as its mapping says. */
export interface WidePrices {
  readonly headings: (typeof wideFields)[number];
  /** The form of headings that are dates. */
  readonly form?: string | null;
  /** The headings of the columns of prices, where they are names. */
  readonly columns?: readonly string[] | null;
}

export const wideFields = ["date", "market", "product"] as const;

/** A column of prices of a wide table. */
export interface WideColumn {
  readonly at: number;
  readonly heading: string;
  /** The piece of the heading that is the date or name. */
  readonly name: string;
  /** The rest of it, which may state something of the prices. */
  readonly beside: string;
}

/** Undefined for the mapping of a table with a price a row. */
export function widePrices({ price }: { readonly price?: unknown }): WidePrices | undefined {
  return typeof price === "object" && price !== null && "headings" in price ? (price as WidePrices) : undefined;
}

/** The forms of dates of headings; a heading of a workbook that is a date has the second one. */
export function formsOfHeadings({ form }: WidePrices): readonly string[] {
  return form === null || form === undefined ? [] : [form, "yyyy-MM-dd"];
}

/** The columns of prices among headings. @param epoch That of the table. */
export function wideColumns(headings: readonly (string | undefined)[], wide: WidePrices, epoch: SerialEpoch) {
  const named = new Set(wide.columns?.map(foldHeading));
  const dates = new DateReader(formsOfHeadings(wide), epoch);
  return headings.flatMap((heading = "", at): readonly WideColumn[] => {
    const isName = wide.headings !== "date" && named.has(foldHeading(heading));
    const split = isName ? splitName(heading) : wide.headings === "date" ? splitDate(heading, dates) : undefined;
    return split === undefined ? [] : [{ at, heading, ...split }];
  });
}

type SplitHeading = Pick<WideColumn, "name" | "beside">;

/** The longest run of words that is a date: `Jan-26` of `Price (KSh) / Jan-26`. */
function splitDate(heading: string, dates: DateReader): SplitHeading | undefined {
  const words = [...heading.matchAll(/[^\s()[\]]+/g)].slice(0, 8);
  for (let count = words.length; count > 0; count--) {
    for (const [first, { index: start }] of words.slice(0, words.length - count + 1).entries()) {
      const last = words[first + count - 1] as RegExpExecArray;
      const name = heading.slice(start, last.index + last[0].length);
      if (!/\d/.test(name) || typeof dates.read(name) !== "number") continue;
      return { name, beside: `${heading.slice(0, start)} ${heading.slice(start + name.length)}`.trim() };
    }
  }
  return undefined;
}

/** A name without what its brackets and the other rows of headings state: `Kitui` of `Price / Kitui (KES)`. */
function splitName(heading: string): SplitHeading {
  const parts = heading.split(/(\s\/\s|\s*\([^()]*\))/);
  const isBeside = (part: string): boolean => readHeading(part).unexplained.length === 0;
  const own = parts.filter((part) => !isBeside(part));
  const name = own.join("").trim();
  return name === "" ? { name: heading, beside: "" } : { name, beside: parts.filter(isBeside).join("").trim() };
}
