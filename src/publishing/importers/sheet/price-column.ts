/** The headings of a table → its other columns of prices. */
import { foldText } from "../../../engine/model/folded-text.ts";
import { recogniseHeading } from "./headings.ts";
import type { Mapping } from "./mapping.ts";
import { foldHeading } from "./name-key.ts";
import words from "./sheet-words.json" with { type: "json" };
import { ignoreTest } from "./stated-values.ts";
import { readHeading, wordsOf } from "./statements.ts";

/**
 * Finds the headings of other columns of prices that the mapping does not distinguish by type of market. Prices of one
 * row in two columns (Monday and Friday, least and greatest) differ in nothing but the heading.
 *
 * @param headings All headings of the table.
 */
export function otherPriceColumns(
  headings: readonly (string | undefined)[],
  { columns, values, ignored }: Pick<Mapping, "columns" | "values" | "ignored">,
): readonly string[] {
  // The columns of a wide table are all known.
  if (typeof columns.price !== "string") return [];
  const own = foldHeading(columns.price);
  const isIgnored = ignoreTest(ignored);
  const type = columns.market_type === undefined ? values.market_type : undefined;
  return headings.filter((text): text is string => {
    if (text === undefined || foldHeading(text) === own || isIgnored(text) || !isPriceHeading(text, own)) return false;
    const other = readHeading(text).statements.find(({ kind }) => kind === "market_type")?.value;
    return type === undefined || other === undefined || foldText(type) === foldText(String(other));
  });
}

/** Words that distinguish price columns, by time or by place among several prices. */
const distinguishingWords = wordsOf([words.weekDays, words.dayTimes, words.bounds, words.middles].join(" "));

/** Words that by themselves are headings of prices that have changed: `Revised`. */
const changedWords = wordsOf(words.changedPrices);

/**
 * Returns whether a heading is one of prices. A distinguishing word alone (`Friday`, `Max`) counts
 * beside a column that is called so too. An amount of money may be a price.
 *
 * @param own The folded heading of the column that is read.
 */
function isPriceHeading(text: string, own: string): boolean {
  const heading = recogniseHeading(text);
  if (heading !== undefined) return heading.field === "price";
  const { statements, unexplained } = readHeading(text);
  const isAmount = unexplained.length === 0 && statements.some(({ kind }) => kind === "currency");
  const isChanged = wordsIn(text).every((word) => changedWords.has(word));
  return isAmount || isChanged || (isDistinguishing(text) && isDistinguishing(own));
}

function isDistinguishing(text: string): boolean {
  return wordsIn(text).every((word) => distinguishingWords.has(word));
}

function wordsIn(text: string): readonly string[] {
  return foldText(text).match(/[a-z0-9]+/g) ?? [""];
}
